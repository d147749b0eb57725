//! The description of a loop for the run time, beside its text.

use op2_codegen::emit::device::DeviceView;
use op2_codegen::ir::print;
use op2_codegen::model;
use op2_codegen::parse::kernel::FnKind;
use op2_codegen::payload::Payload;

use crate::cases::PLAIN;
use crate::{Case, compile, kernel_payload};

fn case(kernel: &'static str, args: &'static str) -> Case {
    Case { kernel, args, ..PLAIN }
}

fn shown(view: &DeviceView) -> String {
    let optional = if view.optional { " optional" } else { "" };
    format!("{}{optional} {:?} {:?}", view.name, view.cover, view.args)
}

/// The targets of each cover.
fn targets(found: &crate::Loop) -> Vec<Vec<usize>> {
    found.unit.covers.iter().map(|cover| cover.targets.clone()).collect()
}

#[test]
fn views_and_covers() {
    let found = compile(&case(
        "fn k(a: &f64, b: &f64, x: &f64, y: &f64, z: &mut f64, w: Option<&f64>, all: [&mut f64; 2], c: u32) {
            *z += *a + *b + *x + *y;
            if let Some(w) = w {
                *z += *w;
            }
            *all[0] += c as f64;
        }",
        "s, read(m.q, n[1]), read(m.q, n[0]), read(p[0], n[0]), read(m.q), inc(z, n[1]), opt(f, read(m.q, n[1])),
         inc(z, o[..]), idx(t[k])",
    ));
    let views: Vec<String> = found.unit.views.iter().map(shown).collect();
    let expected = ["q Some(0) [0, 1, 3]", "p_0 Some(1) [2]", "z Some(2) [4, 6]", "q_2 optional Some(3) [5]"];
    assert_eq!(views, expected);
    // Targets in order of first use: n[1], n[0], o[..], t[k].
    assert_eq!(targets(&found), [vec![0, 1], vec![1], vec![0, 2], vec![0]]);
    assert_eq!(found.unit.maps, ["n", "o", "t"]);
    assert!(found.lowered.floats().is_empty());
}

#[test]
fn equal_covers_are_one() {
    let found = compile(&case(
        "fn k(a: &f64, b: &f64, c: &f64, d: &f64) { }",
        "s, read(p, n[0]), read(q, n[1]), read(p, n[1]), read(q, n[0])",
    ));
    assert_eq!(targets(&found), [[0, 1]]);
    assert!(found.unit.views.iter().all(|v| v.cover == Some(0)));
}

/// Which wrappers there are follows from how dats are reached.
#[test]
fn wrappers() {
    let kernels = |kernel, args| {
        let names: Vec<String> = compile(&case(kernel, args)).unit.kernels.into_iter().map(|k| k.name).collect();
        names.join(" ")
    };
    let direct = kernels("fn k(a: &f64, b: &mut f64) { *b += *a; }", "s, read(a), inc(b)");
    assert_eq!(direct, "k_global");
    let read = kernels("fn k(a: &f64, b: &mut f64) { *b += *a; }", "s, read(a, n[0]), gbl_inc(b)");
    assert_eq!(read, "k_global k_staged");
    let combined =
        kernels("fn k(a: &mut f64, b: &mut f64) { *b += 1.0; *a = (*a).max(0.0); }", "s, max(a, n[0]), inc(b)");
    assert_eq!(combined, "k_global k_atomic k_staged k_combined k_tiled k_scatter k_gather_a");
    let written = kernels("fn k(a: &mut f64, b: &mut f64) { *b += 1.0; *a = 0.0; }", "s, write(a, n[0]), inc(b, n[0])");
    assert_eq!(written, "k_global k_staged");
    let indices = kernels("fn k(a: u32, b: &mut u32) { *b += a; }", "s, idx(n[0]), gbl_inc(b)");
    assert_eq!(indices, "k_global");
}

/// Arguments that a single stage adds to come first, and atomics do not keep their contributions; they keep those that
/// several stages add to.
#[test]
fn atomics_keep_what_several_stages_add_to() {
    let found = compile(&case(
        "fn k(a: [&[f64; 8]; 2], b: [&[f64; 8]; 2], r: [&mut f64; 2], s: [&mut f64; 2]) {
            *r[0] += a[0][0] * a[1][1];
            *r[1] += b[0][0] * b[1][1];
            *s[0] += b[0][2] - b[1][3];
        }",
        "e, read(p, n[..]), read(q, n[..]), inc(r, n[..]), inc(s, n[..])",
    ));
    let kept = |stages: usize| (found.unit.forms[stages - 1].kept.as_slice(), found.unit.forms[stages - 1].alone);
    assert_eq!(kept(1), (&[2, 3][..], 2));
    assert_eq!(kept(2), (&[3, 2][..], 1));
    let places = |text: &str, wrapper: &str| {
        let body = text.split("extern").find(|part| part.contains(wrapper)).expect("the wrapper is there");
        (body.matches("op2::leave(").count(), body.matches("op2::fetch<").count(), body.matches("op2::atomic<").count())
    };
    // One stage leaves its part of `r` for the other one, which adds both; `s` is added where it is computed.
    assert_eq!(places(&found.unit.forms[1].text, "k_staged_atomic("), (1, 1, 2));
    assert_eq!(places(&found.unit.forms[0].text, "k_staged_atomic("), (0, 0, 2));
    assert_eq!(places(&found.unit.forms[1].text, "k_staged("), (3, 3, 0));
}

#[test]
fn a_generic_kernel_says_where_its_types_are_seen() {
    let floats = |kernel, args| compile(&case(kernel, args)).lowered.floats();
    let generic = "fn k<F: Float>(e: u32, a: &f64, w: &mut ArgMin<f64, [F; 2]>, b: &F) {
        w.update(*a, [*b, F::lit(e as f64)]);
    }";
    // The compared value decides, here an `f64`; the payload does not matter to the run time.
    assert_eq!(floats(generic, "s, idx(), read(a), gbl_min(w), read(b)"), [3]);
    // Nor does an argument that may be absent, while there is another.
    let optional = "fn k<F: Float>(a: Option<&F>, b: &mut F) { if let Some(a) = a { *b += *a; } }";
    assert_eq!(floats(optional, "s, opt(f, read(a)), rw(b)"), [1]);
    let two = "fn k<F: Float, G: Float>(a: &G, b: &mut F, c: &mut G) { *b = F::lit(1.0); *c = *a; }";
    assert_eq!(floats(two, "s, read(a), write(b), write(c)"), [1, 0]);
    assert_eq!(floats("fn k(a: &f64) { }", "s, read(a)"), [0; 0]);
}

/// Names that another argument has, or C++, or the wrappers themselves.
#[test]
fn names() {
    let found = compile(&case(
        "fn k(int: &f64, _: &f64, b: &f64, c: &mut f64) { *c = *int + *b; }",
        "s, read(m.double), read(x.r#type[0]), read(größe), write(s.x.double)",
    ));
    let names: Vec<&str> = found.unit.views.iter().map(|v| v.name.as_str()).collect();
    assert_eq!(names, ["double_", "type_0", "gruf6udfe", "double_2"]);
    assert!(!found.unit.text.contains("__view"), "{}", found.unit.text);
}

const NESTED: &str = "
    fn deep<F: Float>(x: F) -> F { x * F::lit(A) + F::lit(B.get()) }
    fn sized(x: [f64; N]) -> [f64; N] { let mut y = x; y[0] += A; y }
    fn middle<F: Float>(x: F) -> F { deep(x) + F::lit(m::A) - F::lit(B.get()) }
    fn k(a: &f64, b: &mut f64, c: &mut f32) {
        *b = middle(*a) + deep(*a) + sized([1.0, 2.0])[0];
        *c = deep(a[0] as f32) + middle(2.0_f32) + C.get();
    }";

/// The way to a constant leads to it, from the function that mentions it alone.
#[test]
fn constants_say_where_they_are_captured() {
    let text: &'static str = Box::leak(NESTED.replace("a[0]", "*a").into_boxed_str());
    let case = case(text, "s, read(a), write(b), write(c)");
    let found = compile(&case);
    let payload = kernel_payload(&case);
    for constant in &found.unit.consts {
        let mut at: &Payload = &payload;
        for n in &constant.source {
            at = &at.callees[*n].1;
        }
        let kind = if constant.source.is_empty() { FnKind::Kernel } else { FnKind::DeviceFn };
        let alone = model::build(at, kind).expect("a device function");
        let own: Vec<_> = alone.funcs[0].consts.iter().filter(|c| c.origin.is_none()).collect();
        let there = own[constant.own];
        assert_eq!((print::tokens(&there.path), there.kind), (constant.path.clone(), constant.kind));
    }
    let shown: Vec<String> = found.unit.consts.iter().map(|c| format!("{} {:?} {}", c.path, c.source, c.own)).collect();
    // Instances for `f32` and for `f64` share theirs.
    let expected =
        ["C [] 0", "m::A [0] 0", "B [0] 1", "A [1] 0", "B [1] 1", "N [2] 0", "A [2] 1", "A [0, 0] 0", "B [0, 0] 1"];
    let sorted = |mut list: Vec<String>| {
        list.sort();
        list
    };
    assert_eq!(sorted(shown), sorted(expected.map(String::from).to_vec()));
    let mut names: Vec<&str> = found.unit.consts.iter().map(|c| c.name.as_str()).collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), expected.len(), "every one has a name of its own");
}
