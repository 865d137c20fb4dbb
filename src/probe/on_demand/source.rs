//! The bytes of a table, in memory or in a file from which they are read at its first probe.

use crate::bytes::Bytes;
use crate::chess::position::Material;
use crate::error::{Error, Result};
use crate::files::{open_regular, read_regular};
use crate::pcn::Bundle;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::ops::Range;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

/// The most bytes of a bundle's index that are read. All materials of up to eight men take less than a tenth.
const MAX_INDEX: u64 = 1 << 20;

#[derive(Debug)]
pub(super) enum Source {
    /// A file of its own.
    File,
    /// A part of the open file of a bundle.
    Part(Arc<Mutex<File>>, Range<usize>),
    Bytes(Bytes),
}

impl Source {
    /// Returns the bytes; `path` is the path of the file.
    pub(super) fn read(&self, path: &Path) -> Result<Bytes> {
        match self {
            Source::File => Ok(read_regular(path)?.into()),
            Source::Part(file, range) => {
                let mut file = file.lock().unwrap_or_else(PoisonError::into_inner);
                let mut bytes = vec![0; range.len()];
                let sought = file.seek(SeekFrom::Start(range.start as u64));
                let read = sought.and_then(|_| file.read_exact(&mut bytes));
                read.map_err(|error| Error::io("read", path, error))?;
                Ok(bytes.into())
            }
            Source::Bytes(bytes) => Ok(bytes.clone()),
        }
    }
}

/// An opened file: the tables of a bundle with their sources, or the bytes of a file of any other kind.
pub(super) enum Opened {
    Bundle(Vec<(Material, Source)>),
    Bytes(Bytes),
}

/// Opens the file at `path`. Of a bundle only the index is read.
pub(super) fn open(path: &Path) -> Result<Opened> {
    let mut file = open_regular(path)?;
    let io = |error: io::Error| Error::io("read", path, error);
    let length = file.metadata().map_err(io)?.len();
    let mut bytes = Vec::new();
    file.by_ref().take(MAX_INDEX).read_to_end(&mut bytes).map_err(io)?;
    if !Bundle::is_bundle(&bytes) {
        file.read_to_end(&mut bytes).map_err(io)?;
        return Ok(Opened::Bytes(bytes.into()));
    }
    let length = usize::try_from(length).unwrap_or(usize::MAX);
    let index = Bundle::index(&bytes, length).map_err(|error| error.in_file(path))?;
    let file = Arc::new(Mutex::new(file));
    let part = |(material, range)| (material, Source::Part(Arc::clone(&file), range));
    Ok(Opened::Bundle(index.into_iter().map(part).collect()))
}
