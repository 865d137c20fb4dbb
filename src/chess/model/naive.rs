//! A second implementation of some variables that use attacks, without bitboards, as an oracle. `tests/reader.rs` compares
//! answers from all variables with the reader in Python.

use super::{Model, Plan};
use crate::chess::position::{Color, Enumeration, Man, Material, Position, Role};
use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;

type Board = [Option<usize>; 64];

/// A position, with the number of the man on each square.
struct Naive<'a> {
    men: &'a [Man],
    board: Board,
    squares: Vec<usize>,
}

fn step(from: usize, (df, dr): (isize, isize)) -> Option<usize> {
    let by = |at: usize, by: isize| at.checked_add_signed(by).filter(|&at| at < 8);
    Some(by(from / 8, dr)? * 8 + by(from % 8, df)?)
}

const STRAIGHT: [(isize, isize); 4] = [(1, 0), (-1, 0), (0, 1), (0, -1)];
const DIAGONAL: [(isize, isize); 4] = [(1, 1), (-1, 1), (1, -1), (-1, -1)];
const LEAPS: [(isize, isize); 8] = [(1, 2), (2, 1), (-1, 2), (-2, 1), (1, -2), (2, -1), (-1, -2), (-2, -1)];

/// The squares that `man` attacks from `from` on `board`.
fn seen(man: Man, from: usize, board: &Board) -> Vec<usize> {
    let leap = |steps: &[(isize, isize)]| steps.iter().filter_map(|&by| step(from, by)).collect::<Vec<_>>();
    let ride = |lines: &[(isize, isize)]| {
        let mut all = Vec::new();
        for &by in lines {
            let mut at = from;
            while let Some(next) = step(at, by) {
                all.push(next);
                at = next;
                if board[at].is_some() {
                    break;
                }
            }
        }
        all
    };
    let ahead = if man.color == Color::White { 1 } else { -1 };
    match man.role {
        Role::King => [leap(&STRAIGHT), leap(&DIAGONAL)].concat(),
        Role::Queen => [ride(&STRAIGHT), ride(&DIAGONAL)].concat(),
        Role::Rook => ride(&STRAIGHT),
        Role::Bishop => ride(&DIAGONAL),
        Role::Knight => leap(&LEAPS),
        Role::Pawn => leap(&[(1, ahead), (-1, ahead)]),
    }
}

impl<'a> Naive<'a> {
    fn new(position: &'a Position) -> Self {
        let squares: Vec<usize> = position.squares().iter().map(|square| square.index()).collect();
        let mut board = [None; 64];
        for (man, &square) in squares.iter().enumerate() {
            board[square] = Some(man);
        }
        Naive { men: position.material().men(), board, squares }
    }

    fn without(&self, man: usize) -> Board {
        let mut board = self.board;
        board[self.squares[man]] = None;
        board
    }

    /// Whether a man of `color` except `but` attacks `square` on `board`.
    fn attacked(&self, square: usize, color: Color, board: &Board, but: Option<usize>) -> bool {
        (0..self.men.len()).any(|man| {
            self.men[man].color == color
                && Some(man) != but
                && board[self.squares[man]] == Some(man)
                && seen(self.men[man], self.squares[man], board).contains(&square)
        })
    }

    /// The squares of a man's legal moves, tried one by one; of a pawn only captures, without en passant.
    fn targets(&self, man: usize) -> Vec<usize> {
        let Man { role, color } = self.men[man];
        let from = self.squares[man];
        let foe = |square: usize| self.board[square].is_some_and(|other| self.men[other].color != color);
        let own = |square: usize| self.board[square].is_some_and(|other| self.men[other].color == color);
        let mut to: Vec<usize> =
            seen(self.men[man], from, &self.board).into_iter().filter(|&to| !own(to)).collect();
        if role == Role::Pawn {
            to.retain(|&to| foe(to));
        }
        to.retain(|&to| {
            let mut board = self.without(man);
            board[to] = Some(man);
            let king = if role == Role::King { to } else { self.squares[color.index()] };
            !(0..self.men.len()).any(|other| {
                self.men[other].color != color
                    && board[self.squares[other]] == Some(other)
                    && seen(self.men[other], self.squares[other], &board).contains(&king)
            })
        });
        to
    }

    fn safe(&self, man: usize) -> Vec<usize> {
        let (foes, board) = (self.men[man].color.other(), self.without(man));
        let mut to = self.targets(man);
        to.retain(|&to| !self.attacked(to, foes, &board, None));
        to
    }

    fn standing(&self, man: usize, square: usize) -> usize {
        let (color, board) = (self.men[man].color, self.without(man));
        let attacked = self.attacked(square, color.other(), &board, None);
        let guarded = self.attacked(square, color, &board, Some(man));
        2 * usize::from(!attacked) + usize::from(guarded)
    }

    /// The value of a variable; `None` for a family that is not implemented here.
    fn value(&self, family: &str, men: &[usize]) -> Option<usize> {
        let a = men.first().copied().unwrap_or(0);
        let b = men.get(1).copied().unwrap_or(0);
        Some(match family {
            "moves" => self.targets(a).len(),
            "contact" => self.standing(a, self.squares[a]),
            "takes" => {
                let attacks = seen(self.men[a], self.squares[a], &self.board).contains(&self.squares[b]);
                usize::from(attacks) + usize::from(self.safe(a).contains(&self.squares[b]))
            }
            "goal_standing" => {
                let last = if self.men[a].color == Color::White { 56 } else { 0 };
                self.standing(a, last + self.squares[a] % 8)
            }
            "pinned" => {
                // Without the first man, the second attacks the first's king.
                let king = self.squares[self.men[a].color.index()];
                let sees = |board: &Board| seen(self.men[b], self.squares[b], board);
                usize::from(
                    sees(&self.board).contains(&self.squares[a])
                        && !sees(&self.board).contains(&king)
                        && sees(&self.without(a)).contains(&king),
                )
            }
            "line" => {
                let from = self.squares[a];
                let sees = |board: &Board| seen(self.men[a], from, board).contains(&self.squares[b]);
                usize::from(sees(&[None; 64])) + usize::from(sees(&self.board))
            }
            _ => return None,
        })
    }
}

/// The family of a variable and the numbers of its men, read from its name.
fn read_name(plan: &Plan, name: &str) -> (String, Vec<usize>) {
    let names = super::man_names(plan.material());
    let mut words = name.split('.');
    let family = words.next().unwrap_or_default().to_owned();
    (family, words.map(|word| names.iter().position(|name| name == word).unwrap()).collect())
}

/// About `count` positions of `material` for each side to move, spread over all positions.
pub(super) fn sample(material: &Material, count: usize) -> Vec<Position> {
    let mut sample = Vec::new();
    for turn in Color::BOTH {
        let all = Enumeration::new(material, turn, 1);
        let slices = all.slices();
        for part in 0..count.min(slices) {
            let (mut seen, mut wanted) = (0u32, None);
            let slice = part * slices / count.min(slices);
            all.visit(slice, &mut |_| seen += 1);
            let rank = (part as u32).wrapping_mul(2_654_435_761).checked_rem(seen);
            seen = 0;
            all.visit(slice, &mut |position| {
                if Some(seen) == rank {
                    wanted = Some(*position);
                }
                seen += 1;
            });
            sample.extend(wanted);
        }
    }
    sample
}

#[test]
fn variables_agree_with_the_naive_ones() {
    for (signature, count) in [
        ("KQvK", 150),
        ("KPvK", 150),
        ("KQvKR", 100),
        ("KRvKN", 100),
        ("KRvKB", 100),
        ("KPvKP", 100),
        ("KNvKP", 100),
        ("KQvKP", 100),
        ("KRPvKB", 25),
        ("KQNvKQ", 25),
    ] {
        let material: Material = signature.parse().unwrap();
        let plan = Model::Attack.plan(&material);
        let variables: Vec<_> =
            plan.variables().iter().map(|variable| read_name(&plan, &variable.name)).collect();
        let mut compared = 0;
        for position in sample(&material, count) {
            let naive = Naive::new(&position);
            let view = plan.view(&position);
            for (number, (family, men)) in variables.iter().enumerate() {
                if let Some(expected) = naive.value(family, men) {
                    let part = usize::from(plan.part(&view, number));
                    assert_eq!(part, expected, "{} {position:?}", plan.variables()[number].name);
                    compared += 1;
                }
            }
        }
        assert!(compared > 500, "{signature}");
    }
}

/// Targets are the legal moves of an independent rules library, without pushes of pawns.
#[test]
fn targets_are_the_legal_moves_of_another_library() {
    for signature in ["KQvKR", "KPvKP", "KRPvKB", "KQNvKQ"] {
        let material: Material = signature.parse().unwrap();
        let plan = Model::Attack.plan(&material);
        for position in sample(&material, 150) {
            let board: cozy_chess::Board = position.with_en_passant(None).to_fen().parse().unwrap();
            let mut moves: Vec<(usize, usize)> = Vec::new();
            board.generate_moves(|of_man| {
                let to = if of_man.piece == cozy_chess::Piece::Pawn {
                    of_man.to & board.occupied()
                } else {
                    of_man.to
                };
                moves.extend(to.into_iter().map(|to| (of_man.from as usize, to as usize)));
                false
            });
            moves.sort_unstable();
            let view = plan.view(&position);
            let mut targets = Vec::new();
            for man in view.side(position.turn()) {
                let from = view.square(man);
                targets.extend(view.targets(man).into_iter().map(|to| (from.index(), to.index())));
            }
            targets.sort_unstable();
            assert_eq!(targets, moves, "{position:?}");
        }
    }
}
