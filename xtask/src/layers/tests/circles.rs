//! Floors and circles.

use super::tree;
use crate::layers::Floors;
use crate::layers::tree::Tree;
use std::io;
use std::path::Path;

/// The floors of the crate's top-level modules, each in the form `a, b`.
fn floors(files: &[(&str, &str)]) -> Vec<String> {
    let tree = tree(files);
    let floors = Floors::of(&tree);
    assert_eq!(floors.circles(), 0, "{}", floors.text("crate", true));
    floors.folders()[0].floors.iter().map(|floor| floors.listed(floor)).collect()
}

/// The members of every circle, in the form `plan: colour, shape`.
fn circles(files: &[(&str, &str)]) -> Vec<String> {
    let tree = tree(files);
    let floors = Floors::of(&tree);
    let folders = floors.folders();
    let all = folders.iter().flat_map(|folder| folder.circles.iter().map(move |circle| (folder.module, circle)));
    all.map(|(module, circle)| format!("{}: {}", tree.path(module), floors.listed(circle))).collect()
}

#[test]
fn a_module_stands_above_all_that_it_reaches() {
    let files = [
        ("lib.rs", "mod top; mod left; mod right; mod leaf; pub use top::Top;"),
        ("top.rs", "use crate::{left::Left, right}; pub struct Top(Left, right::Right);"),
        ("left.rs", "pub struct Left(super::leaf::Leaf);"),
        ("right.rs", "pub struct Right;"),
        ("leaf.rs", "pub struct Leaf;"),
    ];
    assert_eq!(floors(&files), ["leaf, right", "left", "top"]);
}

#[test]
fn siblings_that_import_each_other_are_a_circle() {
    let files = [
        ("lib.rs", "mod a; mod b; mod above;"),
        ("a.rs", "use crate::b::B;\npub struct A;"),
        ("b.rs", "pub struct B(\n    super::a::A);"),
        ("above.rs", "use crate::a::A;"),
    ];
    assert_eq!(circles(&files), [": a, b"]);
    let tree = tree(&files);
    let text = Floors::of(&tree).text("small", false);
    let expected = "small\n  floor 1  a, b\n  floor 2  above\n  circle of 2: a, b\n    a -> b: B\n      a.rs:1 -> b.rs, `crate::b::B`\n    \
                    b -> a: A\n      b.rs:2 -> a.rs, `super::a::A`\n";
    assert_eq!(text, expected);
}

#[test]
fn three_in_a_ring_are_a_circle() {
    let files = [
        ("lib.rs", "mod a; mod b; mod c; mod d;"),
        ("a.rs", "pub fn a() { crate::b::b() }"),
        ("b.rs", "pub fn b() { super::c::c() }"),
        ("c.rs", "use super::{a::{self as other}, d}; pub fn c() { other::a(); d::d() }"),
        ("d.rs", "pub fn d() {}"),
    ];
    assert_eq!(circles(&files), [": a, b, c"]);
}

#[test]
fn what_alone_closes_a_circle_comes_first() {
    let files = [
        ("lib.rs", "mod a; mod b; mod c;"),
        ("a.rs", "use crate::{b, c};"),
        ("b.rs", "use crate::c;"),
        ("c.rs", "use crate::a;"),
    ];
    let tree = tree(&files);
    let text = Floors::of(&tree).text("small", false);
    let edges: Vec<&str> = text.lines().filter(|line| line.starts_with("    ") && !line.contains(".rs")).collect();
    assert_eq!(edges, ["    c -> a (closes the circle alone): a", "    a -> b: b", "    a -> c: c", "    b -> c: c"]);
}

#[test]
fn a_reexport_leads_to_the_module_that_declares() {
    for (reexport, import) in [
        ("pub use a::A; pub use b::B;", "use crate::"),
        ("pub use a::*; pub(crate) use b::*;", "use super::"),
        ("use {a::A, b::B};", "use super::"),
        ("pub use inner::*; mod inner { pub use crate::a::A; pub use crate::b::B; }", "use crate::"),
    ] {
        let (root, a, b) = (
            format!("mod a; mod b; {reexport}"),
            format!("{import}B; pub struct A(B);"),
            format!("{import}A; pub struct B(A);"),
        );
        let found = circles(&[("lib.rs", &root), ("a.rs", &a), ("b.rs", &b)]);
        assert_eq!(found, [": a, b"], "{root}");
    }
}

#[test]
fn a_renamed_reexport_leads_there_too() {
    let files = [
        ("lib.rs", "mod a; mod b; pub use a::A as First; pub use crate::b as second;"),
        ("a.rs", "use super::{second::B as Other}; pub struct A(Other);"),
        ("b.rs", "pub struct B(super::First);"),
    ];
    assert_eq!(circles(&files), [": a, b"]);
}

#[test]
fn names_that_a_glob_brings_lead_to_their_module() {
    let files = [
        ("lib.rs", "mod a; mod b; use a::A; use b::*;"),
        ("a.rs", "use super::*; pub struct A(B);"),
        ("b.rs", "use super::*; pub struct B; pub fn b(_: &A, a: u32) -> u32 { a }"),
    ];
    assert_eq!(circles(&files), [": a, b"]);
}

#[test]
fn a_private_import_is_nobody_elses_name() {
    let files = [
        ("lib.rs", "mod a; mod b; mod c;"),
        ("a.rs", "use crate::b::*; pub fn a() -> Result<(), ()> { Ok(()) }"),
        ("b.rs", "use crate::c::Result; pub fn b() -> Result { Ok(()) }"),
        ("c.rs", "pub type Result<T = (), E = ()> = std::result::Result<T, E>; pub fn c() { crate::a::a() }"),
    ];
    // The way is `a::a -> b -> c -> a`; `a` has no visible name `Result`.
    let tree = tree(&files);
    let reaches = Floors::of(&tree).reaches;
    let name = |module: usize| tree.modules[module].name.as_str();
    let edges: Vec<_> = reaches.iter().map(|reach| (name(reach.from), name(reach.to))).collect();
    assert!(!edges.contains(&("a", "c")), "{edges:?}");
    assert_eq!(circles(&files), [": a, b, c"]);
}

#[test]
fn circles_of_nested_modules_are_found_where_their_ways_part() {
    let files = [
        ("lib.rs", "mod plan; mod exec;"),
        ("plan.rs", "mod colour; mod shape;"),
        ("plan/colour.rs", "use super::shape::Shape; pub struct Colour;"),
        ("plan/shape.rs", "mod deep;"),
        ("plan/shape/deep.rs", "use super::super::colour::Colour; use crate::exec::Run;"),
        ("exec/mod.rs", "mod far; pub struct Run;"),
        ("exec/far.rs", "fn far() { let plan: Vec<crate::plan::shape::Shape> = vec![]; }"),
    ];
    assert_eq!(circles(&files), [": exec, plan", "plan: colour, shape"]);
}

#[test]
fn what_the_parent_declares_is_free_for_its_children() {
    let files = [
        ("lib.rs", "mod a; mod b; pub struct Error; fn all() { a::a(); b::b() }"),
        ("a.rs", "mod deep; use super::Error; pub fn a() -> crate::Error { Error }"),
        ("a/deep.rs", "use super::a; use crate::Error;"),
        ("b.rs", "pub fn b() -> super::Error { crate::Error }"),
    ];
    assert_eq!(floors(&files), ["a, b"]);
}

#[test]
fn tests_and_documentation_stay_out() {
    let files = [
        ("lib.rs", "mod a; mod b; #[cfg(test)] mod not_there; #[cfg(all(test, unix))] use b::B;"),
        ("a.rs", "//! See [`crate::b::B`].\nuse crate::b::B; pub struct A; mod tests { use crate::x; }"),
        (
            "b.rs",
            "pub struct B; /// Beside [`crate::a::A`].\n impl B { #[cfg(test)] fn of(_: crate::a::A) {} }
             #[cfg(test)] mod checks { use crate::a::A; } #[test] fn test() { crate::a::A; }
             #[cfg(test)] struct Both(crate::a::A);",
        ),
    ];
    assert_eq!(floors(&files), ["b", "a"]);
}

#[test]
fn code_for_some_builds_alone_counts() {
    let files = [
        (
            "lib.rs",
            "mod a; #[cfg(unix)] mod b { use crate::a::A; pub struct B; } #[cfg(not(unix))] #[path = \"c.rs\"] mod b;",
        ),
        ("a.rs", "#[cfg(any(test, unix))] use crate::b::B; pub struct A;"),
        ("c.rs", ""),
    ];
    assert_eq!(circles(&files), [": a, b"]);
}

#[test]
fn files_are_found_where_the_compiler_looks() {
    let files = [
        (
            "lib.rs",
            "#[path = \"../shared/timing.rs\"] mod timing; mod inline { mod below; #[path = \"x.rs\"] mod named; }",
        ),
        ("../shared/timing.rs", "mod goals; use super::inline::named::X;"),
        ("../shared/goals.rs", "pub struct Goal;"),
        ("inline/below.rs", "mod deeper;"),
        ("inline/below/deeper.rs", ""),
        ("inline/x.rs", "pub struct X;"),
    ];
    assert_eq!(floors(&files), ["inline", "timing"]);
}

#[test]
fn paths_in_macros_count() {
    for text in [
        "macro_rules! of { ($t:ty) => { $crate::a::A::<$t>::new() }; }",
        "fn all() { assert_eq!(1, crate::a::one()); }",
        "use crate::a; fn all() -> Vec<u32> { vec![a::one(); 3] }",
        "macro_rules! of { () => { use crate::{b::B as _, a::{A, one}}; } }",
        "fn all() { name!(); }",
        "#[derive(Debug)] struct B { #[serde(with = crate::a)] b: u32 }",
    ] {
        let a = "pub struct A(crate::b::B); macro_rules! name { () => {}; }";
        assert_eq!(circles(&[("lib.rs", "mod a; mod b;"), ("a.rs", a), ("b.rs", text)]), [": a, b"], "{text}");
    }
}

#[test]
fn quoted_code_is_another_programs() {
    let b = "fn b() { quote!(crate::a::A, unsafe { x() }); hygienic!(crate::a); let a = 1; f(x.a::<u32>(), $a::A); }";
    let files = [("lib.rs", "mod a; mod b;"), ("a.rs", "use crate::b;"), ("b.rs", &b.replace("$a", "crate::a"))];
    assert_eq!(circles(&files), [": a, b"], "what is not quoted counts");
    let files = [("lib.rs", "mod a; mod b;"), ("a.rs", "use crate::b;"), ("b.rs", &b.replace(", $a::A", ""))];
    assert_eq!(floors(&files), ["b", "a"]);
    assert!(tree(&files).modules.iter().all(|module| module.code.unsafe_at.is_empty()));
}

#[test]
fn functions_may_have_imports_of_their_own() {
    let files = [
        ("lib.rs", "mod a; mod b; mod c;"),
        ("a.rs", "pub fn a() { use crate::b; b::b() } pub fn other() { b::b() }"),
        ("b.rs", "pub fn b() { use crate::a::*; other() }"),
        ("c.rs", "use crate::a::b;"),
    ];
    assert_eq!(circles(&files), [": a, b"]);
}

#[test]
fn a_module_and_a_function_may_share_a_name() {
    let files = [
        ("lib.rs", "mod split; mod rows; pub use rows::rows;"),
        ("split.rs", "mod forms; pub use forms::forms; pub fn split() { forms() }"),
        ("split/forms.rs", "use crate::rows; pub fn forms() { rows() }"),
        ("rows.rs", "use std::rc::Rc; pub fn rows() -> Rc<u32> { Rc::new(0) }"),
    ];
    assert_eq!(floors(&files), ["rows", "split"]);
}

#[test]
fn a_file_that_does_not_parse_or_is_missing_is_told() {
    let read = |text: &'static str| {
        move |path: &Path| {
            if path == Path::new("lib.rs") { Ok(text.into()) } else { Err(io::ErrorKind::NotFound.into()) }
        }
    };
    let error = Tree::read(Path::new("lib.rs"), &read("mod a;")).unwrap_err().to_string();
    assert!(error.starts_with("`a.rs`: "), "{error}");
    let error = Tree::read(Path::new("lib.rs"), &read("\nfn (")).unwrap_err().to_string();
    assert!(error.starts_with("`lib.rs`, line 2: "), "{error}");
}
