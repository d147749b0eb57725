//! The page of code in README.

#[test]
fn the_page_of_code_is_the_example_jacobi() {
    let (_, page) = include_str!("../examples/jacobi.rs").split_once("\n\n").expect("a head and the page");
    let readme = include_str!("../README.md");
    assert!(readme.contains(&format!("```rust\n{page}```\n")), "README's page differs from `examples/jacobi.rs`");
}
