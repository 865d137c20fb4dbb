//! The prober of cubebase for C and C++: `include/cubebase.h`, a static and a shared library.
//!
//! [`api`] has the functions, and all that is unsafe; [`status`] has the numbers that they return; `failures` keeps what
//! went wrong. There is no global state: whatever is kept belongs to a handle, the tables that a caller has opened. A
//! panic is caught and becomes [`Status::Internal`].
//!
//! The drop-in for Fathom is a library of its own, `cubebase-fathom`. Its interface has global state, and its names are
//! Fathom's: in one library with these functions they would keep a program from using Fathom itself beside them.

pub mod api;
mod failures;
pub mod status;

pub use api::Handle;
pub use status::{Outcome, Status};
