//! The file of a table, for error messages.

use crate::chess::position::Material;
use crate::error::Error;
use std::path::PathBuf;

#[derive(Clone, Debug)]
pub(super) struct TableOrigin {
    pub(super) path: PathBuf,
    /// Whether the table is one of several in the file.
    pub(super) is_part: bool,
}

impl TableOrigin {
    pub(super) fn add_to(&self, error: Error, material: &Material) -> Error {
        let error = if self.is_part { error.context(material) } else { error };
        error.of_material(material).in_file(&self.path)
    }
}
