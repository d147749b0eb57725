//! Values of single elements, and values in memory of the program, between loops: always by the numbers of the declaration.

use crate::support::{Mesh, on_every_backend, samples};
use op2::op_par_loop;

/// Leaves the same bits everywhere.
#[op2::kernel]
fn turn(x: &mut [f64; 3], high: &mut bool) {
    let first = x[0];
    x[0] = x[1];
    x[1] = x[2];
    x[2] = -first;
    *high = x[0] > 0.0;
}

/// Some elements of `size`: the first, the last and others, no two neighbours one after the other.
fn some(size: usize, salt: usize) -> Vec<usize> {
    let others = (0..9).map(|n| (n * 61 + salt * 7) % size.max(1));
    [0, size.saturating_sub(1)].into_iter().chain(others).filter(|&e| e < size).collect()
}

/// The value that a round gives an element.
fn given(round: usize, e: usize) -> [f64; 3] {
    let x = (round * 1000 + e) as f64;
    [x, -x, x + 0.5]
}

/// In each round a loop changes all values, and then the program reads some and changes others. In the second round it reads what
/// it has just changed.
#[test]
fn single_values_and_buffers() {
    type Seen = (Vec<[f64; 3]>, Vec<bool>, Vec<[f64; 3]>, Vec<bool>);
    let expected = |m: &Mesh| -> Seen {
        let (mut x, mut high): (Vec<[f64; 3]>, Vec<bool>) = (samples(m.nodes, 2), samples(m.nodes, 3));
        let (mut seen, mut flags) = (Vec::new(), Vec::new());
        for round in 0..3 {
            x.iter_mut().zip(&mut high).for_each(|(x, high)| turn(x, high));
            for e in some(m.nodes, round) {
                seen.push(x[e]);
                flags.push(high[e]);
            }
            for e in some(m.nodes, round + 5) {
                (x[e], high[e]) = (given(round, e), e % 2 == 0);
            }
        }
        (seen, flags, x, high)
    };
    on_every_backend(&Mesh::all(), expected, |op, m| {
        let set = m.declare(op)?;
        // Orderings follow it.
        op.decl_map("map", set.edges, set.nodes, &m.rows::<2>(1))?;
        let x = op.decl_dat("x", set.nodes, &samples::<[f64; 3]>(m.nodes, 2))?;
        let high = op.decl_dat("high", set.nodes, &samples::<bool>(m.nodes, 3))?;
        let (mut seen, mut flags) = (Vec::new(), Vec::new());
        let (mut all, mut all_flags) = (vec![[0.0; 3]; m.nodes], vec![false; m.nodes]);
        for round in 0..3 {
            op_par_loop!(op, turn, set.nodes, rw(x), rw(high))?;
            for e in some(m.nodes, round) {
                seen.push(op.value(x, e)?);
                flags.push(op.value(high, e as u32)?);
            }
            op.fetch_into(x, &mut all)?;
            for e in some(m.nodes, round + 5) {
                op.set_value(x, e, given(round, e))?;
                op.set_value(high, e as i64, e % 2 == 0)?;
                assert_eq!(op.value(x, e)?, given(round, e), "element {e} of {m:?}");
                all[e] = given(round, e);
            }
            assert_eq!(op.fetch(x)?, all, "all other values stay");
        }
        op.fetch_into(x, &mut all)?;
        op.fetch_into(high, &mut all_flags)?;
        Ok((seen, flags, all, all_flags))
    });
}
