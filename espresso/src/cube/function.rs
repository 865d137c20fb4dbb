//! Functions as three covers: ON-set, DC-set and OFF-set.

use crate::{Cover, Error, ErrorKind, Result};

/// A partial function over one space: F, D and R.
///
/// It is consistent by the relaxed rule of Gomboc and Shelton, section 2.5: any of the covers may overlap, but F and R only
/// inside D.
#[derive(Clone, Debug)]
pub struct Function {
    /// F: the function is one here.
    pub on: Cover,
    /// D: the value does not matter here.
    pub dc: Cover,
    /// R: the function is zero here.
    pub off: Cover,
    /// Whether minterms in none of the three covers belong to D, which then need not be listed.
    pub rest_is_dc: bool,
    /// Whether minterms in none of the three covers belong to R, which then need not be listed: see
    /// [`Function::from_pla_without_off`]. Not together with `rest_is_dc`. If both are `false`, every minterm must be in one of
    /// the covers.
    pub rest_is_off: bool,
}

impl Function {
    /// Returns the function of these covers. They must cover the whole space and be consistent, which is not checked here: see
    /// [`check::consistent`](crate::check::consistent).
    ///
    /// # Errors
    /// [`ErrorKind::Mismatch`] if the covers are over different spaces.
    pub fn new(on: Cover, dc: Cover, off: Cover) -> Result<Self> {
        if on.space() != dc.space() || on.space() != off.space() {
            return Err(Error::new(
                ErrorKind::Mismatch,
                "ON-set, DC-set and OFF-set are over different spaces",
            ));
        }
        Ok(Function { on, dc, off, rest_is_dc: false, rest_is_off: false })
    }
}
