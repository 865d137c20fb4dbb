//! The minimizer for C and C++: `include/cubebase/espresso.h`, a static and a shared library.
//!
//! [`api`] has the functions; `run` minimizes, in threads of its own, with a callback and a time limit; `ffi` is shared with
//! the other C interfaces. There is no global state: a handle is a function or a cover, and does not change. A panic is caught
//! and becomes [`Status::Internal`].

pub mod api;
#[allow(unsafe_code, dead_code, reason = "the C ABI; no interface needs all of it")]
mod ffi {
    include!("../../src/ffi.rs");
}
mod run;

pub use api::{Handle, Options, Report, Sizes, Status};
