//! Arguments that are present only if a flag is set, for every access and in combinations.

use crate::support::{Mesh, on_every_backend, samples};
use op2::{Op2, op_par_loop};

/// All combinations of three flags, each twice. The second time a plan comes from the cache, and must belong to these
/// flags.
fn combinations() -> Vec<[bool; 3]> {
    let once = (0..8).map(|bits| [bits & 1 != 0, bits & 2 != 0, bits & 4 != 0]);
    once.clone().chain(once).collect()
}

#[op2::kernel]
fn direct(
    base: &f64,
    read: Option<&f64>,
    write: Option<&mut [f64; 2]>,
    rw: Option<&mut f64>,
    inc: Option<&mut f64>,
    lo: Option<&mut f64>,
    hi: Option<&mut [f64; 2]>,
) {
    let mut value = *base;
    if let Some(read) = read {
        value -= 2.0 * *read;
    }
    if let Some(write) = write {
        *write = [value, -value];
    }
    if let Some(rw) = rw {
        *rw = 0.25 * *rw + value;
    }
    if let Some(inc) = inc {
        *inc += value;
    }
    if let Some(lo) = lo {
        *lo = lo.min(value);
    }
    if let Some(hi) = hi {
        hi[0] = hi[0].max(value);
    }
}

#[test]
fn direct_arguments_of_every_access() {
    type Result = (Vec<[f64; 2]>, Vec<f64>, Vec<f64>, Vec<f64>, Vec<[f64; 2]>);
    let data = |m: &Mesh| -> Result {
        (samples(m.nodes, 1), samples(m.nodes, 2), samples(m.nodes, 3), samples(m.nodes, 4), samples(m.nodes, 5))
    };
    let expected = |m: &Mesh| {
        let (base, other): (Vec<f64>, Vec<f64>) = (samples(m.nodes, 6), samples(m.nodes, 7));
        let (mut write, mut rw, mut inc, mut lo, mut hi) = data(m);
        for [a, b, c] in combinations() {
            for e in 0..m.nodes {
                let value = if a { base[e] - 2.0 * other[e] } else { base[e] };
                if b {
                    write[e] = [value, -value];
                    lo[e] = lo[e].min(value);
                }
                if c {
                    rw[e] = 0.25 * rw[e] + value;
                    hi[e][0] = hi[e][0].max(value);
                }
                if b && c {
                    inc[e] += value;
                }
            }
        }
        (write, rw, inc, lo, hi)
    };
    on_every_backend(&Mesh::single(), expected, |op, m| {
        let nodes = m.declare(op)?.nodes;
        let (write, rw, inc, lo, hi) = data(m);
        let base = op.decl_dat("base", nodes, &samples::<f64>(m.nodes, 6))?;
        let other = op.decl_dat("other", nodes, &samples::<f64>(m.nodes, 7))?;
        let (write, rw) = (op.decl_dat("write", nodes, &write)?, op.decl_dat("rw", nodes, &rw)?);
        let (inc, lo) = (op.decl_dat("inc", nodes, &inc)?, op.decl_dat("lo", nodes, &lo)?);
        let hi = op.decl_dat("hi", nodes, &hi)?;
        for [a, b, c] in combinations() {
            op_par_loop!(
                op,
                direct,
                nodes,
                read(base),
                opt(a, read(other)),
                opt(b, write(write)),
                opt(c, rw(rw)),
                opt(b && c, inc(inc)),
                opt(b, min(lo)),
                opt(c, max(hi))
            )?;
        }
        Ok((op.fetch(write)?, op.fetch(rw)?, op.fetch(inc)?, op.fetch(lo)?, op.fetch(hi)?))
    });
}

#[op2::kernel]
fn mapped(
    base: &f64,
    read: Option<&[f64; 2]>,
    inc: Option<&mut [f64; 2]>,
    other_inc: Option<&mut [f64; 2]>,
    lo: Option<&mut f64>,
    hi: Option<&mut f64>,
) {
    let mut value = *base;
    if let Some(read) = read {
        value += read[0] * read[1];
    }
    if let Some(inc) = inc {
        inc[0] += value;
        inc[1] -= *base;
    }
    if let Some(inc) = other_inc {
        inc[1] += 3.0 * value;
    }
    if let Some(lo) = lo {
        *lo = lo.min(value);
    }
    if let Some(hi) = hi {
        *hi = hi.max(value);
    }
}

#[test]
fn mapped_arguments_that_combine() {
    let data = |m: &Mesh| -> (Vec<[f64; 2]>, Vec<f64>) { (samples(m.nodes, 1), samples(m.nodes, 2)) };
    let expected = |m: &Mesh| {
        let (base, x): (Vec<f64>, Vec<[f64; 2]>) = (samples(m.edges, 3), samples(m.nodes, 4));
        let (mut sum, mut lo) = data(m);
        let mut hi = lo.clone();
        for [a, b, c] in combinations() {
            for ([i, j], base) in m.rows::<2>(1).into_iter().zip(&base) {
                let (i, j) = (i as usize, j as usize);
                let value = if a { base + x[j][0] * x[j][1] } else { *base };
                if b {
                    sum[i] = [sum[i][0] + value, sum[i][1] - base];
                    hi[i] = hi[i].max(value);
                }
                if c {
                    sum[j][1] += 3.0 * value;
                }
                if a && !b {
                    lo[j] = lo[j].min(value);
                }
            }
        }
        (sum, lo, hi)
    };
    on_every_backend(&Mesh::all(), expected, |op, m| {
        let set = m.declare(op)?;
        let (sum, lo) = data(m);
        let map = op.decl_map("map", set.edges, set.nodes, &m.rows::<2>(1))?;
        let base = op.decl_dat("base", set.edges, &samples::<f64>(m.edges, 3))?;
        let x = op.decl_dat("x", set.nodes, &samples::<[f64; 2]>(m.nodes, 4))?;
        let (sum, hi) = (op.decl_dat("sum", set.nodes, &sum)?, op.decl_dat("hi", set.nodes, &lo)?);
        let lo = op.decl_dat("lo", set.nodes, &lo)?;
        for [a, b, c] in combinations() {
            op_par_loop!(
                op,
                mapped,
                set.edges,
                read(base),
                opt(a, read(x, map[1])),
                opt(b, inc(sum, map[0])),
                opt(c, inc(sum, map[1])),
                opt(a && !b, min(lo, map[1])),
                opt(b, max(hi, map[0]))
            )?;
        }
        Ok((op.fetch(sum)?, op.fetch(lo)?, op.fetch(hi)?))
    });
}

#[op2::kernel]
fn exclusive(key: &u64, rw: Option<&mut u64>, other_rw: Option<&mut u64>, write: Option<&mut [u64; 2]>) {
    if let Some(rw) = rw {
        *rw ^= *key;
    }
    if let Some(rw) = other_rw {
        *rw ^= 5 * *key;
    }
    if let Some(write) = write {
        *write = [*key, 2 * *key];
    }
}

/// `rw` and `write` through maps. An element can collide only if both `rw` are present; the other combinations also run
/// on maps where it would.
#[test]
fn mapped_arguments_that_exclude_others() {
    let data = |m: &Mesh| -> (Vec<u64>, Vec<u64>, Vec<[u64; 2]>) {
        (samples(m.edges, 1), samples(m.nodes, 2), samples(m.nodes, 3))
    };
    let expected = |m: &Mesh| {
        let (key, mut value, mut out) = data(m);
        for [a, b, c] in combinations() {
            for ([i, j], key) in m.rows::<2>(1).into_iter().zip(&key) {
                if a {
                    value[i as usize] ^= key;
                }
                if b {
                    value[j as usize] ^= 5 * key;
                }
                if c {
                    out[j as usize] = [*key, 2 * key];
                }
            }
        }
        (value, out)
    };
    let body = |op: &mut Op2, m: &Mesh, both: bool| {
        let set = m.declare(op)?;
        let (key, value, out) = data(m);
        let map = op.decl_map("map", set.edges, set.nodes, &m.rows::<2>(1))?;
        let key = op.decl_dat("key", set.edges, &key)?;
        let (value, out) = (op.decl_dat("value", set.nodes, &value)?, op.decl_dat("out", set.nodes, &out)?);
        for [a, b, c] in combinations().into_iter().filter(|[a, b, _]| both || !(*a && *b)) {
            op_par_loop!(
                op,
                exclusive,
                set.edges,
                read(key),
                opt(a, rw(value, map[0])),
                opt(b, rw(value, map[1])),
                opt(c, write(out, map[1]))
            )?;
        }
        Ok((op.fetch(value)?, op.fetch(out)?))
    };
    on_every_backend(&Mesh::injective(2), expected, |op, m| body(op, m, true));
    // On meshes where both flags would collide. Four of the eight combinations remain, each twice, so that exclusive
    // ors cancel.
    let cancelled = |m: &Mesh| data(m).1;
    let meeting: Vec<_> = Mesh::all().into_iter().filter(|m| m.edges > 3).collect();
    on_every_backend(&meeting, cancelled, |op, m| Ok(body(op, m, false)?.0));
}

#[op2::kernel]
fn all_entries(
    base: &f64,
    read: Option<[&f64; 2]>,
    inc: Option<[&mut [f64; 2]; 2]>,
    lo: Option<[&mut f64; 2]>,
    hi: Option<[&mut f64; 2]>,
) {
    let mut value = *base;
    if let Some(read) = read {
        value += *read[0] - *read[1];
    }
    if let Some(inc) = inc {
        inc[0][0] += value;
        inc[1][1] -= value;
    }
    if let Some(lo) = lo {
        *lo[0] = lo[0].min(value);
        *lo[1] = lo[1].min(2.0 * value);
    }
    if let Some(hi) = hi {
        *hi[1] = hi[1].max(value);
    }
}

#[op2::kernel]
fn adds_and_may_exclude(key: &u64, first: &mut u64, second: Option<&mut u64>, rw: Option<&mut u64>) {
    *first += *key;
    if let Some(second) = second {
        *second += 3 * *key;
    }
    if let Some(rw) = rw {
        *rw ^= 5 * *key;
    }
}

/// Contributions next to an optional argument that needs colours. Without it colours are not necessary, but devices
/// have one text for both.
#[test]
fn contributions_beside_an_absent_argument_that_excludes_others() {
    let data = |m: &Mesh| -> (Vec<u64>, Vec<u64>, Vec<u64>) {
        (samples(m.edges, 1), samples(m.nodes, 2), samples(m.nodes, 3))
    };
    let expected = |m: &Mesh| {
        let (key, mut sum, mut value) = data(m);
        for [a, b, _] in combinations() {
            for ([i, j], key) in m.rows::<2>(1).into_iter().zip(&key) {
                sum[i as usize] += key;
                if a {
                    sum[j as usize] += 3 * key;
                }
                if b {
                    value[j as usize] ^= 5 * key;
                }
            }
        }
        (sum, value)
    };
    on_every_backend(&Mesh::all(), expected, |op, m| {
        let set = m.declare(op)?;
        let (key, sum, value) = data(m);
        let map = op.decl_map("map", set.edges, set.nodes, &m.rows::<2>(1))?;
        let key = op.decl_dat("key", set.edges, &key)?;
        let (sum, value) = (op.decl_dat("sum", set.nodes, &sum)?, op.decl_dat("value", set.nodes, &value)?);
        for [a, b, _] in combinations() {
            op_par_loop!(
                op,
                adds_and_may_exclude,
                set.edges,
                read(key),
                inc(sum, map[0]),
                opt(a, inc(sum, map[1])),
                opt(b, rw(value, map[1]))
            )?;
        }
        Ok((op.fetch(sum)?, op.fetch(value)?))
    });
}

#[test]
fn all_entries_that_combine() {
    let data = |m: &Mesh| -> (Vec<[f64; 2]>, Vec<f64>) { (samples(m.nodes, 1), samples(m.nodes, 2)) };
    let expected = |m: &Mesh| {
        let (base, x): (Vec<f64>, Vec<f64>) = (samples(m.edges, 3), samples(m.nodes, 4));
        let (mut sum, mut lo) = data(m);
        let mut hi = lo.clone();
        for [a, b, c] in combinations() {
            for ([i, j], base) in m.rows::<2>(1).into_iter().zip(&base) {
                let (i, j) = (i as usize, j as usize);
                let value = if a { base + (x[i] - x[j]) } else { *base };
                if b {
                    sum[i][0] += value;
                    sum[j][1] -= value;
                }
                if c {
                    lo[i] = lo[i].min(value);
                    lo[j] = lo[j].min(2.0 * value);
                }
                if !b {
                    hi[j] = hi[j].max(value);
                }
            }
        }
        (sum, lo, hi)
    };
    on_every_backend(&Mesh::all(), expected, |op, m| {
        let set = m.declare(op)?;
        let (sum, lo) = data(m);
        let map = op.decl_map("map", set.edges, set.nodes, &m.rows::<2>(1))?;
        let base = op.decl_dat("base", set.edges, &samples::<f64>(m.edges, 3))?;
        let x = op.decl_dat("x", set.nodes, &samples::<f64>(m.nodes, 4))?;
        let (sum, hi) = (op.decl_dat("sum", set.nodes, &sum)?, op.decl_dat("hi", set.nodes, &lo)?);
        let lo = op.decl_dat("lo", set.nodes, &lo)?;
        for [a, b, c] in combinations() {
            op_par_loop!(
                op,
                all_entries,
                set.edges,
                read(base),
                opt(a, read(x, map[..])),
                opt(b, inc(sum, map[..])),
                opt(c, min(lo, map[..])),
                opt(!b, max(hi, map[..]))
            )?;
        }
        Ok((op.fetch(sum)?, op.fetch(lo)?, op.fetch(hi)?))
    });
}

#[op2::kernel]
fn all_entries_alone(key: &u64, rw: Option<[&mut u64; 2]>, write: Option<[&mut u64; 2]>) {
    if let Some(rw) = rw {
        *rw[0] += *key;
        *rw[1] *= 3;
    }
    if let Some(write) = write {
        *write[0] = *key;
        *write[1] = *key + 1;
    }
}

#[test]
fn all_entries_that_exclude_others() {
    let data = |m: &Mesh| -> (Vec<u64>, Vec<u64>, Vec<u64>) {
        (samples(m.edges, 1), samples(m.nodes, 2), samples(m.nodes, 3))
    };
    let flags = [[false, false], [true, false], [false, true], [true, true], [false, false]];
    let expected = |m: &Mesh| {
        let (key, mut value, mut out) = data(m);
        for [a, b] in flags {
            for ([i, j], key) in m.rows::<2>(1).into_iter().zip(&key) {
                let (i, j) = (i as usize, j as usize);
                if a {
                    value[i] += key;
                    value[j] *= 3;
                }
                if b {
                    out[i] = *key;
                    out[j] = key + 1;
                }
            }
        }
        (value, out)
    };
    on_every_backend(&Mesh::injective(2), expected, |op, m| {
        let set = m.declare(op)?;
        let (key, value, out) = data(m);
        let map = op.decl_map("map", set.edges, set.nodes, &m.rows::<2>(1))?;
        let key = op.decl_dat("key", set.edges, &key)?;
        let (value, out) = (op.decl_dat("value", set.nodes, &value)?, op.decl_dat("out", set.nodes, &out)?);
        for [a, b] in flags {
            op_par_loop!(
                op,
                all_entries_alone,
                set.edges,
                read(key),
                opt(a, rw(value, map[..])),
                opt(b, write(out, map[..]))
            )?;
        }
        Ok((op.fetch(value)?, op.fetch(out)?))
    });
}

#[op2::kernel]
fn partly(x: Option<&f64>, always: &f64, sum: Option<&mut f64>, base: &mut f64, more: Option<&mut f64>) {
    *base += *always;
    if let Some(sum) = sum {
        *sum += 2.0 * *always;
    }
    if let Some(x) = x {
        let part = *x;
        if let Some(more) = more {
            *more -= part;
        }
    }
}

/// Required arguments between absent ones, all on the same two dats.
#[test]
fn arguments_that_are_there_beside_optional_ones() {
    let expected = |m: &Mesh| {
        let (x, mut sum): (Vec<f64>, Vec<f64>) = (samples(m.nodes, 1), samples(m.nodes, 2));
        for [a, b, c] in combinations() {
            for [i, j] in m.rows::<2>(1) {
                let (i, j) = (i as usize, j as usize);
                sum[j] += x[i];
                if b {
                    sum[i] += 2.0 * x[i];
                }
                if a && c {
                    sum[i] -= x[j];
                }
            }
        }
        sum
    };
    on_every_backend(&Mesh::all(), expected, |op, m| {
        let set = m.declare(op)?;
        let map = op.decl_map("map", set.edges, set.nodes, &m.rows::<2>(1))?;
        let x = op.decl_dat("x", set.nodes, &samples::<f64>(m.nodes, 1))?;
        let sum = op.decl_dat("sum", set.nodes, &samples::<f64>(m.nodes, 2))?;
        for [a, b, c] in combinations() {
            op_par_loop!(
                op,
                partly,
                set.edges,
                opt(a, read(x, map[1])),
                read(x, map[0]),
                opt(b, inc(sum, map[0])),
                inc(sum, map[1]),
                opt(c, inc(sum, map[0]))
            )?;
        }
        op.fetch(sum)
    });
}
