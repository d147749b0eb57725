//! The kernels of the fuzzer. Numbers are multiples of powers of two and stay small, and contributions commute, so
//! results are exact in any order. The last two kernels round; their results are compared with a tolerance.

#![allow(missing_docs, reason = "each kernel says what it does in a line")]

use op2::{ArgMax, ArgMin, Idx, Row, Table};

op2::sets! { pub Nodes, Edges }

op2::constants! {
    /// A constant whose value is set when the program starts.
    pub static FACTOR: f64;
}

/// A Rust constant.
pub const SHIFT: f64 = 0.5;

#[op2::kernel]
pub fn fill(i: u32, x: &mut f64) {
    *x = ((i * 7) % 31) as f64 * 0.5;
}

#[op2::kernel]
pub fn axpy(g: &f64, x: &f64, y: &mut f64) {
    *y = (*y + (*g % 8.0).trunc() * (*x % 64.0)) % 1024.0;
}

#[op2::kernel]
pub fn count(n: [&mut [i32; 3]; 2]) {
    n[0][0] += 1;
    n[1][1] += 2;
}

#[op2::kernel]
pub fn flux(w: &f64, x: [&f64; 2], y: [&mut f64; 2]) {
    let f = (*w % 16.0).trunc() * (*x[0] % 16.0 - *x[1] % 16.0);
    *y[0] += f;
    *y[1] -= f;
}

#[op2::kernel]
pub fn entry(x: &f64, e: &mut f64, n: &mut [i32; 3]) {
    *e = (*e + *x) % 512.0;
    n[2] += 1;
}

#[op2::kernel]
pub fn stamp(j: u32, a: &mut f64, e: usize, t: &mut [u64; 2]) {
    *a = (j % 50) as f64 * 0.25;
    t[0] = e as u64;
    t[1] = (j as u64) * 3 + 1;
}

#[op2::kernel]
pub fn wrap(e: &f64, n: [&mut [i32; 3]; 2]) {
    let c = (*e % 16.0) as i32 + 20;
    n[0][2] = (n[0][2] + c).rem_euclid(4096);
    n[1][2] = (n[1][2] + c).rem_euclid(4096);
}

#[op2::kernel]
pub fn reduce(x: &f64, v: &[i32; 3], sum: &mut f64, low: &mut i64, top: &mut ArgMax<f64, u32>, i: u32) {
    *sum += *x % 256.0;
    *low = (*low).min(v[0] as i64 - v[1] as i64);
    top.update(*x, i);
}

#[op2::kernel]
pub fn sums(x: &f64, g: &f64, total: &mut f64) {
    *total += (*x % 16.0) * (*g % 4.0).trunc();
}

#[op2::kernel]
pub fn least(e: &f64, v: &mut [f64; 2], best: &mut ArgMin<f64, usize>, j: usize) {
    v[0] += *e % 32.0;
    v[1] += 1.0;
    best.update(*e % 8.0, j);
}

#[op2::kernel]
pub fn maybe(w: Option<&f64>, e: &mut f64, c: Option<&mut [i32; 3]>) {
    if let Some(w) = w {
        *e = (*e + *w) % 128.0;
    } else {
        *e = (*e + 1.0) % 128.0;
    }
    if let Some(c) = c {
        c[0] += 3;
    }
}

#[op2::kernel]
pub fn extremes(e: &f64, lo: &mut [f64; 2], hi: [&mut f64; 2]) {
    lo[0] = lo[0].min(*e);
    lo[1] = lo[1].min(-*e);
    *hi[0] = hi[0].max(*e);
    *hi[1] = hi[1].max(*e + 1.0);
}

#[op2::kernel]
pub fn flags(b: &bool, t: &mut [u64; 2]) {
    if *b {
        t[0] = (t[0] * 3 + 1) % 1000;
    } else {
        t[1] = t[1] / 2 + 7;
    }
}

#[op2::kernel]
pub fn bits(t: &[u64; 2], n: [&mut [i32; 3]; 2]) {
    n[0][0] |= (t[0] % 8) as i32;
    n[1][1] |= (t[1] % 512) as i32;
}

#[op2::kernel]
pub fn raise(x: &f64, b: &mut bool, g: &mut i64) {
    *b = *b || *x > 8.0;
    *g |= (x.abs() % 64.0) as i64;
}

#[op2::kernel]
pub fn table(n: &[i32; 3], x: &mut [f64; 2]) {
    let t = [1.0, 2.5, -4.0];
    x[0] = (x[0] + t[n[0].rem_euclid(3) as usize] * SHIFT) % 64.0;
    x[1] = (x[1] + FACTOR.get()) % 64.0;
}

#[op2::kernel]
pub fn triple(x: [&f64; 3], s: [&mut f64; 3]) {
    let m = *x[0] % 8.0 + *x[1] % 8.0 + *x[2] % 8.0;
    for i in 0..3 {
        *s[i] += m;
    }
}

#[op2::kernel]
pub fn back(t: &[u64; 2], x: &mut f64) {
    *x = (*x + (t[0] % 100) as f64) % 2048.0;
}

#[op2::kernel]
pub fn push(x: &f64, t: &mut [u64; 2]) {
    if *x > 0.0 {
        t[1] += 1;
    }
}

#[op2::kernel]
pub fn twice(a: &mut f64, b: &mut f64) {
    *a += 1.0;
    *b += 2.0;
}

#[op2::kernel]
pub fn swap(a: &mut f64, b: &mut f64) {
    let first = *a;
    *a = *b;
    *b = first;
}

#[op2::kernel]
pub fn pair(a: &mut [i32; 3], b: &mut [i32; 3]) {
    a[1] = (a[1] + 5).rem_euclid(512);
    b[1] = (b[1] + 7).rem_euclid(512);
}

#[op2::kernel]
pub fn numbers(i: u32, j: u64, e: i64, t: &mut [u64; 2]) {
    t[0] = (i as u64) * 1000 + j;
    t[1] = e as u64;
}

#[op2::kernel]
pub fn smooth(u: [&f32; 2], d: [&mut f32; 2]) {
    let f = 0.3 * (*u[0] - *u[1]);
    *d[0] -= f;
    *d[1] += f;
}

#[op2::kernel]
pub fn norm(u: &mut f32) {
    *u = *u * 0.5 + 1.0 / (1.0 + *u * *u);
}

#[op2::kernel]
pub fn leap(next: &mut Idx<Nodes>, far: &Table<Nodes, Idx<Nodes>>, x: &Table<Nodes, f64>) {
    if x.at(*next) > 0.0 {
        *next = far.at(*next);
    }
}

#[op2::kernel]
pub fn follow(ends: &[Idx<Nodes>; 2], x: &Table<Nodes, f64>, t: &mut [u64; 2]) {
    t[0] = x.number(ends[0]) as u64;
    if ends[0] == ends[1] {
        t[0] += 100;
    }
    if x.at(ends[1]) < 0.0 {
        t[1] = x.len() as u64;
    }
}

#[op2::kernel]
pub fn seek(me: Idx<Nodes>, far: &Table<Nodes, Idx<Nodes>>, x: &Table<Nodes, f64>, c: &mut u32) {
    let n = far.nth((far.number(me) * 3 + *c % 64) % (far.len() as u32));
    if x.at(n) > 0.0 {
        *c = far.number(far.at(n)) % 64;
    }
}

#[op2::kernel]
pub fn loosen(near: &mut [Option<Idx<Nodes>>; 2], next: &Idx<Nodes>, x: &f64) {
    if *x > 4.0 {
        near[0] = None;
    } else if near[1].is_none() {
        near[1] = Some(*next);
    }
}

#[op2::kernel]
pub fn reach(n: [&mut [i32; 3]; 2]) {
    n[0][0] += 1;
    n[1][2] += 3;
}

#[op2::kernel]
pub fn adopt(x: &f64, kids: &Row<Idx<Edges>>, w: &mut Row<f64>, c: &mut u32) {
    for k in 0..w.len() {
        w[k] = (*x % 8.0).trunc() + k as f64;
    }
    *c = (*c % 64 + kids.len() as u32) % 64;
}

#[op2::kernel]
pub fn wire(
    me: Idx<Nodes>,
    next: &Idx<Nodes>,
    ends: &mut Row<[Idx<Nodes>; 2]>,
    x: &mut f64,
    w: &Row<f64>,
    sum: &mut Row<f64>,
) {
    for k in 0..ends.len() {
        ends[k] = [me, *next];
        *x = (*x + w[k] % 64.0) % 1024.0;
        sum[k] += 2.0;
    }
}

#[op2::kernel]
pub fn lowest(i: u32, c: &mut u32) {
    *c = (*c).min(i);
}

#[op2::kernel]
pub fn collect(w: &Row<f64>, x: &mut f64) {
    for k in 0..w.len() {
        *x = (*x * 2.0 + w[k] % 64.0) % 1024.0;
    }
}

#[op2::kernel]
pub fn lead(star: &Row<Idx<Edges>>, back: &mut Idx<Edges>, c: &mut u32) {
    *c = star.len() as u32;
    for k in 0..star.len() {
        *back = star[k];
    }
}

#[op2::kernel]
pub fn stir(t: &mut Row<[u64; 2]>) {
    for k in 0..t.len() {
        t[k][1] = (t[k][1] + 5) % 512;
    }
}

#[op2::kernel]
pub fn spread(x: &Row<f64>, v: &mut Row<[i32; 3]>, c: &mut u32) {
    for k in 0..x.len() {
        *c = (*c * 2 + (x[k] > 0.0) as u32) % 64;
        v[k][1] += k as i32 + 1;
    }
}

#[op2::kernel]
pub fn lean(ring: &Row<Idx<Nodes>>, next: &mut Idx<Nodes>, x: &Row<f64>) {
    for k in 0..ring.len() {
        if x[k] > 0.0 {
            *next = ring[k];
        }
    }
}

#[op2::kernel]
pub fn settle(homes: &Row<Idx<Nodes>>, ends: &mut [Idx<Nodes>; 2], x: &Row<f64>, t: &mut [u64; 2]) {
    if homes.len() > 1 {
        *ends = [homes[homes.len() - 1], homes[0]];
    }
    for k in 0..x.len() {
        t[0] = (t[0] * 3 + if x[k] < 0.0 { 1 } else { 2 }) % 1000;
    }
}

/// The part of this file that a program needs: its head, and the kernels with these names.
pub fn text_of(names: &[&str]) -> String {
    const TEXT: &str = include_str!("kernels.rs");
    let body = &TEXT[TEXT.find("use op2").expect("the head")..];
    let kernels = body[..body.find("/// The part of this file").expect("the end")].trim_end();
    let mut parts = kernels.split("\n#[op2::kernel]\n");
    let head = parts.next().expect("the head").replace("use op2::{ArgMax, ArgMin, Idx, Row, Table};\n", "");
    let wanted = |part: &&str| names.iter().any(|name| part.starts_with(&format!("pub fn {name}(")));
    let kernels = parts.filter(wanted).map(|part| format!("#[op2::kernel]\n{}\n\n", part.trim_end()));
    format!("{}\n\n{}", head.trim(), kernels.collect::<String>())
}
