//! Rows of any length: of values with components, read and contributed to, of scalars, and one that may be absent.

#[op2::device_fn]
fn distance(x: &Row<[f64; 2]>, i: usize, from: &[f64; 2]) -> f64 {
    let d = [x[i][0] - from[0], x[i][1] - from[1]];
    (d[0] * d[0] + d[1] * d[1]).sqrt()
}

#[op2::kernel]
fn gather(
    x: &Row<[f64; 2]>,
    centre: &[f64; 2],
    weight: Option<&Row<f64>>,
    change: &mut Row<[f64; 2]>,
    count: &mut Row<u32>,
    least: &mut Row<f64>,
    last: &mut f64,
) {
    for i in 0..x.len() {
        let mut pull = distance(x, i, centre) - distance(x, 0, &x[i]);
        if let Some(weight) = weight {
            pull *= weight[i];
        }
        let at = x[i];
        for c in 0..2 {
            change[i][c] += pull * at[c];
        }
        count[i] += 1;
        least[i] = least[i].min(pull);
        *last = pull;
    }
}

fn run(op: &mut Op2) -> Result<()> {
    op_par_loop!(
        op,
        gather,
        nodes,
        read(x, ring[..]),
        read(x),
        opt(weighted, read(weight, ring[..])),
        inc(change, ring[..]),
        inc(count, sides[..]),
        min(least, ring[..]),
        rw(last)
    )
}
