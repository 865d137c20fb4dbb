//! Random clauses and trees, and other helpers. Unit tests take this file by its path.

#![allow(dead_code)] // No program of tests uses all of it.

#[cfg(feature = "build")]
use cubebase::chess::retrograde::Index;
use cubebase::covers::{Clauses, Layout};
use cubebase::pcn::{Leaf, Node, Test, Tree};
#[cfg(feature = "build")]
use cubebase::retrograde::game::Numbering;
use cubebase::{Color, Material, Position, Square, Wdl};

/// A generator of random numbers (xorshift).
pub struct Noise(pub u64);

impl Noise {
    pub fn word(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    pub fn below(&mut self, count: usize) -> usize {
        ((self.word() >> 11) % count as u64) as usize
    }
}

/// Returns `count` clauses of up to three literals, each with about half of the parts of its variable. Two of the variables
/// go up by three from clause to clause, the third is random.
pub fn clauses(layout: &Layout, count: usize, noise: &mut Noise) -> Clauses {
    let variables = layout.variables().len();
    let mut words = Vec::new();
    for number in 0..count {
        let mut clause = layout.universe();
        for variable in [3 * number % variables, (3 * number + 1) % variables, noise.below(variables)] {
            let literal = noise.word() & layout.full(variable);
            layout.set_literal(&mut clause, variable, if literal == 0 { 1 } else { literal });
        }
        words.extend(clause);
    }
    Clauses::new(layout.words(), &words)
}

/// Appends a subtree to `nodes`. A node is a leaf with probability 1 / `leaves`; one side of a test may be unreachable.
pub fn grow(
    parts: &[u8],
    depth: usize,
    leaves: usize,
    noise: &mut Noise,
    leaf: &mut impl FnMut(&mut Noise) -> Leaf,
    nodes: &mut Vec<Node>,
) {
    if depth == 0 || noise.below(leaves) == 0 {
        return nodes.push(Node::Leaf(leaf(noise)));
    }
    let variable = noise.below(parts.len());
    let part = |noise: &mut Noise| noise.below(parts[variable].into()) as u8;
    let a = part(noise);
    let b = if noise.below(2) == 0 { 0 } else { part(noise) };
    nodes.push(Node::Test(Test { variable: variable as u16, low: a.min(b), high: a.max(b) }));
    grow(parts, depth - 1, leaves, noise, leaf, nodes);
    grow(parts, depth - 1, leaves, noise, leaf, nodes);
}

/// Returns a tree without exceptions.
pub fn tree(parts: &[u8], depth: usize, noise: &mut Noise) -> Tree {
    let mut nodes = Vec::new();
    grow(parts, depth, 9, noise, &mut |noise| Wdl::ALL[noise.below(3)].into(), &mut nodes);
    Tree::new(nodes, parts).unwrap()
}

/// Returns a legal position of `material` without an en-passant file.
pub fn position(material: Material, noise: &mut Noise) -> Position {
    loop {
        let squares: Vec<Square> = (0..material.len()).map(|_| Square::new(noise.below(64) as u8)).collect();
        let position = Position::new(material, &squares, Color::BOTH[noise.below(2)], None);
        if position.is_legal() {
            return position;
        }
    }
}

/// Returns the position in a slot of the index; `None` if the slot is empty.
#[cfg(feature = "build")]
pub fn position_in(index: &Index, turn: Color, slot: u64) -> Option<Position> {
    let position = index.placed(turn, &index.men(turn, slot / 64), slot);
    let is_stored = index.material().stored_turns().contains(&turn) && position.is_legal();
    (is_stored && position.is_canonical(0) && index.rank(&position) == slot).then_some(position)
}

/// The FEN of the position with the colours exchanged.
pub fn exchanged(fen: &str) -> String {
    let [board, turn, castling, passed] = fen.split(' ').take(4).collect::<Vec<_>>()[..] else {
        unreachable!()
    };
    let case =
        |man: char| if man.is_uppercase() { man.to_ascii_lowercase() } else { man.to_ascii_uppercase() };
    let board: String = board.split('/').rev().collect::<Vec<_>>().join("/").chars().map(case).collect();
    let castling: String = castling.chars().map(case).collect();
    let passed = passed.replace('3', "x").replace('6', "3").replace('x', "6");
    format!("{board} {} {castling} {passed} 0 1", if turn == "w" { "b" } else { "w" })
}
