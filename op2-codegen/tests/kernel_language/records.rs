//! Records and aliases, run in both forms.

use op2_codegen::ir::{Scalar, Unit};
use op2_codegen::model;
use op2_codegen::model::file::in_file;
use op2_codegen::parse::kernel::FnKind;

use crate::value::{ToValue, Value};
use crate::{Consts, Numbers, agree, list};

/// Compiles declarations and functions and keeps their text. The first function is the one that runs.
macro_rules! program {
    ($name:ident { $($item:item)+ }) => {
        mod $name {
            $($item)+
            pub(super) const TEXT: &str = stringify!($($item)+);
        }
    };
}

/// A struct is its fields in order.
macro_rules! values {
    ($($ty:path { $($field:ident),+ })+) => {
        $(impl ToValue for $ty {
            fn value(&self) -> Value { Value::Tuple(vec![$(self.$field.value()),+]) }
        })+
    };
}

pub(crate) fn unit(text: &str, kind: FnKind) -> Unit {
    let file: syn::File = syn::parse_str(text).expect("declarations and functions");
    let first = file.items.iter().find_map(|item| match item {
        syn::Item::Fn(function) => Some(function),
        _ => None,
    });
    let payload = in_file(first.expect("a function"), kind, &file.items).expect("all that it mentions");
    model::build(&payload, kind).unwrap_or_else(|e| panic!("{}", list(e)))
}

const NDIM: usize = 2;

values! { fields::State { rho, u, p } }

fn state(n: &mut Numbers) -> fields::State {
    fields::State { rho: n.f64(), u: n.array(), p: n.f64() }
}

program! { fields {
    pub(super) fn fields(q: &State, w: &mut State, both: [&State; 2], out: &mut [f64; 6]) {
        w.rho = q.rho + q.u[1];
        w.u[0] -= q.p;
        let mut c = *q;
        c.u = [c.p, q.u[0]];
        c.p *= 2.0;
        let r = &mut c;
        r.rho += 1.0;
        let u = &mut r.u;
        u[1] += 0.5;
        out[0] = c.rho;
        out[1] = c.u[0] + c.u[1];
        let d = c;
        c.rho = -1.0;
        out[2] = d.rho - c.rho;
        *w = State { u: w.u, ..d };
        out[3] = both[0].rho - both[1].u[1];
        let row = [*q, c, *both[1]];
        for (i, s) in row.iter().enumerate() {
            out[4] += s.p * i as f64;
        }
        out[5] = (State { rho: 3.0, u: [0.0; super::NDIM], p: q.p }).p;
    }
    #[derive(Clone, Copy)]
    pub(super) struct State {
        pub rho: f64,
        pub u: [f64; super::NDIM],
        pub p: f64,
    }
} }

#[test]
fn fields_agree() {
    let unit = unit(fields::TEXT, FnKind::Kernel);
    let consts = Consts::from([("State::super::NDIM", NDIM.value()), ("super::NDIM", NDIM.value())]);
    for seed in 1..20 {
        let mut n = Numbers::new(seed);
        let args = (state(&mut n), state(&mut n), [state(&mut n), state(&mut n)], n.array());
        agree(&unit, &consts, Scalar::F64, args, |a| {
            fields::fields(&a.0, &mut a.1, [&a.2[0], &a.2[1]], &mut a.3);
        });
    }
}

program! { order {
    // The values of fields are computed in the order of the text, and `..` comes last.
    pub(super) fn order(x: &[f64; 2], out: &mut [f64; 4]) {
        let mut n = x[0];
        let c = Cell { b: { n += 1.0; n * 2.0 }, a: { n *= 3.0; n }, ..base(&mut n) };
        out[0] = c.a;
        out[1] = c.b;
        out[2] = c.inner.at;
        out[3] = n;
        let Cell { a, inner: Inner { at, .. }, .. } = c;
        let Inner { at: mut moved, flag } = (Cell { a: 1.0, ..c }).inner;
        if flag { moved += a; }
        out[0] += at * moved;
    }
    fn base(n: &mut f64) -> Cell {
        *n -= 0.25;
        Cell { inner: Inner { flag: *n > 0.0, at: *n * 5.0 }, a: 100.0, b: 200.0 }
    }
    #[derive(Clone, Copy)]
    struct Inner {
        at: f64,
        flag: bool,
    }
    #[derive(Clone, Copy)]
    struct Cell {
        a: f64,
        b: f64,
        inner: Inner,
    }
} }

#[test]
fn values_are_computed_in_the_order_of_the_text() {
    let unit = unit(order::TEXT, FnKind::Kernel);
    for seed in 1..20 {
        let mut n = Numbers::new(seed);
        agree(&unit, &Consts::new(), Scalar::F64, (n.array(), n.array()), |a| order::order(&a.0, &mut a.1));
    }
}

program! { generic {
    pub(super) fn generic<F: Float>(a: Vector<F>, b: &Line<F>, scale: f64) -> Vector<F> {
        let mut sum = Vector { x: a.x + length(&b.from), y: F::lit(scale) };
        let single: Vector<f32> = Vector { x: 1.5, y: 0.5 };
        if single.x > single.y {
            sum.y += b.to.y;
        }
        let Line { from: Vector { x, .. }, to } = *b;
        match (x > to.x, b.to.y < a.y) {
            (true, _) => Vector { x, ..sum },
            (false, true) => to,
            _ => sum,
        }
    }
    fn length<F: Float>(v: &Vector<F>) -> F {
        let squares: Squares<F> = [v.x * v.x, v.y * v.y];
        (squares[0] + squares[1]).sqrt()
    }
    type Squares<F> = [F; 2];
    #[derive(Clone, Copy)]
    pub(super) struct Vector<F> {
        pub x: F,
        pub y: F,
    }
    pub(super) struct Line<F: Float> {
        pub from: Vector<F>,
        pub to: Vector<F>,
    }
    pub(super) trait Float: Copy + PartialOrd + std::ops::Add<Output = Self> + std::ops::Mul<Output = Self> + std::ops::AddAssign {
        fn lit(x: f64) -> Self;
        fn sqrt(self) -> Self;
    }
    impl Float for f32 {
        fn lit(x: f64) -> f32 { x as f32 }
        fn sqrt(self) -> f32 { f32::sqrt(self) }
    }
    impl Float for f64 {
        fn lit(x: f64) -> f64 { x }
        fn sqrt(self) -> f64 { f64::sqrt(self) }
    }
} }

impl<F: ToValue> ToValue for generic::Vector<F> {
    fn value(&self) -> Value {
        Value::Tuple(vec![self.x.value(), self.y.value()])
    }
}

impl<F: ToValue + generic::Float> ToValue for generic::Line<F> {
    fn value(&self) -> Value {
        Value::Tuple(vec![self.from.value(), self.to.value()])
    }
}

#[test]
fn generic_records_agree() {
    use generic::{Line, Vector};
    let unit = unit(generic::TEXT, FnKind::DeviceFn);
    for seed in 1..30 {
        let mut n = Numbers::new(seed);
        let mut vector = || Vector { x: n.f64(), y: n.f64() };
        let (a, from, to) = (vector(), vector(), vector());
        let single = |v: Vector<f64>| Vector { x: v.x as f32, y: v.y as f32 };
        let args = (single(a), Line { from: single(from), to: single(to) }, 0.3);
        agree(&unit, &Consts::new(), Scalar::F32, args, |a| generic::generic(a.0, &a.1, a.2));
        agree(&unit, &Consts::new(), Scalar::F64, (a, Line { from, to }, 0.3), |a| generic::generic(a.0, &a.1, a.2));
    }
}

program! { methods {
    pub(super) fn methods(p: &mut Pair, x: &[f64; 2], out: &mut [f64; 5]) {
        let mut a = p.first.plus(Number::new(x[0]));
        a.grow(a.at);
        out[0] = a.at;
        let second = &mut p.second;
        out[1] = second.double().at;
        let r = &p.first;
        out[2] = r.sqrt().max(Number { at: x[1] }).at.max(-0.5);
        out[3] = *Number::new(x[1]).plus(*r).plus(a).inner();
        out[4] = Number::grown(&p.larger(), 3.0) + made(x[0]).double().at;
    }
    fn made(x: f64) -> Number {
        Number::new(x)
    }
    impl Number {
        fn new(at: f64) -> Self {
            Self { at }
        }
        fn plus(mut self, other: Number) -> Self {
            self.at += other.at;
            self
        }
        fn grow(&mut self, by: f64) {
            self.at += by * Self::grown(self, by);
        }
        fn grown(&self, by: f64) -> f64 {
            let Self { at } = *self;
            at + by
        }
        fn double(&mut self) -> Self {
            self.grow(self.grown(-1.0));
            *self
        }
        fn sqrt(self) -> Self {
            Number::new(self.at.abs().sqrt())
        }
        fn max(self, other: Self) -> Number {
            if self.at.max(other.at) == other.at { other } else { self }
        }
        fn inner(&self) -> &f64 {
            &self.at
        }
    }
    impl Pair {
        fn larger(&self) -> Number {
            self.first.max(self.second)
        }
    }
    #[derive(Clone, Copy)]
    pub(super) struct Number {
        pub at: f64,
    }
    #[derive(Clone, Copy)]
    pub(super) struct Pair {
        pub first: Number,
        pub second: Number,
    }
} }

values! { methods::Number { at } methods::Pair { first, second } }

#[test]
fn methods_agree() {
    use methods::{Number, Pair};
    let unit = unit(methods::TEXT, FnKind::Kernel);
    for seed in 1..30 {
        let mut n = Numbers::new(seed);
        let pair = Pair { first: Number { at: n.f64() }, second: Number { at: n.f64() } };
        agree(&unit, &Consts::new(), Scalar::F64, (pair, n.array(), n.array()), |a| {
            methods::methods(&mut a.0, &a.1, &mut a.2);
        });
    }
}
