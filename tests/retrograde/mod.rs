//! The generator against independent programs, published figures, and itself.
//!
//! Slow tests are ignored by default; `cargo test --release --test all retrograde -- --ignored` runs them.

mod bellman;
mod files;
mod landmarks;
mod mapped;
mod rules_library;
mod sampling;
mod store;
mod syzygy;
mod zeroing;
