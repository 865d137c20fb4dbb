//! Files of distances: what was written comes back, and nothing else is accepted.

use super::distance_file::{DistanceFile, DistanceTree, DistanceTreeOrTop};
use super::frozen::residual_code::{LeafDistances, MAX_WORD};
use super::frozen::static_function::{StaticFunction, System};
use super::frozen::tree::{Node, normal_form};
use super::noise::Noise;
use super::pages::Cutting;
use super::solution::Solution;
use super::tests::{files, format_md};
use crate::chess::model::Model;
use crate::error::{Error, ErrorKind};
use crate::nodes::Test;
use proptest::prelude::*;
use std::{env, fs};

/// A whole code over some of `classes` classes, by splitting words at random.
fn leaf(classes: usize, noise: &mut Noise) -> LeafDistances {
    let usual = noise.below(classes) as u8;
    let mut lengths = vec![0_u8];
    if classes > 1 && noise.below(3) > 0 {
        for _ in 0..=noise.below(classes - 1) {
            let at = noise.below(lengths.len());
            if lengths[at] < MAX_WORD {
                lengths[at] += 1;
                lengths.push(lengths[at]);
            }
        }
    }
    if lengths.len() == 1 {
        return LeafDistances { usual, level: 0, words: Vec::new() };
    }
    lengths.sort_unstable();
    let mut free: Vec<u8> = (0..classes as u8).collect();
    let words =
        lengths.into_iter().map(|length| (length, free.swap_remove(noise.below(free.len())))).collect();
    LeafDistances { usual, level: noise.below(32) as u8, words }
}

fn grow(parts: &[u8], depth: usize, noise: &mut Noise, leaves: &mut u32, nodes: &mut Vec<Node<u32>>) {
    if depth == 0 || noise.below(8) == 0 {
        nodes.push(Node::Leaf(*leaves));
        *leaves += 1;
        return;
    }
    let variable = noise.below(parts.len());
    let high = noise.below(usize::from(parts[variable]) - 1) as u8;
    let low = noise.below(usize::from(high) + 1) as u8;
    nodes.push(Node::Test(Test { variable: variable as u16, low, high }));
    grow(parts, depth - 1, noise, leaves, nodes);
    grow(parts, depth - 1, noise, leaves, nodes);
}

fn tree(parts: &[u8], noise: &mut Noise) -> DistanceTree {
    tree_of_depth(parts, 5, noise)
}

fn tree_of_depth(parts: &[u8], depth: usize, noise: &mut Noise) -> DistanceTree {
    let classes = 1 + noise.below(60);
    let mut plies = vec![1 + noise.below(3) as u16];
    (1..classes).for_each(|at| plies.push(plies[at - 1] + 1 + noise.below(4) as u16));
    let (mut nodes, mut count) = (Vec::new(), 0);
    grow(parts, depth, noise, &mut count, &mut nodes);
    // Leaves are numbered in the order of the file, as a decoder numbers them.
    let (mut number, mut nodes) = (0, normal_form(&nodes, parts, |_, _| false));
    for node in &mut nodes {
        if let Node::Leaf(leaf) = node {
            *leaf = number;
            number += 1;
        }
    }
    let leaves: Vec<LeafDistances> = (0..number).map(|_| leaf(classes, noise)).collect();
    let mut system = |count: usize| {
        let unknowns = (0..count).map(|_| noise.below(2) == 1).collect();
        System::new(&[Solution { seed: 3, unknowns }])
    };
    let levels = leaves.iter().filter(|leaf| !leaf.words.is_empty()).map(|leaf| leaf.level).max();
    let function = match levels {
        None => StaticFunction::default(),
        Some(0) => StaticFunction::new(System::new(&[]), system(70)),
        Some(_) => StaticFunction::new(system(50), system(300)),
    };
    DistanceTree { nodes, leaves, plies, function }
}

fn file(seed: u64) -> DistanceFile {
    let mut noise = Noise(seed | 1);
    let (material, model) = ("KRvKP".parse().unwrap(), Model::Geometry);
    let values = model.variable_set(&material).values();
    let sides: Vec<_> =
        (0..2).map(|anchor| (anchor, (noise.below(4) > 0).then(|| tree(&values, &mut noise)))).collect();
    let pairs = if noise.below(2) == 0 { Some(1 + noise.below(3) as u8) } else { None };
    DistanceFile { material, model, table_hash: noise.word().to_le_bytes(), pairs, sides }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn files_of_distances_come_back(seed: u64) {
        let file = file(seed);
        let bytes = file.encode().unwrap();
        prop_assert_eq!(DistanceFile::decode(&bytes).unwrap(), file);
    }

    /// Damaged files are refused, or with a right checksum perhaps read; they never panic.
    #[test]
    fn damaged_files_do_not_panic(seed: u64, at: usize, bits in 1..=255_u8) {
        let mut bytes = file(seed).encode().unwrap();
        let at = at % (bytes.len() - 4);
        bytes[at] ^= bits;
        prop_assert!(DistanceFile::decode(&bytes).is_err());
        let body = bytes.len() - 4;
        let sum = crc32fast::hash(&bytes[..body]).to_le_bytes();
        bytes[body..].copy_from_slice(&sum);
        // A shorter code of the same tree may be too short for its words.
        if let Ok(read) = DistanceFile::decode(&bytes)
            && let Ok(again) = DistanceFile::decode(&read.encode().unwrap())
        {
            prop_assert_eq!(again, read);
        }
    }

    /// Each class has its word, and the bits of the word lead back to it.
    #[test]
    fn words_are_read_back(seed: u64, classes in 2..256_usize) {
        let leaf = leaf(classes, &mut Noise(seed | 1));
        for &(length, class) in &leaf.words {
            let (word, bits) = leaf.word(class).unwrap();
            prop_assert_eq!(bits, length);
            prop_assert_eq!(leaf.read(|bit| word >> (length - 1 - bit) & 1 == 1), class);
        }
    }
}

#[test]
fn the_bytes_of_a_file_of_distances_never_change_and_are_those_of_format_md() {
    let leaf = |usual, level, words: &[(u8, u8)]| LeafDistances { usual, level, words: words.to_vec() };
    let system = |seed, bits: u8, count: usize| {
        System::new(&[Solution { seed, unknowns: (0..count).map(|at| bits >> at & 1 == 1).collect() }])
    };
    let tree = DistanceTree {
        nodes: vec![Node::Test(Test { variable: 4, low: 0, high: 0 }), Node::Leaf(0), Node::Leaf(1)],
        leaves: vec![leaf(0, 0, &[]), leaf(1, 1, &[(1, 0), (2, 2), (2, 1)])],
        plies: vec![3, 5, 7],
        function: StaticFunction::new(system(0, 0x16, 5), system(1, 0x5a, 7)),
    };
    let (material, sides) = ("KQvK".parse().unwrap(), vec![(1, Some(tree)), (0, None)]);
    let (model, table_hash) = (Model::Board, *b"golden!!");
    let file = DistanceFile { material, model, table_hash, pairs: None, sides };
    let (written, explained) = files(format_md("Distances, byte by byte"));
    assert_eq!(written, [file.encode().unwrap()]);
    assert_eq!(explained, written[0]);
    assert_eq!(DistanceFile::decode(&explained).unwrap(), file);
}

/// Distances beyond 16 bits: the first one, and those of a run.
#[test]
fn distances_out_of_range_are_refused() {
    let (files, _) = files(format_md("Distances, byte by byte"));
    for place in [14, 16] {
        let mut bytes = files[0][..files[0].len() - 4].to_vec();
        bytes.splice(place..=place, [0x80, 0x80, 0x04]);
        bytes[13] += 2;
        bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
        let error = DistanceFile::decode(&bytes).unwrap_err();
        assert!(error.to_string().contains("distances out of range"), "{error}");
    }
}

/// The work of a plan grows with a power of the pairs of moves.
#[test]
fn rankings_of_no_or_many_pairs_are_refused() {
    let of = |pairs| DistanceFile { pairs: Some(pairs), ..file(1) }.encode().unwrap();
    for (pairs, is_right) in [(0, false), (1, true), (3, true), (4, false), (255, false)] {
        assert_eq!(DistanceFile::decode(&of(pairs)).is_ok(), is_right, "{pairs}");
    }
}

#[test]
fn a_code_beyond_the_limit_is_refused() {
    let file = (0..100).map(file).find(|file| file.sides[0].1.is_some()).unwrap();
    let bytes = file.encode().unwrap();
    let limit = |bytes: usize| {
        if bytes <= 3 { Ok(()) } else { Err(Error::new(ErrorKind::BudgetExhausted, "too long")) }
    };
    let error = DistanceFile::read(&bytes, limit, Ok).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::BudgetExhausted);
}

/// A file whose first tree has enough nodes for pages.
fn large(seed: u64) -> DistanceFile {
    let mut noise = Noise(seed | 1);
    let mut file =
        (seed..seed + 100).map(file).find(|file| file.sides.iter().all(|(_, tree)| tree.is_some())).unwrap();
    let values = file.model.variable_set(&file.material).values();
    let tree = (0..100).map(|_| tree_of_depth(&values, 13, &mut noise)).find(|tree| tree.nodes.len() > 2000);
    file.pairs = None;
    file.sides[0].1 = tree;
    file
}

/// The writer reproduces the distances in the corpora that have small pages. With `UPDATE_DISTANCES_FROM`, another file of this
/// table, the fixture is made again from that file.
#[test]
fn the_writer_reproduces_the_distances_in_pages() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/fuzz/pcn/KNPvK-distances-pages.pcn");
    let smallest = Cutting { whole: 0, page: 1400, top: 0 };
    let encode = |bytes: &[u8]| DistanceFile::decode(bytes).unwrap().encode_cut(smallest).unwrap();
    if let Some(file) = env::var_os("UPDATE_DISTANCES_FROM") {
        fs::write(path, encode(&fs::read(file).unwrap())).unwrap();
    }
    let bytes = fs::read(path).unwrap();
    assert!(encode(&bytes) == bytes, ".ci/fixtures makes the file");
    let sides = DistanceFile::read(&bytes, |_| Ok(()), Ok).unwrap().sides;
    assert!(matches!(&sides[0], (_, Some(DistanceTreeOrTop::Top(top))) if top.pages().len() > 1));
}

const SMALL: Cutting = Cutting { whole: 0, page: 2200, top: 300 };

/// Pages that are decoded one by one, last page first, have the leaves of the whole tree.
#[test]
fn pages_come_back() {
    for seed in 0..8 {
        let file = large(seed);
        let bytes = file.encode_cut(SMALL).unwrap();
        assert!(bytes != file.encode().unwrap(), "there are pages");
        assert_eq!(DistanceFile::decode(&bytes).unwrap(), file);
        let mut sides = DistanceFile::read(&bytes, |_| Ok(()), Ok).unwrap().sides.into_iter();
        let Some((_, Some(DistanceTreeOrTop::Top(top)))) = sides.next() else { panic!("no pages") };
        let count = top.pages().len();
        let mut pages: Vec<_> = (0..count).rev().map(|page| top.page(&bytes, page).unwrap()).collect();
        pages.reverse();
        assert!(count > 1);
        let of_pages: Vec<_> = pages
            .iter()
            .flat_map(|(nodes, leaves)| {
                nodes
                    .iter()
                    .filter_map(Node::leaf)
                    .map(|&number| &leaves[number as usize - top.tree.leaves.len()])
            })
            .collect();
        let mut leaves = file.sides[0].1.as_ref().unwrap().leaves.iter();
        // The leaves of the pages, in order, are among all leaves.
        assert!(of_pages.iter().all(|&of_page| leaves.any(|leaf| leaf == of_page)));
        assert_eq!(of_pages.len() + top.tree.leaves.len(), file.sides[0].1.as_ref().unwrap().leaves.len());
    }
}

#[test]
fn damaged_pages_are_refused_or_give_some_distances() {
    let (good, mut noise, mut refused) = (large(5).encode_cut(SMALL).unwrap(), Noise(7), 0);
    for _ in 0..200 {
        let mut bytes = good[..good.len() - 4].to_vec();
        let end = if noise.below(2) == 0 { 60 } else { bytes.len() };
        let at = noise.below(end);
        bytes[at] ^= 1 << noise.below(8);
        bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
        let whole = DistanceFile::decode(&bytes);
        refused += usize::from(whole.is_err());
        for side in DistanceFile::read(&bytes, |_| Ok(()), Ok).into_iter().flat_map(|file| file.sides) {
            if let (_, Some(DistanceTreeOrTop::Top(top))) = side {
                let pages = (0..top.pages().len()).filter(|&page| top.page(&bytes, page).is_err()).count();
                assert!(pages == 0 || whole.is_err());
            }
        }
    }
    assert!(refused > 20, "{refused}");
}
