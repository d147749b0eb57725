//! Every refusal: its message, and the text that it points at, kept in `refusals.txt`.

use std::fmt::Write;

use op2_codegen::model;
use op2_codegen::parse::kernel::{FnKind, check};

use crate::payload;

/// Bodies of a kernel with the parameters of [`body`], each with one construct that is refused.
const BODIES: &[&str] = &[
    // Constructs outside the language.
    "let n = q.iter().sum();",
    "let n = q.iter().map(|x| x * 2.0).sum::<f64>();",
    "q.iter().for_each(|x| *s += x);",
    "let n: f64 = (0..4).map(|i| q[i]).sum();",
    "for v in q.iter().map(|x| x * 2.0) {}",
    "for v in q.iter().rev().enumerate() {}",
    "for v in q.iter().zip(0..4) {}",
    "for v in q.copied() {}",
    "for v in q.iter().enumerate().copied() {}",
    "for v in [1.0, 2.0].into_iter().copied() {}",
    "for v in *s {}",
    "for [a, b] in q {}",
    "for v in TABLE {}",
    "let n = s.len();",
    "let n = TABLE.len();",
    "let n = [1.0, 2.0].len();",
    "for i in (0..4).step_by(2) {}",
    "for i in 0.. {}",
    "for (i, j) in 0..4 {}",
    "println!(\"{}\", q[0]);",
    "assert!(q[0] > 0.0);",
    "let v = vec![0.0; 4];",
    "foo!(q);",
    "let f = |x| x + 1.0;",
    "let f = 1.0; let g = f(2.0);",
    "let t = \"text\";",
    "let c = 'c';",
    "let b = b\"bytes\";",
    "match *s { 1.0 => {}, _ => {} }",
    "match *k { n @ 1..=3 => {}, _ => {} }",
    "match (*k, 1) { (1, n) | (n, 1) => {}, _ => {} }",
    "match *k { Some(n) => {}, _ => {} }",
    "match p { Point { x: 1, .. } => {}, _ => {} }",
    "match *k { 1 => 2.0, _ => 3 };",
    "match *k { true => {}, _ => {} }",
    "match (*k, 1) { (1, 2, 3) => {}, _ => {} }",
    "match *k { }",
    "match (*k, 1) { (1, ..) => {}, _ => {} }",
    "unsafe { *s = 1.0; }",
    "let t = Point { x: 1.0, y: 2.0 };",
    "*s = p.x;",
    "let a = &q[0..2];",
    "let r = 0..4;",
    "let v = Some(1.0);",
    "let v = Vec::new();",
    "std::mem::swap(s, s);",
    "let v = <f64>::max(1.0, 2.0);",
    "let v = <f64 as Float>::EPSILON;",
    "let x = q[0]?;",
    "let x = loop { break 1.0; };",
    "'a: { *s = 1.0; }",
    "break;",
    "'a: for i in 0..4 { continue 'b; }",
    "return 1.0;",
    "while let Some(x) = o && *k > 1 { }",
    "while let Some(x) = *s { }",
    "if let Some(x) = *s { }",
    "if let None = o { }",
    "if let Some(x) = o && *k > 1 { }",
    "let Some(x) = *s else { return; };",
    "let x = o.unwrap();",
    "let x = o;",
    "const X: f64 = 1.0;",
    "fn helper() {}",
    "use std::f64::consts::PI;",
    "let ref x = q[0];",
    "let [a, b] = [1.0, 2.0, 3.0];",
    "let [a, b] = *s;",
    "let [a, .., b] = q[0];",
    "let [a, .., b] = TABLE;",
    "let [a, .., b] = [1.0];",
    "let [a, b]: [f64; 2];",
    "let mut z = [1.0, 2.0]; let [mut a, b] = &mut z;",
    "let (&a, b) = (1.0, 2.0);",
    "let (a, b): (f64, f64, f64) = (1.0, 2.0, 3.0);",
    "(q[0], *s) = (1.0, 2.0);",
    "_ = *k;",
    "*s = q.clone();",
    "*s = q[0].sqr();",
    "*s = q[0].frobnicate();",
    "*s = q[0].max(1.0, 2.0);",
    "*s = f64::max(1.0);",
    "*s = q[0].log(2.0);",
    "*s = f64::frobnicate(1.0);",
    "*s = q[0].sqrt::<f64>();",
    "let x: isize = 1;",
    "let x = 1i128;",
    "let x: Vec<f64> = q;",
    "let x: Real = 1.0;",
    "let x: &[f64] = q;",
    "let x: Option<f64> = 1.0;",
    "let x: [f64; N + 1] = 1.0;",
    "let x = [0.0; 2 << N];",
    "let x = q[0] as u128;",
    "assert_eq!(*k, 1);",
    "std::debug_assert!(*k > 0);",
    "debug_assert!();",
    "debug_assert_eq!(*k);",
    "debug_assert!(*k > 0 => 1);",
    "debug_assert!(*k > 0, *s);",
    "debug_assert!(*k);",
    "debug_assert_eq!(*k, 1.0);",
    "debug_assert!({ *k = 1; true });",
    "debug_assert!({ if *k > 0 { return; } true });",
    "debug_assert!({ let r = &mut *s; *r > 0.0 });",
    "let x = debug_assert!(*k > 0) + 1;",
    "let x = 128i8;",
    "let x: i16 = -32769;",
    "let x = -1u8;",
    "let x = q[0] as _;",
    "*s = f64::EPSILN;",
    "let x = i32::EPSILON;",
    "let x = std::f64::consts::GAMMA;",
    "*s = Kind::Wall;",
    "*s = qq[0];",
    "*s = TABLE::<f64>;",
    "COUNT += 1;",
    "STATE[0] = 1.0;",
    "1.0 = *s;",
    "*s = step(1.0);",
    "k1(q, s);",
    "*s = unknown(1.0);",
    "#[cfg(feature = \"x\")] { *s = 1.0; }",
    "let x = self.y;",
    "let x = &raw const *s;",
    "b.update(1.0);",
    "q.update(1.0, 2);",
    "let x = b;",
    // Types that do not fit, or are not known.
    "*s = 1;",
    "*s = *k;",
    "*s += *k;",
    "*s = q[0] * 2;",
    "*s = 2 * q[0];",
    "*k = 1.5;",
    "s = 1.0;",
    "s += 1.0;",
    "*s = q;",
    "*s = q[0] + *k as f32;",
    "*s = q[*k];",
    "*s = q[4];",
    "*s = k[0];",
    "*s = *q[0];",
    "*s = q.0;",
    "*s = (1.0, 2.0).5;",
    "if *k { }",
    "if q[0] > 0.0 { 1.0 }",
    "let x = if *k > 0 { 1.0 } else { 2 };",
    "let x = { 1.0; };  *s = x;",
    "let x = *k && true;",
    "let x = true + false;",
    "let x = !q[0];",
    "let x = q[0] & 1.0;",
    "let x = q[0] << 2;",
    "let x = -(1u32);",
    "let x = *q == *q;",
    "let x = *q + *q;",
    "for i in 0.0..1.0 {}",
    "for i in 0..*s {}",
    "let x = k.sqrt();",
    "let x = q[0].pow(2);",
    "let x = q[0].powi(2.0);",
    "let x = true as f64;",
    "let x = *k as bool;",
    "let x = s as f64;",
    "let x = q as f64;",
    "let x = 3_000_000_000;",
    "let x = -2147483649;",
    "let x = GAM;",
    "let x = GAM * 2.0;",
    "for i in 0..N {}",
    "let x = TABLE[0];",
    "let x = (TABLE[0][1] + 1) as f64;",
    "let x = TABLE.get()[0];",
    "let x = GAM.get() as f32;",
    "let x;",
    "let x = &mut GAM; *x = 1.0;",
    "let x: f32 = q[0];",
    "let x: [f64; 3] = *q;",
    "let x = [1.0, 2];",
    "let (a, b) = q[0];",
    "b.update(1, 2);",
    // Several at once.
    "let t = \"a\"; async {}; *s = q.iter();",
    "*s = 1; *k = 1.0; s = 2.0;",
];

/// Whole functions, as a kernel and as a device function.
const SIGNATURES: &[(FnKind, &str)] = &[
    (FnKind::Kernel, "const fn k(x: &f64) {}"),
    (FnKind::Kernel, "async unsafe extern \"C\" fn k(x: &f64) {}"),
    (FnKind::Kernel, "fn k(x: &f64) -> f64 { *x }"),
    (FnKind::Kernel, "fn k(self) {}"),
    (FnKind::Kernel, "fn k((a, b): &(f64, f64)) {}"),
    (FnKind::Kernel, "fn k(#[allow(unused)] a: &f64, #[cfg(x)] b: &f64) {}"),
    (FnKind::Kernel, "fn k<'a>(a: &'a f64) {}"),
    (FnKind::Kernel, "fn k<const N: usize>(a: &mut f64) { *a = N as f64; }"),
    (FnKind::Kernel, "fn k<F>(a: &F) {}"),
    (FnKind::Kernel, "fn k<F: Real>(a: &F) {}"),
    (FnKind::Kernel, "fn k<F: Float + Copy>(a: &F) {}"),
    (FnKind::Kernel, "fn k<F: Float, G: Float>(a: &F, b: &mut f64) {}"),
    (FnKind::Kernel, "fn k<F>(a: &F) where F: Float {}"),
    (FnKind::Kernel, "fn k(a: f64) {}"),
    (FnKind::Kernel, "fn k(a: [f64; 4]) {}"),
    (FnKind::Kernel, "fn k(a: &[f64]) {}"),
    (FnKind::Kernel, "fn k(a: &usize) {}"),
    (FnKind::Kernel, "fn k(a: &(f64, f64)) {}"),
    (FnKind::Kernel, "fn k(a: &&f64) {}"),
    (FnKind::Kernel, "fn k(a: &[&f64; 3]) {}"),
    (FnKind::Kernel, "fn k(a: Option<f64>) {}"),
    (FnKind::Kernel, "fn k(a: Option<[f64; 2]>) {}"),
    (FnKind::Kernel, "fn k(a: ArgMax<f64, usize>) {}"),
    (FnKind::Kernel, "fn k(a: &mut ArgMax<f64>) {}"),
    (FnKind::Kernel, "fn k(a: &u128, b: &String, c: &Mat3, d: *const f64, e: &dyn Fn()) {}"),
    (FnKind::Kernel, "fn k(a: &[f64; size(N) * 2]) {}"),
    (FnKind::Kernel, "fn k(a: &_) {}"),
    (FnKind::Kernel, "fn k<F: Float>(a: &mut F) { *a = *a * 2.0; }"),
    (FnKind::Kernel, "fn k<F: Float>(a: &mut F) { *a = 2.0; }"),
    (FnKind::Kernel, "fn k<F: Float>(a: &mut F) { *a = F::from(2.0); }"),
    (FnKind::Kernel, "fn k<F: Float>(a: &mut F, i: usize) { *a = i as F; }"),
    (FnKind::Kernel, "fn k<F: Float>(a: &F, b: &mut f64) { *b = *a as f64; }"),
    (FnKind::Kernel, "fn k<F: Float>(a: &mut F) { *a = F::EPSILN; }"),
    (FnKind::DeviceFn, "fn f(a: Option<&f64>) {}"),
    (FnKind::DeviceFn, "fn f(a: Idx<V>, b: Idx<V>) -> bool { a < b }"),
    (FnKind::DeviceFn, "fn f(a: Idx<V>) -> u32 { a as u32 }"),
    (FnKind::DeviceFn, "fn f(a: Option<Idx<V>>) -> Idx<V> { a }"),
    (FnKind::DeviceFn, "fn f(a: Idx<V>) -> Idx<V> { a + 1 }"),
    (FnKind::DeviceFn, "fn f(a: Idx<V>) -> Idx<V> { a.max(a) }"),
    (FnKind::DeviceFn, "fn f(a: Idx<V>) -> bool { a.is_some() }"),
    (FnKind::DeviceFn, "fn f(a: Idx<V>) -> Option<Idx<V>> { Some(1) }"),
    (FnKind::DeviceFn, "fn f(a: Option<Idx<V>>) -> Idx<V> { a.unwrap() }"),
    (FnKind::DeviceFn, "fn f(a: &Option<Idx<V>>, b: Idx<V>) -> bool { a == b }"),
    (FnKind::DeviceFn, "fn f(a: Idx<V>, x: &[f64; 3]) -> f64 { x[a] }"),
    (FnKind::DeviceFn, "fn f(a: u32) -> Idx<V> { Idx::of(a) }"),
    (FnKind::Kernel, "fn k(a: &mut [Idx<V>; 2]) { a[0] = op2::Idx::<V>::of(3); }"),
    (FnKind::Kernel, "fn k(a: Idx<V>, b: &mut f64) { *b = Table::of(&[1.0, 2.0]).at(a); }"),
    (FnKind::Kernel, "fn k(a: &mut f64) { *a = Row::of(&mut [1.0, 2.0])[0]; }"),
    (FnKind::Kernel, "fn k(a: &mut [Idx<V>; 2]) { a[0] += a[1]; }"),
    (FnKind::Kernel, "fn k(a: &mut [Idx<V>; 2]) { a[0] = FIRST.get(); a[1] = LAST; }"),
    (FnKind::Kernel, "fn k(a: &mut ArgMin<f64, Idx<V>>) {}"),
    (FnKind::DeviceFn, "fn f(a: f64) -> Vec<f64> {}"),
    (FnKind::DeviceFn, "fn f(a: f64) -> f64 {}"),
    (FnKind::DeviceFn, "fn f(a: f64) -> f64 { a + 1.0; }"),
    (FnKind::DeviceFn, "fn f(a: f64) -> f64 { if a > 0.0 { return; } a }"),
    (FnKind::DeviceFn, "fn f(a: f64) -> f32 { a }"),
    (FnKind::DeviceFn, "fn f(a: f64) -> f64 { f(a - 1.0) }"),
    (FnKind::DeviceFn, "fn f(a: f64) -> &str { a }"),
];

fn body(body: &str) -> String {
    format!(
        "fn k1(q: &[f64; 4], s: &mut f64, k: &mut i32, o: Option<&f64>, \
         b: &mut ArgMax<f64, usize>) {{ {body} }}"
    )
}

/// The errors of a function, each with the text that it points at.
fn errors(text: &str, kind: FnKind) -> String {
    let step = payload("fn step(a: f64, b: f64) -> f64 { a * b }", &[]);
    let payload = payload(text, &[("step", step)]);
    let result = model::build(&payload, kind);
    let Err(error) = result else { panic!("accepted: {text}") };
    let mut out = String::new();
    for error in error {
        let culprit = error.span().source_text().expect("a place in the text");
        assert!(text.contains(&culprit));
        let _ = writeln!(out, "    {culprit} --> {error}");
    }
    out
}

#[test]
fn messages_and_places() {
    let mut found = String::new();
    for text in BODIES {
        let _ = write!(found, "{text}\n{}\n", errors(&body(text), FnKind::Kernel));
    }
    for (kind, text) in SIGNATURES {
        let _ = write!(found, "{text}\n{}\n", errors(text, *kind));
    }
    crate::golden("kernel_language/refusals.txt", &found);
}

/// The errors at the definition of a kernel, without its callees.
#[test]
fn check_needs_no_callees() {
    let item = |text: &str| syn::parse_str(text).expect("a function");
    let accepted = "fn k(x: &mut f64) { *x = m::helper(*x) + f64::max(1.0, 2.0); }";
    check(&item(accepted), FnKind::Kernel).expect("accepted");
    let refused = "fn k(x: &mut f64) { *x = m::helper(*x); async {}; k(x); }";
    let errors = check(&item(refused), FnKind::Kernel).expect_err("refused");
    assert_eq!(errors.into_iter().count(), 2);
}

/// Every body cut off at every token still gives a result, never a panic.
#[test]
fn nothing_panics() {
    for text in BODIES {
        let tokens: Vec<_> = text.parse::<proc_macro2::TokenStream>().expect("tokens").into_iter().collect();
        for end in 0..tokens.len() {
            for start in 0..end {
                let part: proc_macro2::TokenStream = tokens[start..end].iter().cloned().collect();
                let Ok(item) = syn::parse_str(&body(&part.to_string())) else { continue };
                let payload = op2_codegen::payload::Payload::new(0, item);
                let _ = model::build(&payload, FnKind::Kernel);
                let _ = model::build(&payload, FnKind::DeviceFn);
            }
        }
    }
}
