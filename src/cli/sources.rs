//! Where commands find .pcn files: under their own names, in a directory, or in a bundle; and `bundle`, which makes one.

use super::args::Bundle as Arguments;
use super::{files, print};
use crate::atomic;
use crate::error::{Error, ErrorKind, Result};
use crate::files::read_regular;
use crate::pcn::{BUNDLE_MAGIC, Bundle, Summary};
use crate::position::Material;
use std::collections::HashMap;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// A file, or a table in a bundle.
pub(super) struct Source {
    /// Its path; that of a table in a bundle goes on with the name that it would have as a file.
    pub(super) path: PathBuf,
    /// The bytes of a table in a bundle.
    bundled: Option<Vec<u8>>,
}

impl Source {
    /// Whether it is a table in a bundle.
    pub(super) fn is_bundled(&self) -> bool {
        self.bundled.is_some()
    }

    /// Returns its bytes.
    pub(super) fn read(&self) -> Result<Vec<u8>> {
        self.bundled.clone().map_or_else(|| read_regular(&self.path), Ok)
    }
}

/// Returns the file itself, the tables of a bundle, or the files of a directory that have one of the extensions.
pub(super) fn sources(path: &Path, extensions: &[&str]) -> Result<Vec<Source>> {
    if path.is_file() && is_bundle(path) {
        let bundle = Bundle::open(read_regular(path)?).map_err(|error| error.context(path.display()))?;
        let source = |(material, bytes): (&_, &[u8])| Source {
            path: path.join(format!("{material}.pcn")),
            bundled: Some(bytes.to_vec()),
        };
        return Ok(bundle.tables().map(source).collect());
    }
    Ok(files(path, extensions)?.into_iter().map(|path| Source { path, bundled: None }).collect())
}

/// Whether the file begins as a bundle does; one that cannot be read does not, and is complained of when it is read.
fn is_bundle(path: &Path) -> bool {
    let mut magic = [0; BUNDLE_MAGIC.len()];
    let read = |mut file: std::fs::File| -> io::Result<()> { file.read_exact(&mut magic) };
    std::fs::File::open(path).and_then(read).is_ok() && magic == BUNDLE_MAGIC
}

/// Puts tables from wherever they are into one file.
pub(super) fn bundle(args: &Arguments) -> Result<ExitCode> {
    atomic::check(&args.output)?;
    let mut tables = Vec::new();
    let mut places: HashMap<Material, PathBuf> = HashMap::new();
    for path in &args.paths {
        for source in sources(path, &["pcn"])? {
            let bytes = source.read()?;
            let summary = Summary::decode(&bytes).map_err(|error| error.context(source.path.display()))?;
            let material = summary.material;
            if let Some(other) = places.insert(material, source.path.clone()) {
                let (one, two) = (other.display(), source.path.display());
                return Err(Error::new(
                    ErrorKind::BadInput,
                    format!("two tables of {material}: {one} and {two}"),
                ));
            }
            tables.push((material, bytes));
        }
    }
    let count = tables.len();
    let bytes = Bundle::encode(tables)?;
    atomic::write_bytes(&args.output, &bytes)?;
    print(format!("{}: {count} tables, {} bytes\n", args.output.display(), bytes.len()))?;
    Ok(ExitCode::SUCCESS)
}
