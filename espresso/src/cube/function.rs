//! A function as three covers: ON-set, DC-set and OFF-set.

use crate::{Cover, Error, ErrorKind, Result};

/// A partial function over one space: F, D and R.
///
/// Consistency is the relaxed rule of Gomboc and Shelton, section 2.5: F and D may overlap, R and D may overlap, F
/// and R may overlap inside D; only (F and R) outside D is contradictory.
#[derive(Clone, Debug)]
pub struct Function {
    /// F, where the function is one.
    pub on: Cover,
    /// D, where its value does not matter.
    pub dc: Cover,
    /// R, where it is zero.
    pub off: Cover,
    /// Whether minterms that are in none of the three belong to D, so that it need not be a list of cubes. Otherwise there
    /// must be no such minterm.
    pub rest_is_dc: bool,
    /// Whether minterms that are in none of the three belong to R, so that it need not be a list of cubes: see
    /// [`Function::from_pla_without_off`]. Not together with `rest_is_dc`.
    pub rest_is_off: bool,
}

impl Function {
    /// Returns the function of these covers, which are taken as they are and make up the space: see
    /// [`check::consistent`](crate::check::consistent).
    ///
    /// # Errors
    /// [`ErrorKind::Mismatch`] when the covers are not over one space.
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
