//! Many tables in one file: an index, then the unchanged .pcn files. FORMAT.md, section "Bundles", describes the bytes.

use super::frozen::fields::{DISTANCES, RANKING, material_number, material_of};
use super::frozen::reader::{Reader, push_number};
use crate::chess::position::Material;
use crate::error::{Error, ErrorKind, Result};
use alloc::borrow::Cow;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::cmp::Ordering;
use core::ops::Range;

/// The first four bytes of a bundle.
pub const BUNDLE_MAGIC: [u8; 4] = [0xe7, b'P', b'C', b'B'];

/// The content of the files of a bundle. The numbers are the versions of a bundle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BundleKind {
    /// Outcomes, in .pcn files of versions 3, 4 and 7.
    Outcomes = 1,
    /// Distances, in version 6.
    Distances = 2,
    /// Rankings, in version 8.
    Rankings = 3,
}

/// The tables of a bundle with the ranges of their bytes.
#[derive(Clone, Debug)]
pub(crate) struct Index {
    pub(crate) kind: BundleKind,
    pub(crate) entries: Vec<(Material, Range<usize>)>,
}

/// A bundle: the materials of its tables, and their bytes.
#[derive(Clone, Debug)]
pub struct Bundle {
    bytes: Cow<'static, [u8]>,
    kind: BundleKind,
    /// In the order of [`order`].
    entries: Vec<(Material, Range<usize>)>,
}

impl Bundle {
    /// Whether `bytes` begin as a bundle does.
    pub fn is_bundle(bytes: &[u8]) -> bool {
        bytes.starts_with(&BUNDLE_MAGIC)
    }

    /// Reads the index of a bundle, and none of its tables. Any bytes are acceptable. A vector, or a part of the program through
    /// `include_bytes!`, is kept and not copied.
    ///
    /// # Errors
    /// [`ErrorKind::BadMagic`] when this is no bundle; [`ErrorKind::UnsupportedVersion`]; [`ErrorKind::Corrupt`] with the
    /// reason.
    pub fn open(bytes: impl Into<Cow<'static, [u8]>>) -> Result<Self> {
        let bytes = bytes.into();
        let Index { kind, entries } = Self::index(&bytes, bytes.len())?;
        Ok(Bundle { bytes, kind, entries })
    }

    /// The content of the files.
    pub fn kind(&self) -> BundleKind {
        self.kind
    }

    /// The materials of the tables, in order: fewer men first, then by signature.
    pub fn materials(&self) -> impl Iterator<Item = &Material> {
        self.entries.iter().map(|(material, _)| material)
    }

    /// The bytes of each table, a .pcn file, in the order of the materials.
    pub fn tables(&self) -> impl Iterator<Item = (&Material, &[u8])> {
        self.entries.iter().map(|(material, range)| (material, &self.bytes[range.clone()]))
    }

    /// The bytes of the table of `material`, a .pcn file.
    pub fn table(&self, material: &Material) -> Option<&[u8]> {
        let found =
            self.entries.binary_search_by_key(&order(material), |(material, _)| order(material)).ok()?;
        Some(&self.bytes[self.entries[found].1.clone()])
    }

    /// Returns the bytes of a bundle of `tables`: .pcn files of different materials and of one kind. Their order does not
    /// matter. Deterministic.
    ///
    /// # Errors
    /// [`ErrorKind::BadInput`] when two tables have the same material, or they are of several kinds.
    pub fn encode(mut tables: Vec<(Material, Vec<u8>)>) -> Result<Vec<u8>> {
        tables.sort_by_cached_key(|(material, _)| order(material));
        if let Some(pair) = tables.windows(2).find(|pair| pair[0].0 == pair[1].0) {
            return Err(Error::new(ErrorKind::BadInput, format!("two tables of {}", pair[0].0)));
        }
        let kind = |(_, table): &(Material, Vec<u8>)| match table.get(1) {
            Some(&DISTANCES) => BundleKind::Distances,
            Some(&RANKING) => BundleKind::Rankings,
            _ => BundleKind::Outcomes,
        };
        let kind_of_all = tables.first().map_or(BundleKind::Outcomes, kind);
        if tables.iter().any(|table| kind(table) != kind_of_all) {
            let why = "outcomes, distances and rankings need a bundle each";
            return Err(Error::new(ErrorKind::BadInput, why));
        }
        let mut bytes = BUNDLE_MAGIC.to_vec();
        bytes.push(kind_of_all as u8);
        push_number(&mut bytes, tables.len() as u64);
        for (material, table) in &tables {
            push_number(&mut bytes, material_number(material));
            push_number(&mut bytes, table.len() as u64);
        }
        bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
        tables.iter().for_each(|(_, table)| bytes.extend(table));
        Ok(bytes)
    }

    /// Reads the index at the beginning of a bundle of `length` bytes. Returns the range of the bytes of each table; `bytes` may
    /// end after the index.
    ///
    /// # Errors
    /// Those of [`Bundle::open`].
    pub(crate) fn index(bytes: &[u8], length: usize) -> Result<Index> {
        if !Self::is_bundle(bytes) {
            return Err(Error::new(ErrorKind::BadMagic, "not a bundle of tables"));
        }
        let mut reader = Reader::new(bytes);
        reader.take(BUNDLE_MAGIC.len())?;
        let version = reader.byte()?;
        let kinds = [BundleKind::Outcomes, BundleKind::Distances, BundleKind::Rankings];
        let Some(kind) = kinds.into_iter().find(|&kind| kind as u8 == version) else {
            let why = format!("unknown bundle version {version}");
            return Err(Error::new(ErrorKind::UnsupportedVersion, why));
        };
        let lengths = reader.field("index of the bundle", |reader| {
            let mut lengths = Vec::new();
            for _ in 0..reader.number()? {
                let material = material_of(reader.short_number()?.into())?;
                lengths.push((material, usize::try_from(reader.number()?).unwrap_or(usize::MAX)));
            }
            reader.checksum()?;
            let is_sorted = lengths.is_sorted_by(|(a, _), (b, _)| order(a) < order(b));
            Error::corrupt_unless(is_sorted, || "tables are not in ascending order".into())?;
            Ok(lengths)
        })?;
        let mut end = reader.at;
        let mut entries = Vec::with_capacity(lengths.len());
        for (material, table) in lengths {
            let first = end;
            end = end.saturating_add(table);
            entries.push((material, first..end));
        }
        match end.cmp(&length) {
            Ordering::Equal => Ok(Index { kind, entries }),
            Ordering::Less => Err(Error::corrupt("bytes after the last table of a bundle")),
            Ordering::Greater => {
                let why = format!("a bundle cut short: {end} bytes expected, {length} there");
                Err(Error::corrupt(why))
            }
        }
    }
}

/// The sort key of the tables.
fn order(material: &Material) -> (usize, String) {
    (material.len(), material.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn example() -> Vec<(Material, Vec<u8>)> {
        let table =
            |(length, signature): (usize, &str)| (signature.parse().unwrap(), vec![length as u8; 3 * length]);
        ["KRvK", "KvK", "KPvKP", "KBvK"].into_iter().enumerate().map(table).collect()
    }

    #[test]
    fn tables_come_back_in_order() {
        let mut tables = example();
        let bytes = Bundle::encode(tables.clone()).unwrap();
        tables.reverse();
        assert_eq!(Bundle::encode(tables.clone()).unwrap(), bytes);
        let bundle = Bundle::open(bytes).unwrap();
        let names: Vec<String> = bundle.materials().map(Material::to_string).collect();
        assert_eq!(names, ["KvK", "KBvK", "KRvK", "KPvKP"]);
        for (material, table) in &tables {
            assert_eq!(bundle.table(material), Some(&table[..]));
        }
        assert_eq!(bundle.table(&"KQvK".parse().unwrap()), None);
        tables.push(tables[0].clone());
        assert_eq!(Bundle::encode(tables).unwrap_err().kind(), ErrorKind::BadInput);
    }

    #[test]
    fn a_damaged_index_is_refused() {
        let good = Bundle::encode(example()).unwrap();
        let index = good.len() - 3 * (1 + 2 + 3);
        for at in 0..good.len() {
            assert!(Bundle::open(good[..at].to_vec()).is_err());
            let mut bad = good.clone();
            bad[at] ^= 0x41;
            assert_eq!(Bundle::open(bad).is_err(), at < index, "byte {at}");
        }
        assert!(Bundle::open([&good[..], &[0]].concat()).is_err());
    }
}
