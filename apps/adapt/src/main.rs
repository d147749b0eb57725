//! The `adapt` program.

fn main() {}
