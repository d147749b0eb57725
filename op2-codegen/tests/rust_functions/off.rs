//! Operations that would fail in lanes that are off: indices, divisions, shifts, calls, by every way of switching lanes off.

const LIST: &[f64] = &[0.25, 0.75];
const TABLE: [[i32; 2]; 3] = [[1, -2], [3, 4], [-5, 6]];

twin! {
    // Rows of every kind, where some lanes have no row.
    fn rows(x: &f64, k: &i32, out: &mut [f64; 3]) {
        let t = [[*x, 1.0], [2.0, *x], [3.0, 4.0]];
        if *k >= 0 && *k < 3 {
            let r = t[*k as usize];
            out[0] = r[0] + r[1];
        } else {
            out[1] -= 1.0;
        }
        let v = if *k > 0 && *k < 3 { t[*k as usize - 1] } else { [*x; 2] };
        out[2] = v[0] - v[1];
    }
    // Indices that nothing was computed for: those of lanes that are off lead behind the end.
    fn bare(x: &f64, n: usize, k: &i32, out: &mut [f64; 3], flags: &mut [bool; 2]) {
        let (a, b, c) = ([*x], [[*x, 1.0]], [([*k, 3], *x < 0.5)]);
        if n < 1 {
            out[0] = a[n];
            let r = b[n];
            out[1] = r[0] - b[n][1];
            let (pair, flag) = c[n];
            if flag { out[2] += pair[1] as f64; }
            flags[1 - n] = c[n].1;
        }
        let row = if n == 0 { b[n] } else { [0.5; 2] };
        out[2] -= row[1];
        if n == 0 && a[n] > 0.0 || n > 0 && *x > 0.0 { flags[0] = !flags[0]; }
        if n > 0 { return; }
        let mut i = n;
        while i < 1 && b[i][0] < 0.5 { i += 1; out[0] += b[i - 1][1]; }
        for j in i..1 { out[1] -= b[j][0]; }
    }
    fn fixed_rows(k: &i32, out: &mut [f64; 2]) {
        let t = [[0.5, 1.0], [2.0, 0.25]];
        if *k == 0 || *k == 1 { *out = t[*k as usize]; }
    }
    fn deep(x: &f64, k: &i32, n: usize, out: &mut [f64; 2]) {
        let t = [[[*x, 1.0], [2.0, *x]], [[3.0, 4.0], [*x, 6.0]]];
        if *k >= 0 && *k < 2 {
            let part = t[*k as usize];
            *out = part[n];
            let row = t[*k as usize][1 - n];
            out[0] += row[n] + t[n][*k as usize][*k as usize];
        }
    }
    fn tuples(x: &f64, k: &i32, out: &mut [f64; 2], count: &mut i32) {
        let t = [(*x, [1, 2], true), (0.5, [*k, 4], *x > 0.0), (*x, [3, *k], false)];
        if *k >= 0 && *k < 3 {
            let (a, b, c) = t[*k as usize];
            out[0] = a;
            if c { *count += b[0] - b[1]; }
            out[1] += t[2 - *k as usize].0;
        }
    }
    fn flags(x: &f64, k: &i32, out: &mut [bool; 2]) {
        let t = [[*x > 0.0, true], [false, *x < 0.5]];
        if *k >= 0 && *k < 2 { *out = t[*k as usize]; }
        let u = [true, *k > 1, false];
        if *k >= 0 && *k < 3 && u[*k as usize] { out[0] = !out[0]; }
    }
    fn integers(k: &i32, a: &u64, out: &mut [u64; 2], places: &mut [i64; 2]) {
        let (t, u) = ([[*a, 1], [2, *a]], [[0, 1], [1, 0]]);
        if *k >= 0 && *k < 2 {
            *out = t[*k as usize];
            let p: [usize; 2] = u[*k as usize];
            places[p[0]] += 5 - p[1] as i64;
        }
    }
    // Places with indices of their own.
    fn places(x: &f64, k: &i32, out: &mut [f64; 3]) {
        let mut t = [[*x, 1.0], [2.0, *x], [3.0, 4.0]];
        let mut u = [(1.0, [2, 3]), (*x, [4, 5])];
        if *k >= 0 && *k < 3 {
            out[*k as usize] += *x;
            t[*k as usize] = [*x, -1.0];
            t[2 - *k as usize][1] *= 2.0;
            let at = *k as usize;
            if at < 2 { u[at].1[1 - at] -= 7; u[at] = (0.5, [1, *k]); }
        } else if *k > 3 {
            out[(*k - 4) as usize] = t[0][0];
        }
        for n in 0..3 { out[n] += t[n][0] - t[n][1]; }
        out[0] += u[0].0 + (u[1].1[0] + u[0].1[1]) as f64;
    }
    // The right sides of `&&` and `||`, also in conditions of loops.
    fn lazily(x: &f64, k: &i32, out: &mut [f64; 2]) {
        let t = [[*x, 1.0], [0.5, *x], [3.0, 4.0]];
        let mut i = *k;
        while i >= 0 && i < 3 && t[i as usize][0] < 0.75 { i += 1; out[0] += 1.0; }
        let mut j = *k;
        while !(j < 0 || j > 2 || t[j as usize][1] > 2.0) { j += 1; out[1] -= 1.0; }
        if *k == 0 || 12 / *k > 3 { out[0] -= 8.0; }
        let some = *k > 0 && 7 % *k == 0 || *k < 0 && -7 / *k > 3;
        if some { out[1] += 16.0; }
    }
    fn inner(x: &f64, k: &i32, out: &mut f64) {
        let t = [*x, 1.0, -0.5];
        if *x > -0.5 {
            if *k >= 0 && *k < 3 && (t[*k as usize] < *x || 6 / (*k + 1) > 2) { *out = 1.0; } else { *out -= 1.0; }
        } else {
            let no = *k < 0 || *k > 2 || { let r = t[*k as usize]; r > 0.0 };
            if no { *out = 2.0; }
        }
    }
    // Who returned, or left a loop, is off for what follows.
    fn returns(x: &f64, k: &i32, out: &mut [f64; 2]) {
        let t = [[*x, 1.0], [0.5, *x], [3.0, 4.0]];
        if *k < 0 || *k > 2 { return; }
        let r = t[*k as usize];
        *out = r;
        out[*k as usize % 2] += 1.0;
        if r[0] > 0.0 { return; }
        out[0] += (100 / (*k - 3)) as f64;
    }
    fn breaks(x: &f64, k: &i32, out: &mut [f64; 2]) {
        let t = [[*x, 1.0], [0.5, *x], [3.0, 4.0]];
        let mut i = *k + 2;
        loop {
            if i > 2 { break; }
            let r = t[i as usize];
            out[0] += r[1];
            i += 1;
            if r[0] > 0.4 { continue; }
            out[1] += t[(i - 1) as usize][0];
        }
        for n in 0..3 {
            if *k + n > 2 || *k + n < 0 { continue; }
            let r = t[(*k + n) as usize];
            out[0] -= r[0];
        }
        for i in *k..2 {
            if i < 0 { continue; }
            let (r, s) = (t[i as usize], 6 / (2 - i));
            out[1] += r[1] * s as f64;
        }
    }
    fn blocks(x: &f64, k: &i32, out: &mut i32) {
        let whole = { if *k < 0 { return; } 10 / (*k + 1) };
        *out += whole;
        let row = { if *k > 2 { return; } TABLE[*k as usize][1] };
        *out -= row;
        for n in 0..3 {
            let part = { if *k == n { continue; } 12 / (*k - n) };
            *out += part;
            let other = if n > 1 { if *x > 0.0 { break; } 5 % (*k - n) } else { 1 };
            *out -= other;
        }
    }
    // Operations that fail although their operands are the same for all lanes.
    fn same_for_all(low: &f64, x: &f64, high: &f64, k: &i32, out: &mut [f64; 2]) {
        if *x > 0.0 && *low <= *high { out[0] = low.clamp(*low, *high); } else { out[0] += 2.0; }
        if *x < 0.0 { if *k > 9 { out[1] = LIST[5]; } else { out[1] = LIST[1]; } }
        if *x > 0.25 && *k != 0 { out[1] += (60 / *k) as f64; }
        let t = [1.0, 2.0];
        if *x > 0.5 { if *k < 2 && *k >= 0 { out[0] -= t[*k as usize]; } }
    }
    // Operations of integers.
    fn operations(k: &i32, n: &u32, a: &i64, out: &mut [i32; 4]) {
        if *k > 0 { out[0] = 100 / *k + 100 % *k; } else { out[0] += 1; }
        if *k < 2 && *k >= 0 { out[1] = 1 << (30 * *k); } else { out[1] -= 1; }
        if *n > 3 { out[2] = (*n - 4) as i32; out[3] = (10 >> (*n - 4)) as i32; }
        if *k >= 0 { out[2] += 3i32.pow(*k as u32 * 3) % 5; } else { out[3] += k.rem_euclid(*k); }
        if *k >= 1 { let m: u32 = *n; out[2] += m.clamp(1, 2).min(5).pow(1) as i32; }
        if *a > 0 { out[3] -= (20 / *a) as i32; out[0] = -out[0]; }
        if *k <= 1 { let five: i32 = 5; out[1] += five.clamp(*k, 1); }
        if *a <= 2 { let p: usize = (*a + 2) as usize; out[p % 4] = 7; }
    }
    // Assertions that do not hold for lanes that are off.
    fn fits(k: i32) -> bool { debug_assert!(k > 0); 12 / k > 1 }
    fn assertions(x: &f64, k: &i32, out: &mut [f64; 2]) {
        if *x > 0.0 { debug_assert!(*x > 0.0, "x is {x}"); out[0] += 1.0; } else { debug_assert!(!(*x > 0.0)); }
        if *k > 0 { debug_assert!(fits(*k) || *k == 0); }
        if *k < 2 && *k >= 0 { debug_assert!({ let t: i32 = TABLE[*k as usize][0]; t != *k + 7 }); }
        for n in 0..3 {
            if *k == n { continue; }
            debug_assert_ne!(*k, n, "{n}");
            out[1] += 1.0;
        }
        if *x < 0.25 { return; }
        debug_assert!(!(*x < 0.25));
        out[0] *= 2.0;
    }
    // Calls.
    fn row(t: &[[f64; 2]; 3], at: i32) -> [f64; 2] { t[at as usize] }
    fn share(all: i32, of: i32) -> i32 { if of < 0 { return all / (of + 3); } all / of }
    fn put(t: &mut [[f64; 2]; 3], at: i32, value: f64) { t[at as usize] = [value; 2]; }
    fn calls(x: &f64, k: &i32, out: &mut [f64; 2]) {
        let mut t = [[*x, 1.0], [0.5, *x], [3.0, 4.0]];
        if *k >= 0 && *k < 3 { put(&mut t, *k, 0.5); *out = row(&t, 2 - *k); }
        if *k > 0 && share(6, *k) > 1 { out[0] -= share(12, *k) as f64; }
        if *k == 0 || share(5, *k) < 2 { out[1] += 1.0; }
    }
}
