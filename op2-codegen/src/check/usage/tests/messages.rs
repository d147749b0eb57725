//! The messages of refusals.

use super::super::{Refusal, permits, permits_global};
use super::{analysis, unit};
use crate::check::usage::ParamUse;
use crate::ir::Access;

fn used(source: &str, name: &str) -> ParamUse {
    let unit = unit(source);
    let index = unit.funcs[0].params.iter().position(|p| p.name == name).expect("a parameter of the test");
    analysis(source).params[index].clone()
}

fn text(refusal: &Refusal) -> String {
    format!("{} in `{}`; {}", refusal.found, refusal.site.text, refusal.cure)
}

fn refusal(source: &str, name: &str, access: Access) -> String {
    text(&permits(&used(source, name), access).expect_err("the access does not fit"))
}

#[test]
fn refusals_name_statement_and_cure() {
    let table = [
        (
            "fn k(q: &mut [f64; 2]) { q[0] = 1.0; q[1] = 2.0; }",
            Access::Read,
            "the kernel assigns it in `q[0] = 1.0`; declare it `write` or `rw`",
        ),
        (
            "fn k(q: &mut [f64; 2]) { q[0] += 1.0; }",
            Access::Read,
            "the kernel adds to it in `q[0] += 1.0`; declare it `inc` or `rw`",
        ),
        (
            "fn k(q: &mut [f64; 3]) { q[0] = 1.0; q[2] = 2.0; }",
            Access::Write,
            "the kernel does not write its component `[1]` on every path in `q: &mut [f64; 3]`; \
             write every component on every path, or declare it `rw`",
        ),
        (
            "fn k(c: &i32, q: &mut f64) { if *c > 0 { return; } *q = 1.0; }",
            Access::Write,
            "the kernel does not write it on every path in `return`; \
             write every component on every path, or declare it `rw`",
        ),
        (
            "fn k(q: &mut [[f64; 2]; 2]) { q[0] = [0.0; 2]; q[1][0] = 1.0; }",
            Access::Write,
            "the kernel does not write its component `[1][1]` on every path in `q: &mut [[f64; 2]; 2]`; \
             write every component on every path, or declare it `rw`",
        ),
        (
            "fn k(i: &i32, q: &mut [f64; 2]) { q[*i as usize] = 1.0; }",
            Access::Write,
            "the kernel does not write it on every path in `q: &mut [f64; 2]`; \
             write every component on every path, or declare it `rw`",
        ),
        (
            "fn k(x: &f64, q: &mut f64) { *q = *x + *q; }",
            Access::Inc,
            "the kernel assigns it in `*q = *x + *q`; write `*q += *x`, or declare it `rw`",
        ),
        (
            "fn k(q: &mut [f64; 2]) { q[RHO] = 0.0; q[MX] = 1.0; }",
            Access::Write,
            "the kernel does not write its component `[0]` on every path in `q: &mut [f64; 2]`; \
             write every component on every path by literal indices (the value of `MX` is not known at this point), \
             or declare it `rw`",
        ),
        (
            "fn k(q: &mut [f64; 2]) { q[0] = q[1] + 1.0; q[1] = 2.0; }",
            Access::Write,
            "the kernel reads it before it is written in `q[1]`; declare it `rw`",
        ),
        (
            "fn k(q: &mut f64) { *q += 1.0; }",
            Access::Write,
            "the kernel reads it before it is written in `*q += 1.0`; declare it `inc` or `rw`",
        ),
        (
            "fn k(x: &f64, q: &mut [f64; 2]) { q[0] = q[0] + 2.0 * *x; }",
            Access::Inc,
            "the kernel assigns it in `q[0] = q[0] + (2.0 * *x)`; write `q[0] += 2.0 * *x`, or declare it `rw`",
        ),
        (
            "fn k(x: &f64, q: &mut f64) { *q = *q - *x; }",
            Access::Inc,
            "the kernel assigns it in `*q = *q - *x`; write `*q -= *x`, or declare it `rw`",
        ),
        ("fn k(q: &mut [f64; 2]) { q[0] += q[1]; }", Access::Inc, "the kernel reads it in `q[1]`; declare it `rw`"),
        (
            "fn k(q: &mut f64) { put(q); } fn put(r: &mut f64) { *r = 1.0; }",
            Access::Inc,
            "device function `put` assigns it in `*r = 1.0`; declare it `write` or `rw`",
        ),
        (
            "fn k(x: &f64, q: &mut f64) { *q = q.max(*x); }",
            Access::Min,
            "the kernel takes a maximum into it in `*q = (*q).max(*x)`; declare it `max` or `rw`",
        ),
        ("fn k(q: &f64) { let t = *q; }", Access::Inc, "the kernel never modifies it in `q: &f64`; declare it `read`"),
    ];
    for (source, mode, expected) in table {
        assert_eq!(refusal(source, "q", mode), expected, "{source}");
    }
}

#[test]
fn refusals_on_globals_offer_what_globals_have() {
    let set = used("fn k(g: &mut f64) { *g = 1.0; }", "g");
    let refused = permits_global(&set, Access::Inc).expect_err("it is assigned");
    assert_eq!(
        text(&refused),
        "the kernel assigns it in `*g = 1.0`; \
         a global is only read, or only added to, or only combined by `min`, `max` or `or`"
    );
    let added = used("fn k(g: &mut f64) { *g += 1.0; }", "g");
    let refused = permits_global(&added, Access::Max).expect_err("it is added to");
    assert_eq!(text(&refused), "the kernel adds to it in `*g += 1.0`; declare it `gbl_inc`");
    assert!(permits_global(&added, Access::Inc).is_ok());
}

#[test]
fn long_statements_are_cut() {
    let source = "fn k(a: &f64, q: &mut f64) { *q = *a * *a + *a * *a + *a * *a + *a * *a + *a * *a + *a * *a; }";
    let site = used(source, "q").assigns.expect("it is assigned");
    assert_eq!(site.text.chars().count(), 60, "{}", site.text);
    assert!(site.text.ends_with('…'));
}
