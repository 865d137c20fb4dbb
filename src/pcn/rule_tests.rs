//! Trees of the 50-move rule in files, and answers by them.

use super::noise::{self, Noise};
use super::tests::{files, forged, format_md, golden};
use super::*;
use crate::chess::model::Model;
use crate::chess::position::{CastlingRights, Color, Position, Wdl};
use crate::error::ErrorKind;
use crate::outcome::Wdl50;
use crate::probe::{Prober, Tables};
use alloc::vec;
use alloc::vec::Vec;

const BOARD: Model = Model::Board;

fn tree(nodes: &[(u16, u8, u8)], leaves: &[Wdl]) -> Tree {
    // Each test has a leaf as its first child.
    let mut preorder = Vec::new();
    for (&(variable, low, high), &leaf) in nodes.iter().zip(leaves) {
        preorder.extend([Node::Test(Test { variable, low, high }), Node::Leaf(leaf.into())]);
    }
    preorder.push(Node::Leaf(leaves[nodes.len()].into()));
    Tree::new(preorder, &BOARD.variable_set(golden().material()).values()).unwrap()
}

/// The table of the example in FORMAT.md: the rule draws the wins of White to move with the queen on the files a to d.
pub(crate) fn ruled() -> Pcn {
    let tree = tree(&[(2, 0, 3)], &[Wdl::Draw, Wdl::Win]);
    golden().with_rule_trees(Some(vec![Some(tree), None])).unwrap()
}

#[test]
fn the_bytes_of_a_file_are_those_of_format_md() {
    let (written, explained) = files(format_md("The 50-move rule, byte by byte"));
    let bytes = ruled().encode(Codec::None).unwrap();
    assert_eq!(written[0], bytes);
    assert_eq!(explained, bytes);
    // Without the trees of the rule they are those of the first example but for the byte of flags.
    let unknown = golden().with_rule_trees(None).unwrap();
    let [known, unknown] = [golden(), unknown].map(|pcn| pcn.encode(Codec::None).unwrap());
    assert_eq!((&known[..2], &unknown[..3]), (&[0xe7, 3][..], &[0xe7, 7, 0][..]));
    assert_eq!(known[2..known.len() - 4], unknown[3..unknown.len() - 4]);
}

#[test]
fn files_decode_to_their_content_with_and_without_castling_rights() {
    let rights = Position::from_fen("4k3/8/8/8/8/8/8/4K2R w K - 0 1").unwrap();
    let rook = |pcn: Pcn| {
        let (trees, anchors) = (pcn.trees().to_vec(), pcn.anchors().to_vec());
        let rule_trees = pcn.knows_rule().then(|| {
            pcn.material().stored_turns().iter().map(|&turn| pcn.rule_tree(turn).cloned()).collect()
        });
        let pcn = Pcn::of_trees(*rights.material(), BOARD, anchors, trees, [3; 8]).unwrap();
        pcn.with_rule_trees(rule_trees).unwrap()
    };
    for (pcn, flags) in [(rook(ruled()), 2), (rook(golden().with_rule_trees(None).unwrap()), 0)] {
        for codec in Codec::ALL {
            let bytes = pcn.encode(codec).unwrap();
            assert_eq!((bytes[1], bytes[2]), (7, flags));
            assert_eq!(Pcn::decode(&bytes).unwrap(), pcn);
            let with = Pcn::add_castling(&bytes, &[(rights, Wdl::Loss)]).unwrap();
            assert_eq!((with[1], with[2]), (7, flags | 1));
            let read = Pcn::decode(&with).unwrap();
            assert_eq!((read.castling(), read.encode(codec).unwrap()), (Some(1), with.clone()));
            let prober = Prober::decode(&with).unwrap();
            assert_eq!(prober.probe(&rights).unwrap(), Wdl::Loss);
            assert_eq!(prober.probe_wdl50(&rights).unwrap_err().kind(), ErrorKind::MissingRights);
        }
    }
    let summary = Summary::decode(&ruled().encode(Codec::None).unwrap()).unwrap();
    let bytes: Vec<(usize, usize)> = summary.sides.iter().map(|side| (side.bytes, side.rule_bytes)).collect();
    assert_eq!((bytes, summary.knows_rule, summary.tree_bytes), (vec![(16, 6), (6, 0)], true, 28));
}

#[test]
fn other_trees_and_flags_are_refused() {
    let good = ruled().encode(Codec::None).unwrap();
    let rule_tree = &good[good.len() - 12..good.len() - 4];
    let why = |bytes: &[u8]| {
        let error = Pcn::decode(bytes).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Corrupt, "{error}");
        assert_eq!(Tables::from_bytes(bytes.to_vec()).unwrap_err().kind(), ErrorKind::Corrupt);
        error.to_string()
    };
    let end = good.len() - 4;
    assert!(why(&forged(&good, 2..3, &[6])).contains("flags 0x06"));
    assert!(why(&forged(&good, 2..3, &[3])).contains("no castling rights"));
    assert!(why(&forged(&good, 2..3, &[0])).contains("a tree for a turn that has one"));
    assert!(why(&forged(&good, 1..3, &[3])).contains("a tree for a turn that has one"));
    assert!(why(&forged(&good, end..end, rule_tree)).contains("a tree for a turn that has one"));
    assert!(why(&forged(&good, end - 8..end, &[])).contains("no rule trees"));
    // Found when the tree is decoded: a leaf with a loss, and one that has any outcome as an exception.
    let loss = forged(&good, end - 1..end, &[0]);
    let tables = Tables::from_bytes(loss.clone()).unwrap();
    let position = Position::from_fen("8/8/8/8/4k3/8/7Q/K7 w - - 0 1").unwrap();
    assert_eq!(Pcn::decode(&loss).unwrap_err().to_string(), "a rule tree with a loss");
    assert_eq!(tables.probe(&position).unwrap(), Wdl::Win);
    assert_eq!(tables.probe_wdl50(&position).unwrap_err().to_string(), "a rule tree with a loss");
    let values = BOARD.variable_set(golden().material()).values();
    let either = Leaf { outcome: Wdl::Draw, exceptions: Some(Excepted { level: 0, outcome: None }) };
    let either = Tree::new(vec![Node::Leaf(either)], &values).unwrap();
    for trees in [vec![Some(either), None], vec![None], vec![None; 3]] {
        assert_eq!(golden().with_rule_trees(Some(trees)).unwrap_err().kind(), ErrorKind::Corrupt);
    }
}

/// The five outcomes by the definition, decoded at once and when they are needed, in pages and in one piece.
#[test]
fn the_trees_of_the_rule_decide_won_and_lost_positions() {
    let mut noise = Noise(21);
    let material = "KRvKN".parse().unwrap();
    let parts = Model::Attack.variable_set(&material).values();
    let mut tree = |outcomes: &[Wdl]| {
        let mut nodes = Vec::new();
        let mut leaf = |noise: &mut Noise| outcomes[noise.below(outcomes.len())].into();
        noise::grow(&parts, 15, 200, &mut noise, &mut leaf, &mut nodes);
        Tree::new(nodes, &parts).unwrap()
    };
    let of_outcomes = |trees| Pcn::of_trees(material, Model::Attack, vec![1, 0], trees, [2; 8]).unwrap();
    let decisive = of_outcomes([(); 2].map(|()| tree(&Wdl::ALL)).into());
    let rule = tree(&[Wdl::Draw, Wdl::Win]);
    // The tree of the rule as one of outcomes, whose anchor is the same.
    let drawn = Prober::new(&of_outcomes(vec![rule.clone(), rule.clone()]));
    let pcn = decisive.clone().with_rule_trees(Some(vec![None, Some(rule)])).unwrap();
    let bytes = pcn.encode(Codec::Compressed).unwrap();
    assert!(Summary::decode(&bytes).unwrap().sides[1].rule_bytes > 2000);
    let (eager, tables) = (Prober::new(&pcn), Tables::from_bytes(bytes.clone()).unwrap());
    let unknown = Prober::new(&decisive.clone().with_rule_trees(None).unwrap());
    let mut counts = [0; 5];
    for _ in 0..2000 {
        let position = noise::position(material, &mut noise);
        let outcome = eager.probe(&position).unwrap();
        let is_drawn = position.turn() == Color::Black && drawn.probe(&position).unwrap() == Wdl::Draw;
        let expected = Wdl50::new(outcome, if is_drawn { 101 } else { 100 });
        counts[expected.index()] += 1;
        assert_eq!(eager.probe_wdl50(&position).unwrap(), expected);
        assert_eq!(tables.probe_wdl50(&position).unwrap(), expected);
        let (colors, roles) = position.bitboards();
        let (turn, rights) = (position.turn(), CastlingRights::NONE);
        assert_eq!(tables.probe_wdl50_bitboards(colors, roles, None, turn, rights).unwrap(), expected);
        match unknown.probe_wdl50(&position) {
            Ok(found) => assert_eq!((found, outcome), (Wdl50::Draw, Wdl::Draw)),
            Err(error) => assert_eq!(error.kind(), ErrorKind::MissingTable),
        }
        assert_eq!(unknown.probe(&position).unwrap(), outcome);
    }
    assert!(counts.iter().all(|&count| count > 100), "{counts:?}");
    // Preloading decodes the trees of the rule too.
    let [with, without] = [bytes, decisive.encode(Codec::Compressed).unwrap()].map(|bytes| {
        let tables = Tables::from_bytes(bytes).unwrap();
        tables.preload().unwrap();
        tables.memory().decoded
    });
    assert!(with > without);
}
