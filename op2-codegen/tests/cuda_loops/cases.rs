//! Loops of all kinds, run on the host.

use crate::program::{Watch, check};
use crate::{Case, compile};

/// Runs a case with all dats as AoS, then with every other one as SoA or in blocks.
fn run(case: &Case, absent: &[&str]) {
    check(case, Watch::Memory, ["Aos", "Aos"], absent);
    check(case, Watch::Races, ["Soa", "Blocked"], absent);
}

/// The common parts of most cases.
pub(crate) const PLAIN: Case = Case {
    name: "",
    kernel: "",
    args: "",
    reference: "",
    arities: &[],
    entries: &[],
    same: &[],
    consts: "",
    float: "double",
};

#[test]
fn contributions_through_two_maps() {
    let case = Case {
        name: "flux",
        kernel: "fn flux(x1: &[f64; 2], x2: &[f64; 2], q1: &[f64; 4], q2: &[f64; 4], w: &f64, r1: &mut [f64; 4],
                         r2: &mut [f64; 4], n1: &mut u32) {
            let d = x1[0] - x2[1];
            for n in 0..4 {
                let f = W2 * d * (q1[n] + q2[n]) + *w;
                r1[n] += f;
                r2[n] -= f;
            }
            *n1 += 1;
        }",
        args: "m.edges, read(m.x, m.pedge[0]), read(m.x, m.pedge[1]), read(m.q, m.pecell[0]), read(m.q, m.pecell[1]),
               read(m.w), inc(m.res, m.pecell[0]), inc(m.res, m.pecell[1]), inc(count, m.pecell[1])",
        reference: "const auto& c = pecell[at]; const auto& n = pedge[at];
                    user::flux(x[n[0]], x[n[1]], q[c[0]], q[c[1]], w[at], res[c[0]], res[c[1]], count[c[1]])",
        arities: &[2, 2],
        consts: "OP2_CONST double W2 = 2.0;",
        ..PLAIN
    };
    run(&case, &[]);
}

/// The corners of a quadrilateral get an hourglass mode and a share of its area, through one map: blocks store one contribution to each.
#[test]
fn contributions_that_repeat_others() {
    let case = Case {
        name: "corners",
        kernel: "fn corners(w: &f64, h: [&mut [f64; 3]; 4], a: [&mut f32; 4], n: [&mut u32; 4]) {
            for d in 0..3 {
                let mode = *w + (d as f64);
                h[0][d] += mode;
                h[1][d] -= mode;
                h[2][d] += mode;
                h[3][d] += -mode;
            }
            let share = 0.25 * (*w as f32);
            *a[0] += share;
            *a[1] += share;
            *a[2] += share;
            *a[3] += share;
            *n[0] += 1;
            *n[1] += 1;
            *n[2] += 1;
            *n[3] += 1;
        }",
        args: "m.quads, read(m.w), inc(m.h, m.corner[..]), inc(m.a, m.corner[..]), inc(m.n, m.corner[..])",
        reference: "const auto& c = corner[at];
                    auto modes = Arr<Arr<double, 3>*, 4>{{&h[c[0]], &h[c[1]], &h[c[2]], &h[c[3]]}};
                    auto shares = Arr<float*, 4>{{&a[c[0]], &a[c[1]], &a[c[2]], &a[c[3]]}};
                    auto counts = Arr<u32*, 4>{{&n[c[0]], &n[c[1]], &n[c[2]], &n[c[3]]}};
                    user::corners(w[at], modes, shares, counts)",
        arities: &[4],
        ..PLAIN
    };
    let stored = &compile(&case).unit.covers[0].stored;
    let stored: Vec<(usize, bool)> = stored.iter().map(|of| (of.at, of.turned)).collect();
    assert_eq!(stored, [(0, false), (0, true), (0, false), (0, true)]);
    run(&case, &[]);
}

/// Threads that have a target each keep what goes to it, and nothing else: each entry gets another contribution.
#[test]
fn contributions_that_differ() {
    let all = Case {
        name: "uneven",
        kernel: "fn uneven(w: &f64, v: [&f64; 4], h: [&mut [f64; 3]; 4]) {
            for i in 0..4 {
                for d in 0..3 {
                    h[i][d] += (i as f64) * *w + (d as f64) * *v[i];
                }
            }
        }",
        args: "m.quads, read(m.w), read(m.v, m.corner[..]), inc(m.h, m.corner[..])",
        reference: "const auto& c = corner[at];
                    auto values = Arr<const double*, 4>{{&v[c[0]], &v[c[1]], &v[c[2]], &v[c[3]]}};
                    auto rows = Arr<Arr<double, 3>*, 4>{{&h[c[0]], &h[c[1]], &h[c[2]], &h[c[3]]}};
                    user::uneven(w[at], values, rows)",
        arities: &[4],
        ..PLAIN
    };
    let single = Case {
        name: "apart",
        kernel: "fn apart(w: &f64, v: &f64, first: &mut f64, third: &mut f64) {
            *first += *w;
            *third += 2.0 * *v;
        }",
        args: "m.quads, read(m.w), read(m.v, m.corner[1]), inc(m.h, m.corner[0]), inc(m.h, m.corner[2])",
        reference: "user::apart(w[at], v[corner[at][1]], h[corner[at][0]], h[corner[at][2]])",
        arities: &[4],
        ..PLAIN
    };
    for case in [all, single] {
        assert!(compile(&case).unit.text.contains("_per_target("), "{}", case.name);
        run(&case, &[]);
    }
}

/// Threads store words of each other's rows: pairs where two words fill a sector, groups of four or eight where more do. Each element
/// gives other numbers.
#[test]
fn rows_of_words_that_neighbours_exchange() {
    let own = Case {
        name: "exchange",
        kernel: "fn exchange(v: &f64, a: &mut [f64; 4], b: &mut [f64; 6], c: &mut [f32; 12], d: &mut [[f64; 3]; 6]) {
            for i in 0..4 {
                a[i] = *v + (i as f64);
            }
            for i in 0..6 {
                b[i] = 2.0 * b[i] - *v;
                for j in 0..3 {
                    d[i][j] += *v + ((3 * i + j) as f64);
                }
            }
            for i in 0..12 {
                c[i] = c[i].max((*v as f32) + (i as f32));
            }
        }",
        args: "m.nodes, read(m.v), write(m.a), rw(m.b), max(m.c), inc(m.d)",
        reference: "user::exchange(v[at], a[at], b[at], c[at], d[at])",
        ..PLAIN
    };
    let targets = Case {
        name: "exchanged",
        kernel: "fn exchanged(w: &f64, a: [&mut [f64; 4]; 2], b: [&mut [f64; 6]; 2]) {
            for n in 0..2 {
                for i in 0..4 {
                    a[n][i] += *w + (i as f64);
                }
                for i in 0..6 {
                    b[n][i] += *w - (i as f64);
                }
            }
        }",
        args: "m.edges, read(m.w), inc(m.a, m.ends[..]), inc(m.b, m.ends[..])",
        reference: "auto first = Arr<Arr<double, 4>*, 2>{{&a[ends[at][0]], &a[ends[at][1]]}};
                    auto second = Arr<Arr<double, 6>*, 2>{{&b[ends[at][0]], &b[ends[at][1]]}};
                    user::exchanged(w[at], first, second)",
        arities: &[2],
        ..PLAIN
    };
    let parts = Case {
        name: "parts",
        kernel: "fn parts(v: &f64, a: &mut [f64; 7], b: &mut [i32; 11], c: &mut [f32; 3], d: &mut [f32; 2], e: &mut [u64; 1]) {
            for i in 0..7 {
                a[i] += *v + (i as f64);
            }
            for i in 0..11 {
                b[i] = (*v as i32) - (i as i32);
            }
            for i in 0..3 {
                c[i] = c[i] - (*v as f32) * (i as f32);
            }
            d[0] += *v as f32;
            d[1] += 1.0;
            e[0] = *v as u64;
        }",
        args: "m.nodes, read(m.v), inc(m.a), write(m.b), rw(m.c), inc(m.d), write(m.e)",
        reference: "user::parts(v[at], a[at], b[at], c[at], d[at], e[at])",
        ..PLAIN
    };
    let sums = Case {
        name: "summed",
        kernel: "fn summed(w: &f64, a: [&mut [f64; 5]; 2], b: [&mut [f32; 3]; 2]) {
            for n in 0..2 {
                for i in 0..5 {
                    a[n][i] += *w + (i as f64);
                }
                for i in 0..3 {
                    b[n][i] += (*w as f32) - (i as f32);
                }
            }
        }",
        args: "m.edges, read(m.w), inc(m.a, m.ends[..]), inc(m.b, m.ends[..])",
        reference: "auto first = Arr<Arr<double, 5>*, 2>{{&a[ends[at][0]], &a[ends[at][1]]}};
                    auto second = Arr<Arr<float, 3>*, 2>{{&b[ends[at][0]], &b[ends[at][1]]}};
                    user::summed(w[at], first, second)",
        arities: &[2],
        ..PLAIN
    };
    for case in [own, targets, parts, sums] {
        run(&case, &[]);
        check(&case, Watch::Races, ["Aos", "Aos"], &[]);
    }
}

#[test]
fn all_ways_of_combining() {
    let case = Case {
        name: "combine",
        kernel: "fn combine(v: &f64, k: &i32, a: &mut f32, b: &mut [f64; 3], c: &mut i64, d: &mut u64, e: &mut i32,
                            f: &mut [i64; 2], g: &mut u32, h: &mut f32, i: &mut i32, j: &mut f64) {
            let x = if *k > 5 { 0.0 / 0.0 } else { *v };
            *a = a.min(x as f32);
            for n in 0..3 {
                b[n] = b[n].max(x + (n as f64));
            }
            *c = (*c).min(*k as i64 - 9_000_000_000);
            *d = (*d).max(*k as u64 + 9_000_000_000);
            *e += *k * 300_000_000;
            f[0] += *k as i64 * 5_000_000_000_000_000_000;
            f[1] += 1;
            *g = (*g).max(*k as u32);
            *h += x.max(0.0) as f32;
            *i = (*i).min(*k);
            *j = j.min(x);
        }",
        args: "s, read(v), read(k, near[1]), min(a, near[0]), max(b, near[1]), min(c, near[0]), max(d, near[0]),
               inc(e, near[1]), inc(f, near[0]), max(g, near[2]), inc(h, near[0]), min(i), min(j)",
        reference: "const auto& n = near[at];
                    user::combine(v[at], k[n[1]], a[n[0]], b[n[1]], c[n[0]], d[n[0]], e[n[1]], f[n[0]], g[n[2]],
                        h[n[0]], i[at], j[at])",
        arities: &[3],
        ..PLAIN
    };
    run(&case, &[]);
}

#[test]
fn one_dat_directly_and_through_maps() {
    let case = Case {
        name: "same",
        kernel: "fn same(w: &f64, w0: &f64, a: &mut [f64; 2], a0: &mut [f64; 2], a1: &mut [f64; 2],
                         both: [&mut [f64; 2]; 2], low: &mut f64, low0: &mut f64) {
            a[0] += *w;
            a0[1] += *w0;
            a1[0] -= 3.0;
            for n in 0..2 {
                both[n][n] += *w + 1.0;
            }
            *low = low.min(*w0);
            *low0 = low0.min(*w);
        }",
        args: "s, read(w), read(w, to[0]), inc(a), inc(a, to[0]), inc(a, from[1]), inc(a, from[..]), min(low),
               min(low, to[0])",
        reference:
            "auto both = Arr<Arr<double, 2>*, 2>{{&a[from[at][0]], &a[from[at][1]]}};
                    user::same(w[at], w[to[at][0]], a[at], a[to[at][0]], a[from[at][1]], both, low[at], low[to[at][0]])",
        arities: &[1, 2],
        ..PLAIN
    };
    run(&case, &[]);
}

/// Handles are values: two expressions may be one dat.
#[test]
fn one_dat_by_several_names() {
    let case = Case {
        name: "alias",
        kernel: "fn alias(w: &f64, a: &mut [f64; 4], b: &mut [f64; 4], c: &mut [f64; 4]) {
            for n in 0..4 {
                a[n] += *w;
                b[n] -= 2.0;
                c[n] += 5.0;
            }
        }",
        args: "s, read(w), inc(a, to[0]), inc(b, from[1]), inc(c)",
        reference: "user::alias(w[at], a[to[at][0]], a[from[at][1]], a[at])",
        arities: &[1, 2],
        same: &[("b", "a"), ("c", "a")],
        ..PLAIN
    };
    check(&case, Watch::Memory, ["Soa", "Soa"], &[]);
    check(&case, Watch::Races, ["Aos", "Aos"], &[]);
}

#[test]
fn changes_through_maps() {
    let case = Case {
        name: "change",
        kernel: "fn change(cell: u32, here: i64, a: &mut [f32; 4], b: &mut [f64; 2], seen: &mut bool, c: &mut i32,
                           d: &mut f64, total: &mut f64, flags: [&mut bool; 2]) {
            a[0] = a[0] + 1.0;
            a[3] = 2.0 * a[3];
            b[0] = cell as f64;
            b[1] = -b[0];
            *seen = !*seen;
            *c += here as i32;
            *d = here as f64;
            *total += a[0] as f64;
            for n in 0..2 {
                *flags[n] = true;
            }
        }",
        args: "s, idx(to[1]), idx(), rw(a, to[0]), write(b, to[1]), rw(seen, to[1]), inc(c, to[0]), write(d),
               gbl_inc(total), write(flags, from[..])",
        reference: "auto both = Arr<bool*, 2>{{&flags[from[at][0]], &flags[from[at][1]]}};
                    user::change(number(to[at][1]), number(at), a[to[at][0]], b[to[at][1]], seen[to[at][1]], c[to[at][0]], d[at], total, both)",
        arities: &[2, 2],
        ..PLAIN
    };
    run(&case, &[]);
}

const OPTIONAL: Case = Case {
    name: "optional",
    kernel: "fn optional(a: Option<&f64>, b: Option<&[f32; 4]>, c: Option<[&f64; 2]>, d: Option<&mut f64>,
                         e: Option<[&mut [f64; 2]; 2]>, f: Option<&mut f64>, g: Option<&mut i32>, always: &mut f64) {
        let mut sum = 1.0;
        if let Some(a) = a {
            sum += *a;
        }
        if let Some(b) = b {
            sum += b[3] as f64;
        }
        if let Some(c) = c {
            sum += *c[0] - *c[1];
        }
        if let Some(d) = d {
            *d = sum;
        }
        if let Some(e) = e {
            e[0][1] += sum;
            e[1][0] -= sum;
        }
        if let Some(f) = f {
            *f += sum;
        }
        if g.is_some() {
            sum += 5.0;
        }
        if let Some(g) = g {
            *g = (*g).max(7);
        }
        *always = sum;
    }",
    args: "s, opt(p, read(a)), opt(p, read(b, m1[0])), opt(p, read(c, m2[..])), opt(p, write(d)),
           opt(p, inc(e, m2[..])), opt(p, inc(f, m3[1])), opt(p, max(g)), write(always)",
    reference: "const auto c_all = Arr<const double*, 2>{{&c[m2[at][0]], &c[m2[at][1]]}};
                const auto e_all = Arr<Arr<double, 2>*, 2>{{&e[m2[at][0]], &e[m2[at][1]]}};
                user::optional(OP2_HAS_a ? &a[at] : nullptr, OP2_HAS_b ? &b[m1[at][0]] : nullptr,
                    OP2_HAS_c ? &c_all : nullptr, OP2_HAS_d ? &d[at] : nullptr, OP2_HAS_e ? &e_all : nullptr,
                    OP2_HAS_f ? &f[m3[at][1]] : nullptr, OP2_HAS_g ? &g[at] : nullptr, always[at])",
    arities: &[1, 2, 2],
    ..PLAIN
};

#[test]
fn optional_arguments_that_are_there() {
    run(&OPTIONAL, &[]);
}

#[test]
fn optional_arguments_that_are_absent() {
    run(&OPTIONAL, &["a", "b", "c", "d", "e", "f", "g"]);
    check(&OPTIONAL, Watch::Memory, ["Aos", "Soa"], &["b", "c", "f"]);
}

#[test]
fn all_entries_and_computed_ones() {
    let case = Case {
        name: "entries",
        kernel: "fn entries(x: [&[f64; 2]; SIDES], x1: &[f64; 2], y: &f64, sums: [&mut f64; SIDES], sum: &mut f64,
                            tops: [&mut [i32; 2]; 2]) {
            let mut all = x1[0] + *y;
            for n in 0..SIDES {
                all += x[n][1];
            }
            for n in 0..SIDES {
                *sums[n] += all * n as f64;
            }
            *sum += all;
            for n in 0..2 {
                tops[n][1] = tops[n][1].max(all as i32);
            }
        }",
        args: "s, read(x, corners[..]), read(x, corners[1]), read(y, side[k + 1]), inc(sums, corners[..]),
               inc(sums, side[k + 1]), max(tops, side[..])",
        reference: "auto xs = Arr<const Arr<double, 2>*, 3>{}; auto out = Arr<double*, 3>{};
                    for (u32 i = 0; i < 3; i += 1) { xs[i] = &x[corners[at][i]]; out[i] = &sums[corners[at][i]]; }
                    auto top = Arr<Arr<op2::i32, 2>*, 2>{{&tops[side[at][0]], &tops[side[at][1]]}};
                    user::entries(xs, x[corners[at][1]], y[side[at][1]], out, sums[side[at][1]], top)",
        arities: &[3, 2],
        entries: &[(2, 1)],
        consts: "OP2_CONST usize SIDES = 3;",
        ..PLAIN
    };
    run(&case, &[]);
}

#[test]
fn reductions_of_all_kinds() {
    let case = Case {
        name: "reduce",
        kernel: "fn reduce(at: usize, v: &f64, scale: &[f64; 2], sum: &mut f64, sums: &mut [[f32; 2]; 2],
                           count: &mut i32, low: &mut [f32; 3], high: &mut i64, worst: &mut ArgMax<f64, usize>,
                           best: &mut ArgMin<f32, (u32, [i32; 2], bool)>, never: &mut ArgMin<f64, i64>,
                           first: &mut ArgMin<i32, [f64; 2]>) {
            let x = *v * scale[0] + scale[1];
            *sum += x;
            for n in 0..2 {
                sums[n][1 - n] += x as f32;
            }
            *count += 1_000_000_007;
            for n in 0..3 {
                low[n] = low[n].min(x as f32 - n as f32);
            }
            *high = (*high).max(at as i64 * 5_000_000_000);
            worst.update(x.abs(), at);
            best.update(x as f32, ((at % 3) as u32, [at as i32, -1], at % 2 == 0));
            if x > 1e9 {
                never.update(x, 1);
            }
            first.update(at as i32, [x, 1.0]);
        }",
        args: "s, idx(), read(v), gbl_read(scale), gbl_inc(sum), gbl_inc(sums), gbl_inc(count), gbl_min(low),
               gbl_max(high), gbl_max(worst), gbl_min(best), gbl_min(never), gbl_min(first)",
        reference: "user::reduce(number(at), v[at], scale, sum, sums, count, low, high, worst, best, never, first)",
        ..PLAIN
    };
    run(&case, &[]);
}

#[test]
fn loops_without_dats() {
    let case = Case {
        name: "nothing",
        kernel: "fn nothing(e: u64, p: i32, sum: &mut u64, low: &mut i32) {
            *sum += e;
            *low = (*low).min(-p);
        }",
        args: "s, idx(), idx(m[0]), gbl_inc(sum), gbl_min(low)",
        reference: "user::nothing(number(at), number(m[at][0]), sum, low)",
        arities: &[1],
        ..PLAIN
    };
    check(&case, Watch::Memory, ["Aos", "Aos"], &[]);
}

#[test]
fn reductions_of_staged_loops() {
    let case = Case {
        name: "both",
        kernel: "fn both(q: &[f64; 3], r: &mut [f64; 3], sum: &mut f64, worst: &mut ArgMax<f64, u32>, e: u32) {
            for n in 0..3 {
                r[n] += q[n];
                *sum += q[n];
            }
            worst.update(q[0], e);
        }",
        args: "s, read(q, near[0]), inc(r, near[1]), gbl_inc(sum), gbl_max(worst), idx()",
        reference: "user::both(q[near[at][0]], r[near[at][1]], sum, worst, number(at))",
        arities: &[2],
        ..PLAIN
    };
    run(&case, &[]);
}

#[test]
fn values_of_all_sizes() {
    let case = Case {
        name: "sizes",
        kernel: "fn sizes(a: &[[f32; 3]; 2], b: &[bool; 4], c: &[f32; 3], d: &[bool; 3], e: &[u64; 3], f: &bool,
                          a2: &mut [[f32; 3]; 2], b2: &mut [bool; 4], c2: &mut [f32; 3], d2: &mut [bool; 3],
                          e2: &mut [u64; 3], g: &mut [f32; 8]) {
            for n in 0..3 {
                for k in 0..2 {
                    a2[k][n] = a[1 - k][2 - n];
                }
                c2[n] += c[n];
                d2[n] = d[2 - n] != *f;
                e2[n] += e[n];
            }
            for n in 0..4 {
                b2[n] = !b[n];
            }
            for n in 0..8 {
                g[n] += c[n % 3];
            }
        }",
        args: "s, read(a), read(b, m[0]), read(c), read(d, m[0]), read(e, m[0]), read(f), write(a2), write(b2),
               inc(c2, m[0]), write(d2), inc(e2, m[0]), inc(g, m[0])",
        reference: "const u32 t = m[at][0];
                    user::sizes(a[at], b[t], c[at], d[t], e[t], f[at], a2[at], b2[at], c2[t], d2[at], e2[t], g[t])",
        arities: &[1],
        ..PLAIN
    };
    run(&case, &[]);
}

#[test]
fn kernels_of_any_float_type() {
    for float in ["double", "float"] {
        let case = Case {
            name: float,
            kernel: "fn scaled<F: Float>(x: F) -> F { x * F::lit(TWO) }
                     fn generic<F: Float>(q: &[F; 2], k: &f64, g: &F, r: &mut [F; 2], high: &mut F,
                                          worst: &mut ArgMax<F, [F; 2]>) {
                let twice = scaled(q[0]);
                let other: f64 = scaled(*k);
                r[0] += twice * *g;
                r[1] += F::lit(other);
                *high = high.max(twice);
                worst.update(q[1], [twice, q[0]]);
            }",
            args: "s, read(q, m[0]), read(k), gbl_read(g), inc(r, m[1]), gbl_max(high), gbl_max(worst)",
            reference: "user::generic(q[m[at][0]], k[at], g, r[m[at][1]], high, worst)",
            arities: &[2],
            consts: "OP2_CONST double TWO = 2.0;",
            float,
            ..PLAIN
        };
        run(&case, &[]);
    }
}

#[test]
fn names_that_mean_something() {
    let case = Case {
        name: "names",
        kernel: "fn range(e: &f64, _: &f64, double: &[f64; 2], blocks: &mut f64, p: &mut f64, block: u32) {
            *blocks += *e + double[1];
            *p = block as f64;
        }",
        args: "s, read(m.e, m.arena[0]), read(m.p, m.arena[1]), read(m.op2.double, m.arena[0]),
               inc(m.level[2].blocks, m.arena[1]), write(m.q[1]), idx()",
        reference: "user::range(e[arena[at][0]], p[arena[at][1]], double_[arena[at][0]], blocks[arena[at][1]], q_1[at],
                        number(at))",
        arities: &[2],
        ..PLAIN
    };
    run(&case, &[]);
}
