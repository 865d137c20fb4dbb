//! The prober of cubebase for C and C++: `include/cubebase.h`, a static and a shared library.
//!
//! [`api`] has the functions; [`status`] has the numbers that they return; `failures` has the last errors; `ffi` is shared
//! with the other C interfaces. There is no global state: everything belongs to a handle, the tables that a caller has
//! opened. A panic is caught and becomes [`Status::Internal`].
//!
//! The drop-in for Fathom is a separate library, `cubebase-fathom`. Its interface has global state and Fathom's names: if
//! both were one library, a program could not use Fathom itself beside these functions.

pub mod api;
mod failures;
#[allow(unsafe_code, dead_code, reason = "the C ABI; no interface needs all of it")]
mod ffi;
pub mod status;

pub use api::Handle;
pub use status::{Outcome, Status};
