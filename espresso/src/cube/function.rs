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
    /// The set to which the minterms in none of the three covers belong.
    pub rest: Rest,
}

/// The set to which the minterms in none of a function's covers belong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rest {
    /// There are none: every minterm is in one of the covers.
    Empty,
    /// D, which then need not be listed.
    Dc,
    /// R, which then need not be listed: see [`Function::from_pla_without_off`].
    Off,
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
        Ok(Function { on, dc, off, rest: Rest::Empty })
    }
}
