//! A function as three covers: ON-set, DC-set and OFF-set.

use crate::cover::Cover;

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
}
