//! The name of a table's file in messages.

use crate::error::Error;
use crate::position::Material;
use std::path::PathBuf;

/// The name of a file.
#[derive(Clone, Debug)]
pub(super) struct Name {
    pub(super) path: PathBuf,
    /// Whether it is one of several tables in the file.
    pub(super) is_part: bool,
}

impl Name {
    /// Says of an error in which file it is.
    pub(super) fn tell(&self, material: &Material, error: Error) -> Error {
        let error = if self.is_part { error.context(material) } else { error };
        error.of_material(material).in_file(&self.path)
    }
}
