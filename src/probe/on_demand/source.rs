//! The bytes of a table: in memory, or in a file that is read when the table is first probed.

use crate::bytes::Bytes;
use crate::chess::position::Material;
use crate::error::{Error, Result};
use crate::files::{open_regular, read_regular};
use crate::pcn::{Bundle, BundleKind, Index, MAGIC};
use std::fs::File;
use std::io::{self, Read};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The most bytes of a bundle's index that are read. All materials of up to eight men take less than a tenth.
const MAX_INDEX: u64 = 1 << 20;

/// The extension of the files that hold tables.
pub const EXTENSION: &str = "pcn";

/// The end of the name of a file of distances, after the material: `KQvK.dtz.pcn`.
pub const DISTANCES: &str = "dtz.pcn";

/// The end of the name of a file of a ranking, after the material: `KQvK.rank.pcn`.
pub const RANKING: &str = "rank.pcn";

/// The material that names the file at `path`, and the rest of the name; `None` if it is not the file of a table.
pub(super) fn material_of(path: &Path) -> Option<(Material, &'static str)> {
    let (name, rest) = path.file_name()?.to_str()?.split_once('.')?;
    let kind = [EXTENSION, DISTANCES, RANKING].into_iter().find(|&kind| kind == rest)?;
    let material: Material = name.parse().ok()?;
    (material.to_string() == name).then_some((material, kind))
}

#[derive(Debug)]
pub(super) enum Source {
    /// A file of its own.
    File,
    /// A part of the open file of a bundle.
    Part(Arc<File>, Range<usize>),
    Bytes(Bytes),
}

impl Source {
    /// Returns the bytes; `path` is the path of the file.
    pub(super) fn read(&self, path: &Path) -> Result<Bytes> {
        match self {
            Source::File => Ok(read_regular(path)?.into()),
            Source::Part(file, range) => {
                let bytes = read_part(file, range).map_err(|error| Error::io("read", path, error))?;
                Ok(bytes.into())
            }
            Source::Bytes(bytes) => Ok(bytes.clone()),
        }
    }
}

/// Returns the bytes of `range` of a file. A sparse file may be longer than the memory, so a failed allocation is an error.
fn read_part(file: &File, range: &Range<usize>) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    bytes.try_reserve_exact(range.len())?;
    bytes.resize(range.len(), 0);
    read_at(file, &mut bytes, range.start as u64)?;
    Ok(bytes)
}

/// Fills `bytes` from `offset` on. Does not move the position of the file, which forked processes share.
#[cfg(unix)]
fn read_at(file: &File, bytes: &mut [u8], offset: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, bytes, offset)
}

/// Fills `bytes` from `offset` on. One thread reads at a time, since all threads share the position of the file.
#[cfg(not(unix))]
fn read_at(mut file: &File, bytes: &mut [u8], offset: u64) -> io::Result<()> {
    static READING: std::sync::Mutex<()> = std::sync::Mutex::new(());
    let _reading = READING.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    io::Seek::seek(&mut file, io::SeekFrom::Start(offset))?;
    file.read_exact(bytes)
}

/// An opened file.
pub(super) enum Opened {
    /// A bundle: what its files hold, and the source of each.
    Bundle(BundleKind, Vec<(Material, Source)>),
    /// The bytes of a file of another kind.
    Bytes(Bytes),
}

/// Opens the file at `path`. A .pcn file is read whole; of any other file, at most [`MAX_INDEX`] bytes are read.
pub(super) fn open(path: &Path) -> Result<Opened> {
    let mut file = open_regular(path)?;
    let io = |error: io::Error| Error::io("read", path, error);
    let length = file.metadata().map_err(io)?.len();
    let mut bytes = Vec::new();
    file.by_ref().take(MAX_INDEX).read_to_end(&mut bytes).map_err(io)?;
    if !Bundle::is_bundle(&bytes) {
        if bytes.starts_with(&MAGIC[..1]) {
            file.read_to_end(&mut bytes).map_err(io)?;
        }
        return Ok(Opened::Bytes(bytes.into()));
    }
    let length = usize::try_from(length).unwrap_or(usize::MAX);
    let Index { kind, entries } = Bundle::index(&bytes, length).map_err(|error| error.in_file(path))?;
    let file = Arc::new(file);
    let part = |(material, range)| (material, Source::Part(Arc::clone(&file), range));
    Ok(Opened::Bundle(kind, entries.into_iter().map(part).collect()))
}

/// The file of a table, for error messages.
#[derive(Clone, Debug)]
pub(super) struct TableOrigin {
    pub(super) path: PathBuf,
    /// Whether the table is one of several in the file.
    pub(super) is_part: bool,
}

impl TableOrigin {
    pub(super) fn add_to(&self, error: Error, material: &Material) -> Error {
        let error = if self.is_part { error.context(material) } else { error };
        error.of_material(material).in_file(&self.path)
    }
}
