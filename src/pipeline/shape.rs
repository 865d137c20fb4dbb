//! The possible shapes of the clauses of a side to move.

use super::{Options, Shape};
use crate::chess::model::{Model, VariableSet};
use crate::chess::position::Material;
use crate::error::{Error, ErrorKind, Result};
use crate::pcn::Layers;
use crate::rows::list::has_few_minterms;

/// Whether a function over the variables of `plan` has few enough minterms for lists.
pub(super) fn has_lists(plan: &VariableSet) -> bool {
    let parts: Vec<u8> = plan.variables().iter().map(|variable| variable.values as u8).collect();
    has_few_minterms(&parts)
}

/// Whether lists are learned for functions with few minterms.
pub(super) fn learns_lists(options: &Options<'_>) -> bool {
    match options.shape {
        Shape::List => true,
        Shape::Tree => false,
        Shape::Auto => options.effort >= 4,
    }
}

/// Returns those of the models that the learner of rows can use with the requested shape.
pub(super) fn row_models(material: &Material, options: &Options<'_>) -> Vec<Model> {
    let fits = |model: &Model| {
        *model != Model::Binary && (options.shape != Shape::List || has_lists(&model.variable_set(material)))
    };
    options.models.iter().copied().filter(fits).collect()
}

/// The error that `material` has no list in any of the models.
pub(super) fn too_many_minterms(material: &Material) -> Error {
    let why = format!(
        "{material}: too many minterms for a list: take shape tree, model binary, or with up to four men model board"
    );
    Error::new(ErrorKind::BadMaterial, why)
}

/// The most men of a table with trees: given both kings, the number of a position has 32 bits, six for each other man.
const MAX_MEN_OF_TREES: usize = 7;

/// Checks that each of `materials` can have the requested shape. Lists require few minterms, trees at most seven men.
///
/// # Errors
/// [`ErrorKind::BadMaterial`] with the first material that has too many men for a tree or, in all models, too many minterms for
/// a list.
pub fn check_shape(materials: &[Material], options: &Options<'_>) -> Result<()> {
    let by_rows = options.models.iter().any(|&model| model != Model::Binary);
    if options.layers == Layers::Independent || !by_rows {
        return Ok(());
    }
    for material in materials {
        if options.shape == Shape::List {
            let has_covers = options.models.contains(&Model::Binary);
            if !has_covers && row_models(material, options).is_empty() {
                return Err(too_many_minterms(material));
            }
        } else if material.len() > MAX_MEN_OF_TREES {
            let why = format!("{material}: a tree is grown of up to seven men: take model binary");
            return Err(Error::new(ErrorKind::BadMaterial, why));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(names: &[&str], models: &[Model], shape: Shape) -> Option<String> {
        let materials: Vec<Material> = names.iter().map(|name| name.parse().unwrap()).collect();
        let options = Options { models: models.to_vec(), shape, ..Options::default() };
        let independent =
            Options { layers: Layers::Independent, models: models.to_vec(), shape, ..Options::default() };
        assert!(check_shape(&materials, &independent).is_ok());
        check_shape(&materials, &options).err().map(|error| error.to_string())
    }

    #[test]
    fn trees_of_too_many_positions_are_refused() {
        for shape in [Shape::Auto, Shape::Tree] {
            for model in [Model::Board, Model::Geometry, Model::Attack] {
                assert_eq!(refusal(&["KvK", "KQRvKR", "KQRBvKQR"], &[model], shape), None);
                let why =
                    refusal(&["KvK", "KQRBvKQRB", "KQRBNvKQR"], &[Model::Binary, model], shape).unwrap();
                assert!(why.starts_with("KQRBvKQRB: a tree is grown of"), "{why}");
            }
            assert_eq!(refusal(&["KQRBvKQRB"], &[Model::Binary], shape), None);
        }
    }

    #[test]
    fn lists_of_many_minterms_are_refused() {
        let shown = [Model::Board, Model::Geometry, Model::Attack];
        assert_eq!(refusal(&["KQvKR", "KPvKP"], &[Model::Board], Shape::List), None);
        assert_eq!(refusal(&["KQvKR", "KPvKP"], &shown, Shape::List), None);
        for (models, refused) in [(&shown[..], "KQRvKR"), (&shown[1..], "KQvKR"), (&shown[2..], "KQvKR")] {
            let why = refusal(&["KQvKR", "KQRvKR"], models, Shape::List);
            assert!(
                why.as_ref().is_some_and(|why| why.starts_with(&format!("{refused}: too many"))),
                "{why:?}"
            );
        }
        assert_eq!(refusal(&["KQRvKR", "KQRBvKQRB"], &[Model::Attack, Model::Binary], Shape::List), None);
    }
}
