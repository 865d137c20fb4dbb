//! Input models of Chinese chess: the variables of a position that clauses test.
//!
//! As in chess (`crate::chess::model`) a family has a name, a number of values, a formula, and the men that it has variables for.
//! A variable is named after its family and men (`between.rk.bk`). `board` has the points of the men, `geometry` adds the
//! distances between them, and `attack` the attacks and moves of the position as it stands: no variable follows a line of play. A
//! model never changes once files have it; a change is a new version.

use super::super::man::{Man, Role, color_name};
use super::super::material::Material;
use super::super::point::{FILES, Point, Points, RANKS};
use super::super::position::Position;
use super::super::reach::{Reach, jumps};
use crate::error::{Error, ErrorKind, Result};
use crate::outcome::Color;
use std::cell::OnceCell;
use std::fmt;
use std::str::FromStr;

/// An input model of Chinese chess.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Model {
    /// File and rank of each man.
    Board = 2,
    /// `board`, and the distances of each two men by files, by ranks and in all.
    Geometry = 3,
    /// `geometry`, and attacks, men between, guards and free moves.
    Attack = 4,
}

impl Model {
    /// All models, simplest first.
    pub const ALL: [Model; 3] = [Model::Board, Model::Geometry, Model::Attack];

    /// The name on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Model::Board => "board",
            Model::Geometry => "geometry",
            Model::Attack => "attack",
        }
    }

    /// The number in files, the same for all versions.
    pub const fn id(self) -> u8 {
        self as u8
    }

    /// The version, counted from 1 for each number.
    pub const fn version(self) -> u8 {
        1
    }

    /// Returns the model with this number and version.
    ///
    /// # Errors
    /// [`ErrorKind::UnsupportedVersion`] if it is unknown.
    pub fn from_id(id: u8, version: u8) -> Result<Self> {
        Self::ALL.into_iter().find(|model| (model.id(), model.version()) == (id, version)).ok_or_else(|| {
            let why = format!("unknown input model {id}, version {version}, of Chinese chess");
            Error::new(ErrorKind::UnsupportedVersion, why)
        })
    }

    fn families(self) -> &'static [Family] {
        match self {
            Model::Board => &FAMILIES[..BOARD],
            Model::Geometry => &FAMILIES[..GEOMETRY],
            Model::Attack => &FAMILIES,
        }
    }
}

impl FromStr for Model {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self> {
        Self::ALL.into_iter().find(|model| model.name() == name).ok_or_else(|| {
            let names = Self::ALL.map(Model::name).join(", ");
            Error::new(
                ErrorKind::BadInput,
                format!("no model '{name}' of Chinese chess (there are: {names})"),
            )
        })
    }
}

impl fmt::Display for Model {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The men that a family has variables for: each admitted man, each admitted pair with the lower number first, or each admitted
/// ordered pair.
enum Arity {
    Man(fn(Man) -> bool),
    Pair(fn(Man, Man) -> bool),
    Ordered(fn(Man, Man) -> bool),
}

type Formula = fn(&View<'_>, [usize; 2]) -> u8;

struct Family {
    name: &'static str,
    values: u8,
    nanoseconds: u8,
    arity: Arity,
    formula: Formula,
}

const fn family(name: &'static str, values: u8, nanoseconds: u8, arity: Arity, formula: Formula) -> Family {
    Family { name, values, nanoseconds, arity, formula }
}

/// The numbers of families in `board` and in `geometry`, which are the first in the list.
const BOARD: usize = 2;
const GEOMETRY: usize = 5;

/// The numbers of signed distances by files and by ranks.
const BY_FILES: u8 = 2 * FILES - 1;
const BY_RANKS: u8 = 2 * RANKS - 1;

static FAMILIES: [Family; 15] = [
    family("file", FILES, 2, Arity::Man(|_| true), |view, [a, _]| view.points[a].file()),
    family("rank", RANKS, 2, Arity::Man(|_| true), |view, [a, _]| view.points[a].rank()),
    family("files", BY_FILES, 3, Arity::Pair(|_, _| true), |view, [a, b]| {
        view.points[b].file() + FILES - 1 - view.points[a].file()
    }),
    family("ranks", BY_RANKS, 3, Arity::Pair(|_, _| true), |view, [a, b]| {
        view.points[b].rank() + RANKS - 1 - view.points[a].rank()
    }),
    family("taxi", FILES + RANKS - 1, 4, Arity::Pair(|_, _| true), |view, [a, b]| {
        view.away(a, b).0 + view.away(a, b).1
    }),
    family("between", 4, 10, Arity::Pair(|_, _| true), |view, [a, b]| view.between(a, b)),
    family("attacks", 2, 40, Arity::Ordered(|a, b| a.color != b.color), |view, [a, b]| {
        view.attacks(a).contains(view.points[b]).into()
    }),
    family(
        "guards",
        2,
        40,
        Arity::Ordered(|a, b| a.color == b.color && b.role != Role::General),
        |view, [a, b]| view.attacks(a).contains(view.points[b]).into(),
    ),
    family("leg", 3, 5, Arity::Ordered(|a, _| a.role == Role::Horse), |view, [a, b]| view.leg(a, b)),
    family("attackers", 4, 80, Arity::Man(|_| true), |view, [a, _]| {
        view.attackers(a, view.men[a].color.other())
    }),
    family("guardians", 4, 80, Arity::Man(|man| man.role != Role::General), |view, [a, _]| {
        view.attackers(a, view.men[a].color)
    }),
    family("free", 8, 80, Arity::Man(|_| true), |view, [a, _]| view.free(a).len().min(7) as u8),
    family("safe", 8, 120, Arity::Man(|_| true), |view, [a, _]| {
        (view.free(a) & !view.danger(view.men[a].color.other())).len().min(7) as u8
    }),
    family("loose", 4, 120, Arity::Man(|man| man.role == Role::General), |view, [a, _]| {
        view.loose(view.men[a].color)
    }),
    family("escapes", 5, 120, Arity::Man(|man| man.role == Role::General), |view, [a, _]| view.escapes(a)),
];

/// A position whose variables can be computed.
pub(in crate::xiangqi) struct View<'a> {
    men: &'a [Man],
    points: [Point; super::super::MAX_MEN],
    occupied: Points,
    attacks: [OnceCell<Points>; super::super::MAX_MEN],
}

impl<'a> View<'a> {
    pub(in crate::xiangqi) fn new(material: &'a Material, points: &[Point]) -> Self {
        let mut all = [Point::default(); super::super::MAX_MEN];
        all[..points.len()].copy_from_slice(points);
        let occupied = points.iter().copied().collect();
        View { men: material.men(), points: all, occupied, attacks: Default::default() }
    }

    /// Files and ranks between two men.
    fn away(&self, a: usize, b: usize) -> (u8, u8) {
        let (a, b) = (self.points[a], self.points[b]);
        (a.file().abs_diff(b.file()), a.rank().abs_diff(b.rank()))
    }

    fn between(&self, a: usize, b: usize) -> u8 {
        let (from, to) = (self.points[a], self.points[b]);
        let step = |from: u8, to: u8| (i16::from(to) - i16::from(from)).signum() as i8;
        if from.file() != to.file() && from.rank() != to.rank() {
            return 0;
        }
        let (files, ranks) = (step(from.file(), to.file()), step(from.rank(), to.rank()));
        let (mut at, mut men) = (from, 1);
        while let Some(next) = at.step(files, ranks).filter(|&next| next != to) {
            men += u8::from(self.occupied.contains(next));
            at = next;
        }
        men.min(3)
    }

    fn leg(&self, a: usize, b: usize) -> u8 {
        let jump = jumps(self.points[a]).find(|&(_, to)| to == self.points[b]);
        jump.map_or(0, |(leg, _)| if self.occupied.contains(leg) { 2 } else { 1 })
    }

    /// The points on which man number `man` could capture if a man of the other side were there.
    fn attacks(&self, man: usize) -> Points {
        *self.attacks[man].get_or_init(|| self.captures_among(man, self.points[man], self.occupied))
    }

    /// The points on which man number `man` on `from` could capture with men on `occupied`.
    fn captures_among(&self, man: usize, from: Point, occupied: Points) -> Points {
        let mut found = Points::EMPTY;
        Reach(occupied).captures(self.men[man], from, |to, open| {
            if open != 0 {
                found |= to;
            }
        });
        found
    }

    fn of(&self, color: Color) -> impl Iterator<Item = usize> + '_ {
        (0..self.men.len()).filter(move |&man| self.men[man].color == color)
    }

    fn attackers(&self, man: usize, color: Color) -> u8 {
        let on = self.points[man];
        self.of(color).filter(|&other| other != man && self.attacks(other).contains(on)).take(3).count() as u8
    }

    /// The points that men of `color` attack.
    fn danger(&self, color: Color) -> Points {
        self.of(color).fold(Points::EMPTY, |all, man| all | self.attacks(man))
    }

    /// The points that man number `man` can move to, even if its general is in check afterwards.
    fn free(&self, man: usize) -> Points {
        let own: Points = self.of(self.men[man].color).map(|man| self.points[man]).collect();
        let mut quiet = Points::EMPTY;
        Reach(self.occupied).quiet(self.men[man], self.points[man], |to, open| {
            if open != 0 && !self.occupied.contains(to) {
                quiet |= to;
            }
        });
        quiet | self.attacks(man) & self.occupied & !own
    }

    fn loose(&self, color: Color) -> u8 {
        let own = |man: &usize| self.attackers(*man, color) == 0 && self.attackers(*man, color.other()) > 0;
        self.of(color).filter(|&man| man > 1).filter(own).take(3).count() as u8
    }

    /// The number of points that the general can move to without being attacked there or facing the other general.
    fn escapes(&self, general: usize) -> u8 {
        let from = self.points[general];
        let color = self.men[general].color;
        let is_safe = |&to: &Point| {
            let occupied = self.occupied & !Points::from(from) | to;
            let taken = |man: usize| {
                self.points[man] != to && self.captures_among(man, self.points[man], occupied).contains(to)
            };
            !self.of(color.other()).any(taken) && !self.faces(general, to, occupied)
        };
        self.free(general).into_iter().filter(is_safe).count() as u8
    }

    fn faces(&self, general: usize, to: Point, occupied: Points) -> bool {
        let other = self.points[1 - general];
        let between = |rank: u8| occupied.contains(Point::at(to.file(), rank));
        let (low, high) = (to.rank().min(other.rank()), to.rank().max(other.rank()));
        to.file() == other.file() && !(low + 1..high).any(between)
    }
}

/// A variable: its family, and its men.
#[derive(Clone, Copy, Debug)]
struct Code {
    family: u8,
    men: [u8; 2],
}

/// A model for one material: its variables and their formulas.
#[derive(Clone, Debug)]
pub struct VariableSet {
    model: Model,
    material: Material,
    codes: Vec<Code>,
    values: Vec<u8>,
}

impl VariableSet {
    /// The variables of `model` for `material`.
    pub fn new(model: Model, material: &Material) -> Self {
        let men = material.men();
        let (mut codes, mut values) = (Vec::new(), Vec::new());
        for (number, family) in (0..).zip(model.families()) {
            let all = 0..men.len();
            let of: Vec<[usize; 2]> = match family.arity {
                Arity::Man(admits) => all.filter(|&a| admits(men[a])).map(|a| [a, 0]).collect(),
                Arity::Pair(admits) => all
                    .flat_map(|a| (a + 1..men.len()).map(move |b| [a, b]))
                    .filter(|&[a, b]| admits(men[a], men[b]))
                    .collect(),
                Arity::Ordered(admits) => all
                    .flat_map(|a| (0..men.len()).map(move |b| [a, b]))
                    .filter(|&[a, b]| a != b && admits(men[a], men[b]))
                    .collect(),
            };
            for men in of {
                codes.push(Code { family: number, men: men.map(|man| man as u8) });
                values.push(family.values);
            }
        }
        VariableSet { model, material: *material, codes, values }
    }

    /// The model.
    pub fn model(&self) -> Model {
        self.model
    }

    /// The material.
    pub fn material(&self) -> &Material {
        &self.material
    }

    /// The number of values of each variable, in order.
    pub fn values(&self) -> &[u8] {
        &self.values
    }

    /// The name of variable number `variable`: its family and its men.
    pub fn name(&self, variable: usize) -> String {
        let Code { family, men } = self.codes[variable];
        let family = &FAMILIES[usize::from(family)];
        let used = if matches!(family.arity, Arity::Man(_)) { 1 } else { 2 };
        let men = men[..used].iter().map(|&man| self.man_name(man.into()));
        std::iter::once(family.name.to_owned()).chain(men).collect::<Vec<_>>().join(".")
    }

    /// The family of variable number `variable` and its men; the second is unspecified if the family is about one man.
    #[cfg(feature = "explain")]
    pub(in crate::xiangqi) fn family_and_men(&self, variable: usize) -> (&'static str, [usize; 2]) {
        let Code { family, men } = self.codes[variable];
        (FAMILIES[usize::from(family)].name, men.map(usize::from))
    }

    /// The name of a man: colour and role (`rk`, `be`), and for identical men a letter from `a` on.
    fn man_name(&self, number: usize) -> String {
        let man = self.material.men()[number];
        let group = self.material.groups().find(|men| men.contains(&number)).unwrap_or(number..number + 1);
        let mut name = format!("{}{}", &color_name(man.color)[..1], man.role.letter());
        if group.len() > 1 {
            name.push((b'a' + (number - group.start) as u8) as char);
        }
        name
    }

    pub(in crate::xiangqi) fn nanoseconds(&self, variable: usize) -> u8 {
        FAMILIES[usize::from(self.codes[variable].family)].nanoseconds
    }

    pub(in crate::xiangqi) fn view(&self, points: &[Point]) -> View<'_> {
        View::new(&self.material, points)
    }

    pub(in crate::xiangqi) fn value(&self, view: &View<'_>, variable: usize) -> u8 {
        let Code { family, men } = self.codes[variable];
        (FAMILIES[usize::from(family)].formula)(view, men.map(usize::from))
    }

    /// Writes the value of each variable for `position`, which must be of the set's material, to `values`.
    ///
    /// # Panics
    /// If the length of `values` is not the number of variables.
    pub fn evaluate(&self, position: &Position, values: &mut [u8]) {
        assert_eq!(values.len(), self.codes.len(), "a value for each variable");
        let view = self.view(position.points());
        values.iter_mut().enumerate().for_each(|(variable, value)| *value = self.value(&view, variable));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The value of the variable called `name`.
    fn value(fen: &str, name: &str) -> u8 {
        let (position, _) = Position::from_fen(fen).unwrap();
        let variables = VariableSet::new(Model::Attack, position.material());
        let variable = (0..variables.values().len()).find(|&variable| variables.name(variable) == name);
        let variable = variable.unwrap_or_else(|| panic!("no variable {name}"));
        variables.value(&variables.view(position.points()), variable)
    }

    #[test]
    fn a_worked_example_of_each_family() {
        let check = |fen: &str, values: &str| {
            for (name, expected) in values.split(", ").filter_map(|entry| entry.split_once(' ')) {
                assert_eq!(value(fen, name).to_string(), expected, "{name}");
            }
        };
        // Red: general e0, horse c5, chariot a9, gunner e4. Black: general e9, assistants d9 and e8, elephant e7.
        check(
            "R2ak4/4a4/4b4/9/2N6/4C4/9/9/9/4K4 b",
            "file.rc 0, rank.rc 9, files.rk.rc 4, ranks.rk.rc 18, taxi.rk.rc 13, between.rk.bk 3, \
             between.bk.rc 2, between.rk.rg 1, between.rh.rg 0, attacks.rc.baa 0, attacks.rc.bab 1, \
             attacks.rg.bk 0, attacks.rg.baa 1, guards.bk.baa 1, leg.rh.be 0, attackers.bab 1, \
             guardians.bab 2, free.bk 1, loose.bk 0, escapes.bk 1",
        );
        // The chariot a7 attacks the elephant e7, which nobody guards. The general e9 can go to d9, f9 and e8; on d9 it would
        // face the other general.
        check(
            "4k4/9/R3b4/9/9/9/9/9/9/3K5 b",
            "loose.bk 1, loose.rk 0, free.bk 3, escapes.bk 2, free.be 4, safe.be 4, attackers.be 1, \
             guardians.be 0, safe.rk 2",
        );
        let two = "3k5/9/R3b3R/9/9/9/9/9/9/4K4 b";
        assert_eq!(
            [value(two, "attackers.be"), value(two, "attackers.rca"), value(two, "safe.bk")],
            [2, 0, 2]
        );
        // The chariot a8 attacks d8.
        let one = "3k5/R8/4b3R/9/9/9/9/9/9/4K4 b";
        assert_eq!([value(one, "free.bk"), value(one, "safe.bk"), value(one, "attackers.be")], [2, 1, 1]);
        assert_eq!(value("3k5/9/4b4/3P5/3N5/9/9/9/9/4K4 w", "leg.rh.be"), 2);
        assert_eq!(value("3k5/9/4b4/9/3N5/9/9/9/9/4K4 w", "leg.rh.be"), 1);
    }

    #[test]
    fn parts_are_in_range_and_only_files_differ_in_mirrored_positions() {
        let fen = "4k4/4a4/b3ba3/9/9/2P6/4C4/9/4A4/3K2E2 w";
        let (position, _) = Position::from_fen(fen).unwrap();
        let variables = VariableSet::new(Model::Attack, position.material());
        let evaluate = |position: &Position| {
            let mut values = vec![0; variables.values().len()];
            variables.evaluate(position, &mut values);
            assert!(values.iter().zip(variables.values()).all(|(value, values)| value < values));
            values
        };
        let mut image = position;
        image.points_mut().iter_mut().for_each(|on| *on = on.mirrored());
        let (here, there) = (evaluate(&position), evaluate(&image));
        for (variable, (a, b)) in here.iter().zip(&there).enumerate() {
            let name = variables.name(variable);
            assert!(a == b || name.starts_with("file"), "{name}: {a}, {b}");
        }
    }
}
