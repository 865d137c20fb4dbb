//! Outcomes of positions with castling rights: a layer over an outcome table, from the rules of chess.
//!
//! Gomboc and Shelton (section 2.4) propose the rights as further inputs. A right fixes its king and its rook, so that
//! few positions have one. Lost rights do not come back: the sets of rights are solved from small to large, and a move that
//! loses a right, captures or promotes leads to a known outcome. Within one set a fixpoint decides: a position is won if a
//! move leads to a loss, lost if all moves lead to wins, and drawn if it is never decided.

use super::FEW_MEN;
use crate::chess::position::rules_library::{self, after_moves};
use crate::chess::position::{
    Bitboard, CastlingRights, Color, MAX_MEN, Material, Position, Role, Square, Wdl,
};
use crate::chess::retrograde::{Conversions, Store, Table};
use crate::error::{Error, ErrorKind, Result};
use cozy_chess::{Board, Piece};
use rayon::prelude::*;
use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

/// The limit of numbers for one set of rights: as many as five men with en passant have. All sets of a material then take less
/// than 200 MB.
const MAX_NUMBERS: u64 = 9 << 18;

/// The state of a number that no legal position has. Other states are the [`Wdl::index`] of the outcome, [`OPEN`] and [`HELD`].
const NONE: u8 = 3;
/// Not decided yet. Every move that leaves the set of rights loses, or there is none.
const OPEN: u8 = 4;
/// Not decided yet. A move that leaves the set of rights draws, and none wins.
const HELD: u8 = 5;

/// The outcomes of all positions of a material that have castling rights.
pub struct CastlingLayer {
    material: Material,
    /// The states by [`CastlingRights::bits`], side to move and [`Position::castling_number`]. Empty without the rooks.
    sets: Vec<[Vec<u8>; 2]>,
}

impl CastlingLayer {
    /// Whether the positions of `material` can have castling rights: there is a rook.
    pub fn is_of(material: &Material) -> bool {
        material.men().iter().any(|man| man.role == Role::Rook)
    }

    /// The material.
    pub fn material(&self) -> &Material {
        &self.material
    }

    /// The outcome, for the side to move, of a legal position of this material with castling rights and sorted identical men;
    /// `None` for any other position.
    pub fn outcome(&self, position: &Position) -> Option<Wdl> {
        let set = &self.sets[usize::from(position.castling().bits())][position.turn().index()];
        let state = *set.get(position.castling_number() as usize)?;
        Wdl::ALL.get(usize::from(state)).copied()
    }

    /// All legal positions with castling rights and a [stored turn](Material::stored_turns), identical men sorted, each with
    /// its outcome: by rights, then by side to move, then by the squares of the men that no right fixes.
    pub fn positions(&self) -> impl Iterator<Item = (Position, Wdl)> + '_ {
        let sets =
            (0_u8..).zip(&self.sets).filter_map(|(bits, set)| Some((CastlingRights::from_bits(bits)?, set)));
        sets.flat_map(move |(rights, set)| {
            let turns = self.material.stored_turns().iter().zip(set);
            turns.flat_map(move |(&turn, states)| {
                (0_u64..).zip(states).filter_map(move |(number, &state)| {
                    let outcome = *Wdl::ALL.get(usize::from(state))?;
                    Some((unranked(&self.material, rights, turn, number)?, outcome))
                })
            })
        })
    }
}

impl fmt::Debug for CastlingLayer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "CastlingLayer({})", self.material)
    }
}

/// The layers over the tables of a store, solved on demand and kept.
#[derive(Debug)]
pub struct CastlingLayers<'s> {
    store: &'s Store,
    layers: Mutex<HashMap<Material, Arc<CastlingLayer>>>,
}

impl<'s> CastlingLayers<'s> {
    /// Returns the layers over the tables of `store`. Nothing is solved yet.
    pub fn new(store: &'s Store) -> Self {
        CastlingLayers { store, layers: Mutex::default() }
    }

    /// Returns the layer of `material`, after solving it and the layers below it. The store provides the table of `material` and
    /// the tables that its captures and promotions lead to, and generates missing ones.
    ///
    /// # Errors
    /// Those of [`Store::get`] and [`check_size`].
    pub fn get(&self, material: &Material) -> Result<Arc<CastlingLayer>> {
        let layers = || self.layers.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(layer) = layers().get(material) {
            return Ok(Arc::clone(layer));
        }
        // Before any table is generated.
        check_size(material)?;
        let below = Conversions::new(material);
        let below = below.materials().iter().map(|below| {
            let layer = CastlingLayer::is_of(below).then(|| self.get(below)).transpose()?;
            Ok((*below, (self.store.get(below)?, layer)))
        });
        let below = below.collect::<Result<_>>()?;
        let solver = Solver { table: self.store.get(material)?, below };
        let layer = Arc::new(solver.solve()?);
        // Tables of many men do not all fit in memory: tables with files are read again when they are needed.
        let many = solver.below.keys().filter(|below| below.len() > FEW_MEN);
        let filed = many.filter(|below| self.store.path(below).is_some_and(|path| path.exists()));
        filed.for_each(|below| self.store.forget(below));
        layers().insert(*material, Arc::clone(&layer));
        Ok(layer)
    }
}

struct Solver {
    table: Arc<Table>,
    /// The tables and layers after captures and promotions.
    below: HashMap<Material, (Arc<Table>, Option<Arc<CastlingLayer>>)>,
}

impl Solver {
    fn solve(&self) -> Result<CastlingLayer> {
        let material = *self.table.material();
        let mut layer = CastlingLayer { material, sets: vec![[Vec::new(), Vec::new()]; 16] };
        for bits in 1..16 {
            let Some(rights) = CastlingRights::from_bits(bits) else { continue };
            let Some(numbers) = material.castling_numbers(rights) else { continue };
            let [white, black] = Color::BOTH.map(|turn| {
                let state = |number| self.beginning(&layer, rights, turn, number);
                (0..numbers).into_par_iter().map(state).collect::<Result<Vec<u8>>>()
            });
            layer.sets[usize::from(bits)] = [white?, black?];
            while pass(&mut layer, rights)? {}
            let states = layer.sets[usize::from(bits)].iter_mut().flatten();
            states.filter(|state| **state > NONE).for_each(|state| *state = Wdl::Draw.index() as u8);
        }
        Ok(layer)
    }

    /// The state of a number by the moves that leave its set of rights.
    fn beginning(
        &self,
        layer: &CastlingLayer,
        rights: CastlingRights,
        turn: Color,
        number: u64,
    ) -> Result<u8> {
        let Some(position) = unranked(layer.material(), rights, turn, number) else { return Ok(NONE) };
        let (mut best, mut stays) = (None, false);
        for after in after_moves(&position)? {
            if is_in_set(&after, layer.material(), rights) {
                stays = true;
                continue;
            }
            match self.outcome(layer, &rules_library::position(&after)?)? {
                Wdl::Loss => return Ok(Wdl::Win.index() as u8),
                after => best = best.max(Some(after.other())),
            }
        }
        Ok(match best {
            Some(Wdl::Draw) if stays => HELD,
            _ if stays => OPEN,
            Some(best) => best.index() as u8,
            None if position.in_check(turn) => Wdl::Loss.index() as u8,
            None => Wdl::Draw.index() as u8,
        })
    }

    /// The outcome of a position after a move that leaves its set of rights.
    fn outcome(&self, layer: &CastlingLayer, after: &Position) -> Result<Wdl> {
        let (table, layer) = match self.below.get(after.material()) {
            Some((table, layer)) => (table, layer.as_deref()),
            None => (&self.table, Some(layer)),
        };
        if after.castling().is_empty() {
            return table.wdl_of_legal(after);
        }
        layer.and_then(|layer| layer.outcome(after)).ok_or_else(|| {
            let fen = after.to_fen();
            Error::new(ErrorKind::Internal, format!("castling rights without an outcome: {fen}"))
        })
    }
}

/// Decides the undecided positions of a set of rights that follow from the decided ones. Returns whether there was one.
fn pass(layer: &mut CastlingLayer, rights: CastlingRights) -> Result<bool> {
    let sets = &layer.sets[usize::from(rights.bits())];
    let of_side = |turn: Color| {
        let states = sets[turn.index()].par_iter().enumerate();
        let open = states.filter(|(_, state)| **state > NONE);
        let decided = open.map(|(number, &state)| {
            let outcome = decided(layer, rights, turn, number as u64, state)?;
            Ok(outcome.map(|outcome| (turn, number, outcome)))
        });
        decided.filter_map(Result::transpose).collect::<Result<Vec<_>>>()
    };
    let decided = [of_side(Color::White)?, of_side(Color::Black)?].concat();
    for &(turn, number, outcome) in &decided {
        layer.sets[usize::from(rights.bits())][turn.index()][number] = outcome.index() as u8;
    }
    Ok(!decided.is_empty())
}

fn decided(
    layer: &CastlingLayer,
    rights: CastlingRights,
    turn: Color,
    number: u64,
    state: u8,
) -> Result<Option<Wdl>> {
    let Some(position) = unranked(layer.material(), rights, turn, number) else { return Ok(None) };
    let mut loses = state == OPEN;
    let after_moves = after_moves(&position)?;
    for after in after_moves.iter().filter(|after| is_in_set(after, layer.material(), rights)) {
        match layer.outcome(&rules_library::position(after)?) {
            Some(Wdl::Loss) => return Ok(Some(Wdl::Win)),
            after => loses &= after == Some(Wdl::Win),
        }
    }
    Ok(loses.then_some(Wdl::Loss))
}

/// Whether the men and the rights on a board are these.
fn is_in_set(board: &Board, material: &Material, rights: CastlingRights) -> bool {
    rules_library::castling(board) == Some(rights)
        && board.occupied().len() as usize == material.len()
        && board.pieces(Piece::Pawn).len() as usize == material.pawns()
}

/// Checks that the rights of `material` can be solved.
///
/// # Errors
/// [`ErrorKind::BudgetExhausted`] if too many men remain that no right fixes.
pub fn check_size(material: &Material) -> Result<()> {
    let sets = (1..16).filter_map(CastlingRights::from_bits);
    match sets.filter_map(|rights| material.castling_numbers(rights)).max() {
        Some(numbers) if numbers > MAX_NUMBERS => {
            let why = format!("{material}: castling rights are solved for up to five men");
            Err(Error::new(ErrorKind::BudgetExhausted, why))
        }
        _ => Ok(()),
    }
}

/// The position of `material` with this [`Position::castling_number`], identical men sorted; `None` when there is no legal one.
fn unranked(material: &Material, rights: CastlingRights, turn: Color, number: u64) -> Option<Position> {
    let has_files = material.has_en_passant();
    let file = if has_files { (number % 9).checked_sub(1).map(|file| file as u8) } else { None };
    let mut digits = if has_files { number / 9 } else { number };
    let mut homes = rights.homes();
    let mut squares = [Square::default(); MAX_MEN];
    // From the last man, whose digit is the last. Sorting makes it irrelevant which of several rooks a right fixes.
    for (man, square) in material.men().iter().zip(&mut squares).rev() {
        let held = homes.into_iter().find(|&home| rights.holds(*man, home));
        *square = held.unwrap_or_else(|| {
            let square = Square::new(digits as u8 & 63);
            digits >>= 6;
            square
        });
        homes = held.map_or(homes, |home| homes & !Bitboard::from(home));
    }
    let mut position = Position::new(*material, &squares[..material.len()], turn, file).with_castling(rights);
    position.sort();
    (position.castling_number() == number && position.is_legal()).then_some(position)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::position::DoublePush;
    use crate::pcn::noise::Noise;

    fn layer(signature: &str) -> Arc<CastlingLayer> {
        let store = Store::new(None);
        CastlingLayers::new(&store).get(&signature.parse().unwrap()).unwrap()
    }

    #[test]
    fn positions_have_numbers_of_their_own() {
        let material: Material = "KRRvKR".parse().unwrap();
        for bits in 1..16 {
            let rights = CastlingRights::from_bits(bits).unwrap();
            let numbers = material.castling_numbers(rights);
            assert_eq!(numbers.is_none(), bits >> 2 == 3, "two rooks of Black: {rights}");
            for number in (0..numbers.unwrap_or(0)).step_by(97) {
                let Some(position) = unranked(&material, rights, Color::White, number) else { continue };
                assert_eq!((position.castling(), position.castling_number()), (rights, number));
                assert_eq!(Position::from_fen(&position.to_fen()).unwrap(), position);
            }
        }
    }

    #[test]
    fn rights_decide() {
        let outcome = |layer: &CastlingLayer, fen| layer.outcome(&Position::from_fen(fen).unwrap());
        let rooks = layer("KRvKR");
        // Castling gives check and attacks the rook.
        assert_eq!(outcome(&rooks, "8/8/8/3k4/8/8/1r6/R3K3 w Q - 0 1"), Some(Wdl::Win));
        assert_eq!(rooks.positions().count(), 11_491);
        assert!(rooks.positions().all(|(position, _)| position.turn() == Color::White));
        assert_eq!(outcome(&rooks, "8/8/8/3k4/8/8/1r6/R3K3 w - - 0 1"), None);
    }

    /// Positions before and after moves are those of the FENs, with castling rights and en-passant captures.
    #[test]
    fn boards_and_positions_are_those_of_their_fens() {
        let (mut noise, mut asked, mut castled, mut passed) = (Noise(7), 0, 0, 0);
        let materials = ["KRvKP", "KRRvKR", "KRRPvKRP", "KRPPvKRP", "KQRPvKRNP", "KRRBvKRR"];
        while asked < 2_000 {
            let material: Material = materials[noise.below(materials.len())].parse().unwrap();
            let mut men: Vec<Square> =
                material.men().iter().map(|_| Square::new(noise.below(64) as u8)).collect();
            let (turn, file) = (Color::BOTH[noise.below(2)], noise.below(7) as u8);
            let pushed = DoublePush::new(turn.other(), file).target.rank();
            // Kings and rooks mostly at home, pawns often where one takes the other en passant.
            for (man, square) in material.men().iter().zip(&mut men) {
                let rank = if man.color == Color::White { 0 } else { 7 };
                match man.role {
                    Role::King if noise.below(8) > 0 => *square = Square::at(4, rank),
                    Role::Rook if noise.below(4) > 0 => *square = Square::at(7 * noise.below(2) as u8, rank),
                    Role::Pawn if noise.below(2) > 0 => {
                        *square = Square::at(file + u8::from(man.color == turn), pushed);
                    }
                    _ => {}
                }
            }
            let rights = CastlingRights::from_bits(1 + noise.below(15) as u8).unwrap();
            let file = (noise.below(2) > 0).then_some(file);
            let mut before = Position::new(material, &men, turn, file).with_castling(rights);
            before.sort();
            if !before.is_legal() {
                continue;
            }
            assert_eq!(rules_library::board(&before).unwrap(), before.to_fen().parse().unwrap());
            for after in rules_library::after_moves(&before).unwrap() {
                let position = rules_library::position(&after).unwrap();
                assert_eq!(position, Position::from_fen(&after.to_string()).unwrap());
                castled += usize::from(position.castling() != rights && !position.castling().is_empty());
            }
            asked += 1;
            passed += usize::from(file.is_some());
        }
        assert!(castled > 300 && passed > 15, "{castled} {passed}");
    }
}
