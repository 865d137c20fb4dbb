//! The .pcn files that a command works on: single files, those of a directory, or those of a bundle. Also `bundle`, which
//! makes one.

use super::aligned::grouped;
use super::args::Bundle as Arguments;
use super::{counted, files, print};
use crate::atomic;
use crate::chess::position::Material;
use crate::error::{Error, ErrorKind, Result};
use crate::files::{open_regular, read_regular};
use crate::pcn::{BUNDLE_MAGIC, Bundle, Summary};
use crate::probe::{EXTENSION, Tables};
use crate::xiangqi;
use std::collections::HashMap;
use std::fmt::Display;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// A file, or a table in a bundle.
pub(super) struct Source {
    /// Its path. For a table in a bundle, the bundle's path followed by the name that it would have as a file.
    pub(super) path: PathBuf,
    place: Place,
}

enum Place {
    Named,
    /// A file of a directory, where `probe` finds it by its name.
    Listed,
    /// A table of a bundle: its bytes.
    Bundled(Vec<u8>),
}

impl Source {
    pub(super) fn is_bundled(&self) -> bool {
        matches!(self.place, Place::Bundled(_))
    }

    pub(super) fn read(&self) -> Result<Vec<u8>> {
        match &self.place {
            Place::Bundled(bytes) => Ok(bytes.clone()),
            Place::Named | Place::Listed => read_regular(&self.path),
        }
    }

    /// Returns the summary of a .pcn file and its length in bytes.
    pub(super) fn summary(&self) -> Result<(Summary, usize)> {
        let bytes = self.read()?;
        let summary = Summary::decode(&bytes).map_err(|error| error.context(self.path.display()))?;
        self.check_name(&summary.material)?;
        Ok((summary, bytes.len()))
    }

    /// Checks that `probe` would find the file for `material`, the material of its table. In a directory its name must be
    /// that of the material. A file given by its own path may have any name except that of another material.
    pub(super) fn check_name(&self, material: &dyn Display) -> Result<()> {
        let proper = format!("{material}.{EXTENSION}");
        if self.path.file_name().is_some_and(|name| *name == *proper) {
            return Ok(());
        }
        if self.is_bundled() {
            return Err(Error::corrupt(format!("{}: it is the table of {material}", self.path.display())));
        }
        let stem = self.path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
        let is_material = super::material(stem).is_ok() || stem.parse::<xiangqi::Material>().is_ok();
        if matches!(self.place, Place::Named) && !is_material {
            return Ok(());
        }
        let path = self.path.display();
        let why = format!("{path} is the table of {material}: probe looks for it in {proper} alone");
        Err(Error::corrupt(why))
    }
}

/// Returns the file itself, the tables of a bundle, or the files of a directory that have one of the extensions.
pub(super) fn sources(path: &Path, extensions: &[&str]) -> Result<Vec<Source>> {
    if is_bundle(path) {
        let bundle = Bundle::open(read_regular(path)?).map_err(|error| error.in_file(path))?;
        return Ok(bundled(&bundle, path));
    }
    let is_dir = path.is_dir();
    let source = |path| Source { path, place: if is_dir { Place::Listed } else { Place::Named } };
    Ok(files(path, extensions)?.into_iter().map(source).collect())
}

/// Returns the tables that are built into the program.
pub(super) fn embedded() -> Result<Vec<Source>> {
    Ok(bundled(&Bundle::open(Tables::EMBEDDED)?, Path::new("the built-in tables")))
}

/// The tables of a bundle at `path`.
fn bundled(bundle: &Bundle, path: &Path) -> Vec<Source> {
    let source = |(material, bytes): (&_, &[u8])| Source {
        path: path.join(format!("{material}.{EXTENSION}")),
        place: Place::Bundled(bytes.to_vec()),
    };
    bundle.tables().map(source).collect()
}

/// Whether the file begins with the magic bytes of a bundle. `false` for an unreadable file: reading it gives the error.
fn is_bundle(path: &Path) -> bool {
    let mut magic = [0; BUNDLE_MAGIC.len()];
    open_regular(path).is_ok_and(|mut file| file.read_exact(&mut magic).is_ok()) && magic == BUNDLE_MAGIC
}

pub(super) fn bundle(args: &Arguments) -> Result<ExitCode> {
    atomic::check(&args.output)?;
    // If the path cannot be resolved, there is no such file yet.
    let output = std::fs::canonicalize(&args.output).ok();
    let mut tables = Vec::new();
    let mut places: HashMap<Material, PathBuf> = HashMap::new();
    for path in &args.paths {
        refuse_input(path, output.as_deref())?;
        for source in sources(path, &[EXTENSION])? {
            refuse_input(&source.path, output.as_deref())?;
            let material = source.summary()?.0.material;
            let bytes = source.read()?;
            if let Some(other) = places.insert(material, source.path.clone()) {
                let (one, two) = (other.display(), source.path.display());
                let why = format!("two tables of {material}: {one} and {two}");
                return Err(Error::new(ErrorKind::BadInput, why));
            }
            tables.push((material, bytes));
        }
    }
    let count = tables.len();
    let bytes = Bundle::encode(tables)?;
    atomic::write_bytes(&args.output, &bytes)?;
    print(format!(
        "{}: {}, {} bytes\n",
        args.output.display(),
        counted(count, "table"),
        grouped(bytes.len() as u64)
    ))?;
    Ok(ExitCode::SUCCESS)
}

/// Refuses to overwrite an input.
fn refuse_input(input: &Path, output: Option<&Path>) -> Result<()> {
    if output.is_some() && std::fs::canonicalize(input).ok().as_deref() == output {
        let why = format!("{} is an input: it would be replaced", input.display());
        return Err(Error::new(ErrorKind::BadInput, why));
    }
    Ok(())
}
