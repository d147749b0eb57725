//! The kernels of the fuzzer in plain Rust, on numbers.

use crate::kinds::{Kind, NONE};

/// Applies the kernel to the values of its arguments. Values through several entries are concatenated; an absent
/// argument has none. Arg reductions are a flag for the candidate, its value and its payload.
pub fn compute(kind: Kind, a: &mut [Vec<f64>]) {
    let wrap = |x: f64, by: f64, of: f64| (x + by).rem_euclid(of);
    match kind {
        Kind::Fill => a[1][0] = (a[0][0] * 7.0) % 31.0 * 0.5,
        Kind::Axpy => a[2][0] = (a[2][0] + (a[0][0] % 8.0).trunc() * (a[1][0] % 64.0)) % 1024.0,
        Kind::Count => (a[0][0], a[0][4]) = (a[0][0] + 1.0, a[0][4] + 2.0),
        Kind::Flux => {
            let f = (a[0][0] % 16.0).trunc() * (a[1][0] % 16.0 - a[1][1] % 16.0);
            (a[2][0], a[2][1]) = (a[2][0] + f, a[2][1] - f);
        }
        Kind::Entry => (a[1][0], a[2][2]) = ((a[1][0] + a[0][0]) % 512.0, a[2][2] + 1.0),
        Kind::Stamp => {
            a[1][0] = a[0][0] % 50.0 * 0.25;
            a[3] = vec![a[2][0], a[0][0] * 3.0 + 1.0];
        }
        Kind::Wrap => {
            let by = (a[0][0] % 16.0).trunc() + 20.0;
            (a[1][2], a[1][5]) = (wrap(a[1][2], by, 4096.0), wrap(a[1][5], by, 4096.0));
        }
        Kind::Reduce => {
            a[2][0] += a[0][0] % 256.0;
            a[3][0] = a[3][0].min(a[1][0] - a[1][1]);
            let candidate = [1.0, a[0][0], a[5][0]];
            better(&mut a[4], &candidate, |new, old| new > old);
        }
        Kind::Sums => a[2][0] += (a[0][0] % 16.0) * (a[1][0] % 4.0).trunc(),
        Kind::Least => {
            (a[1][0], a[1][1]) = (a[1][0] + a[0][0] % 32.0, a[1][1] + 1.0);
            let candidate = [1.0, a[0][0] % 8.0, a[3][0]];
            better(&mut a[2], &candidate, |new, old| new < old);
        }
        Kind::Maybe => {
            a[1][0] = (a[1][0] + a[0].first().copied().unwrap_or(1.0)) % 128.0;
            if let Some(c) = a[2].first_mut() {
                *c += 3.0;
            }
        }
        Kind::Extremes => {
            let e = a[0][0];
            (a[1][0], a[1][1]) = (a[1][0].min(e), a[1][1].min(-e));
            (a[2][0], a[2][1]) = (a[2][0].max(e), a[2][1].max(e + 1.0));
        }
        Kind::Flags if a[0][0] != 0.0 => a[1][0] = (a[1][0] * 3.0 + 1.0) % 1000.0,
        Kind::Flags => a[1][1] = (a[1][1] / 2.0).floor() + 7.0,
        Kind::Bits => {
            let bits = |x: f64, more: f64| ((x as i64) | (more as i64)) as f64;
            (a[1][0], a[1][4]) = (bits(a[1][0], a[0][0] % 8.0), bits(a[1][4], a[0][1] % 512.0));
        }
        Kind::Raise => {
            a[1][0] = if a[1][0] != 0.0 || a[0][0] > 8.0 { 1.0 } else { 0.0 };
            a[2][0] = ((a[2][0] as i64) | (a[0][0].abs() % 64.0) as i64) as f64;
        }
        Kind::Table => {
            a[1][0] = (a[1][0] + [1.0, 2.5, -4.0][a[0][0].rem_euclid(3.0) as usize] * 0.5) % 64.0;
            a[1][1] = (a[1][1] + FACTOR) % 64.0;
        }
        Kind::Triple => {
            let m: f64 = a[0].iter().map(|x| x % 8.0).sum();
            a[1].iter_mut().for_each(|s| *s += m);
        }
        Kind::Back => a[1][0] = (a[1][0] + a[0][0] % 100.0) % 2048.0,
        Kind::Push => a[1][1] += if a[0][0] > 0.0 { 1.0 } else { 0.0 },
        Kind::Twice => (a[0][0], a[1][0]) = (a[0][0] + 1.0, a[1][0] + 2.0),
        Kind::Swap => (a[0][0], a[1][0]) = (a[1][0], a[0][0]),
        Kind::Pair => (a[0][1], a[1][1]) = (wrap(a[0][1], 5.0, 512.0), wrap(a[1][1], 7.0, 512.0)),
        Kind::Numbers => a[3] = vec![a[0][0] * 1000.0 + a[1][0], a[2][0]],
        Kind::Smooth => {
            let f = 0.3 * (a[0][0] - a[0][1]);
            (a[1][0], a[1][1]) = (a[1][0] - f, a[1][1] + f);
        }
        Kind::Leap => {
            let at = a[0][0] as usize;
            if a[2][at] > 0.0 {
                a[0][0] = a[1][at];
            }
        }
        Kind::Follow => {
            let [first, second] = [a[0][0], a[0][1]];
            a[2][0] = first + if first == second { 100.0 } else { 0.0 };
            if a[1][second as usize] < 0.0 {
                a[2][1] = a[1].len() as f64;
            }
        }
        Kind::Seek => {
            let n = (a[0][0] * 3.0 + a[3][0] % 64.0) % a[1].len() as f64;
            if a[2][n as usize] > 0.0 {
                a[3][0] = a[1][n as usize] % 64.0;
            }
        }
        Kind::Loosen => {
            if a[2][0] > 4.0 {
                a[0][0] = NONE as f64;
            } else if a[0][1] == NONE as f64 {
                a[0][1] = a[1][0];
            }
        }
        Kind::Adopt => {
            let x = (a[0][0] % 8.0).trunc();
            a[2].iter_mut().enumerate().for_each(|(k, w)| *w = x + k as f64);
            a[3][0] = (a[3][0] % 64.0 + a[1].len() as f64) % 64.0;
        }
        Kind::Wire => {
            let ends = [a[0][0], a[1][0]];
            a[2].iter_mut().zip(ends.into_iter().cycle()).for_each(|(entry, end)| *entry = end);
            a[3][0] = a[4].iter().fold(a[3][0], |x, w| (x + w % 64.0) % 1024.0);
            a[5].iter_mut().for_each(|sum| *sum += 2.0);
        }
        Kind::Reach => (a[0][0], a[0][5]) = (a[0][0] + 1.0, a[0][5] + 3.0),
        Kind::Lowest => a[1][0] = a[1][0].min(a[0][0]),
        Kind::Collect => a[1][0] = a[0].iter().fold(a[1][0], |x, w| (x * 2.0 + w % 64.0) % 1024.0),
        Kind::Lead => {
            a[2][0] = a[0].len() as f64;
            if let Some(last) = a[0].last() {
                a[1][0] = *last;
            }
        }
        Kind::Stir => a[0].chunks_mut(2).for_each(|t| t[1] = (t[1] + 5.0) % 512.0),
        Kind::Spread => {
            a[2][0] = a[0].iter().fold(a[2][0], |c, x| (c * 2.0 + if *x > 0.0 { 1.0 } else { 0.0 }) % 64.0);
            a[1].chunks_mut(3).zip(1..).for_each(|(v, k)| v[1] += f64::from(k));
        }
        Kind::Lean => {
            for (from, x) in a[0].clone().iter().zip(a[2].clone()) {
                if x > 0.0 {
                    a[1][0] = *from;
                }
            }
        }
        Kind::Settle => {
            let homes = a[0].clone();
            if let [first, .., last] = homes[..] {
                a[1] = vec![last, first];
            }
            a[3][0] = a[2].iter().fold(a[3][0], |t, x| (t * 3.0 + if *x < 0.0 { 1.0 } else { 2.0 }) % 1000.0);
        }
        Kind::Norm => a[0][0] = a[0][0] * 0.5 + 1.0 / (1.0 + a[0][0] * a[0][0]),
    }
}

/// The value of the constant that is set at the start of programs.
pub const FACTOR: f64 = 1.5;

/// Takes a candidate of an arg reduction if it is better. Of equal ones the smaller payload wins.
pub fn better(best: &mut [f64], candidate: &[f64], beats: impl Fn(f64, f64) -> bool) {
    let takes = best[0] == 0.0 || beats(candidate[1], best[1]) || (candidate[1] == best[1] && candidate[2] < best[2]);
    if candidate[0] != 0.0 && takes {
        best.copy_from_slice(candidate);
    }
}
