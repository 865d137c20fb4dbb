//! The .pcn files that a command works on: single files, those of a directory, or those of a bundle. Also the command
//! `bundle`.

use super::aligned::grouped;
use super::args::Bundle as Arguments;
use super::games::material_name;
use super::{complain, counted, files, print, status_of};
use crate::atomic;
use crate::chess::position::Material;
use crate::error::{Error, ErrorKind, Result};
use crate::files::{open_regular, read_regular};
use crate::pcn::{BUNDLE_MAGIC, Bundle, BundleKind, DistanceSummary, Summary};
use crate::probe::{DISTANCES, EXTENSION, RANKING, Tables};
use crate::retrograde::Metric;
use crate::xiangqi;
use std::collections::HashMap;
use std::fmt::Display;
use std::hash::Hash;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::{Arc, Mutex, PoisonError};

/// A file, or a table in a bundle.
pub(super) struct Source {
    /// Its path. For a table in a bundle, the bundle's path followed by the name that it would have as a file.
    pub(super) path: PathBuf,
    origin: Origin,
}

enum Origin {
    Named,
    /// A file of a directory, where `probe` finds it by its name.
    Listed,
    /// A table of a bundle: its bytes.
    Bundled(Vec<u8>),
}

/// The content of a .pcn file.
pub(super) enum Contents {
    Xiangqi(Box<xiangqi::Clauses>),
    Distances(DistanceSummary),
    Outcomes(Summary),
}

impl Source {
    pub(super) fn is_bundled(&self) -> bool {
        matches!(self.origin, Origin::Bundled(_))
    }

    pub(super) fn read(&self) -> Result<Vec<u8>> {
        match &self.origin {
            Origin::Bundled(bytes) => Ok(bytes.clone()),
            Origin::Named | Origin::Listed => read_regular(&self.path),
        }
    }

    /// Reads the file, checks its name, and returns its content and its bytes.
    pub(super) fn open(&self) -> Result<(Contents, Vec<u8>)> {
        let bytes = self.read()?;
        let of_file = |error: Error| error.in_file(&self.path);
        let contents = if xiangqi::Clauses::are_in(&bytes) {
            let clauses = xiangqi::Clauses::decode(&bytes).map_err(of_file)?;
            self.check(clauses.material(), EXTENSION)?;
            Contents::Xiangqi(clauses.into())
        } else if DistanceSummary::is_of(&bytes) {
            let summary = DistanceSummary::decode(&bytes).map_err(of_file)?;
            self.check(&summary.material, extension_of(&summary))?;
            Contents::Distances(summary)
        } else {
            let summary = Summary::decode(&bytes).map_err(of_file)?;
            self.check(&summary.material, EXTENSION)?;
            Contents::Outcomes(summary)
        };
        Ok((contents, bytes))
    }

    /// Checks that `probe` would find the file for `material`, the material of its table. In a directory its name must be
    /// that of the material, with `extension`. A file given by its own path may have any name except that of another material.
    pub(super) fn check(&self, material: &dyn Display, extension: &str) -> Result<()> {
        let proper = format!("{material}.{extension}");
        if self.path.file_name().is_some_and(|name| *name == *proper) {
            return Ok(());
        }
        if self.is_bundled() {
            return Err(Error::corrupt(format!("{}: it is the table of {material}", self.path.display())));
        }
        let stem = self.path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
        let stem = stem.strip_suffix(".dtz").or(stem.strip_suffix(".rank")).unwrap_or(stem);
        if matches!(self.origin, Origin::Named) && material_name(stem).is_none() {
            return Ok(());
        }
        let path = self.path.display();
        let why = format!("{path} is the table of {material}: probe looks for it in {proper} only");
        Err(Error::corrupt(why))
    }
}

/// The extension of a file of distances or of a ranking.
pub(super) const fn extension_of(summary: &DistanceSummary) -> &'static str {
    if summary.pairs.is_some() { RANKING } else { DISTANCES }
}

/// The value of each key, opened when first needed. Errors are kept too: otherwise each search for a missing table would read the
/// named files again.
pub(super) struct OnceByKey<K, V>(Mutex<HashMap<K, Result<Arc<V>>>>);

impl<K, V> Default for OnceByKey<K, V> {
    fn default() -> Self {
        OnceByKey(Mutex::default())
    }
}

impl<K: Copy + Eq + Hash, V> OnceByKey<K, V> {
    pub(super) fn get(&self, key: &K, open: impl FnOnce() -> Result<V>) -> Result<Arc<V>> {
        let mut opened = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match opened.entry(*key).or_insert_with(|| open().map(Arc::new)) {
            Ok(value) => Ok(Arc::clone(value)),
            Err(error) => Err(Error::new(error.kind(), error.to_string())),
        }
    }
}

/// The error of a command that knows only chess for a file of Chinese chess.
pub(super) fn left_out(path: &Path) -> Error {
    let why = format!("{}: left out, a file of Chinese chess", path.display());
    Error::new(ErrorKind::UnsupportedVersion, why)
}

/// The paths in a list as in the variable `PATH`. A path that exists is no list.
pub(super) fn listed(list: &Path) -> Vec<PathBuf> {
    let paths: Vec<PathBuf> =
        std::env::split_paths(list).filter(|path| !path.as_os_str().is_empty()).collect();
    if list.exists() || paths.is_empty() { vec![list.to_owned()] } else { paths }
}

/// Checks that a directory has a file in which `probe` looks for a table of either game. Other paths are right.
pub(super) fn check_directory(path: &Path) -> Result<()> {
    if !path.is_dir() {
        return Ok(());
    }
    let stem = |file: &Path| file.file_stem().and_then(|stem| stem.to_str()).map(str::to_owned);
    let stems: Vec<String> = files(path, &[EXTENSION])?.iter().filter_map(|file| stem(file)).collect();
    let material = |stem: &String| {
        let kinds = [".dtz", ".rank"];
        material_name(kinds.iter().find_map(|kind| stem.strip_suffix(kind)).unwrap_or(stem))
    };
    if stems.iter().any(|stem| material(stem).is_some_and(|material| stem.starts_with(&material))) {
        return Ok(());
    }
    let hint = stems.iter().find_map(|stem| {
        let proper = material(stem)?;
        Some(format!("; probe looks for {stem}.{EXTENSION} in {proper}.{EXTENSION} only"))
    });
    let why = format!("{}: no file in it has the name of a table, as KQvK.pcn", path.display());
    Err(Error::new(ErrorKind::MissingTable, why + &hint.unwrap_or_default()))
}

/// Returns the file itself, the tables of a bundle, or the files of a directory that have one of the extensions.
pub(super) fn sources(path: &Path, extensions: &[&str]) -> Result<Vec<Source>> {
    let is_dir = path.is_dir();
    if is_bundle(path) || !is_dir && path.extension().is_some_and(|extension| extension == "pcb") {
        let bundle = Bundle::open(read_regular(path)?).map_err(|error| error.in_file(path))?;
        return Ok(bundled(&bundle, path));
    }
    let source = |path| Source { path, origin: if is_dir { Origin::Listed } else { Origin::Named } };
    Ok(files(path, extensions)?.into_iter().map(source).collect())
}

/// Returns the tables that are built into the program.
pub(super) fn embedded() -> Result<Vec<Source>> {
    Ok(bundled(&Bundle::open(Tables::EMBEDDED)?, Path::new("the built-in tables")))
}

fn bundled(bundle: &Bundle, path: &Path) -> Vec<Source> {
    let extension = match bundle.kind() {
        BundleKind::Outcomes => EXTENSION,
        BundleKind::Distances => DISTANCES,
        BundleKind::Rankings => RANKING,
    };
    let source = |(material, bytes): (&_, &[u8])| Source {
        path: path.join(format!("{material}.{extension}")),
        origin: Origin::Bundled(bytes.to_vec()),
    };
    bundle.tables().map(source).collect()
}

/// Whether the file begins with the magic bytes of a bundle. `false` for an unreadable file: reading it gives the error.
fn is_bundle(path: &Path) -> bool {
    head(path).is_some_and(|head: [u8; BUNDLE_MAGIC.len()]| head == BUNDLE_MAGIC)
}

/// Whether the file at `path` is a .pcn file of Chinese chess.
pub(super) fn is_xiangqi(path: &Path) -> bool {
    head(path).is_some_and(|head: [u8; 2]| xiangqi::Clauses::are_in(&head))
}

/// The first bytes of a file; `None` if they cannot be read.
fn head<const N: usize>(path: &Path) -> Option<[u8; N]> {
    let mut head = [0; N];
    open_regular(path).ok()?.read_exact(&mut head).ok().map(|()| head)
}

/// Adds a hint to the error of a missing table: an outcome table of the material exists, which `lookup` reads, or one of
/// `tables` is a file of the other game.
pub(super) fn hint(
    error: Error,
    tables: &[PathBuf],
    material: &dyn Display,
    is_xiangqi_material: bool,
) -> Error {
    if error.kind() != ErrorKind::MissingTable {
        return error;
    }
    let outcomes = tables.iter().map(|directory| directory.join(format!("{material}.{}", Metric::Wdl)));
    if let Some(path) = outcomes.clone().find(|path| path.exists()) {
        return other_command(error, "lookup", "an outcome table", &path);
    }
    match tables.iter().find(|path| path.is_file() && is_xiangqi(path) != is_xiangqi_material) {
        Some(path) => {
            let game = if is_xiangqi_material { "chess" } else { "Chinese chess" };
            Error::new(error.kind(), format!("{error}; {} is a file of {game}", path.display()))
        }
        None => error,
    }
}

/// Adds a hint to the error of a missing table: `command` reads the file at `path`, if there is one.
pub(super) fn other_command(error: Error, command: &str, what: &str, path: &Path) -> Error {
    let shown = path.display();
    let hint = || Error::new(error.kind(), format!("{error}; {shown} is {what}: use `cubebase {command}`"));
    if path.exists() { hint() } else { error }
}

pub(super) fn bundle(args: &Arguments) -> Result<ExitCode> {
    atomic::check(&args.output)?;
    let (mut tables, mut status) = (Vec::new(), 0);
    let mut places: HashMap<(Material, BundleKind), PathBuf> = HashMap::new();
    for path in &args.paths {
        refuse_input(path, "", &args.output)?;
        for source in sources(path, &[EXTENSION])? {
            refuse_input(&source.path, "", &args.output)?;
            let (contents, bytes) = source.open()?;
            let (material, kind) = match contents {
                Contents::Xiangqi(_) => {
                    let error = left_out(&source.path);
                    status = status_of(error.kind());
                    complain(&error);
                    continue;
                }
                Contents::Distances(summary) if summary.pairs.is_some() => {
                    (summary.material, BundleKind::Rankings)
                }
                Contents::Distances(summary) => (summary.material, BundleKind::Distances),
                Contents::Outcomes(summary) => (summary.material, BundleKind::Outcomes),
            };
            if let Some(other) = places.insert((material, kind), source.path.clone()) {
                let (one, two) = (other.display(), source.path.display());
                let why = format!("two tables of {material}: {one} and {two}");
                return Err(Error::new(ErrorKind::BadInput, why));
            }
            tables.push((material, bytes));
        }
    }
    let count = tables.len();
    if count == 0 {
        return Ok(ExitCode::from(status));
    }
    let mut kinds = places.keys().map(|(_, kind)| kind);
    let first = kinds.next();
    if !kinds.all(|kind| Some(kind) == first) {
        let why =
            "outcomes, distances and rankings need a bundle each: name the files of one kind (DIR/*.dtz.pcn)";
        return Err(Error::new(ErrorKind::BadInput, why));
    }
    let bytes = Bundle::encode(tables)?;
    atomic::write_bytes(&args.output, &bytes)?;
    print(format!(
        "{}: {}, {} bytes\n",
        args.output.display(),
        counted(count, "table"),
        grouped(bytes.len() as u64)
    ))?;
    Ok(ExitCode::from(status))
}

/// Refuses to replace an input by an output: the file `input`, or a file with this extension in the directory `input`.
pub(super) fn refuse_input(input: &Path, extension: &str, output: &Path) -> Result<()> {
    let is_of_kind = output.extension().is_some_and(|found| found == extension);
    let inside = output.file_name().filter(|_| is_of_kind).map(|name| input.join(name));
    // If a path cannot be resolved, there is no such file yet.
    let place = |path: &Path| std::fs::canonicalize(path).ok();
    let place_of_output = place(output);
    let replaced = inside.iter().map(PathBuf::as_path).chain([input]);
    match replaced.filter(|_| place_of_output.is_some()).find(|path| place(path) == place_of_output) {
        Some(path) => {
            let why = format!("{} is an input: it would be replaced", path.display());
            Err(Error::new(ErrorKind::BadInput, why))
        }
        None => Ok(()),
    }
}
