//! A file of a set of tables, read when it is first needed.

use super::decoding_limit::DecodingLimit;
use super::file::File;
use super::lazy_slot::LazySlot;
use super::source::{Source, TableOrigin};
use crate::bytes::Bytes;
use crate::chess::position::Material;
use crate::error::{Error, Result};
use crate::pcn::Header;
use crate::probe::Prober;
use crate::probe::distances::DistanceProber;
use std::sync::Arc;

/// A file and its prober, once it was read.
#[derive(Debug)]
pub(super) struct Entry<P> {
    pub(super) key: u64,
    pub(super) material: Material,
    pub(super) source: Source,
    pub(super) origin: TableOrigin,
    pub(super) prober: LazySlot<P>,
}

/// The materials of entries: fewer men first, then fewer pawns, then by name.
pub(super) fn sorted<P>(entries: &[Entry<P>]) -> Vec<Material> {
    let mut materials: Vec<Material> = entries.iter().map(|entry| entry.material).collect();
    materials.sort_by_cached_key(|material| (material.len(), material.pawns(), material.to_string()));
    materials
}

/// Adds `new` entries to the sorted ones; the last one of a material replaces the others.
pub(super) fn merge<P>(entries: &mut Vec<Entry<P>>, new: Vec<Entry<P>>) {
    let old = std::mem::take(entries);
    entries.extend(new.into_iter().rev().chain(old));
    entries.sort_by_key(|entry| entry.key);
    entries.dedup_by_key(|entry| entry.key);
}

impl<P> Entry<P> {
    pub(super) fn new(material: Material, source: Source, origin: TableOrigin) -> Self {
        Entry { key: key(&material), material, source, origin, prober: LazySlot::new(None) }
    }

    /// Whether no entry of the sorted ones has its material.
    pub(super) fn is_new<Q>(&self, others: &[Entry<Q>]) -> bool {
        others.binary_search_by_key(&self.key, |entry| entry.key).is_err()
    }
}

impl Entry<DistanceProber> {
    /// Reads the file, whether or not it was read before.
    pub(super) fn read_anew(&self, limit: &Arc<DecodingLimit>, is_ranking: bool) -> Result<DistanceProber> {
        let prober = DistanceProber::decode(self.source.read(&self.origin.path)?, limit)?;
        let is_right = prober.material == self.material && prober.pairs().is_some() == is_ranking;
        Error::corrupt_unless(is_right, || {
            let what = if prober.pairs().is_some() { "ranking" } else { "distances" };
            format!("it holds the {what} of {}", prober.material)
        })?;
        Ok(prober)
    }
}

impl Entry<Prober> {
    /// The prober, after reading the header if this has not been done.
    #[inline]
    pub(super) fn prober(&self, limit: &Arc<DecodingLimit>) -> Result<&Prober> {
        self.prober.get().map_or_else(|| self.read(limit), Ok)
    }

    #[cold]
    fn read(&self, limit: &Arc<DecodingLimit>) -> Result<&Prober> {
        self.prober.make(|| {
            let in_file = |error| self.origin.add_to(error, &self.material);
            let bytes = self.source.read(&self.origin.path).map_err(in_file)?;
            let prober = prober_of(bytes, &self.origin, limit).map_err(in_file)?;
            if *prober.material() != self.material {
                let message = format!("it is the table of {}", prober.material());
                return Err(in_file(Error::corrupt(message)));
            }
            Ok(prober)
        })
    }
}

/// Reads the header of a .pcn file; a tree is decoded at its first probe, covers at once.
pub(super) fn prober_of(bytes: Bytes, origin: &TableOrigin, limit: &Arc<DecodingLimit>) -> Result<Prober> {
    let header = Header::read(&bytes)?;
    if !header.has_trees_only() {
        limit.check(header.decoded_at_once(None))?;
        return Prober::decode(&bytes);
    }
    let variables = header.model.variable_set(&header.material);
    Ok(Prober::of_file(File::new(header, bytes, &variables, origin, limit), variables))
}

/// Returns a unique number for each material, a byte a man. It is quicker to compare than the men.
pub(super) fn key(material: &Material) -> u64 {
    material.men().iter().fold(0, |key, man| key << 8 | (1 + man.role as u64 + 8 * man.color as u64))
}
