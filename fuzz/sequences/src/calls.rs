//! The loops, as calls of op2's macros.

use crate::handles::Handles;
use crate::kernels::*;
use crate::kinds::Kind;
use crate::step::Loop;
use op2::{Op2, Result, op_par_loop, op_plan};

/// Calls a macro for a loop: `op_par_loop!` or `op_plan!`.
macro_rules! call {
    ($call:ident, $op:ident, $h:expr, $one:expr) => {{
        let (h, one): (&Handles, &Loop) = ($h, $one);
        let s = &one.slots[..];
        match one.kind {
            Kind::Fill => {
                let (n, x) = (h.nodes[&one.over], h.node_float[&s[0]]);
                $call!($op, fill, n, idx(), write(x)).map(drop)
            }
            Kind::Axpy => {
                let (g, x, y) = (h.float[&s[0]], h.node_float[&s[1]], h.node_float[&s[2]]);
                if one.subset {
                    let n = h.node_subsets[&one.over];
                    $call!($op, axpy, n, gbl_read(g), read(x), rw(y)).map(drop)
                } else {
                    let n = h.nodes[&one.over];
                    $call!($op, axpy, n, gbl_read(g), read(x), rw(y)).map(drop)
                }
            }
            Kind::Count => {
                let (e, n, m) = (h.edges[&one.over], h.node_ints[&s[0]], h.ends[&s[1]]);
                $call!($op, count, e, inc(n, m[..])).map(drop)
            }
            Kind::Flux => {
                let (w, x, y) = (h.edge_float[&s[0]], h.node_float[&s[1]], h.node_float[&s[2]]);
                let m = h.ends[&s[3]];
                if one.subset {
                    let e = h.edge_subsets[&one.over];
                    $call!($op, flux, e, read(w), read(x, m[..]), inc(y, m[..])).map(drop)
                } else {
                    let e = h.edges[&one.over];
                    $call!($op, flux, e, read(w), read(x, m[..]), inc(y, m[..])).map(drop)
                }
            }
            Kind::Entry => {
                let (x, v, n) = (h.node_float[&s[0]], h.edge_float[&s[1]], h.node_ints[&s[2]]);
                let (e, m, k) = (h.edges[&one.over], h.ends[&s[3]], one.entry);
                $call!($op, entry, e, read(x, m[k]), rw(v), inc(n, m[1])).map(drop)
            }
            Kind::Stamp => {
                let (a, t, m) = (h.node_float[&s[0]], h.edge_words[&s[1]], h.ends[&s[2]]);
                if one.subset {
                    let e = h.edge_subsets[&one.over];
                    $call!($op, stamp, e, idx(m[1]), write(a, m[1]), idx(), write(t)).map(drop)
                } else {
                    let e = h.edges[&one.over];
                    $call!($op, stamp, e, idx(m[1]), write(a, m[1]), idx(), write(t)).map(drop)
                }
            }
            Kind::Wrap => {
                let (e, v, n, m) = (h.edges[&one.over], h.edge_float[&s[0]], h.node_ints[&s[1]], h.ends[&s[2]]);
                $call!($op, wrap, e, read(v), rw(n, m[..])).map(drop)
            }
            Kind::Reduce => {
                let (x, v) = (h.node_float[&s[0]], h.node_ints[&s[1]]);
                let (sum, low, top) = (h.float[&s[2]], h.int[&s[3]], h.most[&s[4]]);
                if one.subset {
                    let n = h.node_subsets[&one.over];
                    $call!($op, reduce, n, read(x), read(v), gbl_inc(sum), gbl_min(low), gbl_max(top), idx()).map(drop)
                } else {
                    let n = h.nodes[&one.over];
                    $call!($op, reduce, n, read(x), read(v), gbl_inc(sum), gbl_min(low), gbl_max(top), idx()).map(drop)
                }
            }
            Kind::Sums => {
                let (n, x, g, total) = (h.nodes[&one.over], h.node_float[&s[0]], h.float[&s[1]], h.float[&s[2]]);
                $call!($op, sums, n, read(x), gbl_read(g), gbl_inc(total)).map(drop)
            }
            Kind::Least => {
                let (e, v, g) = (h.edges[&one.over], h.edge_float[&s[0]], h.pair[&s[1]]);
                let (best, m) = (h.least[&s[2]], h.ends[&s[3]]);
                $call!($op, least, e, read(v), gbl_inc(g), gbl_min(best), idx(m[0])).map(drop)
            }
            Kind::Maybe => {
                let (w, v, c, m) = (h.node_float[&s[0]], h.edge_float[&s[1]], h.node_ints[&s[2]], h.ends[&s[3]]);
                let [first, second] = one.flags;
                if one.subset {
                    let e = h.edge_subsets[&one.over];
                    $call!($op, maybe, e, opt(first, read(w, m[0])), rw(v), opt(second, inc(c, m[1]))).map(drop)
                } else {
                    let e = h.edges[&one.over];
                    $call!($op, maybe, e, opt(first, read(w, m[0])), rw(v), opt(second, inc(c, m[1]))).map(drop)
                }
            }
            Kind::Extremes => {
                let (v, lo, hi) = (h.edge_float[&s[0]], h.node_pair[&s[1]], h.node_float[&s[2]]);
                let (e, m) = (h.edges[&one.over], h.ends[&s[3]]);
                $call!($op, extremes, e, read(v), min(lo, m[0]), max(hi, m[..])).map(drop)
            }
            Kind::Flags => {
                let (e, b, t) = (h.edges[&one.over], h.edge_flag[&s[0]], h.edge_words[&s[1]]);
                $call!($op, flags, e, read(b), rw(t)).map(drop)
            }
            Kind::Bits => {
                let (e, t, n, m) = (h.edges[&one.over], h.edge_words[&s[0]], h.node_ints[&s[1]], h.ends[&s[2]]);
                $call!($op, bits, e, read(t), or(n, m[..])).map(drop)
            }
            Kind::Raise => {
                let (x, b, g, m) = (h.node_float[&s[0]], h.edge_flag[&s[1]], h.int[&s[2]], h.back[&s[3]]);
                if one.subset {
                    let n = h.node_subsets[&one.over];
                    $call!($op, raise, n, read(x), or(b, m[0]), gbl_or(g)).map(drop)
                } else {
                    let n = h.nodes[&one.over];
                    $call!($op, raise, n, read(x), or(b, m[0]), gbl_or(g)).map(drop)
                }
            }
            Kind::Table => {
                let (n, v, x) = (h.nodes[&one.over], h.node_ints[&s[0]], h.node_pair[&s[1]]);
                $call!($op, table, n, read(v), rw(x)).map(drop)
            }
            Kind::Triple => {
                let (e, x, y, m) = (h.edges[&one.over], h.node_float[&s[0]], h.node_float[&s[1]], h.corners[&s[2]]);
                $call!($op, triple, e, read(x, m[..]), inc(y, m[..])).map(drop)
            }
            Kind::Back => {
                let (n, t, x, m) = (h.nodes[&one.over], h.edge_words[&s[0]], h.node_float[&s[1]], h.back[&s[2]]);
                $call!($op, back, n, read(t, m[0]), rw(x)).map(drop)
            }
            Kind::Push => {
                let (n, x, t, m) = (h.nodes[&one.over], h.node_float[&s[0]], h.edge_words[&s[1]], h.back[&s[2]]);
                $call!($op, push, n, read(x), inc(t, m[0])).map(drop)
            }
            Kind::Twice => {
                let (e, a, b, m) = (h.edges[&one.over], h.node_float[&s[0]], h.node_float[&s[1]], h.ends[&s[2]]);
                $call!($op, twice, e, inc(a, m[0]), inc(b, m[1])).map(drop)
            }
            Kind::Swap => {
                let (e, a, b) = (h.edges[&one.over], h.edge_float[&s[0]], h.edge_float[&s[1]]);
                $call!($op, swap, e, rw(a), rw(b)).map(drop)
            }
            Kind::Pair => {
                let (e, a, b, m) = (h.edges[&one.over], h.node_ints[&s[0]], h.node_ints[&s[1]], h.ends[&s[2]]);
                $call!($op, pair, e, rw(a, m[0]), rw(b, m[1])).map(drop)
            }
            Kind::Numbers => {
                let (t, m) = (h.edge_words[&s[0]], h.ends[&s[1]]);
                if one.subset {
                    let e = h.edge_subsets[&one.over];
                    $call!($op, numbers, e, idx(m[0]), idx(m[1]), idx(), write(t)).map(drop)
                } else {
                    let e = h.edges[&one.over];
                    $call!($op, numbers, e, idx(m[0]), idx(m[1]), idx(), write(t)).map(drop)
                }
            }
            Kind::Smooth => {
                let (e, u, d, m) = (h.edges[&one.over], h.node_single[&s[0]], h.node_single[&s[1]], h.ends[&s[2]]);
                $call!($op, smooth, e, read(u, m[..]), inc(d, m[..])).map(drop)
            }
            Kind::Norm => {
                let (n, u) = (h.nodes[&one.over], h.node_single[&s[0]]);
                $call!($op, norm, n, rw(u)).map(drop)
            }
            Kind::Leap => {
                let (next, far, x) = (h.next[&s[0]], h.next[&s[1]], h.node_float[&s[2]]);
                if one.subset {
                    let n = h.node_subsets[&one.over];
                    $call!($op, leap, n, rw(next), read(far, all), read(x, all)).map(drop)
                } else {
                    let n = h.nodes[&one.over];
                    $call!($op, leap, n, rw(next), read(far, all), read(x, all)).map(drop)
                }
            }
            Kind::Follow => {
                let (m, x, t) = (h.ends[&s[0]], h.node_float[&s[1]], h.edge_words[&s[2]]);
                if one.subset {
                    let e = h.edge_subsets[&one.over];
                    $call!($op, follow, e, read(m), read(x, all), rw(t)).map(drop)
                } else {
                    let e = h.edges[&one.over];
                    $call!($op, follow, e, read(m), read(x, all), rw(t)).map(drop)
                }
            }
            Kind::Seek => {
                let (n, far) = (h.nodes[&one.over], h.next[&s[0]]);
                let (x, c) = (h.node_float[&s[1]], h.node_count[&s[2]]);
                $call!($op, seek, n, idx(), read(far, all), read(x, all), rw(c)).map(drop)
            }
            Kind::Loosen => {
                let (near, next, x) = (h.near[&s[0]], h.next[&s[1]], h.node_float[&s[2]]);
                if one.subset {
                    let n = h.node_subsets[&one.over];
                    $call!($op, loosen, n, rw(near), read(next), read(x)).map(drop)
                } else {
                    let n = h.nodes[&one.over];
                    $call!($op, loosen, n, rw(near), read(next), read(x)).map(drop)
                }
            }
            Kind::Reach => {
                let (n, near, v) = (h.nodes[&one.over], h.near[&s[0]], h.node_ints[&s[1]]);
                $call!($op, reach, n, inc(v, near[..])).map(drop)
            }
            Kind::Adopt => {
                let (x, born) = (h.node_float[&s[0]], h.born[&s[1]]);
                let (n, w, c) = (h.nodes[&one.over], h.edge_float[&s[2]], h.node_count[&s[3]]);
                $call!($op, adopt, n, read(x), read(born), write(w, born[..]), rw(c)).map(drop)
            }
            Kind::Wire => {
                let (n, next, born) = (h.nodes[&one.over], h.next[&s[0]], h.born[&s[1]]);
                let (ends, x) = (h.ends[&s[2]], h.node_float[&s[3]]);
                let (w, v) = (h.edge_float[&s[4]], h.edge_float[&s[5]]);
                $call!(
                    $op,
                    wire,
                    n,
                    idx(),
                    read(next),
                    write(ends, born[..]),
                    rw(x),
                    read(w, born[..]),
                    inc(v, born[..])
                )
                .map(drop)
            }
            Kind::Lowest => {
                let (next, c) = (h.next[&s[0]], h.node_count[&s[1]]);
                if one.subset {
                    let n = h.node_subsets[&one.over];
                    $call!($op, lowest, n, idx(), min(c, next[0])).map(drop)
                } else {
                    let n = h.nodes[&one.over];
                    $call!($op, lowest, n, idx(), min(c, next[0])).map(drop)
                }
            }
            Kind::Collect => {
                let (star, w, x) = (h.star[&s[0]], h.edge_float[&s[1]], h.node_float[&s[2]]);
                if one.subset {
                    let n = h.node_subsets[&one.over];
                    $call!($op, collect, n, read(w, star[..]), rw(x)).map(drop)
                } else {
                    let n = h.nodes[&one.over];
                    $call!($op, collect, n, read(w, star[..]), rw(x)).map(drop)
                }
            }
            Kind::Lead => {
                let (star, back, c) = (h.star[&s[0]], h.back[&s[1]], h.node_count[&s[2]]);
                if one.subset {
                    let n = h.node_subsets[&one.over];
                    $call!($op, lead, n, read(star), rw(back), write(c)).map(drop)
                } else {
                    let n = h.nodes[&one.over];
                    $call!($op, lead, n, read(star), rw(back), write(c)).map(drop)
                }
            }
            Kind::Stir => {
                let (n, star, t) = (h.nodes[&one.over], h.star[&s[0]], h.edge_words[&s[1]]);
                $call!($op, stir, n, rw(t, star[..])).map(drop)
            }
            Kind::Spread => {
                let (n, ring, x) = (h.nodes[&one.over], h.ring[&s[0]], h.node_float[&s[1]]);
                let (v, c) = (h.node_ints[&s[2]], h.node_count[&s[3]]);
                $call!($op, spread, n, read(x, ring[..]), inc(v, ring[..]), rw(c)).map(drop)
            }
            Kind::Lean => {
                let (ring, next, x) = (h.ring[&s[0]], h.next[&s[1]], h.node_float[&s[2]]);
                if one.subset {
                    let n = h.node_subsets[&one.over];
                    $call!($op, lean, n, read(ring), rw(next), read(x, ring[..])).map(drop)
                } else {
                    let n = h.nodes[&one.over];
                    $call!($op, lean, n, read(ring), rw(next), read(x, ring[..])).map(drop)
                }
            }
            Kind::Settle => {
                let (homes, ends) = (h.homes[&s[0]], h.ends[&s[1]]);
                let (x, t) = (h.node_float[&s[2]], h.edge_words[&s[3]]);
                if one.subset {
                    let e = h.edge_subsets[&one.over];
                    $call!($op, settle, e, read(homes), rw(ends), read(x, homes[..]), rw(t)).map(drop)
                } else {
                    let e = h.edges[&one.over];
                    $call!($op, settle, e, read(homes), rw(ends), read(x, homes[..]), rw(t)).map(drop)
                }
            }
        }
    }};
}

/// Runs a loop.
pub(crate) fn run(op: &mut Op2, handles: &Handles, one: &Loop) -> Result<()> {
    call!(op_par_loop, op, handles, one)
}

/// Prepares the plan of a loop.
pub(crate) fn plan(op: &mut Op2, handles: &Handles, one: &Loop) -> Result<()> {
    call!(op_plan, op, handles, one)
}

/// Runs the loops of a chain for which `runs` is true, and returns their results.
pub(crate) fn chain(op: &mut Op2, handles: &Handles, loops: &[Loop], runs: &[bool]) -> Result<Vec<Result<()>>> {
    op.chain(|chain| {
        let mut answers = Vec::new();
        for (one, runs) in loops.iter().zip(runs) {
            answers.push(if *runs { call!(op_par_loop, chain, handles, one) } else { Ok(()) });
        }
        Ok(answers)
    })
}
