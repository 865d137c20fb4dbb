//! The `espresso` command.
fn main() {}
