//! Benches against peers.
fn main() {}
