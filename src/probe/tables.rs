//! A directory or a bundle of tables, each read when it is first asked.

use super::board::Boards;
use super::explain::Explanation;
use super::prober::Prober;
use crate::error::{Error, ErrorKind, Result};
use crate::files::read_regular;
use crate::pcn::Bundle;
use crate::position::{Bitboard, Color, Material, Position, Square, Wdl};
use std::borrow::Cow;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, OnceLock, PoisonError};

/// The extension of the files that hold tables.
pub const EXTENSION: &str = "pcn";

/// The tables in a directory or a bundle, or the one in a file. A table is read when it is first asked, or by
/// [`Tables::preload`], and kept.
#[derive(Debug)]
pub struct Tables {
    path: PathBuf,
    /// Sorted by key.
    entries: Vec<Entry>,
    /// The entries by the men on a board.
    boards: Boards,
    /// Where the tables are when they are in no directory.
    bundle: Option<Bundle>,
}

#[derive(Debug)]
struct Entry {
    key: u64,
    material: Material,
    /// The file; of a table in a bundle the bundle's.
    path: PathBuf,
    prober: OnceLock<Prober>,
    /// Held while the table is read, so that no two threads read it; those who ask another one need not wait.
    reading: Mutex<()>,
}

impl Tables {
    /// Opens what is at `path`: of a directory all files named by a material, as `KQvK.pcn` (others are not looked
    /// at), without reading them yet; a bundle under any name, of which the
    /// index is read and the tables wait in memory; or a single .pcn file under any name, which is read at once.
    ///
    /// # Errors
    /// [`ErrorKind::Io`]; for a single file those of [`Pcn::read`](crate::Pcn::read) and [`Bundle::open`].
    pub fn open(path: impl AsRef<Path>) -> Result<Self> {
        let path = path.as_ref();
        let io = |error| Error::io("read", path, error);
        let mut entries = Vec::new();
        if std::fs::metadata(path).map_err(io)?.is_dir() {
            for file in std::fs::read_dir(path).map_err(io)? {
                let file = file.map_err(io)?.path();
                entries
                    .extend(material_of(&file).map(|material| Entry::new(material, file, OnceLock::new())));
            }
        } else {
            let bytes = read_regular(path)?;
            return Self::of_bytes(path, bytes.into()).map_err(|error| error.in_file(path));
        }
        Ok(Self::new(path, entries, None))
    }

    /// Opens a bundle or a single .pcn file that is in memory: a vector, or part of the program by `include_bytes!`. A bundle's bytes are kept, not copied.
    ///
    /// # Errors
    /// Those of [`Bundle::open`] and [`Pcn::decode`](crate::Pcn::decode).
    pub fn from_bytes(bytes: impl Into<Cow<'static, [u8]>>) -> Result<Self> {
        Self::of_bytes(Path::new("bytes in memory"), bytes.into())
    }

    fn of_bytes(path: &Path, bytes: Cow<'static, [u8]>) -> Result<Self> {
        if !Bundle::is_bundle(&bytes) {
            let table = Prober::decode(&bytes)?;
            let entry = Entry::new(*table.material(), path.to_owned(), OnceLock::from(table));
            return Ok(Self::new(path, vec![entry], None));
        }
        let bundle = Bundle::open(bytes)?;
        let entry = |&material: &Material| Entry::new(material, path.to_owned(), OnceLock::new());
        Ok(Self::new(path, bundle.materials().map(entry).collect(), Some(bundle)))
    }

    fn new(path: &Path, mut entries: Vec<Entry>, bundle: Option<Bundle>) -> Self {
        entries.sort_by_key(|entry| entry.key);
        let boards = Boards::new(entries.iter().map(|entry| &entry.material));
        Tables { path: path.to_owned(), entries, boards, bundle }
    }

    /// The materials that there are tables of: fewer men first, then without pawns first, then by name.
    pub fn materials(&self) -> Vec<Material> {
        let mut materials: Vec<Material> = self.entries.iter().map(|entry| entry.material).collect();
        materials.sort_by_cached_key(|material| (material.len(), material.pawns(), material.to_string()));
        materials
    }

    /// Reads all tables that have not been read yet, and keeps those it can read.
    ///
    /// # Errors
    /// The first of [`Tables::table`].
    pub fn preload(&self) -> Result<()> {
        let results: Vec<Result<&Prober>> = self.entries.iter().map(|entry| self.loaded(entry)).collect();
        results.into_iter().try_for_each(|result| result.map(|_| ()))
    }

    /// Returns the prober of the table of `material`, after reading it if this has not been done.
    ///
    /// # Errors
    /// [`ErrorKind::MissingTable`] when there is none; those of [`Pcn::read`](crate::Pcn::read), and
    /// [`ErrorKind::Corrupt`] when the file is of another material than its name says. Nothing is kept then, so that
    /// the next call tries again.
    pub fn table(&self, material: &Material) -> Result<&Prober> {
        let key = key(material);
        let number = self.entries.binary_search_by_key(&key, |entry| entry.key).map_err(|_| {
            let message = format!("no table of {material} in {}", self.path.display());
            Error::new(ErrorKind::MissingTable, message).of_material(material)
        })?;
        self.loaded(&self.entries[number])
    }

    /// Returns the outcome of `position` for the side to move, in any symmetry of its material.
    ///
    /// # Errors
    /// Those of [`Tables::table`] and [`Prober::probe`].
    pub fn probe(&self, position: &Position) -> Result<Wdl> {
        self.table(position.material())?.probe(position)
    }

    /// Returns what [`Tables::probe`] returns for a position that the caller knows to be legal.
    ///
    /// # Errors
    /// Those of [`Tables::table`], and [`ErrorKind::Corrupt`] as in [`Prober::probe`].
    pub fn probe_unchecked(&self, position: &Position) -> Result<Wdl> {
        self.table(position.material())?.probe_unchecked(position)
    }

    /// Returns the outcome of the men on the bitboards for the side to move, as [`Position::from_bitboards`] takes them,
    /// quicker than by way of it: for engines. The position is taken to be legal; of an illegal one the answer is some
    /// outcome or an error.
    ///
    /// # Errors
    /// Those of [`Position::from_bitboards`], [`Tables::table`] and [`Prober::probe_unchecked`]. Where there is no table
    /// and the bitboards are no legal position the error tells of the position.
    ///
    /// # Example
    /// ```
    /// use cubebase::{Color, Tables};
    /// # fn best(tables: &Tables) -> cubebase::Result<()> {
    /// // White: Ka1, Qb6; Black: Kh8.
    /// let [a1, b6, h8] = [1 << 0, 1 << 41, 1 << 63];
    /// let outcome = tables.probe_bitboards(
    ///     [a1 | b6, h8],
    ///     [a1 | h8, b6, 0, 0, 0, 0],
    ///     None,
    ///     Color::Black,
    ///     false,
    /// )?;
    /// # Ok(())
    /// # }
    /// ```
    #[inline]
    pub fn probe_bitboards(
        &self,
        colors: [impl Into<Bitboard>; 2],
        roles: [impl Into<Bitboard>; 6],
        en_passant: Option<Square>,
        turn: Color,
        castling: bool,
    ) -> Result<Wdl> {
        let (colors, roles) = (colors.map(Into::into), roles.map(Into::into));
        if en_passant.is_none()
            && !castling
            && let Some((table, squares, turn)) = self.boards.find(colors, roles, turn)
        {
            return self.loaded(&self.entries[table])?.probe_squares(squares, None, turn);
        }
        self.probe_unchecked(&Position::from_bitboards(colors, roles, en_passant, turn, castling)?)
    }

    /// Returns the outcome of `position` and what decided it.
    ///
    /// # Errors
    /// Those of [`Tables::probe`].
    pub fn explain(&self, position: &Position) -> Result<Explanation> {
        self.table(position.material())?.explain(position)
    }

    fn loaded<'a>(&self, entry: &'a Entry) -> Result<&'a Prober> {
        if let Some(table) = entry.prober.get() {
            return Ok(table);
        }
        // A poisoned lock only means that another thread's reading panicked: nothing was stored.
        let _reading = entry.reading.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(table) = entry.prober.get() {
            return Ok(table);
        }
        let prober = match self.bundle.as_ref().and_then(|bundle| bundle.table(&entry.material)) {
            Some(bytes) => Prober::decode(bytes).map_err(|error| {
                error.context(entry.material).of_material(entry.material).in_file(&entry.path)
            })?,
            None => Prober::read(&entry.path).map_err(|error| error.of_material(entry.material))?,
        };
        if *prober.material() != entry.material {
            let message = format!("it is the table of {}", prober.material());
            return Err(Error::corrupt(message).of_material(entry.material).in_file(&entry.path));
        }
        Ok(entry.prober.get_or_init(|| prober))
    }
}

impl Entry {
    fn new(material: Material, path: PathBuf, prober: OnceLock<Prober>) -> Self {
        Entry { key: key(&material), material, path, prober, reading: Mutex::new(()) }
    }
}

/// Returns a number that no other material has, quicker to compare than the men: a byte a man.
fn key(material: &Material) -> u64 {
    material.men().iter().fold(0, |key, man| key << 8 | (1 + man.role as u64 + 8 * man.color as u64))
}

/// The material that the file at `path` is named by, if it has the extension of tables.
fn material_of(path: &Path) -> Option<Material> {
    if path.extension()? != EXTENSION {
        return None;
    }
    let name = path.file_stem()?.to_str()?;
    name.parse().ok().filter(|material: &Material| material.to_string() == name)
}
