//! What holds for every model, and the values of single variables.

use super::*;
use crate::position::{Color, Position, Square};
use std::collections::HashSet;

fn materials() -> impl Iterator<Item = Material> {
    let eight: Material = "KQQPPvKPP".parse().unwrap();
    (2..=5).flat_map(Material::all).chain([eight])
}

#[test]
fn ids_and_names_lead_back_to_the_model() {
    for model in Model::ALL {
        assert_eq!(Model::from_id(model.id(), model.version()).unwrap(), model);
        assert_eq!(Model::parse(model.name()).unwrap().id(), model.id());
    }
    assert_eq!(Model::parse("Binary").unwrap_err().kind(), ErrorKind::BadInput);
    assert_eq!(Model::from_id(0, 0).unwrap_err().kind(), ErrorKind::UnsupportedVersion);
    assert_eq!(Model::from_id(1, 2).unwrap_err().kind(), ErrorKind::UnsupportedVersion);
}

#[test]
fn variables_keep_to_the_limits_and_have_names_of_their_own() {
    for model in Model::ALL {
        for material in materials() {
            let variables = model.variables(&material);
            assert!(
                (1..=MAX_VARIABLES).contains(&variables.len()),
                "{model} {material}: {}",
                variables.len()
            );
            assert!(variables.iter().all(|variable| (2..=MAX_PARTS).contains(&variable.parts)));
            let names: HashSet<_> = variables.iter().map(|variable| &variable.name).collect();
            assert_eq!(names.len(), variables.len());
        }
    }
}

#[test]
fn parts_are_in_range() {
    for model in Model::ALL {
        for material in materials() {
            let plan = model.plan(&material);
            let mut parts = vec![u8::MAX; plan.variables().len()];
            for shift in 0..64 {
                let squares: Vec<_> =
                    (0..material.len() as u8).map(|man| Square::new(shift + 11 * man)).collect();
                let file = material.has_en_passant().then_some(shift % 8);
                let turn = Color::BOTH[usize::from(shift % 2)];
                let position = Position::new(material, &squares, turn, file);
                plan.evaluate(&position, &mut parts);
                for (&part, variable) in parts.iter().zip(plan.variables()) {
                    assert!(usize::from(part) < variable.parts, "{} {position:?}", variable.name);
                }
                let view = plan.view(&position);
                assert!((0..parts.len()).rev().all(|variable| plan.part(&view, variable) == parts[variable]));
            }
        }
    }
}
