//! Table files: the same bytes for any number of threads, read as written, and refused when damaged.

use super::sampling::{material, written};
use crate::noise::position_in;
use cubebase::chess::retrograde::{Store, Table, TableFile};
use cubebase::retrograde::Metric;
use cubebase::{Color, ErrorKind, Wdl};
use proptest::prelude::*;
use std::io::Write;
use std::sync::{Arc, LazyLock};

/// Length of a file's header, and places of fields in it.
pub const HEADER: usize = 128;
const VERSION: usize = 8;
const METRIC: usize = 10;
const CODEC: usize = 13;
const NAME: usize = 16;

pub fn bytes(table: &Table) -> Vec<u8> {
    let (_directory, path) = written(table);
    std::fs::read(path).unwrap()
}

fn knight(metric: Metric) -> Arc<Table> {
    static STORES: LazyLock<[Store; 4]> =
        LazyLock::new(|| Metric::ALL.map(|metric| Store::new(None).with_metric(metric)));
    STORES[metric as usize].get(&material("KNvK")).unwrap()
}

fn kind(file: &[u8]) -> ErrorKind {
    Table::from_bytes(file).expect_err("a damaged file").kind()
}

/// Gives a changed header the right checksum.
fn reseal(file: &mut [u8]) {
    let checksum = crc32fast::hash(&file[..HEADER - 4]);
    file[HEADER - 4..HEADER].copy_from_slice(&checksum.to_le_bytes());
}

/// The file of a table with other distances and right checksums. `change` has each distance of a byte, with its side to move
/// and slot.
pub fn with_distances(file: &[u8], change: impl Fn(Color, usize, &mut u8)) -> Vec<u8> {
    const BLOCK: usize = 1 << 18;
    let field = |at: usize| u32::from_le_bytes(*file[at..].first_chunk().unwrap()) as usize;
    let (mut forged, mut directory) = (file[..HEADER].to_vec(), Vec::new());
    let mut rest = &file[HEADER..];
    // The fields of sides, slots and blocks.
    let (sides, of_run, blocks) = (usize::from(file[11]), field(32).div_ceil(BLOCK), field(44));
    let entries = file[file.len() - 4 - 8 * blocks..file.len() - 4].as_chunks::<8>().0;
    for (number, entry) in entries.iter().enumerate() {
        let (payload, others) = rest.split_at(u32::from_le_bytes(*entry.first_chunk().unwrap()) as usize);
        rest = others;
        let mut block = zstd::bulk::decompress(payload, BLOCK).unwrap();
        if let Some(side) = (number / of_run).checked_sub(sides) {
            let first = number % of_run * BLOCK;
            let distances = block.iter_mut().enumerate();
            distances.for_each(|(at, plies)| change(Color::BOTH[side], first + at, plies));
        }
        let payload = zstd::bulk::compress(&block, 1).unwrap();
        directory.extend((payload.len() as u32).to_le_bytes());
        directory.extend(crc32fast::hash(&payload).to_le_bytes());
        forged.extend(payload);
    }
    [&forged[..], &directory, &crc32fast::hash(&directory).to_le_bytes()].concat()
}

#[test]
fn a_distance_that_does_not_go_with_its_outcome_is_refused() {
    use Color::{Black, White};
    for (metric, turn, outcome, wrong) in [
        (Metric::Dtm, Black, Some(Wdl::Draw), &[1, 2][..]),
        (Metric::Dtm, Black, Some(Wdl::Loss), &[1]),
        (Metric::Dtm, White, Some(Wdl::Win), &[0, 2]),
        (Metric::Dtm, White, None, &[1, 2]),
        (Metric::Dtc, Black, Some(Wdl::Draw), &[1, 2]),
        (Metric::Dtc, White, Some(Wdl::Win), &[0]),
        (Metric::Dtc, White, None, &[1, 2]),
    ] {
        let table = Store::new(None).with_metric(metric).get(&material("KQvK")).unwrap();
        let (index, good) = (table.index(), bytes(&table));
        let slot = (0..index.len()).find(|&slot| table.outcome(turn, slot) == outcome).unwrap();
        for &plies in wrong {
            let forged = with_distances(&good, |side, at, other| {
                if (side, at as u64) == (turn, slot) {
                    *other = plies;
                }
            });
            let error = Table::from_bytes(&forged).unwrap_err().to_string();
            assert!(error.contains("does not fit its outcome"), "{metric} {outcome:?} {plies}: {error}");
            let mut file = tempfile::NamedTempFile::new().unwrap();
            file.write_all(&forged).unwrap();
            let mapped = TableFile::open(file.path()).unwrap();
            if let Some(position) = position_in(index, turn, slot) {
                assert_eq!(mapped.distance(&position).unwrap_err().kind(), ErrorKind::Corrupt);
                assert_eq!(mapped.longest().unwrap_err().kind(), ErrorKind::Corrupt);
            }
        }
    }
}

/// At 100 plies to zeroing a win counts, and at 101 it is cursed.
#[test]
fn the_50_move_rule_begins_after_100_plies() {
    let table = Store::new(None).with_metric(Metric::Dtz).get(&material("KQvK")).unwrap();
    let plies = |plies: u32, slot: u64| if plies > 0 { 100 + (slot % 2) as u32 } else { 0 };
    let forged =
        with_distances(&bytes(&table), |_, slot, old| *old = plies((*old).into(), slot as u64) as u8);
    let mut file = tempfile::NamedTempFile::new().unwrap();
    file.write_all(&forged).unwrap();
    let mut expected = [[0; 5]; 2];
    for turn in Color::BOTH {
        for (position, wdl) in table.positions(turn) {
            let old = table.distance(&position).unwrap().unwrap_or(0);
            let is_late = plies(old, table.index().rank_any(&position).1) == 101;
            let class = match wdl {
                Wdl::Loss => usize::from(is_late),
                Wdl::Win => 4 - usize::from(is_late),
                _ => 2,
            };
            expected[turn.index()][class] += 1;
        }
    }
    let found = TableFile::open(file.path()).unwrap().longest_and_counts_50().unwrap();
    assert_eq!((found.0.map(|(plies, _)| plies), found.1), (Some(101), Some(expected)));
    let [[.., cursed, won], [lost, blessed, ..]] = expected;
    assert!([cursed, won, lost, blessed].iter().all(|&count| count > 1000), "{expected:?}");
}

/// Chinese chess has no tables of distances to zeroing.
#[test]
fn a_metric_that_the_game_lacks_is_refused() {
    let store = cubebase::xiangqi::Store::new(None);
    let table = store.with_metric(Metric::Dtm).get(&"c-ae".parse().unwrap()).unwrap();
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("c-ae.dtm");
    table.write(&path).unwrap();
    let mut file = std::fs::read(&path).unwrap();
    file[METRIC] = Metric::Dtz as u8;
    reseal(&mut file);
    let error = cubebase::xiangqi::Table::from_bytes(&file).unwrap_err();
    assert!(error.to_string().contains("the metric is wrong"), "{error}");
}

/// Passes share their work among threads from four men on.
#[test]
fn the_same_bytes_for_any_number_of_threads() {
    for metric in Metric::ALL {
        let with_threads = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| {
                let store = Store::new(None).with_metric(metric);
                ["KPvK", "KQvKR"].map(|name| bytes(&store.get(&material(name)).unwrap()))
            })
        };
        assert!(with_threads(1) == with_threads(5), "{metric}");
    }
}

/// In payloads every seventh byte is tried. Damage elsewhere is found when a mapped file is opened.
#[test]
fn flipped_bits_and_cuts_are_refused() {
    let file = bytes(&knight(Metric::Dtm));
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("KNvK.dtm");
    let mapped = |bytes: &[u8]| {
        std::fs::write(&path, bytes).unwrap();
        let error = TableFile::open(&path).unwrap_err();
        assert!(error.to_string().contains("KNvK.dtm"), "{error}");
        error.kind()
    };
    // Four blocks: outcomes and distances of both sides.
    let payloads = HEADER..file.len() - (4 * 8 + 4);
    for at in (0..file.len()).filter(|at| at % 7 == 0 || !payloads.contains(at)) {
        let mut damaged = file.clone();
        damaged[at] ^= 1 << (at % 8);
        let expected = match at {
            0..VERSION => ErrorKind::BadMagic,
            VERSION | 9 | CODEC => ErrorKind::UnsupportedVersion,
            METRIC if damaged[at] > 1 => ErrorKind::UnsupportedVersion,
            _ => ErrorKind::Corrupt,
        };
        assert_eq!(kind(&damaged), expected, "byte {at}");
        assert!(payloads.contains(&at) || mapped(&damaged) == expected, "byte {at}, mapped");
        let expected = if at < VERSION { ErrorKind::BadMagic } else { ErrorKind::Corrupt };
        assert_eq!((kind(&file[..at]), mapped(&file[..at])), (expected, expected), "cut at {at}");
    }
    let longer = [&file[..], &[0]].concat();
    assert_eq!((kind(&longer), mapped(&longer)), (ErrorKind::Corrupt, ErrorKind::Corrupt));
}

#[test]
fn a_forged_header_allocates_nothing() {
    let file = bytes(&knight(Metric::Wdl));
    for (name, slots) in [("KQQQQQQvK", u64::MAX), ("KQRBNPvKQ", 1 << 40), ("KNvK", u64::MAX), ("KNvK", 0)] {
        let mut forged = file.clone();
        forged[NAME..NAME + 16].fill(0);
        forged[NAME..NAME + name.len()].copy_from_slice(name.as_bytes());
        forged[NAME + 16..NAME + 24].copy_from_slice(&slots.to_le_bytes());
        reseal(&mut forged);
        assert_eq!(kind(&forged), ErrorKind::Corrupt, "{name}");
    }
    // A right header of a large table without its blocks.
    let index = cubebase::chess::retrograde::Index::new(&material("KQRBNPvKQ"));
    let mut forged = file.clone();
    forged[NAME..NAME + 9].copy_from_slice(b"KQRBNPvKQ");
    forged[32..40].copy_from_slice(&index.len().to_le_bytes());
    let blocks = 2 * index.len().div_ceil(1 << 18) as u32;
    forged[44..48].copy_from_slice(&blocks.to_le_bytes());
    reseal(&mut forged);
    assert_eq!(kind(&forged), ErrorKind::Corrupt);
}

#[test]
fn reserved_fields_and_counts_are_checked_with_right_checksums() {
    let file = bytes(&knight(Metric::Wdl));
    for at in [11, 12, 14, 15, NAME + 10, 40, 44, 48, 56, 64, 80, 112, 123] {
        let mut forged = file.clone();
        forged[at] ^= 1;
        reseal(&mut forged);
        assert_eq!(kind(&forged), ErrorKind::Corrupt, "byte {at}");
    }
    // From the width of a distance the lengths of blocks are computed.
    let file = bytes(&knight(Metric::Dtm));
    for width in [0, 2, 3, 255] {
        let mut forged = file.clone();
        forged[12] = width;
        reseal(&mut forged);
        assert_eq!(kind(&forged), ErrorKind::Corrupt, "distances of {width} bytes");
    }
}

proptest! {
    #[test]
    fn no_bytes_make_the_reader_panic(file in prop::collection::vec(any::<u8>(), 0..400), begins_well: bool) {
        let good = bytes(&knight(Metric::Dtm));
        let begin = if begins_well { &good[..HEADER] } else { &[] };
        prop_assert!(Table::from_bytes(&[begin, &file].concat()).is_err());
    }

    /// With right checksums a changed file is refused for another reason, or is the same table.
    #[test]
    fn sealed_changes_are_refused_or_mean_nothing(
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..4),
        in_directory: bool,
    ) {
        let table = knight(Metric::Dtm);
        let mut file = bytes(&table);
        let blocks = u32::from_le_bytes(file[44..48].try_into().unwrap()) as usize;
        let (directory, end) = (file.len() - (8 * blocks + 4), file.len() - 4);
        for (at, byte) in changes {
            let places = if in_directory { directory..end } else { VERSION..HEADER - 4 };
            file[places.start + at.index(places.len())] = byte;
        }
        reseal(&mut file);
        let checksum = crc32fast::hash(&file[directory..end]);
        file[end..].copy_from_slice(&checksum.to_le_bytes());
        match Table::from_bytes(&file) {
            Ok(read) => prop_assert_eq!(read, (*table).clone()),
            Err(error) => prop_assert!(!error.to_string().contains("checksum"), "{}", error),
        }
    }
}
