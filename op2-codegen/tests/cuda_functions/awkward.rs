//! Constructs without an expression in C++, or evaluated in another order there, and names that C++ refuses.

#![expect(
    non_snake_case,
    unused_braces,
    clippy::blocks_in_conditions,
    clippy::let_and_return,
    clippy::let_unit_value,
    clippy::mut_range_bound,
    clippy::needless_late_init,
    clippy::needless_range_loop,
    clippy::never_loop,
    clippy::reversed_empty_ranges,
    clippy::while_immutable_condition,
    reason = "the kernels are written to be awkward"
)]

use op2_codegen::ir::{Scalar, Unit};
use op2_codegen::model;
use op2_codegen::parse::kernel::FnKind;

use crate::value::ToValue;
use crate::{Consts, Numbers, agree, device, kernel, payload, twin};

const NVAR: usize = 3;
const EOF: f64 = 0.5;
const TABLE: [[f64; 2]; 3] = [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]];

fn consts() -> Consts {
    Consts::from([("NVAR", NVAR.value()), ("EOF", EOF.value()), ("TABLE", TABLE.value())])
}

twin! {
    fn order(a: &f64, out: &mut [f64; 8]) {
        let mut x = *a;
        out[0] = x + { x = 3.0; x * 2.0 } + x;
        out[1] = x.max({ x += 1.0; -x });
        let parts = [x, { x *= 2.0; x }, x];
        out[2] = parts[0] + parts[1] * 10.0 + parts[2] * 100.0;
        let mut i = 0usize;
        let table = [1.0, 2.0, 3.0, 4.0];
        out[3] = table[i] + table[{ i += 2; i }] * table[i];
        out[{ i += 2; i }] = { i += 1; table[i - 2] };
        out[i] += { i = 6; 1.0 };
        let mut rows = [[1.0, 2.0], [3.0, 4.0]];
        let mut j = 0usize;
        rows[j][{ j = 1; j }] = 7.0;
        out[6] += rows[j][{ j = 0; j }] + rows[0][1];
        let decided = x > 5.0 && { x = -x; x < 0.0 } || { x += 0.5; false };
        out[7] = if decided { x } else { -x };
        out[5] = out[7] + { out[7] = 4.0; 2.0 } * out[7];
    }

    fn leaving(a: &f64, b: &f64, out: &mut f64) {
        *out = 1.0;
        let fine = *a > 0.0 && { if *b > 0.5 { return; } true };
        *out = 2.0 + if fine { *a } else { 0.0 };
        let x = if *a < -0.5 { *out = 9.0; return } else { *a * 2.0 };
        *out += x * { if *b < -0.9 { return; } 2.0 };
        loop {
            *out += 1.0;
            if *out > 10.0 { return; }
        }
    }

    fn names(class: &f64, template: &[f64; 2], threadIdx: usize, this: &mut [f64; 6]) {
        let double = *class + EOF;
        let float = double * template[0];
        let int = 3;
        let auto = [float; NVAR];
        let min = auto[int as usize - 1].min(2.0);
        let NULL = min - template[1];
        let r#union = NULL * 2.0;
        let op2 = r#union + 1.0;
        let größe = op2 * 0.5;
        let __x = größe + 1.0;
        let _Y = __x - 3.0;
        this[threadIdx] = größe;
        let a = 1.0;
        let a = a + _Y;
        let a_2 = a * 2.0;
        let a = a + a_2;
        {
            let a = a * 0.5;
            let a_2 = a + 1.0;
            this[1] = a_2;
        }
        let asm = { let a = a + 1.0; a * a };
        this[2] = asm + a + a_2;
        for _ in 0..2 {
            let _ = a;
            for _ in 0..3 { this[3] += 1.0; }
        }
        for int in 0..int { this[4] += int as f64; }
        this[5] = int as f64;
    }

    fn references(q: &[[f64; 2]; 3], pick: &i32, out: &mut [f64; 8], x: [&[f64; 2]; 2]) {
        let row = if *pick > 0 { &q[1] } else { &q[2] };
        out[0] = row[0];
        let mut best = &q[0];
        for i in 0..3 {
            if q[i][0] > best[0] { best = &q[i]; }
        }
        out[1] = best[1];
        let both = [&q[0], &q[1], best];
        out[2] = both[0][0] + both[2][1];
        let sum = &(row[0] + best[0]);
        out[3] = *sum * *sum;
        let twice = &sum;
        out[4] = **twice;
        let (left, (right, n)) = (&q[0], (x[1], 4));
        out[5] = left[0] - right[1] * n as f64;
        let mut constant = &1.5;
        if *pick > 1 { constant = &2.5; }
        out[6] = *constant;
        let last = &mut out[7];
        *last = if *pick == 2 { let t = &TABLE[1]; t[0] } else { TABLE[2][1] };
        let again = &mut *last;
        *again += 1.0;
        let chosen = if *pick > 0 { let other = &mut out[0]; other } else { &mut out[1] };
        *chosen *= 2.0;
    }

    fn unused(m: &[[f64; 2]; 3], k: &u32, out: &mut f64) {
        let i = *k as usize;
        let [a, b] = &m[i];
        if *k == 1 { *out += *a - *b; }
    }

    fn loops(n: &i32, m: &u32, out: &mut [i64; 12]) {
        for i in 1..=*n { out[0] += i as i64; }
        for i in (0..*n).rev() { out[1] = out[1] * 3 + i as i64; }
        for i in (1..=*n).rev() { out[2] = out[2] * 3 + i as i64; }
        for i in (4294967293..=u32::MAX).rev() { out[3] += (i - *m) as i64; }
        for i in 2147483645..=2147483647 { if i > 0 { out[4] += 1; } else { continue; } }
        let mut bound = *n;
        for mut i in 0..bound {
            bound += 1;
            i += 5;
            out[5] += (i + bound) as i64;
        }
        for i in 0..bound as i64 {
            bound += 1;
            out[5] += i + bound as i64;
        }
        for mut i in (0..3).rev() { i *= 2; out[6] += i; }
        let mut k = 0;
        while { k += 1; k < *n } {
            if k == 2 { continue; }
            out[7] += k as i64;
        }
        'outer: for i in 0..4 {
            let mut count = 0;
            loop {
                count += 1;
                if count > i { break; }
                if count == 3 { continue 'outer; }
                while count < 9 {
                    if i == 2 { break 'outer; }
                    break;
                }
            }
            let behind = count * 10;
            out[8] += behind as i64;
        }
        'again: loop {
            out[9] += 1;
            for _ in 0..2 {
                if out[9] < 5 { continue 'again; }
                break 'again;
            }
        }
        for i in (3..3).rev() { out[10] += i; }
        for i in 5..=4 { out[11] += i; }
    }

    fn tuples(x: &f64, out: &mut [f64; 6]) {
        let t = (*x, ([1.0, *x], 3u32), (true,));
        let (a, (b, _), (flag,)) = t;
        out[0] = a + b[1] + t.1.0[0] + f64::from(t.1.1);
        if flag { out[1] = t.0; }
        let mut pair = (a, 1);
        pair.1 += 4;
        (pair.0) = 7.0;
        let (p, q) = if *x > 0.0 { let y = pair.0; (y, pair.1) } else { (1.0, 2) };
        out[2] = p * q as f64;
        let (a, b) = (b[0], a);
        out[3] = a - b;
        let nothing = ((), a);
        let _ = nothing.0;
        out[4] = nothing.1;
        let late: (f64, [f64; 2]);
        if *x < 0.5 { late = (1.0, [2.0; 2]); } else { late = (a, [b, a]); }
        out[5] = late.0 + late.1[1];
    }

    fn chains(x: &f64, w: Option<&f64>, out: &mut [f64; 4]) {
        let class = if *x < -0.5 { 1 } else if *x < 0.0 { 2 } else if *x < 0.5 { 3 } else { 4 };
        out[0] = class as f64;
        if class == 1 {
            out[1] = 1.0;
        } else if class == 2 {
        } else if let Some(w) = w {
            out[1] = *w;
        } else if { let y = *x * 2.0; y > 1.0 } {
            out[1] = 4.0;
        } else {
            out[1] = 5.0;
        }
        out[2] = -(if let Some(v) = w { *v } else { -*x }) - -x.abs();
        out[3] = { let t = if w.is_some() { 1.0 } else { 2.0 }; t } + { { *x } };
    }

    fn entries(mut x: [&[f64; 2]; 2], res: [&mut f64; 3], more: Option<[&mut [f64; 2]; 2]>, mut at: usize,
               mut q: &[f64; 2]) {
        let r;
        if x[0][0] > 0.0 { r = &x[1][0]; } else { r = &q[1]; }
        x[1] = x[0];
        let mut both = x;
        both[0] = q;
        at += 1;
        *res[at] += *r;
        *res[0] = x[1][0] + both[0][1];
        if *res[0] > 0.5 {
            q = &[7.0, 8.0];
        }
        if let Some(m) = more {
            m[1][at - 1] -= q[1];
            *m[0] = *q;
        }
    }

    fn bump(x: &mut f64) -> f64 {
        *x += 1.0;
        *x
    }

    fn next(i: &mut usize) -> usize {
        let now = *i;
        *i += 1;
        now
    }

    fn longer<'a>(a: &'a [f64; 2], b: &'a [f64; 2]) -> &'a [f64; 2] {
        if a[0] > b[0] { return a; }
        b
    }

    fn part<'a>(pair: (&'a mut [f64; 2], usize)) -> &'a mut f64 {
        &mut pair.0[pair.1]
    }

    fn add(a: f64, b: f64, c: &f64) -> f64 {
        a * 100.0 + b * 10.0 + c
    }

    fn effects(a: &[f64; 2], out: &mut [f64; 8], more: &mut [f64; 2]) {
        let mut x = a[0];
        out[0] = bump(&mut x) + x * bump(&mut x);
        out[1] = add(bump(&mut x), x, &bump(&mut x));
        let mut i = 2;
        out[next(&mut i)] = bump(&mut x);
        out[next(&mut i)] += i as f64;
        out[4] = longer(a, &[x, 2.0])[1] + longer(a, &[-x, 3.0])[1];
        let b = bump(&mut out[5]);
        bump(&mut out[5]);
        out[6] = if bump(&mut x) > 0.0 { b } else { x };
        while bump(&mut x) < 9.0 { if next(&mut i) > 6 { break; } }
        out[7] = x + i as f64;
        let target = part((more, 1));
        *target += 2.0;
        *part((more, 0)) = x;
        let _ = bump(&mut x);
        let both = (bump(&mut x), x);
        more[0] += both.0 - both.1 + x;
    }
}

fn numbers(seed: u64) -> (f64, f64) {
    let mut n = Numbers::new(seed);
    (n.f64(), n.f64())
}

#[test]
fn operands_are_evaluated_from_left_to_right() {
    let unit = kernel(order::TEXT);
    for seed in 1..20 {
        agree(&unit, &consts(), Scalar::F64, (numbers(seed).0, [0.5; 8]), |a| order(&a.0, &mut a.1));
    }
}

#[test]
fn expressions_may_leave() {
    let unit = kernel(leaving::TEXT);
    for seed in 1..60 {
        let (a, b) = numbers(seed);
        agree(&unit, &consts(), Scalar::F64, (a, b, 0.0), |t| leaving(&t.0, &t.1, &mut t.2));
    }
}

#[test]
fn names_are_made_acceptable() {
    let unit = kernel(names::TEXT);
    for seed in 1..10 {
        let (a, b) = numbers(seed);
        agree(&unit, &consts(), Scalar::F64, (a, [b, a], 0usize, [0.0; 6]), |t| names(&t.0, &t.1, t.2, &mut t.3));
    }
}

#[test]
fn references_lead_where_they_should() {
    let unit = kernel(references::TEXT);
    for seed in 1..20 {
        let mut n = Numbers::new(seed);
        for pick in 0..3 {
            let args = ([n.array(), n.array(), n.array()], pick, [0.0; 8], [n.array(), n.array()]);
            agree(&unit, &consts(), Scalar::F64, args, |a| references(&a.0, &a.1, &mut a.2, [&a.3[0], &a.3[1]]));
        }
    }
}

/// Rust checks an index where it stands, whether or not the value is used.
#[test]
fn indices_of_unused_parts_agree() {
    let m = [[1.0, 2.5], [3.0, -4.0], [0.5, 0.25]];
    for k in 0..3 {
        agree(&kernel(unused::TEXT), &consts(), Scalar::F64, (m, k, 0.5), |a| unused(&a.0, &a.1, &mut a.2));
    }
}

#[test]
fn loops_and_jumps_agree() {
    let unit = kernel(loops::TEXT);
    for n in -1..9 {
        agree(&unit, &consts(), Scalar::F64, (n, 4_000_000_000u32, [0i64; 12]), |a| loops(&a.0, &a.1, &mut a.2));
    }
}

#[test]
fn tuples_agree() {
    let unit = kernel(tuples::TEXT);
    for seed in 1..20 {
        agree(&unit, &consts(), Scalar::F64, (numbers(seed).0, [0.0; 6]), |a| tuples(&a.0, &mut a.1));
    }
}

#[test]
fn chains_of_conditions_agree() {
    let unit = kernel(chains::TEXT);
    for seed in 1..40 {
        let (x, w) = numbers(seed);
        for w in [None, Some(w)] {
            agree(&unit, &consts(), Scalar::F64, (x, w, [0.0; 4]), |a| chains(&a.0, a.1.as_ref(), &mut a.2));
        }
    }
}

#[test]
fn entries_of_maps_agree() {
    let unit = kernel(entries::TEXT);
    for seed in 1..20 {
        let mut n = Numbers::new(seed);
        for more in [None, Some([n.array(), n.array()])] {
            let args = ([n.array::<2>(), n.array()], n.array::<3>(), more, (seed % 2) as usize, n.array::<2>());
            agree(&unit, &consts(), Scalar::F64, args, |a| {
                entries(a.0.each_ref(), a.1.each_mut(), a.2.as_mut().map(|m| m.each_mut()), a.3, &a.4)
            });
        }
    }
}

pub(crate) fn effects_unit() -> Unit {
    let callees = [
        ("bump", payload(bump::TEXT, &[])),
        ("next", payload(next::TEXT, &[])),
        ("longer", payload(longer::TEXT, &[])),
        ("part", payload(part::TEXT, &[])),
        ("add", payload(add::TEXT, &[])),
    ];
    model::build(&payload(effects::TEXT, &callees), FnKind::Kernel).unwrap_or_else(|e| panic!("{}", crate::list(e)))
}

#[test]
fn effects_of_calls_happen_in_order() {
    let unit = effects_unit();
    for seed in 1..20 {
        let mut n = Numbers::new(seed);
        let args = (n.array::<2>(), [0.5; 8], [1.0, 2.0]);
        agree(&unit, &consts(), Scalar::F64, args, |a| effects(&a.0, &mut a.1, &mut a.2));
    }
}

#[test]
fn functions_of_one_name_are_told_apart() {
    let first = payload("fn value(x: f64) -> f64 { x + SHIFT }", &[]);
    let second = payload("fn value(x: f64) -> f64 { x * m::SHIFT }", &[]);
    let unit = device(
        "fn f(x: f64) -> f64 { a::value(x) + b::value(x) * b::SHIFT }",
        &[("a::value", first), ("b::value", second)],
    );
    let text = op2_codegen::emit::cuda::functions(&unit);
    let names: Vec<&str> = text.consts.iter().map(|c| c.name.as_str()).collect();
    assert_eq!(names, ["SHIFT", "value_SHIFT", "m_SHIFT"], "{}", text.text);
    let consts = Consts::from([("SHIFT", 3.0.value()), ("m::SHIFT", 5.0.value()), ("b::SHIFT", 5.0.value())]);
    agree(&unit, &consts, Scalar::F64, (2.0,), |a| (a.0 + 3.0) + (a.0 * 5.0) * 5.0);
}

pub(crate) const TEXTS: [(&str, &str); 8] = [
    ("entries", entries::TEXT),
    ("order", order::TEXT),
    ("leaving", leaving::TEXT),
    ("names", names::TEXT),
    ("references", references::TEXT),
    ("loops", loops::TEXT),
    ("tuples", tuples::TEXT),
    ("chains", chains::TEXT),
];
