//! The `cubebase` command.
fn main() {}
