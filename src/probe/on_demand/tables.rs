//! A directory or a bundle of tables, each decoded at its first probe.

use super::decoding_limit::DecodingLimit;
use super::entry::{Entry, key, merge, prober_of, sorted};
use super::lazy_slot::LazySlot;
use super::material_index::MaterialIndex;
use super::source::{self, DISTANCES, EXTENSION, Opened, Source, TableOrigin, material_of};
use crate::bytes::Bytes;
use crate::chess::position::{
    Bitboard, CastlingRights, Color, Material, PackedSquares, Position, Square, Wdl,
};
use crate::error::{Error, ErrorKind, Result};
use crate::outcome::Wdl50;
use crate::pcn::{Bundle, BundleKind, DistanceFile, Index};
use crate::probe::Prober;
use crate::probe::distances::DistanceProber;
use std::borrow::Cow;
use std::num::NonZero;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// The tables in directories, bundles and single files. Opening a directory or a bundle reads no table. A table's header is read,
/// and its checksum compared, at the table's first probe. A side's tree is decoded at the first probe with that side to move, by
/// one thread, while other tables answer. Then only the top of a large tree is decoded, and each page when a position first
/// reaches it. Everything decoded is kept.
///
/// A tree or a page that breaks a rule of the format is therefore found only when it is first needed;
/// [`Pcn::decode`](crate::Pcn::decode) checks a whole file.
///
/// A bundle stays open, and each of its tables is read at its first probe. Replace a bundle by renaming a new file over the old
/// one, as this crate does. If a bundle is written to or truncated, its tables that were not probed before are refused.
#[derive(Debug)]
pub struct Tables {
    /// The paths that were added, for error messages.
    places: Vec<PathBuf>,
    /// Sorted by key.
    entries: Vec<Entry<Prober>>,
    /// The files of distances, sorted by key.
    distances: Vec<Entry<DistanceProber>>,
    /// The files of rankings, sorted by key.
    rankings: Vec<Entry<DistanceProber>>,
    /// The entries by the men on a board.
    material_index: MaterialIndex,
    limit: Arc<DecodingLimit>,
}

/// The memory that tables hold.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Memory {
    /// Bytes of memory of decoded tables.
    pub decoded: usize,
    /// Bytes of the files of these tables; they stay in memory.
    pub files: usize,
}

/// A part of a table that one thread decodes.
#[derive(Clone, Copy)]
enum Part {
    /// The tree of a side.
    Outcomes(usize),
    Distances,
    Ranking,
}

/// The progress of [`Tables::preload_with`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Preloaded {
    /// Trees of outcomes decoded, one for each table and side to move, and files of distances and rankings.
    pub done: usize,
    /// Trees and files of distances and rankings of all tables.
    pub all: usize,
}

impl Tables {
    /// Opens the tables at `path`: in a directory all files named by a material, such as `KQvK.pcn` (others are ignored); a
    /// bundle under any name, by reading its index; or a single .pcn file under any name, by reading it. The files of distances in a
    /// directory are named as `KQvK.dtz.pcn`, those of rankings as `KQvK.rank.pcn`.
    ///
    /// # Errors
    /// [`ErrorKind::Io`]; for a single file those of [`Pcn::read`](crate::Pcn::read) and [`Bundle::open`], and
    /// [`ErrorKind::BudgetExhausted`] if it has covers beyond [`Tables::set_decoding_limit`].
    pub fn open(path: impl AsRef<Path>) -> Result<Self> {
        let mut tables = Self::empty();
        tables.add(path)?;
        Ok(tables)
    }

    /// Returns an empty set of tables.
    pub fn empty() -> Self {
        Tables {
            places: vec![],
            entries: vec![],
            distances: vec![],
            rankings: vec![],
            material_index: MaterialIndex::new(std::iter::empty()),
            limit: Arc::default(),
        }
    }

    /// Adds the tables at `path`, as [`Tables::open`] opens them. Replaces earlier tables of the same materials. When it fails
    /// nothing is added.
    ///
    /// # Errors
    /// Those of [`Tables::open`].
    pub fn add(&mut self, path: impl AsRef<Path>) -> Result<()> {
        let path = path.as_ref();
        let io = |error| Error::io("read", path, error);
        if !std::fs::metadata(path).map_err(io)?.is_dir() {
            match source::open(path)? {
                Opened::Bundle(kind, parts) => self.join_parts(path, kind, parts),
                Opened::Bytes(bytes) => {
                    self.add_table(path, bytes).map_err(|error| error.in_file(path))?;
                }
            }
            return Ok(());
        }
        let (mut entries, mut distances, mut rankings) = (Vec::new(), Vec::new(), Vec::new());
        for file in std::fs::read_dir(path).map_err(io)? {
            let file = file.map_err(io)?.path();
            let Some((material, suffix)) = material_of(&file) else { continue };
            let origin = TableOrigin { path: file, is_part: false };
            match suffix {
                EXTENSION => entries.push(Entry::new(material, Source::File, origin)),
                DISTANCES => distances.push(Entry::new(material, Source::File, origin)),
                _ => rankings.push(Entry::new(material, Source::File, origin)),
            }
        }
        merge(&mut self.rankings, rankings);
        self.join(path, entries, distances);
        Ok(())
    }

    /// Opens a bundle or a single .pcn file in memory: a vector, or part of the program through `include_bytes!`. The bytes
    /// are kept, not copied.
    ///
    /// # Errors
    /// Those of [`Bundle::open`] and [`Pcn::decode`](crate::Pcn::decode), and [`ErrorKind::BudgetExhausted`] as in
    /// [`Tables::open`].
    pub fn from_bytes(bytes: impl Into<Cow<'static, [u8]>>) -> Result<Self> {
        let mut tables = Self::empty();
        tables.add_bytes(bytes)?;
        Ok(tables)
    }

    /// Adds a bundle or a single .pcn file in memory, as [`Tables::add`] adds a file.
    ///
    /// # Errors
    /// Those of [`Tables::from_bytes`].
    pub fn add_bytes(&mut self, bytes: impl Into<Cow<'static, [u8]>>) -> Result<()> {
        self.add_of("bytes in memory", bytes.into().into())
    }

    /// Adds the tables of `other`, as [`Tables::add`] adds the tables of a path. Tables that `other` has decoded are decoded
    /// again at their first probe. Opens and reads no file, so it is quick even under a lock.
    pub fn add_tables(&mut self, mut other: Tables) {
        for entry in &mut other.entries {
            // A decoded prober would keep the limit of `other`.
            entry.prober = LazySlot::new(None);
        }
        for entry in other.distances.iter_mut().chain(&mut other.rankings) {
            entry.prober = LazySlot::new(None);
        }
        self.places.append(&mut other.places);
        merge(&mut self.rankings, other.rankings);
        self.replace(other.entries, other.distances);
    }

    /// [`Tables::add_tables`] without the tables that would replace others and cannot be read. Only those that would replace
    /// others are read. Returns whether all of them could be.
    pub fn add_undamaged_tables(&mut self, mut other: Tables) -> bool {
        let count = |tables: &Tables| tables.entries.len() + tables.distances.len() + tables.rankings.len();
        let all = count(&other);
        other.entries.retain(|entry| entry.is_new(&self.entries) || entry.prober(&self.limit).is_ok());
        let read = |entry: &Entry<DistanceProber>, is_ranking| entry.read_anew(&self.limit, is_ranking);
        other.distances.retain(|entry| entry.is_new(&self.distances) || read(entry, false).is_ok());
        other.rankings.retain(|entry| entry.is_new(&self.rankings) || read(entry, true).is_ok());
        let is_all = count(&other) == all;
        self.add_tables(other);
        is_all
    }

    /// Adds the bytes of a bundle or of a .pcn file, which `place` names in messages.
    pub(super) fn add_of(&mut self, place: &str, bytes: Bytes) -> Result<()> {
        if !Bundle::is_bundle(&bytes) {
            return self.add_table(place.as_ref(), bytes);
        }
        let Index { kind, entries } = Bundle::index(&bytes, bytes.len())?;
        let parts = entries.into_iter().map(|(material, range)| (material, Source::Bytes(bytes.part(range))));
        self.join_parts(place.as_ref(), kind, parts.collect());
        Ok(())
    }

    fn add_table(&mut self, path: &Path, bytes: Bytes) -> Result<()> {
        let origin = TableOrigin { path: path.to_owned(), is_part: false };
        if DistanceFile::is_one(&bytes) {
            // Decoded again when it is needed, beside its outcomes.
            let prober = DistanceProber::decode(bytes.clone(), &self.limit)?;
            let entry = Entry::new(prober.material, Source::Bytes(bytes), origin);
            if prober.pairs().is_some() {
                merge(&mut self.rankings, vec![entry]);
            } else {
                self.join(path, vec![], vec![entry]);
            }
            return Ok(());
        }
        let table = prober_of(bytes.clone(), &origin, &self.limit)?;
        let mut entry = Entry::new(*table.material(), Source::Bytes(bytes), origin);
        entry.prober = LazySlot::new(Some(table));
        self.join(path, vec![entry], vec![]);
        Ok(())
    }

    /// Adds the tables of a bundle.
    fn join_parts(&mut self, path: &Path, kind: BundleKind, parts: Vec<(Material, Source)>) {
        fn entries<P>(path: &Path, parts: Vec<(Material, Source)>) -> Vec<Entry<P>> {
            let origin = TableOrigin { path: path.to_owned(), is_part: true };
            let entry = |(material, source)| Entry::new(material, source, origin.clone());
            parts.into_iter().map(entry).collect()
        }
        match kind {
            BundleKind::Outcomes => self.join(path, entries(path, parts), vec![]),
            BundleKind::Distances => self.join(path, vec![], entries(path, parts)),
            BundleKind::Rankings => merge(&mut self.rankings, entries(path, parts)),
        }
    }

    fn join(&mut self, place: &Path, entries: Vec<Entry<Prober>>, distances: Vec<Entry<DistanceProber>>) {
        // Error messages name the places of outcomes.
        if !entries.is_empty() || distances.is_empty() {
            self.places.push(place.to_owned());
        }
        self.replace(entries, distances);
    }

    /// Adds entries; the last one of a material replaces the others.
    fn replace(&mut self, entries: Vec<Entry<Prober>>, distances: Vec<Entry<DistanceProber>>) {
        merge(&mut self.entries, entries);
        merge(&mut self.distances, distances);
        self.material_index = MaterialIndex::new(self.entries.iter().map(|entry| &entry.material));
    }

    /// The materials of the tables: fewer men first, then fewer pawns, then by name.
    pub fn materials(&self) -> Vec<Material> {
        sorted(&self.entries)
    }

    /// The materials of the files of distances, in the order of [`Tables::materials`].
    pub fn distance_materials(&self) -> Vec<Material> {
        sorted(&self.distances)
    }

    /// The materials of the files of rankings, in the order of [`Tables::materials`].
    pub fn ranking_materials(&self) -> Vec<Material> {
        sorted(&self.rankings)
    }

    /// Removes all outcomes.
    pub fn remove_outcomes(&mut self) {
        self.entries.clear();
        self.replace(vec![], vec![]);
    }

    /// Removes all distances.
    pub fn remove_distances(&mut self) {
        self.distances.clear();
    }

    /// Decodes all tables that have not been decoded yet, and their distances and rankings, with as many threads as there are
    /// processors. Goes on after a damaged table. Distances and rankings without outcomes are left out.
    ///
    /// # Errors
    /// The first error of [`Tables::table`], [`Prober::probe`] and [`Tables::won_distance`].
    pub fn preload(&self) -> Result<()> {
        let threads = std::thread::available_parallelism().map_or(1, NonZero::get);
        self.preload_with(threads, |_| ControlFlow::Continue(()))
    }

    /// [`Tables::preload`] with `threads` threads, the caller's among them. After each tree and each page the thread that decoded
    /// it calls `progress`. Once `progress` breaks, no thread goes on; the rest is decoded at its first probe.
    ///
    /// # Errors
    /// Those of [`Tables::preload`].
    pub fn preload_with(
        &self,
        threads: usize,
        progress: impl Fn(Preloaded) -> ControlFlow<()> + Sync,
    ) -> Result<()> {
        // Sides of outcomes, then the files beside them.
        let mut trees: Vec<(&Entry<Prober>, Part)> = Vec::new();
        for entry in &self.entries {
            trees.extend((0..entry.material.stored_turns().len()).map(|side| (entry, Part::Outcomes(side))));
        }
        for (files, part) in [(&self.distances, Part::Distances), (&self.rankings, Part::Ranking)] {
            let with_file = self.entries.iter().filter(|entry| !entry.is_new(files));
            trees.extend(with_file.map(|entry| (entry, part)));
        }
        let (next, done) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let first_error: Mutex<Option<(usize, Error)>> = Mutex::new(None);
        let is_stopped = AtomicBool::new(false);
        let report = |done| {
            if progress(Preloaded { done, all: trees.len() }).is_break() {
                is_stopped.store(true, Ordering::Relaxed);
            }
        };
        let go_on = || {
            report(done.load(Ordering::Relaxed));
            !is_stopped.load(Ordering::Relaxed)
        };
        let work = || {
            while !is_stopped.load(Ordering::Relaxed)
                && let number = next.fetch_add(1, Ordering::Relaxed)
                && let Some(&(entry, part)) = trees.get(number)
            {
                let preload = |file: Option<&DistanceProber>| file.map_or(Ok(()), |file| file.preload(go_on));
                let decoded = match part {
                    Part::Outcomes(side) => {
                        entry.prober(&self.limit).and_then(|prober| prober.preload(side, go_on))
                    }
                    Part::Distances => self.distances(&entry.material).and_then(preload),
                    Part::Ranking => self.ranking(&entry.material).and_then(preload),
                };
                if let Err(error) = decoded {
                    let mut first = first_error.lock().unwrap_or_else(PoisonError::into_inner);
                    if first.as_ref().is_none_or(|&(earlier, _)| number < earlier) {
                        *first = Some((number, error));
                    }
                }
                report(done.fetch_add(1, Ordering::Relaxed) + 1);
            }
        };
        std::thread::scope(|scope| {
            // When the system refuses a thread, the others do all the work.
            for _ in 1..threads.min(trees.len()) {
                if std::thread::Builder::new().spawn_scoped(scope, work).is_err() {
                    break;
                }
            }
            work();
        });
        let first = first_error.into_inner().unwrap_or_else(PoisonError::into_inner);
        first.map_or(Ok(()), |(_, error)| Err(error))
    }

    /// Sets the limit, from now on, on the bytes of code decoded at once: a tree, a page of a tree, or the covers of a file.
    /// Beyond the limit the first probe is an error, and so is adding a single file with covers. A byte takes up to ten
    /// microseconds, so the limit bounds the time for which an untrusted file can hold a thread in a probe. The default is 1 MiB.
    /// The trees that this crate makes need up to 20 KiB for outcomes, and up to 144 KiB for distances.
    ///
    /// # Example
    /// ```
    /// # fn open(untrusted: &str) -> cubebase::Result<cubebase::Tables> {
    /// let mut tables = cubebase::Tables::empty();
    /// tables.set_decoding_limit(64 << 10);
    /// tables.add(untrusted)?;
    /// # Ok(tables)
    /// # }
    /// ```
    pub fn set_decoding_limit(&self, bytes: usize) {
        self.limit.set(bytes);
    }

    /// The limit of [`Tables::set_decoding_limit`].
    pub fn decoding_limit(&self) -> usize {
        self.limit.bytes()
    }

    /// The memory held by the tables that have been probed or preloaded.
    pub fn memory(&self) -> Memory {
        let outcomes = self.entries.iter().filter_map(|entry| {
            // Of covers the prober does not need the file.
            let given = if let Source::Bytes(bytes) = &entry.source { bytes.len() } else { 0 };
            entry.prober.get().map(|prober| (prober.memory(), prober.file_bytes().max(given)))
        });
        let distances = self.distances.iter().chain(&self.rankings).filter_map(|entry| entry.prober.get());
        let distances = distances.map(|prober| (prober.memory(), prober.file_bytes()));
        outcomes.chain(distances).fold(Memory::default(), |all, (decoded, files)| Memory {
            decoded: all.decoded + decoded,
            files: all.files + files,
        })
    }

    /// Returns the prober of the table of `material`, after reading it if this has not been done.
    ///
    /// # Errors
    /// [`ErrorKind::MissingTable`] when there is no table of it; those of [`Pcn::read`](crate::Pcn::read);
    /// [`ErrorKind::BudgetExhausted`] beyond [`Tables::set_decoding_limit`]; [`ErrorKind::Corrupt`] when the file is of another
    /// material than its name says. The next call tries again.
    pub fn table(&self, material: &Material) -> Result<&Prober> {
        let key = key(material);
        let number = self.entries.binary_search_by_key(&key, |entry| entry.key).map_err(|_| {
            let places: Vec<_> = self.places.iter().map(|place| place.display().to_string()).collect();
            let message = if places.is_empty() {
                format!("no table of {material}: there are no tables")
            } else {
                format!("no table of {material} in {}", places.join(", "))
            };
            Error::new(ErrorKind::MissingTable, message).of_material(material)
        })?;
        self.entries[number].prober(&self.limit)
    }

    /// Whether there is a file of the distances of `material`.
    pub fn has_distances(&self, material: &Material) -> bool {
        self.distances.binary_search_by_key(&key(material), |entry| entry.key).is_ok()
    }

    /// Returns the prober of the distances of `material`, after reading them if this has not been done; `None` if there are none.
    ///
    /// # Errors
    /// Those of [`Tables::won_distance`].
    pub(in crate::probe) fn distances(&self, material: &Material) -> Result<Option<&DistanceProber>> {
        self.beside(&self.distances, material, false)
    }

    /// Returns the prober of the ranking of `material`, as [`Tables::distances`] does.
    pub(crate) fn ranking(&self, material: &Material) -> Result<Option<&DistanceProber>> {
        self.beside(&self.rankings, material, true)
    }

    /// The prober of `material` in files beside those of outcomes: of rankings or of distances.
    fn beside<'s>(
        &'s self,
        entries: &'s [Entry<DistanceProber>],
        material: &Material,
        is_ranking: bool,
    ) -> Result<Option<&'s DistanceProber>> {
        let Ok(number) = entries.binary_search_by_key(&key(material), |entry| entry.key) else {
            return Ok(None);
        };
        let entry = &entries[number];
        // Outcomes may have been replaced since the last call.
        let outcomes = self.table(material)?.table_hash();
        if let Some(prober) = entry.prober.get().filter(|prober| prober.table_hash == outcomes) {
            return Ok(Some(prober));
        }
        let read = || {
            let prober = entry.read_anew(&self.limit, is_ranking)?;
            if prober.table_hash != outcomes {
                let what = if is_ranking { "ranking" } else { "distances" };
                let why = format!("the {what} of {material} and its outcomes are not of the same table");
                return Err(Error::new(ErrorKind::Mismatch, why));
            }
            Ok(prober)
        };
        let prober = if entry.prober.get().is_some() {
            read().map(|_| None)
        } else {
            entry.prober.make(read).map(Some)
        };
        prober.map_err(|error| entry.origin.add_to(error, material))
    }

    /// The material of the men on the bitboards if there is a table of it, with their squares and the side to move in its orientation.
    pub(in crate::probe) fn find(
        &self,
        colors: [Bitboard; 2],
        roles: [Bitboard; 6],
        turn: Color,
    ) -> Option<(&Material, PackedSquares, Color)> {
        let (table, squares, turn) = self.material_index.find(colors, roles, turn)?;
        Some((&self.entries[table].material, squares, turn))
    }

    /// Returns the outcome of `position` for the side to move, in any symmetry of its material.
    ///
    /// # Errors
    /// Those of [`Tables::table`] and [`Prober::probe`].
    pub fn probe(&self, position: &Position) -> Result<Wdl> {
        self.table(position.material())?.probe(position)
    }

    /// Returns the outcome of `position` under the 50-move rule with a counter of zero, for the side to move, from the file of outcomes
    /// alone. With another counter, see `Tables::wdl50`.
    ///
    /// # Errors
    /// Those of [`Tables::table`] and [`Prober::probe_wdl50`].
    pub fn probe_wdl50(&self, position: &Position) -> Result<Wdl50> {
        self.table(position.material())?.probe_wdl50(position)
    }

    /// [`Tables::probe`] for a position that the caller knows to be legal.
    ///
    /// # Errors
    /// Those of [`Tables::table`] and [`Prober::probe_unchecked`].
    #[inline]
    pub fn probe_unchecked(&self, position: &Position) -> Result<Wdl> {
        self.table(position.material())?.probe_unchecked(position)
    }

    /// Returns the outcome for the side to move of the position on bitboards as in [`Position::from_bitboards`]. For engines: no
    /// [`Position`] is made. The position must be legal; for an illegal position the answer is some outcome or an error.
    ///
    /// # Errors
    /// Those of [`Position::from_bitboards`], [`Tables::table`] and [`Prober::probe_unchecked`]. If there is no table and the
    /// position is illegal, the error is about the position.
    ///
    /// # Example
    /// ```
    /// use cubebase::{Color, Tables, position::CastlingRights};
    /// # fn best(tables: &Tables) -> cubebase::Result<()> {
    /// // White: Ka1, Qb6; Black: Kh8.
    /// let [a1, b6, h8] = [1 << 0, 1 << 41, 1 << 63];
    /// let outcome = tables.probe_bitboards(
    ///     [a1 | b6, h8],
    ///     [a1 | h8, b6, 0, 0, 0, 0],
    ///     None,
    ///     Color::Black,
    ///     CastlingRights::NONE,
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
        castling: CastlingRights,
    ) -> Result<Wdl> {
        let (colors, roles) = (colors.map(Into::into), roles.map(Into::into));
        if en_passant.is_none()
            && castling.is_empty()
            && let Some((table, squares, turn)) = self.material_index.find(colors, roles, turn)
        {
            return self.entries[table].prober(&self.limit)?.probe_squares(squares, None, turn);
        }
        self.probe_unchecked(&Position::from_bitboards(colors, roles, en_passant, turn, castling)?)
    }

    /// [`Tables::probe_wdl50`] of the position on bitboards, which are as for [`Tables::probe_bitboards`].
    ///
    /// # Errors
    /// Those of [`Tables::probe_bitboards`] and [`Prober::probe_wdl50`].
    pub fn probe_wdl50_bitboards(
        &self,
        colors: [impl Into<Bitboard>; 2],
        roles: [impl Into<Bitboard>; 6],
        en_passant: Option<Square>,
        turn: Color,
        castling: CastlingRights,
    ) -> Result<Wdl50> {
        let (colors, roles) = (colors.map(Into::into), roles.map(Into::into));
        if en_passant.is_none()
            && castling.is_empty()
            && let Some((table, squares, turn)) = self.material_index.find(colors, roles, turn)
        {
            return self.entries[table].prober(&self.limit)?.probe_wdl50_squares(squares, None, turn);
        }
        let position = Position::from_bitboards(colors, roles, en_passant, turn, castling)?;
        self.table(position.material())?.probe_wdl50_unchecked(&position)
    }
}
