//! Trees in pages.

use super::frozen::tree::{Node, Tree};
use super::frozen::tree_code;
use super::noise::Noise;
use super::pages::{self, Cutting, Top};
use super::tree_tests::{Taste, random, taste};
use super::{Codec, Pcn, Summary};
use crate::error::Result;
use proptest::prelude::*;
use std::{env, fs};

/// Small pages, so that small trees have some.
const SMALL: Cutting = Cutting { whole: 0, page: 2200, top: 300 };

/// Pages near the smallest size that the format allows.
const SMALLEST: Cutting = Cutting { whole: 0, page: 1400, top: 0 };

fn encode(tree: &Tree, parts: &[u8], cutting: Cutting) -> Option<Vec<u8>> {
    let (_, starts) = tree_code::code(tree, parts).unwrap();
    pages::encode(tree, parts, &starts, cutting)
}

/// Assembles a tree from its top and its pages, which are decoded last page first: one with the fresh counters, if there are
/// some, the others with those that are kept.
fn assembled(top: &mut Top, bytes: &[u8]) -> Result<Vec<Node>> {
    let mut fresh = top.take_fresh();
    let mut decoded: Vec<Vec<Node>> = Vec::new();
    for page in (0..top.pages().len()).rev() {
        decoded.insert(0, top.page(bytes, page, fresh.take())?.0);
    }
    let mut rest = decoded.into_iter().flatten();
    let mut nodes = Vec::new();
    for &node in top.nodes() {
        match node {
            Node::Test(test) => nodes.push(Node::Test(test)),
            Node::Leaf(Some(leaf)) => nodes.push(Node::Leaf(leaf)),
            Node::Leaf(None) => {
                let mut missing = 1;
                while missing > 0 {
                    let node = rest.next().unwrap();
                    missing += if matches!(node, Node::Test(_)) { 1 } else { -1 };
                    nodes.push(node);
                }
            }
        }
    }
    assert_eq!(rest.next(), None);
    Ok(nodes)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn pages_come_back(
        parts in prop::collection::vec(prop_oneof![Just(2_u8), 2..=16_u8], 50..200),
        mut taste in taste(),
        seed: u64,
        page in 2100..4000_usize,
        top in 0..1500_usize,
    ) {
        taste.leaf *= 20;
        let tree = Tree::new(random(&parts, taste, 15, seed), &parts).unwrap();
        let bytes = encode(&tree, &parts, Cutting { whole: 0, page, top });
        prop_assert!(bytes.is_some() || tree.nodes().len() < 8000 || tree.outcomes().count() < 2);
        if let Some(bytes) = bytes {
            let mut top = Top::read(&bytes, &parts, tree.max_level().is_some()).unwrap();
            prop_assert_eq!(&top.whole(&bytes).unwrap(), &tree);
            prop_assert_eq!(assembled(&mut top, &bytes).unwrap(), tree.nodes());
        }
    }
}

fn paged(seed: u64) -> (Vec<u8>, Tree, Vec<u8>) {
    let parts = vec![16; 200];
    let taste = Taste { leaf: 100, exceptions: 3, classes: 3 };
    let tree = Tree::new(random(&parts, taste, 14, seed), &parts).unwrap();
    let bytes = encode(&tree, &parts, SMALL).unwrap();
    (parts, tree, bytes)
}

#[test]
fn pages_have_about_the_wanted_size() {
    let (parts, tree, bytes) = paged(1);
    let top = Top::read(&bytes, &parts, true).unwrap();
    let pages = top.pages().len();
    let average = bytes.len() / pages;
    assert!(pages > 5 && (1000..2400).contains(&average), "{pages} pages of {average} bytes");
    assert!(top.pages().all(|cuts| cuts > 0));
    assert_eq!(top.whole(&bytes).unwrap(), tree);
    // A tree that is short enough has none.
    assert_eq!(encode(&tree, &parts, Cutting { whole: bytes.len(), ..SMALL }), None);
}

#[test]
fn damaged_pages_are_refused_or_give_some_tree() {
    let (parts, _, good) = paged(2);
    let mut noise = Noise(3);
    let mut refused = 0;
    for _ in 0..300 {
        let mut bytes = good.clone();
        match noise.below(3) {
            0 => bytes.truncate(noise.below(good.len())),
            1 => bytes[noise.below(40)] ^= 1 << noise.below(8),
            _ => bytes[noise.below(good.len())] ^= 1 << noise.below(8),
        }
        let Ok(mut top) = Top::read(&bytes, &parts, true) else {
            refused += 1;
            continue;
        };
        match top.whole(&bytes) {
            Err(_) => refused += 1,
            Ok(whole) => {
                assert_eq!(whole.nodes(), assembled(&mut top, &bytes).unwrap());
                assert!(whole.nodes().len() <= 8 * (bytes.len() + 8));
            }
        }
    }
    assert!(refused > 100, "{refused}");
}

#[test]
fn the_rules_of_pages_are_checked() {
    let (parts, _, good) = paged(4);
    let refused = |bytes: &[u8], why: &str| {
        let error = Top::read(bytes, &parts, true).and_then(|top| top.whole(bytes)).unwrap_err();
        assert!(error.to_string().contains(why), "{error} does not say {why}");
    };
    let [count, low, high, cuts] = [good[0], good[1], good[2], good[3]];
    assert!(low >= 0x80 && high < 0x80 && cuts < 0x7f, "two bytes tell how long the first page is");
    let changed = |index: &[u8], skip: usize| [index, &good[skip..]].concat();
    refused(&changed(&[0], 1), "without a page");
    refused(&changed(&[count, 0x81, 0x01], 3), "too small");
    refused(&changed(&[count, low, high, 0], 4), "too small");
    refused(&changed(&[count, low, high, cuts + 1], 4), "pages with more subtrees than the top lacks");
    refused(&changed(&[count, low, high, 0xff, 0xff, 0xff, 0x7f], 4), "more nodes than its length allows");
    refused(&changed(&[count, 0xff, 0xff, 0xff, 0x7f], 3), "cut short");
    refused(&[&good[..], &vec![0; 70_000]].concat(), "more than 65536 bytes");
    refused(&changed(&[count, 0x82, 0x08], 3), "bytes after the end of");
}

/// The writer reproduces the table in the corpora that has small pages. With `UPDATE_FROM`, another file of this table, the
/// fixture is made again from that file.
#[test]
fn the_writer_reproduces_the_fixture_in_pages() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/fuzz/pcn/KNPvK-attack-pages.pcn");
    let encode = |bytes: &[u8]| Pcn::decode(bytes).unwrap().encode_cut(Codec::Compressed, SMALLEST).unwrap();
    if let Some(table) = env::var_os("UPDATE_FROM") {
        fs::write(path, encode(&fs::read(table).unwrap())).unwrap();
    }
    let bytes = fs::read(path).unwrap();
    assert!(encode(&bytes) == bytes, ".ci/fixtures makes the file");
    let pages = Summary::decode(&bytes).unwrap().sides.into_iter().map(|side| side.tree.unwrap().pages);
    assert_eq!(pages.collect::<Vec<_>>(), [2, 2]);
}
