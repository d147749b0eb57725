//! Finding `unsafe`, and comparing it with the list.

use super::tree;
use crate::layers::code::Location;
use crate::layers::unsafe_list::{self, Entry};
use std::collections::BTreeSet;
use std::path::Path;

fn places(files: &[(&str, &str)]) -> BTreeSet<Location> {
    tree(files).modules.into_iter().flat_map(|module| module.code.unsafe_at).collect()
}

#[test]
fn unsafe_is_found_where_it_is_code() {
    let counted = [
        "fn f() { unsafe { g() } }",
        "unsafe fn f() {}",
        "impl T for () { unsafe fn f() {} }",
        "unsafe impl Send for S {}",
        "unsafe trait T {}",
        "trait T { unsafe fn f(); }",
        "unsafe extern \"C\" {}",
        "macro_rules! f { () => { unsafe { g() } } }",
        "macro_rules! f { () => { unsafe extern \"C\" fn f() {} } }",
        "fn f() { each!(unsafe { g() }) }",
        "fn f() { each(|| unsafe { g() }) }",
    ];
    for text in counted {
        let found = places(&[("lib.rs", &format!("\n{text}"))]);
        assert_eq!(found.into_iter().map(|place| place.line).collect::<Vec<_>>(), [2], "{text}");
    }
    let others = [
        "/// unsafe\nfn f() { \"unsafe\"; } // unsafe",
        "#[unsafe(no_mangle)] fn f() {}",
        "struct F(unsafe extern \"C\" fn(u32));",
        "macro_rules! f { () => { #[unsafe(no_mangle)] fn f(_: unsafe fn(u32)) {} } }",
        "#[cfg(test)] fn f() { unsafe { g() } }",
        "#[allow(unsafe_code)] fn f() {}",
    ];
    for text in others {
        assert!(places(&[("lib.rs", text)]).is_empty(), "{text}");
    }
}

const LIST: &str = "# Book\n\n- `other.rs`: no\n\n## Where `unsafe` may stand\n\nWords.\n\n- `a.rs`: views\n- `b/`: lanes\n\n## Next\n\n- `c.rs`: no\n";

#[test]
fn the_list_ends_with_its_section() {
    let entry = |path: &str, line, reason: &str| Entry { path: path.into(), line, reason: reason.into() };
    assert_eq!(unsafe_list::entries(LIST).unwrap(), [entry("a.rs", 9, "views"), entry("b/", 10, "lanes")]);
    assert!(unsafe_list::entries("- `a.rs`: views\n").is_none());
}

#[test]
fn list_and_code_are_compared_both_ways() {
    let faults = |list: &str, files: &[&str]| {
        let places = files.iter().map(|file| Location { file: Path::new(file).into(), line: 7 }).collect::<Vec<_>>();
        unsafe_list::faults(&unsafe_list::entries(list).unwrap(), &places)
    };
    assert!(faults(LIST, &["a.rs", "b/x.rs", "b/deep/y.rs", "c/tests/z.rs", "benches/z.rs"]).is_empty());
    let unlisted = faults(LIST, &["a.rs", "b/x.rs", "bb.rs", "b.rs"]);
    assert_eq!(unlisted.len(), 2);
    assert!(
        unlisted[1].starts_with("bb.rs:7: `unsafe` in a file that is not in the list of docs/unsafe.md"),
        "{unlisted:?}"
    );
    let stale = faults(LIST, &["a.rs"]);
    assert_eq!(
        stale,
        ["docs/unsafe.md:10: there is no `unsafe` in `b/`: remove it from the list, or correct the path"]
    );
    let unreasoned = faults(&LIST.replace(": views", ""), &["a.rs", "b/x.rs"]);
    assert_eq!(unreasoned, ["docs/unsafe.md:9: `a.rs` has no reason: say behind it why it needs `unsafe`"]);
}
