//! The set-based variables over again, square by square and without bitboards, to compare with.

use super::{Model, Plan};
use crate::position::{Color, Enumeration, Man, Material, Position, Role, Square};

type Board = [Option<usize>; 64];

/// A board with the numbers of men on it.
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
const ASKEW: [(isize, isize); 4] = [(1, 1), (-1, 1), (1, -1), (-1, -1)];
const LEAPS: [(isize, isize); 8] = [(1, 2), (2, 1), (-1, 2), (-2, 1), (1, -2), (2, -1), (-1, -2), (-2, -1)];

/// The squares that `man` attacks from `from`, seen on `board`.
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
        Role::King => [leap(&STRAIGHT), leap(&ASKEW)].concat(),
        Role::Queen => [ride(&STRAIGHT), ride(&ASKEW)].concat(),
        Role::Rook => ride(&STRAIGHT),
        Role::Bishop => ride(&ASKEW),
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

    /// Whether a man of `color` other than `but` attacks `square` on `board`.
    fn attacked(&self, square: usize, color: Color, board: &Board, but: Option<usize>) -> bool {
        (0..self.men.len()).any(|man| {
            self.men[man].color == color
                && Some(man) != but
                && board[self.squares[man]] == Some(man)
                && seen(self.men[man], self.squares[man], board).contains(&square)
        })
    }

    /// The squares that a man can legally go to, en passant left out: tried one by one.
    fn targets(&self, man: usize) -> Vec<usize> {
        let Man { role, color } = self.men[man];
        let from = self.squares[man];
        let foe = |square: usize| self.board[square].is_some_and(|other| self.men[other].color != color);
        let own = |square: usize| self.board[square].is_some_and(|other| self.men[other].color == color);
        let mut to: Vec<usize> =
            seen(self.men[man], from, &self.board).into_iter().filter(|&to| !own(to)).collect();
        if role == Role::Pawn {
            to.retain(|&to| foe(to));
            let (ahead, home) = if color == Color::White { (1, 1) } else { (-1, 6) };
            if let Some(one) = step(from, (0, ahead)).filter(|&one| self.board[one].is_none()) {
                to.push(one);
                let two = step(one, (0, ahead)).filter(|&two| self.board[two].is_none());
                to.extend(two.filter(|_| from / 8 == home));
            }
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

    /// Safe squares from which `man` attacks all of `of`.
    fn safe_on(&self, man: usize, of: &[usize]) -> usize {
        let board = self.without(man);
        let attacks = |to: usize| {
            let seen = seen(self.men[man], to, &board);
            of.iter().all(|&other| seen.contains(&self.squares[other]))
        };
        self.safe(man).into_iter().filter(|&to| attacks(to)).count()
    }

    fn standing(&self, man: usize, square: usize) -> usize {
        let (color, board) = (self.men[man].color, self.without(man));
        let attacked = self.attacked(square, color.other(), &board, None);
        let guarded = self.attacked(square, color, &board, Some(man));
        2 * usize::from(!attacked) + usize::from(guarded)
    }

    /// Safe squares from which `man` has `between` alone between itself and `behind`.
    fn lined_up(&self, man: usize, between: usize, behind: usize) -> usize {
        let board = self.without(man);
        let mut open = board;
        open[self.squares[between]] = None;
        let (near, far) = (self.squares[between], self.squares[behind]);
        let lines = |to: usize| {
            let closed = seen(self.men[man], to, &board);
            closed.contains(&near) && !closed.contains(&far) && seen(self.men[man], to, &open).contains(&far)
        };
        self.safe(man).into_iter().filter(|&to| lines(to)).count()
    }

    /// Squares reached in 0, 1, 2, ... steps over ground that foes do not attack, the first being the man's own.
    fn walk(&self, man: usize) -> Vec<Vec<usize>> {
        let (color, lifted) = (self.men[man].color, self.without(man));
        let mut rings = vec![vec![self.squares[man]]];
        let mut reached = rings[0].clone();
        loop {
            let mut ring = Vec::new();
            for &from in &rings[rings.len() - 1] {
                for to in seen(self.men[man], from, &lifted) {
                    let own = self.board[to].is_some_and(|other| self.men[other].color == color);
                    if !own && !reached.contains(&to) && !self.attacked(to, color.other(), &lifted, None) {
                        reached.push(to);
                        ring.push(to);
                    }
                }
            }
            if ring.is_empty() {
                return rings;
            }
            rings.push(ring);
        }
    }

    fn walk_steps(&self, man: usize, to: usize) -> usize {
        let attacks = |from: &usize| seen(self.men[man], *from, &[None; 64]).contains(&self.squares[to]);
        self.walk(man).iter().position(|ring| ring.iter().any(attacks)).unwrap_or(14).min(14)
    }

    /// What foes' safe moves leave to man number `man`: whether it is attacked then, and its free squares.
    fn traps(&self, man: usize) -> Vec<(bool, usize)> {
        let color = self.men[man].color;
        let mut all = Vec::new();
        for foe in (0..self.men.len()).filter(|&foe| self.men[foe].color != color) {
            for to in self.safe(foe).into_iter().filter(|&to| to != self.squares[man]) {
                let mut board = self.without(foe);
                board[to] = Some(foe);
                let after = |square: usize| {
                    (0..self.men.len()).any(|other| {
                        let from = if other == foe { to } else { self.squares[other] };
                        self.men[other].color != color
                            && seen(self.men[other], from, &board).contains(&square)
                    })
                };
                let mut left = seen(self.men[man], self.squares[man], &board);
                left.retain(|&square| {
                    let own = self.board[square].is_some_and(|other| self.men[other].color == color);
                    !own && !after(square)
                });
                all.push((after(self.squares[man]), left.len()));
            }
        }
        all
    }

    fn fewest(&self, man: usize, attacked: bool) -> usize {
        let of_kind = self.traps(man).into_iter().filter(|&(is, _)| is == attacked);
        of_kind.map(|(_, left)| left.min(8)).min().unwrap_or(9)
    }

    /// The value of a variable of one of the families that are about sets; `None` for others.
    fn value(&self, family: &str, men: &[usize]) -> Option<usize> {
        let a = men.first().copied().unwrap_or(0);
        let b = men.get(1).copied().unwrap_or(0);
        let king = |man: usize| self.men[man].color.index();
        Some(match family {
            "moves" => self.targets(a).len(),
            "goes" => self.targets(a).len().min(15),
            "safe" => self.safe(a).len().min(8),
            "reach" => self.safe_on(a, &[b]).min(4),
            "fork" => self.safe_on(a, &[b, king(b)]).min(2),
            "pin" => self.lined_up(a, b, king(b)).min(2),
            "skewer" => self.lined_up(a, king(b), b).min(2),
            "next" => {
                let (color, board) = (self.men[a].color, self.without(a));
                let free = |to: &usize| {
                    let own = self.board[*to].is_some_and(|man| self.men[man].color == color);
                    !own && !self.attacked(*to, color.other(), &board, None)
                };
                // Its own square is no square to go on to.
                let onward = |to: usize| {
                    let seen = seen(self.men[a], to, &board).into_iter();
                    seen.filter(|on| free(on) && *on != self.squares[a]).count()
                };
                self.safe(a).into_iter().map(onward).max().unwrap_or(0).min(15)
            }
            "contact" => self.standing(a, self.squares[a]),
            "takes" => {
                let attacks = seen(self.men[a], self.squares[a], &self.board).contains(&self.squares[b]);
                usize::from(attacks) + usize::from(self.safe(a).contains(&self.squares[b]))
            }
            "line" => {
                let from = self.squares[a];
                let sees = |board: &Board| seen(self.men[a], from, board).contains(&self.squares[b]);
                usize::from(sees(&[None; 64])) + usize::from(sees(&self.board))
            }
            "walk" => self.walk_steps(a, b),
            "roam" => self.walk(a).iter().skip(1).take(2).map(Vec::len).sum::<usize>().min(15),
            "range" => (self.walk(a).iter().skip(1).take(3).map(Vec::len).sum::<usize>() / 2).min(15),
            "cornered" => self.fewest(a, true),
            "hemmed" => self.fewest(a, false),
            "nets" => self.traps(a).into_iter().filter(|&(_, left)| left == 0).count().min(3),
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

/// About `count` positions of `material`, spread over all of both sides to move.
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
fn sets_agree_with_a_walk_square_by_square() {
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
        assert!(compared > 1000, "{signature}");
    }
}

/// The squares that men can go to are the legal moves of an independent rules library.
#[test]
fn targets_are_the_legal_moves_of_another_library() {
    for signature in ["KQvKR", "KPvKP", "KRPvKB", "KQNvKQ"] {
        let material: Material = signature.parse().unwrap();
        let plan = Model::Attack.plan(&material);
        for position in sample(&material, 150) {
            let board: cozy_chess::Board = position.with_en_passant(None).to_fen().parse().unwrap();
            let mut moves: Vec<(usize, usize)> = Vec::new();
            board.generate_moves(|of_man| {
                moves.extend(of_man.into_iter().map(|one| (one.from as usize, one.to as usize)));
                false
            });
            moves.sort_unstable();
            moves.dedup();
            let view = plan.view(&position);
            let mut targets = Vec::new();
            for man in view.side(position.turn()) {
                let from = view.square(man);
                let all = (0..64).map(Square::new).filter(|to| view.targets(man) & to.bit() != 0);
                targets.extend(all.map(|to| (from.index(), to.index())));
            }
            targets.sort_unstable();
            assert_eq!(targets, moves, "{position:?}");
        }
    }
}
