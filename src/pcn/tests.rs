//! Properties of the file: written content is read again, and damage is refused.

use super::frozen::reader::push_number;
use super::frozen::static_function::{PositionHash, StaticFunction, System};
use super::noise::Noise;
use super::solution::Solution;
use super::*;
use crate::allocated::held;
use crate::chess::position::{Material, Position, Wdl};
use crate::covers::frozen::{Clauses, Covers, Layout, Section, Turns};
use crate::probe::Prober;
use crate::{ErrorKind, Model};
use proptest::prelude::*;
use std::collections::BTreeSet;
use std::ops::Range;

const MATERIALS: [&str; 6] = ["KvK", "KQvK", "KQvKR", "KRvKR", "KPPvKP", "KPPPvKPPP"];

fn available() -> impl Iterator<Item = Codec> {
    Codec::ALL.into_iter().filter(|&codec| codec == Codec::None || cfg!(feature = "zstd"))
}

fn section(layout: &Layout, turns: Turns, outcome: Wdl, count: usize, noise: &mut Noise) -> Section {
    Section { turns, outcome, clauses: noise::clauses(layout, count, noise) }
}

/// Any valid content, of up to six sections.
fn content() -> impl Strategy<Value = Pcn> {
    let counts = prop::array::uniform6(0..40_usize);
    let order = Just(Wdl::ALL.to_vec()).prop_shuffle();
    (0..MATERIALS.len(), any::<[u8; 10]>(), order, counts, 1..u64::MAX).prop_map(
        |(material, bytes, order, counts, seed)| {
            let material: Material = MATERIALS[material].parse().unwrap();
            let layout = Layout::new(Model::Binary, &material);
            let turns = material.stored_turns();
            let anchors = bytes[..turns.len()].iter().map(|&byte| usize::from(byte) % material.len());
            let (mut sections, mut counts, mut noise) = (Vec::new(), counts.into_iter(), Noise(seed));
            for &turn in turns {
                for &outcome in &order {
                    let count = counts.next().unwrap();
                    sections.push(section(&layout, turn.into(), outcome, count, &mut noise));
                }
            }
            let mut hash = [0; 8];
            hash.copy_from_slice(&bytes[2..]);
            Pcn::of_covers(material, Model::Binary, anchors.collect(), Covers { sections }, hash).unwrap()
        },
    )
}

/// A small table with a section for each combination of sides to move.
fn example() -> Pcn {
    let material: Material = "KQvKR".parse().unwrap();
    let layout = Layout::new(Model::Binary, &material);
    let mut noise = Noise(1);
    let mut section = |turns, outcome, count| section(&layout, turns, outcome, count, &mut noise);
    let sections = vec![
        section(Turns::Both, Wdl::Draw, 50),
        section(Turns::White, Wdl::Loss, 1),
        section(Turns::Black, Wdl::Win, 28),
    ];
    Pcn::of_covers(material, Model::Binary, vec![0, 3], Covers { sections }, *b"examples").unwrap()
}

/// Asserts that the figures of a file agree with its content.
fn assert_summary(summary: &Summary, pcn: &Pcn) {
    assert_eq!((summary.clauses, summary.literals), (pcn.clauses(), pcn.literals()));
    assert_eq!((summary.material, summary.model), (*pcn.material(), pcn.model()));
    assert_eq!(summary.table_hash, pcn.table_hash());
    assert_eq!(summary.sides.iter().map(|side| side.anchor).collect::<Vec<_>>(), pcn.anchors());
    let trees = pcn.trees().iter().map(|tree| {
        let excepted = |tree: &Tree| tree.leaves().filter(|leaf| leaf.exceptions.is_some()).count();
        (tree.leaves().count(), excepted(tree))
    });
    let of_sides = summary.sides.iter().filter_map(|side| side.tree);
    assert!(trees.eq(of_sides.map(|tree| (tree.leaves, tree.excepted))));
    assert_eq!(summary.covers.is_some(), pcn.covers().is_some());
    let (Some(summary), Some(covers)) = (&summary.covers, pcn.covers()) else { return };
    let sections =
        covers.sections.iter().map(|section| (section.turns, section.outcome, section.clauses.len()));
    assert!(sections.eq(summary.iter().map(|section| {
        let SectionSummary { turns, outcome, clauses } = *section;
        (turns, outcome, clauses)
    })));
}

fn refusal(bytes: &[u8]) -> ErrorKind {
    Pcn::decode(bytes).expect_err("a damaged file was read").kind()
}

/// A table with trees, whose bytes never change.
pub(super) fn golden() -> Pcn {
    let material: Material = "KQvK".parse().unwrap();
    let values = Model::Board.variable_set(&material).values();
    let leaf = |outcome: Wdl| Node::Leaf(outcome.into());
    let test = |variable, low, high| Node::Test(Test { variable, low, high });
    let nodes = vec![
        test(0, 0, 2),
        test(4, 1, 5),
        leaf(Wdl::Win),
        leaf(Wdl::Draw),
        test(4, 0, 6),
        leaf(Wdl::Draw),
        leaf(Wdl::Win),
    ];
    let other = vec![test(1, 3, 5), leaf(Wdl::Draw), leaf(Wdl::Loss)];
    let trees = [nodes, other].map(|nodes| Tree::new(nodes, &values).unwrap());
    Pcn::of_trees(material, Model::Board, vec![0, 1], trees.into(), *b"golden!!").unwrap()
}

/// A table with covers, whose bytes never change.
fn golden_covers() -> Pcn {
    let material: Material = "KQvK".parse().unwrap();
    let layout = Layout::new(Model::Board, &material);
    let mut clause = layout.universe();
    layout.set_literal(&mut clause, 1, 0b0011_1000);
    layout.set_literal(&mut clause, 5, 0b1000_0001);
    let clauses = Clauses::new(layout.words(), &clause);
    let sections = vec![Section { turns: Turns::Black, outcome: Wdl::Draw, clauses }];
    Pcn::of_covers(material, Model::Board, vec![0, 1], Covers { sections }, *b"golden!!").unwrap()
}

/// Numbers are below 2^32 unless FORMAT.md gives another bound.
#[test]
fn longer_numbers_are_refused() {
    let good = golden().encode(Codec::Compressed).unwrap();
    // The material; and the length of a tree, after magic, model, material, hash, sides and kind.
    for place in [3, 15] {
        let error =
            Pcn::decode(&forged(&good, place..place + 1, &[0x80, 0x80, 0x80, 0x80, 0x10])).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Corrupt);
        assert!(error.to_string().contains("a number beyond 32 bits"), "at {place}: {error}");
    }
}

#[test]
fn a_second_tree_for_a_turn_is_refused() {
    let good = golden().encode(Codec::Compressed).unwrap();
    // Its kind, its length in a byte, and its code.
    let tree = good[14..16 + usize::from(good[15])].to_vec();
    let error = Pcn::decode(&forged(&good, 14..14, &tree)).unwrap_err();
    assert!(error.to_string().contains("a tree for a turn that has one"), "{error}");
}

/// The bytes in a piece of text: pairs of hexadecimal digits.
fn hex(text: &str) -> Vec<u8> {
    text.split_whitespace().map(|pair| u8::from_str_radix(pair, 16).unwrap()).collect()
}

pub(super) fn format_md(title: &str) -> &'static str {
    let (_, text) = include_str!("FORMAT.md").split_once(&format!("\n## {title}\n")).unwrap();
    text.split_once("\n## ").unwrap().0
}

/// The files in hexadecimal in a section of FORMAT.md, and the bytes that the table after them explains.
pub(super) fn files(text: &str) -> (Vec<Vec<u8>>, Vec<u8>) {
    let files = text.split("\n\n").filter(|block| block.starts_with("    ")).map(hex).collect();
    let explained = text.lines().skip_while(|line| *line != "| bytes | meaning |").skip(2);
    let cells = explained.map_while(|line| Some(line.strip_prefix("| `")?.split_once('`')?.0));
    (files, hex(&cells.collect::<Vec<_>>().join(" ")))
}

#[test]
fn the_bytes_of_a_file_never_change_and_are_those_of_format_md() {
    let [plain, compressed] = Codec::ALL.map(|codec| golden().encode(codec).unwrap());
    let covers = golden_covers().encode(Codec::None).unwrap();
    assert_eq!(Pcn::decode(&plain).unwrap(), golden());
    assert_eq!(Pcn::decode(&compressed).unwrap(), golden());
    assert_eq!(Pcn::decode(&covers).unwrap(), golden_covers());
    let bytes = [plain, compressed, covers];
    let (written, explained) = files(format_md("One file, byte by byte"));
    assert_eq!(written, bytes);
    assert_eq!(explained, bytes[0]);
}

#[test]
fn exceptions_are_those_that_format_md_computes() {
    let text = format_md("Exceptions, byte by byte");
    let (written, explained) = files(text);
    assert_eq!(written, [explained]);
    let material: Material = "KvK".parse().unwrap();
    let solution = |seed, bits: &[u8], count| Solution {
        seed,
        unknowns: (0..count).map(|at| bits[at / 8] >> (at % 8) & 1 == 1).collect(),
    };
    let filter = [solution(0, &[0b0_1110], 5), solution(1, &[0b10_1101], 6)];
    let decision = solution(2, &(1..=17).collect::<Vec<u8>>(), 136);
    let function = StaticFunction::new(System::new(&filter), System::new(std::slice::from_ref(&decision)));
    let leaf = Leaf { outcome: Wdl::Draw, exceptions: Some(Excepted { level: 2, outcome: None }) };
    let values = Model::Board.variable_set(&material).values();
    let tree = Tree::new(vec![Node::Leaf(leaf)], &values).unwrap().with_exceptions(function);
    let pcn = Pcn::of_trees(material, Model::Board, vec![0], vec![tree], *b"golden!!");
    assert_eq!(written, [pcn.unwrap().encode(Codec::None).unwrap()]);
    let prober = Prober::decode(&written[0]).unwrap();
    let position = Position::from_fen("8/8/8/8/8/2k5/8/K7 w - - 0 1").unwrap();
    let other = Position::from_fen("8/8/8/8/3k4/8/8/K7 w - - 0 1").unwrap();
    assert_eq!((prober.probe(&position).unwrap(), prober.probe(&other).unwrap()), (Wdl::Win, Wdl::Draw));
    // Each row of the second table.
    let hash = PositionHash::new(&position);
    assert!(text.contains(&format!("h = {:#x},", hash.0)) && hash.shard(2) == 0);
    for (system, number, Solution { seed, unknowns }) in [
        ("filter", 0, &filter[0]),
        ("filter", 1, &filter[0]),
        ("decision", 32, &decision),
        ("decision", 33, &decision),
    ] {
        let word = hash.word(number, *seed);
        let equation = hash.equation(number, *seed, unknowns.len() as u16);
        let (start, width) = (usize::from(equation.start), unknowns.len().min(128));
        let window = unknowns[start..start + width].iter().rev();
        let window = window.fold(0_u128, |bits, unknown| bits << 1 | u128::from(*unknown));
        let left = (window & equation.coefficients).count_ones() & 1;
        let right = if system == "filter" { format!("{} ", u8::from(equation.right)) } else { String::new() };
        let row = format!(
            "| value({system}, h, {number}) | {word:#x} | {start} | {width} | {:#x} | {window:#x} | {left} | {right}|",
            equation.coefficients
        );
        assert!(text.contains(&row), "{row}");
    }
}

#[test]
fn literals_of_a_tree_are_the_variables_that_its_paths_test() {
    for seed in 1..50 {
        let tree = noise::tree(&[2, 8, 16, 3], 9, &mut Noise(seed));
        let mut literals = 0;
        tree.paths(|_, path| {
            let tested: BTreeSet<u16> = path.iter().map(|(test, _)| test.variable).collect();
            literals += tested.len();
        });
        assert_eq!(tree.literals(), literals);
    }
}

/// Returns the file with the bytes at `place` replaced by `with`, and a right checksum.
pub(super) fn forged(good: &[u8], place: Range<usize>, with: &[u8]) -> Vec<u8> {
    let mut bytes = good[..good.len() - 4].to_vec();
    bytes.splice(place, with.iter().copied());
    bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
    bytes
}

#[test]
fn every_change_of_a_bit_is_refused() {
    for codec in available() {
        for good in [example(), golden(), excepted()].map(|pcn| pcn.encode(codec).unwrap()) {
            for (at, bit) in (0..good.len()).flat_map(|at| (0..8).map(move |bit| (at, bit))) {
                let mut bad = good.clone();
                bad[at] ^= 1 << bit;
                let expected: &[ErrorKind] = match at {
                    0 => &[ErrorKind::BadMagic],
                    // Version 7 would be another one with a wrong checksum.
                    1 => &[ErrorKind::BadMagic, ErrorKind::UnsupportedVersion, ErrorKind::Corrupt],
                    _ => &[ErrorKind::Corrupt],
                };
                assert!(expected.contains(&refusal(&bad)), "{codec:?}, bit {bit} of byte {at}");
                // With a right checksum it may be another table or be refused, but nothing panics.
                let _ = Pcn::decode(&forged(&bad, 0..0, &[]));
            }
        }
    }
}

#[test]
fn every_truncation_and_every_appendix_is_refused() {
    for codec in available() {
        for good in [example(), excepted()].map(|pcn| pcn.encode(codec).unwrap()) {
            let mut unclear = 0;
            for length in 0..good.len() {
                let expected = if length < 2 { ErrorKind::BadMagic } else { ErrorKind::Corrupt };
                let error = Pcn::decode(&good[..length]).unwrap_err();
                assert_eq!(error.kind(), expected, "{codec:?}, {length} bytes");
                unclear += usize::from(!error.to_string().starts_with("cut short"));
                // With a right checksum it may end between two sections, but nothing panics.
                let _ = Pcn::decode(&forged(&good[..length.max(4)], 0..0, &[]));
            }
            // Without magic bytes, and with four bytes after a section, as of a checksum.
            assert!(unclear <= 8, "{codec:?}: {unclear}");
            for extra in 0..=255 {
                assert_eq!(refusal(&[&good[..], &[extra]].concat()), ErrorKind::Corrupt);
            }
        }
    }
}

#[test]
fn unknown_versions_and_codes_are_refused_as_unsupported() {
    let good = example().encode(Codec::None).unwrap();
    // 2 magic, model, material, 8 hash, 2 sides, then the first section: kind, count, length.
    let (sides, first) = (12, 14);
    let kinds = |at, values: &[u8], kind| {
        for &value in values {
            assert_eq!(refusal(&forged(&good, at..at + 1, &[value])), kind, "byte {at} made {value:#x}");
        }
    };
    assert_eq!(forged(&good, 0..0, &[]), good);
    kinds(1, &[b'P', 32, 255], ErrorKind::BadMagic);
    kinds(1, &[0, 1, 2, 5, 31], ErrorKind::UnsupportedVersion);
    // Version 4 without castling rights.
    kinds(1, &[4], ErrorKind::Corrupt);
    kinds(2, &[0, 1, 31 | 1 << 5, 1 | 2 << 5], ErrorKind::UnsupportedVersion);
    kinds(3, &[1, 5, 7, 127], ErrorKind::Corrupt);
    kinds(sides, &[4 | 7 << 3, 0x78, 0xb8, 6 << 3], ErrorKind::Corrupt);
    kinds(sides, &[4 << 3, 1 << 3, 0], ErrorKind::UnsupportedVersion);
    kinds(first, &[0, 2 << 2, 5 << 2 | 3, 7 << 2 | 3, 3 | 1 << 5, 1 | 2 << 2 | 1 << 5], ErrorKind::Corrupt);
    kinds(first, &[1 << 2 | 3, 3 << 2 | 3, 3 << 6 | 3], ErrorKind::UnsupportedVersion);
    kinds(first, &[3 | 7 << 2 | 1 << 5, 1 | 7 << 2 | 1 << 5], ErrorKind::Corrupt);
}

/// Asserts that a file is refused within little memory: `each` times its bytes, and 1 MiB that any reader takes.
fn assert_refused_in_little_memory(bytes: &[u8], each: usize, what: &str) {
    let (kind, held) = held(|| refusal(bytes));
    assert_eq!(kind, ErrorKind::Corrupt, "{what}");
    assert!(held <= (1 << 20) + each * bytes.len(), "{what}: {held} bytes held for {}", bytes.len());
}

#[test]
fn huge_counts_are_refused_before_anything_is_allocated() {
    let good = example().encode(Codec::None).unwrap();
    let first = 14;
    let tree = 1 | 7 << 2 | 1 << 5;
    let kinds = [3_u8, 3 | 1 << 6, tree, tree | 2 << 6, tree | 3 << 6];
    for kind in kinds.into_iter().filter(|kind| kind >> 6 != 1 || cfg!(feature = "zstd")) {
        for numbers in [
            &[0xff, 0xff, 0xff, 0xff, 0x0f, 0x10][..],
            &[0x80, 0x80, 0x80, 0x80, 0x10, 0x10],
            &[0xff, 0xff, 0xff, 0x1f, 0x90, 0x03],
            &[0x32, 0xff, 0xff, 0xff, 0xff, 0x0f],
            &[0x80, 0x00, 0x01, 0x01, 0x01, 0x01],
            &[0xff, 0xff, 0xff, 0x1f, 0x02, 0x17, 0x23],
        ] {
            // With the rest of the file after the numbers, and without.
            for end in [first + 1 + numbers.len(), good.len() - 4] {
                let forged = forged(&good, first..end, &[&[kind], numbers].concat());
                assert_refused_in_little_memory(&forged, 8, &format!("{kind} {numbers:x?}"));
            }
        }
    }
}

/// A section without payload takes three bytes, and the time of decoding a clause.
#[test]
fn sections_that_repeat_are_refused_before_they_are_decoded() {
    let good = example().encode(Codec::None).unwrap();
    let sections = [3 | 2 << 2 | 1 << 6, 1, 0].repeat(20_000);
    let file = forged(&good, 14..good.len() - 4, &sections);
    let error = Header::read(&file).unwrap_err().to_string();
    assert!(error.contains("section 1: its turns and outcome repeat"), "{error}");
    assert_refused_in_little_memory(&file, 8, "sections");
}

/// Two bytes of a shard may announce 512 bytes of unknowns.
#[test]
fn missing_unknowns_are_refused_before_anything_is_allocated() {
    let good = excepted().encode(Codec::None).unwrap();
    let (kind, nodes) = (13, usize::from(good[15]));
    let nodes = &good[kind + 2..kind + 3 + nodes];
    let shards = 50_000;
    for (filter, unknowns) in [(true, 0), (true, 100_000), (false, 100_000)] {
        let mut payload = nodes.to_vec();
        if !filter {
            payload.extend([1, 0, 0, 1]);
        }
        push_number(&mut payload, shards);
        payload.extend([0xff, 0x0f].repeat(shards as usize));
        payload.extend([0xff].repeat(unknowns));
        let mut section = vec![good[kind]];
        push_number(&mut section, payload.len() as u64);
        section.extend(payload);
        let file = forged(&good, kind..good.len() - 4, &section);
        let error = Pcn::decode(&file).unwrap_err().to_string();
        assert!(error.contains("25600000 bytes expected"), "{error}");
        assert_refused_in_little_memory(&file, 8, &format!("a filter: {filter}, {unknowns} bytes"));
    }
}

#[test]
fn the_rules_of_the_content_are_checked() {
    let material: Material = "KQvKR".parse().unwrap();
    let clauses = Clauses::new(1, &Layout::new(Model::Binary, &material).universe());
    let win = Section { turns: Turns::White, outcome: Wdl::Win, clauses };
    let make = |material, anchors: &[usize], sections: &[Section]| {
        let covers = Covers { sections: sections.into() };
        Pcn::of_covers(material, Model::Binary, anchors.into(), covers, [0; 8])
            .map_err(|error| (error.kind(), error.to_string()))
    };
    let refused = |anchors: &[usize], sections: &[Section], why: &str| {
        let (kind, message) = make(material, anchors, sections).unwrap_err();
        assert_eq!(kind, ErrorKind::Corrupt);
        assert!(message.contains(why), "{message} does not say {why}");
    };
    assert!(make(material, &[0; 2], std::slice::from_ref(&win)).is_ok());
    refused(&[0], &[], "1 sides to move");
    refused(&[0, 4], &[], "no man 4");
    refused(&[0; 2], &[win.clone(), win.clone()], "repeat");
    let both = Section { turns: Turns::Both, ..win.clone() };
    let loss = Section { outcome: Wdl::Loss, ..win.clone() };
    assert!(make(material, &[0; 2], &[win.clone(), both.clone(), loss.clone()]).is_ok());
    refused(&[0; 2], &[win.clone(), loss, both.clone()], "returns");
    let empty = Section { clauses: Clauses::new(1, &[0b1100]), ..win.clone() };
    refused(&[0; 2], &[empty], "no part of wk5");
    let wide = Section { clauses: Clauses::new(2, &[u64::MAX; 2]), ..win };
    refused(&[0; 2], &[wide], "2 words");
    let message = make("KRvKR".parse().unwrap(), &[0], &[both]).unwrap_err().1;
    assert!(message.contains("not stored"), "{message}");
}

/// A tree for one side and clauses for the other are refused.
#[test]
fn trees_and_covers_do_not_mix() {
    let (trees, covers) =
        (golden().encode(Codec::None).unwrap(), golden_covers().encode(Codec::None).unwrap());
    let section = &covers[14..covers.len() - 4];
    let end = trees.len() - 4;
    let error = Pcn::decode(&forged(&trees, end..end, section)).unwrap_err().to_string();
    assert!(error.contains("a tree together with clauses"), "{error}");
}

/// A table with a tree that has exceptions, stored by a function of arbitrary bits.
fn excepted() -> Pcn {
    let material: Material = "KvK".parse().unwrap();
    let values = Model::Board.variable_set(&material).values();
    let test = Node::Test(Test { variable: 0, low: 0, high: 1 });
    // Both leaves are lost; only the exceptions keep them from being merged.
    let leaf = |exceptions| Node::Leaf(Leaf { outcome: Wdl::Loss, exceptions });
    let some = Excepted { level: 3, outcome: Some(Wdl::Win) };
    let tree = Tree::new(vec![test, leaf(Some(some)), leaf(None)], &values).unwrap();
    let solution = |seed, count| Solution { seed, unknowns: (0..count).map(|at| at % 5 < 2).collect() };
    let function = StaticFunction::new(
        System::new(&[solution(3, 150), solution(0, 7)]),
        System::new(&[solution(15, 20)]),
    );
    let trees = vec![tree.with_exceptions(function)];
    Pcn::of_trees(material, Model::Board, vec![0], trees, [7; 8]).unwrap()
}

#[test]
fn a_summary_counts_the_bytes_of_exceptions() {
    for codec in [Codec::None, Codec::Compressed] {
        let bytes = excepted().encode(codec).unwrap();
        assert_eq!(Pcn::decode(&bytes).unwrap(), excepted());
        let summary = Summary::decode(&bytes).unwrap();
        assert_summary(&summary, &excepted());
        // The header, the entry and the checksum take the other bytes.
        assert_eq!(summary.sides[0].bytes, bytes.len() - 13 - 2 - 4);
        // Two shards of 157 unknowns, one of 20.
        assert_eq!(summary.sides[0].tree.unwrap().exception_bytes, 1 + 4 + 20 + 1 + 2 + 3);
    }
}

#[test]
fn clauses_out_of_order_are_refused() {
    let good = example().encode(Codec::None).unwrap();
    let (payload, length) = (14 + 4, 8 * 50);
    let mut bad = good[payload..payload + length].to_vec();
    bad.rotate_left(8);
    let bad = forged(&good, payload..payload + length, &bad);
    let error = Pcn::decode(&bad).unwrap_err();
    assert_eq!((error.field(), error.offset()), (Some("section 0"), Some(14)));
    assert_eq!(error.to_string(), "section 0: clauses are not in ascending order, at offset 14");
}

proptest! {
    #[test]
    fn files_decode_to_their_content(pcn in content()) {
        for codec in available() {
            let bytes = pcn.encode(codec).unwrap();
            prop_assert_eq!(&Pcn::decode(&bytes).unwrap(), &pcn);
            assert_summary(&Summary::decode(&bytes).unwrap(), &pcn);
        }
    }

    #[test]
    fn any_bytes_are_acceptable(bytes in prop::collection::vec(any::<u8>(), 0..200), known in 0..4) {
        let start: &[u8] = match known {
            0 => &[],
            1 => &[0xe7, b'P', b'C', b'B', 1],
            2 => &MAGIC,
            _ => &[0xe7, 3, 1 | 1 << 5, 38],
        };
        let bytes = [start, &bytes].concat();
        prop_assert!(Pcn::decode(&bytes).is_err() && Summary::decode(&bytes).is_err());
        let sum = crc32fast::hash(&bytes).to_le_bytes();
        let bytes = [&bytes[..], &sum].concat();
        let _ = Bundle::open(bytes.clone());
        prop_assert!(Summary::decode(&bytes).is_ok() || Pcn::decode(&bytes).is_err());
    }

    #[test]
    fn payloads_under_a_right_checksum_never_panic(
        payload in prop::collection::vec(any::<u8>(), 0..200),
        count in 1..30_u8,
        codec in 0..4_u8,
        model in prop::sample::select(vec![Model::Binary, Model::Board, Model::Geometry]),
        is_tree: bool,
        has_exceptions: bool,
    ) {
        // KQvK, White to move; Black to move is lost.
        let mut bytes = [&MAGIC[..], &[model.id() | model.version() << 5, 6], &[0; 8]].concat();
        let codec = codec << 6;
        if is_tree {
            bytes.extend([7 << 3, 7 << 3, 1 | (7 - u8::from(has_exceptions)) << 2 | 1 << 5 | codec]);
        } else {
            bytes.extend([0, 0, 1 | 4 << 2 | codec, count]);
        }
        bytes.extend([payload.len() as u8 | 0x80, (payload.len() >> 7) as u8]);
        bytes.extend(&payload);
        bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
        let summary = Summary::decode(&bytes);
        if let Ok(pcn) = Pcn::decode(&bytes) {
            prop_assert!(is_tree || pcn.clauses() == usize::from(count));
            assert_summary(&summary.unwrap(), &pcn);
        }
    }
}
