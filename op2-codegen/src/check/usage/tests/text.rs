//! Expressions as messages show them.

use super::super::text::short;
use super::unit;
use crate::ir::{Expr, Stmt};

/// The expression of each statement of the kernel, as a message shows it.
fn shown(source: &str) -> Vec<String> {
    let unit = unit(source);
    let func = &unit.funcs[0];
    let of = |stmt: &Stmt| -> Option<Expr> {
        match stmt {
            Stmt::Let { init, .. } => init.clone(),
            Stmt::Expr(e) => Some(e.clone()),
        }
    };
    let tail = func.body.tail.as_deref().cloned();
    func.body.stmts.iter().filter_map(of).chain(tail).map(|e| short(&unit, func, &e)).collect()
}

/// Statements that stay as they are.
const AS_WRITTEN: [&str; 28] = [
    "17",
    "0.25",
    "true",
    "*x",
    "v[1]",
    "v[RHO]",
    "*x + MX",
    "f64::EPSILON",
    "pair.1",
    "pair.0[1]",
    "&pair",
    "&mut pair",
    "-*x",
    "!flag",
    "*x + v[0]",
    "(*x + 1.0) * v[0]",
    "*i as f64",
    "(*i as f64) < *x",
    "*q = *x",
    "*q *= *x",
    "o.is_some()",
    "!o.is_some()",
    "twice(*x, 1.0)",
    "(*x).max(1.0)",
    "best.update(*x, *i)",
    "[*x, 1.0]",
    "(*x, *i)",
    "if flag { *x } else { 1.0 }",
];

#[test]
fn statements_are_shown_as_they_are_written() {
    let source = format!(
        "fn k(i: &i64, x: &f64, v: &[f64; 2], o: Option<&f64>, q: &mut f64, best: &mut ArgMin<f64, i64>) {{ \
         let mut pair = ([*x, *x], *x); let flag = true; {}; }} \
         fn twice(a: f64, b: f64) -> f64 {{ a * b }}",
        AS_WRITTEN.map(|statement| format!("let _ = {statement}")).join("; ")
    );
    assert_eq!(shown(&source)[2..], AS_WRITTEN);
}

/// Statements of which a part is left out.
const SHORTENED: [(&str, &str); 15] = [
    ("let zeros = [0.0; 2];", "[0.0; …]"),
    ("if let Some(a) = o { *q = *a; }", "if let Some(…) = …"),
    ("for n in 0..2 { *q = v[n]; }", "for n in …"),
    ("while flag { flag = false; }", "while flag"),
    ("loop { break; }", "loop"),
    ("if flag { return; }", "if flag { return; }"),
    ("if flag { let a = 1.0; *q = a; }", "if flag { … }"),
    ("if flag {} else { *q = 1.0; }", "if flag {} else { *q = 1.0; }"),
    ("{ *q = 1.0; }", "{ *q = 1.0; }"),
    ("{ *q = 1.0; *q = 2.0; }", "{ … }"),
    ("for n in 0..2 { if flag { continue; } }", "for n in …"),
    // Rust sees through these references by itself.
    ("let a = (*v)[0];", "v[0]"),
    ("let a = (1.0 + 2.0 * *x) - 3.0;", "(1.0 + (2.0 * *x)) - 3.0"),
    // Sixty characters are shown; of sixty-one, the first fifty-nine.
    (
        "*q = v[0] + 1111111111.0 * 2222222222.0 * 333333333333.0;",
        "*q = v[0] + ((1111111111.0 * 2222222222.0) * 333333333333.0)",
    ),
    (
        "*q = v[0] + 1111111111.0 * 2222222222.0 * 3333333333333.0;",
        "*q = v[0] + ((1111111111.0 * 2222222222.0) * 3333333333333.…",
    ),
];

#[test]
fn the_rest_of_long_statements_is_left_out() {
    for (statement, expected) in SHORTENED {
        let source =
            format!("fn k(x: &f64, v: &[f64; 2], o: Option<&f64>, q: &mut f64) {{ let mut flag = true; {statement} }}");
        assert_eq!(shown(&source)[1..], [expected], "{statement}");
    }
}

#[test]
fn generic_kernels_name_their_types() {
    let source = "fn k<F: Float>(x: &F, q: &mut F) { let half = F::lit(0.5); let small = F::EPSILON; *q = *x * half; }";
    assert_eq!(shown(source), ["F::lit(0.5)", "F::EPSILON", "*q = *x * half"]);
}
