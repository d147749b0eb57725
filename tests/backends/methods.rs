//! Methods of records: generic ones, ones named like the language's, ones that call each other and other functions.

use crate::support::{Mesh, Subject, on_every_backend, samples};
use op2::{Float, op_par_loop};

mod dual {
    use op2::Float;

    /// A length, and a constant, that only this module knows.
    const WAYS: usize = 2;
    const FLOOR: f64 = 0.25;

    /// A number with its derivatives.
    #[op2::record(methods)]
    pub struct Dual<F: Float> {
        pub value: F,
        pub slope: [F; WAYS],
    }

    #[op2::device_fn]
    impl<F: Float> Dual<F> {
        pub fn new(value: F, way: usize) -> Self {
            let mut slope = [F::lit(0.0); WAYS];
            slope[way] = F::lit(1.0);
            Self { value, slope }
        }

        pub fn fixed(value: F) -> Self {
            Dual { value, slope: [F::lit(0.0); WAYS] }
        }

        pub fn plus(mut self, other: Self) -> Self {
            self.value += other.value;
            for (s, t) in self.slope.iter_mut().zip(other.slope) {
                *s += t;
            }
            self
        }

        pub fn times(self, other: Dual<F>) -> Dual<F> {
            let mut product = Self::fixed(self.value * other.value);
            for d in 0..WAYS {
                product.slope[d] = self.value * other.slope[d] + self.slope[d] * other.value;
            }
            product
        }

        /// Named like a function of the language, which it calls.
        pub fn sqrt(&self) -> Self {
            let root = safe(self.value).sqrt();
            let mut out = *self;
            out.value = root;
            out.scale_slope(F::lit(0.5) / root);
            out
        }

        pub fn max(self, other: Self) -> Self {
            if self.value.max(other.value) == self.value { self } else { other }
        }

        pub fn scale(&mut self, by: F) {
            self.value *= by;
            self.scale_slope(by);
        }

        fn scale_slope(&mut self, by: F) {
            for s in &mut self.slope {
                *s *= by;
            }
        }

        pub fn along(&mut self, way: usize) -> &mut F {
            &mut self.slope[way]
        }

        pub fn steepest(&self) -> &F {
            if self.slope[0].abs() > self.slope[1].abs() { &self.slope[0] } else { &self.slope[1] }
        }
    }

    #[op2::device_fn]
    fn safe<F: Float>(x: F) -> F {
        x.abs() + F::lit(FLOOR)
    }
}

use dual::Dual;

#[op2::record(methods)]
enum Side {
    Inner,
    Outer,
}

#[op2::device_fn]
impl Side {
    fn of(x: f64) -> Side {
        if x > 0.0 { Side::Outer } else { Self::Inner }
    }

    fn is_outer(self) -> bool {
        debug_assert!(self == Self::Outer || self == Side::Inner);
        match self {
            Self::Outer => true,
            Self::Inner => false,
        }
    }

    fn weight(&self) -> f64 {
        if self.is_outer() { 2.0 } else { -1.0 }
    }
}

/// Has a record inside, whose methods it calls.
#[op2::record(methods)]
struct Pair {
    both: [Dual<f64>; 2],
}

#[op2::device_fn]
impl Pair {
    fn product(&self) -> Dual<f64> {
        let [a, b] = self.both;
        a.times(b).plus(Dual::fixed(Side::of(a.value).weight()))
    }

    fn swap(&mut self) -> f64 {
        self.both = [self.both[1], self.both[0]];
        let kept = self.both[0].value;
        self.both[1].scale(kept);
        // Rust computes the argument before it lends the receiver.
        self.both[0].scale(self.both[0].value);
        let [first, _] = &self.both;
        let lent = &first.value;
        self.both[0].scale(*lent);
        kept
    }
}

/// Its caller does not mention the type of the result.
#[op2::device_fn]
fn pair(a: &[f64; 3], b: &[f64; 3]) -> Pair {
    Pair { both: [Dual { value: a[0], slope: [a[1], a[2]] }, Dual { value: b[0], slope: [b[1], b[2]] }] }
}

#[op2::kernel]
fn combine(a: &[f64; 3], b: &[f64; 3], out: &mut Dual<f64>, sum: [&mut Dual<f64>; 2], most: &mut f64) {
    let mut both = pair(a, b);
    *out = both.product().sqrt().plus(Dual::new(a[1], 1));
    let kept = both.swap();
    let flux = both.product();
    sum[0].value += flux.max(Dual::fixed(kept)).value;
    sum[1].value -= flux.value;
    sum[0].slope[0] += kept;
    sum[1].slope[1] += *flux.steepest();
    *most = most.max(*out.steepest());
    if Side::is_outer(Side::of(kept)) {
        out.scale(out.value);
        *out.along(1) += 1.0;
    }
}

type Out = (Vec<[f64; 3]>, Vec<[f64; 3]>, f64);

type Plain = [f64; 3];

fn times(a: Plain, b: Plain) -> Plain {
    [a[0] * b[0], a[0] * b[1] + a[1] * b[0], a[0] * b[2] + a[2] * b[0]]
}

fn product([a, b]: [Plain; 2]) -> Plain {
    let p = times(a, b);
    [p[0] + if a[0] > 0.0 { 2.0 } else { -1.0 }, p[1] + 0.0, p[2] + 0.0]
}

fn steepest(a: Plain) -> f64 {
    if a[1].abs() > a[2].abs() { a[1] } else { a[2] }
}

fn expected(m: &Mesh) -> Out {
    let values: Vec<Plain> = samples(m.nodes, 7);
    let (mut out, mut sum, mut most) = (Vec::new(), vec![[0.0; 3]; m.nodes], f64::MIN);
    for [l, r] in m.rows::<2>(1) {
        let (l, r) = (l as usize, r as usize);
        let (a, b) = (values[l], values[r]);
        let p = product([a, b]);
        let root = (p[0].abs() + 0.25).sqrt();
        let by = 0.5 / root;
        let mut own = [root + a[1], p[1] * by + 0.0, p[2] * by + 1.0];
        let kept = b[0];
        let squared = b.map(|x| x * b[0]);
        let pair = [squared.map(|x| x * squared[0]), a.map(|x| x * kept)];
        let flux = product(pair);
        sum[l][0] += if flux[0].max(kept) == flux[0] { flux[0] } else { kept };
        sum[r][0] -= flux[0];
        sum[l][1] += kept;
        sum[r][2] += steepest(flux);
        most = most.max(steepest(own));
        if kept > 0.0 {
            own = own.map(|x| x * own[0]);
            own[2] += 1.0;
        }
        out.push(own);
    }
    (out, sum, most)
}

fn row(d: Dual<f64>) -> Plain {
    [d.value, d.slope[0], d.slope[1]]
}

#[test]
fn methods_are_called_on_records() {
    on_every_backend(&Mesh::all(), expected, |op: &mut Subject, m| {
        let set = m.declare(op)?;
        let ends = op.decl_map("ends", set.edges, set.nodes, &m.rows::<2>(1))?;
        let values = op.decl_dat("values", set.nodes, &samples::<Plain>(m.nodes, 7))?;
        let out = op.decl_dat_filled("out", set.edges, Dual::fixed(0.0))?;
        let sum = op.decl_dat_filled("sum", set.nodes, Dual::fixed(0.0))?;
        let most = op.decl_global("most", f64::MIN);
        op_par_loop!(
            op,
            combine,
            set.edges,
            read(values, ends[0]),
            read(values, ends[1]),
            write(out),
            inc(sum, ends[..]),
            gbl_max(most)
        )?;
        let rows = |dat: Vec<Dual<f64>>| dat.into_iter().map(row).collect();
        Ok((rows(op.fetch(out)?), rows(op.fetch(sum)?), op.get(most)?))
    });
}

#[op2::kernel]
fn length<F: Float>(x: &Dual<F>, y: &Dual<F>, out: &mut Dual<F>) {
    *out = x.times(*x).plus(y.times(*y)).sqrt();
    out.scale(F::lit(2.0));
}

#[test]
fn methods_are_generic_over_the_float() {
    let of = |m: &Mesh| samples::<[f64; 2]>(m.nodes, 8);
    on_every_backend(
        &Mesh::all(),
        |m| {
            let one = |[a, b]: [f64; 2]| {
                let x = [a, 1.0, 0.0];
                let y = [b, 0.0, 1.0];
                let (p, q) = (times(x, x), times(y, y));
                let s = [p[0] + q[0], p[1] + q[1], p[2] + q[2]];
                let root = (s[0].abs() + 0.25).sqrt();
                [root * 2.0, s[1] * (0.5 / root) * 2.0, s[2] * (0.5 / root) * 2.0]
            };
            of(m).into_iter().map(one).collect::<Vec<_>>()
        },
        |op: &mut Subject, m| {
            let set = m.declare(op)?;
            let at = |way: usize| of(m).iter().map(|v| Dual::new(v[way], way)).collect::<Vec<_>>();
            let x = op.decl_dat("x", set.nodes, &at(0))?;
            let y = op.decl_dat("y", set.nodes, &at(1))?;
            let out = op.decl_dat_filled("out", set.nodes, Dual::fixed(0.0))?;
            op_par_loop!(op, length, set.nodes, read(x), read(y), write(out))?;
            let single = |d: &Dual<f64>| Dual { value: d.value as f32, slope: d.slope.map(|s| s as f32) };
            let of_single = |way| at(way).iter().map(single).collect::<Vec<_>>();
            let (x, y) = (op.decl_dat("xs", set.nodes, &of_single(0))?, op.decl_dat("ys", set.nodes, &of_single(1))?);
            let rough = op.decl_dat_filled("rough", set.nodes, Dual::fixed(0.0f32))?;
            op_par_loop!(op, length, set.nodes, read(x), read(y), write(rough))?;
            let (fine, rough) = (op.fetch(out)?, op.fetch(rough)?);
            for (fine, rough) in fine.iter().zip(rough) {
                assert!((fine.value - f64::from(rough.value)).abs() < 1e-5 * fine.value.abs().max(1.0));
            }
            Ok(fine.into_iter().map(row).collect())
        },
    );
}
