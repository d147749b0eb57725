//! Tests on small crates in memory, with and without circles.

mod circles;
mod unsafe_code;

use super::tokens;
use super::tree::Tree;
use std::io;
use std::path::Path;

/// A crate of these files with the root `lib.rs`.
fn tree(files: &[(&str, &str)]) -> Tree {
    let read = |path: &Path| {
        let found = files.iter().find(|(name, _)| Path::new(name) == path);
        found.map(|(_, text)| text.to_string()).ok_or_else(|| io::ErrorKind::NotFound.into())
    };
    Tree::read(Path::new("lib.rs"), &read).unwrap()
}

#[test]
fn token_paths_begin_where_a_name_can() {
    let found = |text: &str| -> Vec<String> {
        tokens::paths(text.parse().unwrap()).into_iter().map(|path| path.names.join("::")).collect()
    };
    assert_eq!(found("x.y::<z::W>(Some(a::b))"), ["z::W", "Some", "a::b"]);
    assert_eq!(found("$crate::a + $x::y + #x::y + <T>::z + 'a: b"), ["crate::a", "T"]);
    assert_eq!(found("use a::{b::c, d::{self, E}, F};"), ["a::b::c", "a::d::self", "a::d::E", "a::F"]);
    assert_eq!(found("0..n::M, x!(y), a != b"), ["n::M", "x"]);
}
