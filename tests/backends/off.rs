//! Lanes that are off: no index, division or call is evaluated for them, and their values do not change.

use crate::lanes::on_every_isa;
use op2::{Float, op_par_loop};

op2::constants! {
    /// Always set to a table whose lengths no use tells.
    static TABLE: [[f64; 2]; 3];
}

/// Rows of every kind, by indices that are out of bounds for other elements.
#[op2::kernel]
fn rows<F: Float>(i: usize, a: &F, o: &mut [F; 3], n: &mut [i64; 2]) {
    let t = [[*a, F::lit(1.0)], [F::lit(2.0), *a], [F::lit(3.0), F::lit(4.0)]];
    let u = [([i, 1], *a > F::lit(0.0)), ([2, i], true), ([i, i], false)];
    if i < 3 {
        let r = t[i];
        o[0] = r[0] + r[1];
        let (places, flag) = u[i];
        if flag {
            n[0] += places[1] as i64;
        }
        o[i] += *a;
    } else {
        o[1] = F::lit(-1.0);
        n[0] -= 7 / (i as i64 - 2);
    }
    let v = if i > 4 && i < 8 { t[i - 5] } else { [*a; 2] };
    o[2] = v[0] - v[1];
    let mut at = i;
    while at < 3 && t[at][0] < F::lit(2.5) {
        n[1] += 1;
        at += 1;
    }
    if i >= 3 || u[i].1 {
        return;
    }
    let left = 6 / (3 - i as i64);
    n[1] -= left;
}

fn in_precision<F: Float>() {
    on_every_isa(|op, m| {
        let nodes = m.declare(op)?.nodes;
        let a: Vec<F> = (0..m.nodes).map(|i| F::lit((i * 5 % 7) as f64 - 2.5)).collect();
        let a = op.decl_dat("a", nodes, &a)?;
        let o = op.decl_dat_filled("o", nodes, [F::lit(0.5); 3])?;
        let n = op.decl_dat_filled("n", nodes, [3i64; 2])?;
        op_par_loop!(op, rows, nodes, idx(), read(a), rw(o), rw(n))?;
        let o: Vec<[f64; 3]> = op.fetch(o)?.into_iter().map(|row| row.map(|x: F| x.to_f64())).collect();
        Ok((o, op.fetch(n)?))
    });
}

#[test]
fn rows_that_other_lanes_do_not_have() {
    in_precision::<f64>();
    in_precision::<f32>();
}

/// Both sides of branches assign to the same places; only their masks keep the values separate.
#[op2::kernel]
fn sides(x: &f64, k: &i32, out: &mut [f64; 4], kept: &mut [i32; 3]) {
    if *x > 0.0 {
        out[0] = *x;
        kept[0] += 1;
    } else {
        out[0] = 2.0;
        kept[0] -= 10;
    }
    let at = (*k & 1) as usize;
    let mut sum = 1.0;
    if *k > 1 {
        sum += *x;
        if *k == 3 {
            sum *= 2.0;
            kept[1] = *k;
        } else {
            sum = -sum;
            out[1 + at] -= 3.0;
        }
    } else if *x < 0.25 {
        sum -= 8.0;
        out[1 + at] = sum;
    } else {
        kept[1 + at] = -1;
        if *k == 1 {
            return;
        } else {
            out[2] += 4.0;
        }
        sum += 16.0;
    }
    out[3] = sum;
    for n in 0..3 {
        if n == *k {
            continue;
        } else {
            kept[2] += n;
        }
        if *x < -0.5 {
            break;
        } else {
            kept[n as usize] += 1;
        }
    }
}

#[test]
fn sides_of_branches_keep_to_their_lanes() {
    on_every_isa(|op, m| {
        let nodes = m.declare(op)?.nodes;
        let x: Vec<f64> = (0..m.nodes).map(|i| (i * 5 % 8) as f64 / 4.0 - 0.875).collect();
        let k: Vec<i32> = (0..m.nodes as i32).map(|i| i * 7 % 11 % 4).collect();
        let (x, k) = (op.decl_dat("x", nodes, &x)?, op.decl_dat("k", nodes, &k)?);
        let out = op.decl_dat_filled("out", nodes, [0.5; 4])?;
        let kept = op.decl_dat_filled("kept", nodes, [5i32; 3])?;
        op_par_loop!(op, sides, nodes, read(x), read(k), rw(out), rw(kept))?;
        Ok((op.fetch(out)?, op.fetch(kept)?))
    });
}

/// Operations on values that are the same for all elements may fail, too. For values of unknown length the text cannot
/// write zeros.
#[op2::kernel]
fn shared(x: &f64, low: &f64, high: &f64, row: &i32, out: &mut [f64; 2]) {
    let some = if *x > 5.0 { TABLE.get()[*row as usize] } else { TABLE.get()[1] };
    out[0] = some[0];
    if *x > 5.0 {
        out[0] = x.max(low.clamp(*low, *high));
    }
    let table = if *x < 0.0 {
        return;
    } else {
        TABLE.get()
    };
    let other = {
        if *x < 0.5 {
            return;
        }
        table[*row as usize - 4]
    };
    out[1] = other[1];
}

/// No lane needs row 7, a value clamped between 2 and 1, or the row below the table.
#[test]
fn what_no_lane_asks_for_does_not_fail() {
    on_every_isa(|op, m| {
        TABLE.set([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])?;
        let nodes = m.declare(op)?.nodes;
        let x: Vec<f64> = (0..m.nodes).map(|i| (i % 3) as f64 / 4.0 - 0.25).collect();
        let x = op.decl_dat("x", nodes, &x)?;
        let (low, high, row) = (op.decl_global("low", 2.0), op.decl_global("high", 1.0), op.decl_global("row", 7i32));
        let out = op.decl_dat_filled("out", nodes, [0.5; 2])?;
        op_par_loop!(op, shared, nodes, read(x), gbl_read(low), gbl_read(high), gbl_read(row), rw(out))?;
        op.fetch(out)
    });
}
