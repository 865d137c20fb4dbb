//! The tables that are a part of the program.

use super::Tables;
use crate::error::Result;
use std::borrow::Cow;

impl Tables {
    /// The bundle of all tables of up to four men.
    pub(crate) const EMBEDDED: &'static [u8] = {
        // A static, since the bytes of a constant are repeated in each codegen unit that names it.
        static BYTES: [u8; include_bytes!("../../../fixtures/four-men.pcb").len()] =
            *include_bytes!("../../../fixtures/four-men.pcb");
        &BYTES
    };

    /// The bundle of the distances of all tables of up to four men.
    #[cfg(feature = "distances")]
    pub(crate) const EMBEDDED_DISTANCES: &'static [u8] = {
        static BYTES: [u8; include_bytes!("../../../fixtures/four-men-distances.pcb").len()] =
            *include_bytes!("../../../fixtures/four-men-distances.pcb");
        &BYTES
    };

    /// Returns all tables of up to four men, a part of the program; with feature `distances` their distances too.
    ///
    /// # Errors
    /// Only when the program was built with a damaged bundle.
    pub fn embedded() -> Result<Self> {
        let mut tables = Self::empty();
        tables.add_of("the embedded tables", Cow::Borrowed(Self::EMBEDDED).into())?;
        #[cfg(feature = "distances")]
        tables.add_of("the embedded distances", Cow::Borrowed(Self::EMBEDDED_DISTANCES).into())?;
        Ok(tables)
    }
}
