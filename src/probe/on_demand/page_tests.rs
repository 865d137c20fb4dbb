//! Tables in pages.

use crate::ErrorKind;
use crate::chess::model::Model;
use crate::chess::position::{Material, Position, Wdl};
use crate::pcn::noise::{self, Noise};
use crate::pcn::{Bundle, Codec, Pcn, Tree};
use crate::probe::distances::DistanceProber;
use crate::probe::tests::seal;
use crate::probe::{Prober, Tables};
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// A table of noise, whose trees have pages.
pub(crate) fn table() -> Pcn {
    let material: Material = "KRvKN".parse().unwrap();
    let parts = Model::Attack.variable_set(&material).values();
    let mut noise = Noise(11);
    let mut tree = || {
        let mut nodes = Vec::new();
        let mut leaf = |noise: &mut Noise| Wdl::ALL[noise.below(3)].into();
        noise::grow(&parts, 17, 200, &mut noise, &mut leaf, &mut nodes);
        Tree::new(nodes, &parts).unwrap()
    };
    let trees = vec![tree(), tree()];
    Pcn::of_trees(material, Model::Attack, vec![1, 3], trees, [2; 8]).unwrap()
}

pub(crate) fn positions(count: usize) -> Vec<Position> {
    let mut noise = Noise(5);
    (0..count).map(|_| noise::position("KRvKN".parse().unwrap(), &mut noise)).collect()
}

fn answers(tables: &Tables, positions: &[Position]) -> Vec<Wdl> {
    positions.iter().map(|position| tables.probe(position).unwrap()).collect()
}

#[test]
fn a_tree_in_pages_answers_as_the_whole_tree_does() {
    let (pcn, positions) = (table(), positions(3000));
    let bytes = pcn.encode(Codec::Compressed).unwrap();
    assert_eq!(Pcn::decode(&bytes).unwrap(), pcn);
    let (whole, tables) = (Prober::new(&pcn), Tables::from_bytes(bytes).unwrap());
    let mut held = Vec::new();
    for position in &positions {
        assert_eq!(tables.probe(position).unwrap(), whole.probe(position).unwrap(), "{position:?}");
        held.push(tables.memory().decoded);
    }
    // Pages that no position needs are not decoded.
    held.dedup();
    assert!(held[0] < held[1] && held.len() > 10, "{held:?}");
}

#[test]
fn more_code_than_may_be_decoded_at_once_is_an_error_of_its_own_kind() {
    let (pcn, positions) = (table(), positions(200));
    let tables = Tables::from_bytes(pcn.encode(Codec::Compressed).unwrap()).unwrap();
    let count = |tables: &Tables, wanted: Option<ErrorKind>| {
        positions
            .iter()
            .filter(|position| tables.probe(position).err().map(|error| error.kind()) == wanted)
            .count()
    };
    tables.set_decoding_limit(0);
    let within = count(&tables, None);
    assert!((1..200).contains(&within) && count(&tables, Some(ErrorKind::BudgetExhausted)) == 200 - within);
    let error = positions.iter().find_map(|position| tables.probe(position).err()).unwrap().to_string();
    assert!(error.ends_with("bytes are to be decoded at once, 0 are allowed"), "{error}");
    tables.set_decoding_limit(20 << 10);
    assert_eq!(count(&tables, None), 200);
    // Plain trees have no code.
    let plain = Tables::from_bytes(pcn.encode(Codec::None).unwrap()).unwrap();
    plain.set_decoding_limit(0);
    assert_eq!(count(&plain, None), 200);
    // A tree in one piece, and covers.
    let bundle = include_bytes!("../../../fixtures/four-men.pcb");
    let queen = Position::from_fen("8/8/8/4k3/8/8/4Q3/4K3 b - - 0 1").unwrap();
    let tables = Tables::from_bytes(&bundle[..]).unwrap();
    tables.set_decoding_limit(0);
    assert_eq!(tables.probe(&queen).unwrap_err().kind(), ErrorKind::BudgetExhausted);
    // The castling rights, when they are first asked for.
    let [without, with] = ["-", "K"].map(|rights| {
        let rook = |rights| Position::from_fen(&format!("4k3/8/8/8/8/8/r7/4K2R w {rights} - 0 1")).unwrap();
        let tables = Tables::from_bytes(&bundle[..]).unwrap();
        tables.probe(&rook("-")).unwrap();
        tables.set_decoding_limit(0);
        tables.probe(&rook(rights)).map_err(|error| error.kind())
    });
    assert_eq!((without.is_ok(), with), (true, Err(ErrorKind::BudgetExhausted)));
    let covers =
        std::fs::read(concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/fuzz/pcn/KRvK-binary-covers.pcn"))
            .unwrap();
    let mut tables = Tables::empty();
    tables.add_bytes(covers.clone()).unwrap();
    tables.set_decoding_limit(0);
    assert_eq!(tables.add_bytes(covers).unwrap_err().kind(), ErrorKind::BudgetExhausted);
}

#[test]
fn threads_that_probe_undecoded_pages_get_the_same_answers() {
    let (bytes, positions) = (table().encode(Codec::Compressed).unwrap(), positions(40));
    let right = answers(&Tables::from_bytes(bytes.clone()).unwrap(), &positions);
    let tables = Tables::from_bytes(bytes).unwrap();
    let ask = |from: usize| {
        // Each thread begins elsewhere.
        let asked = [&positions[from..], &positions[..from]].concat();
        assert_eq!(answers(&tables, &asked), [&right[from..], &right[..from]].concat());
    };
    std::thread::scope(|scope| (0..8).for_each(|thread| _ = scope.spawn(move || ask(5 * thread))));
}

#[test]
fn the_memory_is_that_of_what_is_decoded() {
    let (bytes, positions) = (table().encode(Codec::Compressed).unwrap(), positions(30));
    let mut tables = Tables::from_bytes(bytes.clone()).unwrap();
    let right = answers(&tables, &positions);
    let once = tables.memory();
    tables.add_bytes(bytes).unwrap();
    assert_eq!(tables.memory().decoded, 0);
    assert_eq!(answers(&tables, &positions), right);
    assert_eq!(tables.memory(), once);
    // Once all pages are there, the counters for decoding them are dropped.
    tables.preload().unwrap();
    let all = tables.memory();
    assert!(all.decoded < once.decoded, "{all:?} {once:?}");
    assert_eq!(answers(&tables, &positions), right);
    assert_eq!(tables.memory(), all);
}

#[test]
fn distances_in_pages_take_memory_page_by_page() {
    let file = include_bytes!("../../../fixtures/fuzz/pcn/KNPvK-distances-pages.pcn");
    let prober = DistanceProber::decode(file.to_vec().into(), &Arc::default()).unwrap();
    let (mut noise, mut held) = (Noise(5), vec![prober.memory()]);
    for _ in 0..300 {
        let position = noise::position("KNPvK".parse().unwrap(), &mut noise);
        prober.distance(position.packed(), position.en_passant(), position.turn()).unwrap();
        held.push(prober.memory());
    }
    assert!(held.is_sorted(), "{held:?}");
    held.dedup();
    assert!(held.len() > 3, "{held:?}");
}

#[test]
fn a_bundle_may_be_replaced_while_it_is_open() {
    let (directory, positions) = (tempfile::tempdir().unwrap(), positions(30));
    let (table, path) = (table().encode(Codec::Compressed).unwrap(), directory.path().join("bundle"));
    let right = answers(&Tables::from_bytes(table.clone()).unwrap(), &positions);
    let material = "KRvKN".parse().unwrap();
    let other = ("KvK".parse().unwrap(), vec![0; 3 << 20]);
    let bundle = Bundle::encode(vec![(material, table), other]).unwrap();
    std::fs::write(&path, &bundle).unwrap();
    let (tables, replaced) = (Tables::open(&path).unwrap(), Tables::open(&path).unwrap());
    assert_eq!((answers(&tables, &positions), tables.materials().len()), (right.clone(), 2));
    // A file that takes its name later is another one.
    std::fs::write(directory.path().join("new"), "no bundle").unwrap();
    std::fs::rename(directory.path().join("new"), &path).unwrap();
    assert_eq!(answers(&replaced, &positions), right);
    // Of a bundle that is damaged in place, a table that was not read is refused.
    for damaged in [&bundle[..bundle.len() - 1], &[&bundle[..bundle.len() - 9], &[1; 9]].concat()] {
        std::fs::write(&path, &bundle).unwrap();
        let tables = Tables::open(&path).unwrap();
        std::fs::write(&path, damaged).unwrap();
        let error = tables.table(&material).unwrap_err();
        assert!(error.to_string().contains("bundle"), "{error}");
        assert!(Tables::open(&path).is_err() == (damaged.len() < bundle.len()));
    }
}

#[test]
#[cfg(feature = "build")]
fn the_fixture_answers_every_position() {
    use crate::chess::position::Color;
    use crate::chess::retrograde::Store;
    use rayon::prelude::*;
    let outcomes = Store::new(None).get(&"KNPvK".parse().unwrap()).unwrap();
    // The bytes of a real table with small pages, from the corpora of the fuzz targets.
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/fuzz/pcn/KNPvK-attack-pages.pcn");
    let tables = Tables::open(path).unwrap();
    let slots = outcomes.index().len();
    for turn in Color::BOTH {
        (0..slots.div_ceil(1 << 16)).into_par_iter().for_each(|slice| {
            let slots = slice << 16..slots.min((slice + 1) << 16);
            for (position, outcome) in outcomes.positions_in(turn, slots) {
                assert_eq!(tables.probe(&position).unwrap(), outcome, "{position:?}");
            }
        });
    }
}

#[test]
fn preloading_can_be_stopped_between_pages() {
    let tables = Tables::from_bytes(table().encode(Codec::Compressed).unwrap()).unwrap();
    let told = AtomicUsize::new(0);
    let stop_after = |calls: usize| {
        tables.preload_with(1, |preloaded| {
            assert!(preloaded.done <= 1 && preloaded.all == 2);
            if told.fetch_add(1, Ordering::Relaxed) + 1 < calls {
                ControlFlow::Continue(())
            } else {
                ControlFlow::Break(())
            }
        })
    };
    stop_after(3).unwrap();
    // The last call is for the tree that was stopped.
    assert_eq!(told.load(Ordering::Relaxed), 4);
    let held = tables.memory();
    tables.preload().unwrap();
    let loaded = tables.memory();
    assert_ne!(held, loaded);
    positions(300).iter().for_each(|position| _ = tables.probe(position).unwrap());
    assert_eq!(tables.memory(), loaded);
}

#[test]
fn a_damaged_page_is_found_when_it_is_decoded() {
    let mut bytes = table().encode(Codec::Compressed).unwrap();
    // The last byte of the last page, of Black to move.
    let last = bytes.len() - 5;
    bytes[last] = 0;
    seal(&mut bytes);
    assert_eq!(Pcn::decode(&bytes).unwrap_err().kind(), ErrorKind::Corrupt);
    let tables = Tables::from_bytes(bytes).unwrap();
    let (mut right, mut wrong) = (0, 0);
    for position in positions(3000) {
        match tables.probe(&position) {
            Ok(_) => right += 1,
            Err(error) => {
                wrong += 1;
                assert_eq!(error.kind(), ErrorKind::Corrupt);
                assert!(error.to_string().contains("section 1: page "), "{error}");
            }
        }
    }
    assert!(right > 0 && wrong > 0, "{right} right, {wrong} wrong");
    assert_eq!(tables.preload().unwrap_err().kind(), ErrorKind::Corrupt);
}

/// Every damage is refused unless the checksum is corrected. With it corrected, the table or a page of it may be refused, or
/// answers be wrong, but nothing panics, hangs or takes memory out of proportion.
#[test]
fn damaged_tables_with_pages_are_refused_or_answer() {
    const DAMAGES: usize = 60;
    let (good, positions) = (table().encode(Codec::Compressed).unwrap(), positions(8));
    let right = answers(&Tables::from_bytes(good.clone()).unwrap(), &positions);
    let mut noise = Noise(17);
    let (mut refused, mut later, mut same, mut other) = (0, 0, 0, 0);
    for number in 0..DAMAGES {
        let mut bytes = good.clone();
        let at = noise.below(if number % 2 == 0 { good.len() - 4 } else { 200 });
        bytes[at] ^= 1 << noise.below(8);
        assert!(Tables::from_bytes(bytes.clone()).is_err(), "a flipped bit of byte {at}");
        seal(&mut bytes);
        let Ok(tables) = Tables::from_bytes(bytes) else {
            refused += 1;
            continue;
        };
        for (position, right) in positions.iter().zip(&right) {
            match tables.probe(position) {
                Err(error) => {
                    // A changed material makes it another table.
                    assert!(matches!(error.kind(), ErrorKind::Corrupt | ErrorKind::MissingTable), "{error}");
                    later += 1;
                }
                Ok(answer) if answer == *right => same += 1,
                Ok(_) => other += 1,
            }
        }
        assert!(tables.memory().decoded < 100 * good.len(), "byte {at}: {:?}", tables.memory());
    }
    println!(
        "{DAMAGES} damages: {refused} refused at once; answers: {later} refused, {same} right, {other} others"
    );
    assert!(refused > 0 && later > 0 && same > 0, "{refused} {later} {same} {other}");
    for length in (0..good.len()).step_by(good.len() / 100) {
        assert!(Tables::from_bytes(good[..length].to_vec()).is_err(), "{length} bytes of {}", good.len());
    }
}
