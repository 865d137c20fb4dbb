//! Properties of every model, and the values of single variables.

use super::*;
use crate::chess::position::{Color, Position, Square, Symmetry};
use crate::pcn::noise::{self, Noise};
use std::collections::{HashMap, HashSet};

fn materials() -> impl Iterator<Item = Material> {
    let eight: Material = "KQQPPvKPP".parse().unwrap();
    (2..=5).flat_map(Material::all).chain([eight])
}

#[test]
fn ids_and_names_lead_back_to_the_model() {
    for model in Model::ALL {
        assert_eq!(Model::from_id(model.id(), model.version()).unwrap(), model);
        assert_eq!(model.name().parse::<Model>().unwrap(), model);
    }
    assert_eq!("Binary".parse::<Model>().unwrap_err().kind(), ErrorKind::BadInput);
    assert_eq!(Model::from_id(0, 0).unwrap_err().kind(), ErrorKind::UnsupportedVersion);
    assert_eq!(Model::from_id(1, 2).unwrap_err().kind(), ErrorKind::UnsupportedVersion);
    // Nothing was released with the first version of `attack`.
    assert_eq!(Model::from_id(4, 1).unwrap_err().kind(), ErrorKind::UnsupportedVersion);
}

#[test]
fn variables_keep_to_the_limits_and_have_unique_names() {
    for model in Model::ALL {
        for material in materials() {
            let variables = model.variables(&material);
            assert!(
                (1..=MAX_VARIABLES).contains(&variables.len()),
                "{model} {material}: {}",
                variables.len()
            );
            assert!(variables.iter().all(|variable| (2..=MAX_VALUES).contains(&variable.values)));
            let names: HashSet<_> = variables.iter().map(|variable| &variable.name).collect();
            assert_eq!(names.len(), variables.len());
            #[cfg(feature = "explain")]
            check_families(model, &material);
        }
    }
}

#[test]
fn parts_are_in_range() {
    for model in Model::ALL {
        for material in materials() {
            let variables = model.variable_set(&material);
            let mut values = vec![u8::MAX; variables.variables().len()];
            let shifted = |shift: u8| {
                let squares: Vec<_> =
                    (0..material.len() as u8).map(|man| Square::new(shift + 11 * man)).collect();
                let file = material.has_en_passant().then_some(shift % 8);
                Position::new(material, &squares, Color::BOTH[usize::from(shift % 2)], file)
            };
            // Most of the 64 shifted positions are illegal.
            for position in (0..64).map(shifted).chain((0..20).map(|seed| random(&material, seed))) {
                variables.evaluate(&position, &mut values);
                for (&value, variable) in values.iter().zip(variables.variables()) {
                    assert!(usize::from(value) < variable.values, "{} {position:?}", variable.name);
                }
                let view = variables.view(&position);
                assert!(
                    (0..values.len())
                        .rev()
                        .all(|variable| variables.value(&view, variable) == values[variable])
                );
            }
        }
    }
}

/// The code of a variable gives the family and the men of its name.
#[cfg(feature = "explain")]
fn check_families(model: Model, material: &Material) {
    let (variables, names) = (model.variable_set(material), man_names(material));
    for (number, variable) in variables.variables().iter().enumerate() {
        let name = match variables.family_and_men(number) {
            ("bit", men) => {
                format!("{}{}", names.get(men[0]).map_or("ep", |name| name), men[1])
            }
            (family, men) => men.iter().fold(family.to_owned(), |name, &man| name + "." + &names[man]),
        };
        assert_eq!(name, variable.name, "{model} {material}");
    }
}

#[cfg(feature = "build")]
#[test]
fn blocks_have_the_values_of_single_positions() {
    for model in Model::ALL {
        for material in ["KQvK", "KPvKP", "KRBvKN", "KNPPvK", "KQQPPvKPP"].map(|name| name.parse().unwrap()) {
            let variables = model.variable_set(&material);
            // More than a block, and the last one not full.
            let positions: Vec<Position> = (0..150).map(|seed| random(&material, seed)).collect();
            let (count, stride) = (variables.variables().len(), 160);
            let mut columns = vec![u8::MAX; count * stride];
            let men = positions.iter().map(|position| (position.packed(), position.en_passant()));
            variables.columns(men, &mut columns, stride);
            let mut values = vec![0; count];
            for (row, position) in positions.iter().enumerate() {
                variables.evaluate(position, &mut values);
                for (variable, value) in values.iter().enumerate() {
                    let name = &variables.variables()[variable].name;
                    assert_eq!(columns[variable * stride + row], *value, "{name} {position:?}");
                }
            }
        }
    }
}

fn random(material: &Material, seed: u64) -> Position {
    noise::position(*material, &mut Noise(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1))
}

/// The values of all variables of `attack`, by name.
fn named_values(position: &Position) -> HashMap<String, u8> {
    let variables = Model::Attack.variable_set(position.material());
    let view = variables.view(position);
    let names = variables.variables().iter().map(|variable| variable.name.clone());
    names.enumerate().map(|(number, name)| (name, variables.value(&view, number))).collect()
}

/// The left-right mirror changes only files and their signed differences. Without pawns, a symmetry changes only files and ranks.
#[test]
fn symmetric_positions_have_the_same_values() {
    for signature in ["KQvKR", "KRvKN", "KBNvK", "KRBvKN", "KPvKP", "KNvKP", "KBPvK", "KRPvKQ", "KQRBNvKP"] {
        let material: Material = signature.parse().unwrap();
        let symmetries = if material.has_pawns() { &Symmetry::WITH_PAWNS[..] } else { &Symmetry::ALL[..] };
        for seed in 0..100 {
            let position = random(&material, seed);
            let before = named_values(&position);
            for &symmetry in symmetries {
                let after = named_values(&position.transformed(symmetry));
                for (name, &value) in &before {
                    let expected = match name.split('.').next() {
                        Some("files") if symmetry != Symmetry::IDENTITY => 14 - value,
                        Some("file" | "rank") => continue,
                        _ => value,
                    };
                    assert_eq!(after[name], expected, "{name} {symmetry:?} {position:?}");
                }
            }
        }
    }
}

/// Values computed by hand.
#[test]
fn examples() {
    for (fen, expected) in [
        (
            "8/8/8/8/4k3/8/4P3/4K3 w - - 0 1",
            "file.wk=4 rank.bk=3 larger.wk.bk=3 smaller.wk.bk=0 excess.wk.bk=3 files.wk.wp=7 ranks.bk.wp=5 \
             moves.wk=4 moves.bk=6 contact.wp=3 race.wk.wp=9 race.bk.wp=6 goal.wk.wp=7 goal_lead.wp=10 front_lead.wp=8 front.wp=1 \
             clear.wp=1 free.wp=0 path_attacked.wp=2 path_guarded.wp=0 path_taken.wp=1 goal_standing.wp=2 \
             in_time.wk.wp=8 in_time.bk.wp=5 on_path.wk.wp=0 on_path.bk.wp=1 crown.wp.bk=1 nearer.wk.bk.wp=6",
        ),
        (
            "8/8/8/8/3n4/8/k1K5/7R w - - 0 1",
            "moves.wk=5 contact.bn=2 hops.bn.wk=1 hops.bn.bk=3 larger.wk.bn=2 smaller.wk.bn=1 excess.wk.bn=1 takes.wk.bn=0 \
             cut.wk.bk.wr=0 line.wr.bn=0 pinned.bn.wr=0 detour.wk.bk.bn=3 taxi.wk.bn=3 taxi_nearer.wk.bk.bn=5 \
             area.wk.bk.bn=4",
        ),
        (
            "8/8/8/2pP4/8/8/8/K6k w - c6 0 1",
            "ep=3 steps_lead.wp.bp=6 passed.wp.bp=1 crown.wp.bk=0 crown_goal.wp.bp=0 race_lead.wp.bp=13 raid.wp.bp=7",
        ),
        ("8/8/4k3/8/8/P7/8/B1K5 w - - 0 1", "wrong.wb.wp=1"),
        ("8/8/4k3/8/8/P7/8/1BK5 w - - 0 1", "wrong.wb.wp=0"),
        ("8/8/4k3/8/8/1P6/8/B1K5 w - - 0 1", "wrong.wb.wp=0"),
    ] {
        let position = Position::from_fen(fen).unwrap();
        let values = named_values(&position);
        for pair in expected.split_whitespace() {
            let (name, value) = pair.split_once('=').unwrap();
            assert_eq!(values[name].to_string(), value, "{name} in {fen}");
        }
    }
}

/// Targets are the legal moves of an independent rules library, without pushes of pawns.
#[test]
fn targets_are_the_legal_moves_of_another_library() {
    for signature in ["KQvKR", "KPvKP", "KRPvKB", "KQNvKQ"] {
        let material: Material = signature.parse().unwrap();
        let variables = Model::Attack.variable_set(&material);
        for position in (0..300).map(|seed| random(&material, seed)) {
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
            let view = variables.view(&position);
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
