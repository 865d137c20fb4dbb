//! Benches and slow differential checks against peers. Exit codes are those of the `cubebase` command.

mod berkeley;

fn main() {}
