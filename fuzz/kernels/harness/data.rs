/// A scalar, in data and in results.
pub(crate) trait Scalar: Copy {
    fn any(random: &mut Random) -> Self;
    fn seen(self) -> Seen;
    fn neutral(by: By) -> Self;
    fn combined(self, by: By, other: Self) -> Self;
    fn size(self) -> f64;
    fn quarter(self) -> Self;
}

#[derive(Debug, Clone, Copy)]
pub(crate) enum By {
    Inc,
    Min,
    Max,
    Or,
}

/// A scalar of a result.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Seen {
    Exact(i128),
    Single(f32),
    Double(f64),
    Nothing,
}

macro_rules! floats {
    ($($ty:ident $seen:ident;)*) => {$(
        impl Scalar for $ty {
            fn any(random: &mut Random) -> $ty {
                let small = (random.bits() >> 11) as $ty / (1u64 << 50) as $ty - 4.0;
                match random.below(24) {
                    0 => random.pick(&[0.0, 1.0, -1.0, 0.5, 2.0, 1e10, -1e10, 1e-10, $ty::MAX, $ty::INFINITY, $ty::NEG_INFINITY, $ty::NAN]),
                    // Zeros have no sign, since either of +0 and -0 may come out as the greater one.
                    1..=4 => small.round() + 0.0,
                    5 => small * 1e5,
                    _ => small,
                }
            }
            fn seen(self) -> Seen { Seen::$seen(self) }
            fn neutral(by: By) -> $ty {
                match by { By::Inc => -0.0, By::Min => $ty::INFINITY, By::Max => $ty::NEG_INFINITY, By::Or => unreachable!() }
            }
            fn combined(self, by: By, other: $ty) -> $ty {
                match by { By::Inc => self + other, By::Min => self.min(other), By::Max => self.max(other), By::Or => unreachable!() }
            }
            fn size(self) -> f64 { f64::from(self).abs() }
            fn quarter(self) -> $ty { (self.max(-16.0).min(16.0) * 4.0).round() / 4.0 + 0.0 }
        }
    )*};
}
floats! { f32 Single; f64 Double; }

macro_rules! integers {
    ($($ty:ident)*) => {$(
        impl Scalar for $ty {
            fn any(random: &mut Random) -> $ty {
                let bits = random.bits();
                match random.below(8) {
                    0 => random.pick(&[0, 1, 2, 31, 32, 63, $ty::MAX, $ty::MIN, $ty::MAX - 1, $ty::MAX / 2 + 1]),
                    1..=3 => (bits % 9) as $ty,
                    4 => ((bits % 9) as $ty).wrapping_neg(),
                    5 => bits as $ty,
                    _ => (bits % 2000) as $ty,
                }
            }
            fn seen(self) -> Seen { Seen::Exact(self as i128) }
            fn neutral(by: By) -> $ty {
                match by { By::Inc | By::Or => 0, By::Min => $ty::MAX, By::Max => $ty::MIN }
            }
            fn combined(self, by: By, other: $ty) -> $ty {
                match by { By::Inc => self.wrapping_add(other), By::Min => self.min(other), By::Max => self.max(other), By::Or => self | other }
            }
            fn size(self) -> f64 { 0.0 }
            fn quarter(self) -> $ty { self }
        }
    )*};
}
integers! { i8 u8 i16 u16 i32 u32 i64 u64 usize }

impl Scalar for bool {
    fn any(random: &mut Random) -> bool {
        random.below(2) == 0
    }
    fn seen(self) -> Seen {
        Seen::Exact(self as i128)
    }
    fn neutral(_: By) -> bool {
        false
    }
    fn combined(self, _: By, other: bool) -> bool {
        self | other
    }
    fn size(self) -> f64 {
        0.0
    }
    fn quarter(self) -> bool {
        self
    }
}

/// A value, in data and in results.
pub(crate) trait Held: Copy {
    const DIM: usize;
    fn draw(random: &mut Random) -> Self;
    fn see(&self, to: &mut Vec<Seen>);
    fn start(by: By) -> Self;
    fn take(&mut self, by: By, other: &Self);
    fn sizes(&self, to: &mut Vec<f64>);
    fn quartered(self) -> Self;
}

macro_rules! held {
    ($($ty:ident)*) => {$(
        impl Held for $ty {
            const DIM: usize = 1;
            fn draw(random: &mut Random) -> Self { Scalar::any(random) }
            fn see(&self, to: &mut Vec<Seen>) { to.push(Scalar::seen(*self)); }
            fn start(by: By) -> Self { Scalar::neutral(by) }
            fn take(&mut self, by: By, other: &Self) { *self = Scalar::combined(*self, by, *other); }
            fn sizes(&self, to: &mut Vec<f64>) { to.push(Scalar::size(*self)); }
            fn quartered(self) -> Self { Scalar::quarter(self) }
        }
    )*};
}
held! { f32 f64 i8 u8 i16 u16 i32 u32 i64 u64 usize bool }

impl<V: Held, const N: usize> Held for [V; N] {
    const DIM: usize = N * V::DIM;
    fn draw(random: &mut Random) -> Self {
        std::array::from_fn(|_| V::draw(random))
    }
    fn see(&self, to: &mut Vec<Seen>) {
        self.iter().for_each(|v| v.see(to));
    }
    fn start(by: By) -> Self {
        [V::start(by); N]
    }
    fn take(&mut self, by: By, other: &Self) {
        self.iter_mut().zip(other).for_each(|(a, b)| a.take(by, b));
    }
    fn sizes(&self, to: &mut Vec<f64>) {
        self.iter().for_each(|v| v.sizes(to));
    }
    fn quartered(self) -> Self {
        self.map(V::quartered)
    }
}

/// A record: its fields in order.
macro_rules! held_record {
    ($name:ident $(<$float:ident>)? $($field:ident)*) => {
        impl Held for $name $(<$float>)? {
            const DIM: usize = <Self as op2::Value>::DIM;
            fn draw(random: &mut Random) -> Self { $name { $($field: Held::draw(random)),* } }
            fn see(&self, to: &mut Vec<Seen>) { $(self.$field.see(to);)* }
            fn start(by: By) -> Self { $name { $($field: Held::start(by)),* } }
            fn take(&mut self, by: By, other: &Self) { $(self.$field.take(by, &other.$field);)* }
            fn sizes(&self, to: &mut Vec<f64>) { $(self.$field.sizes(to);)* }
            fn quartered(self) -> Self { $name { $($field: self.$field.quartered()),* } }
        }
    };
}
pub(crate) use held_record;

/// An enum, which is seen as its number and never combined.
macro_rules! held_enum {
    ($name:ident $($variant:ident)*) => {
        impl Held for $name {
            const DIM: usize = 1;
            fn draw(random: &mut Random) -> Self {
                let all = [$($name::$variant),*];
                all[<u32 as Held>::draw(random) as usize % all.len()]
            }
            fn see(&self, to: &mut Vec<Seen>) { (*self as u8).see(to); }
            fn start(_by: By) -> Self { unreachable!("enums are not combined") }
            fn take(&mut self, _by: By, _other: &Self) { unreachable!("enums are not combined") }
            fn sizes(&self, to: &mut Vec<f64>) { to.push(0.0); }
            fn quartered(self) -> Self { self }
        }
    };
}
pub(crate) use held_enum;

/// A type that can be the payload of an extremum.
pub(crate) trait Rides {
    fn ride(&self, to: &mut Vec<Seen>);
}
impl<V: Held> Rides for V {
    fn ride(&self, to: &mut Vec<Seen>) {
        self.see(to);
    }
}
impl<A: Held, B: Held> Rides for (A, B) {
    fn ride(&self, to: &mut Vec<Seen>) {
        self.0.see(to);
        self.1.see(to);
    }
}

/// Data of a dat or a global; each salt gives different data.
pub(crate) fn samples<V: Held>(n: usize, salt: u64) -> Vec<V> {
    let mut random = Random(salt.wrapping_mul(0xda7a) + 3);
    (0..n).map(|_| V::draw(&mut random)).collect()
}

/// Initial values of sums: floats are multiples of a quarter.
pub(crate) fn quarters<V: Held>(n: usize, salt: u64) -> Vec<V> {
    samples(n, salt).into_iter().map(V::quartered).collect()
}

/// The neutral value of contributions.
pub(crate) fn neutral<V: Held>(by: By) -> V {
    V::start(by)
}

/// Data of the plain loops, with the sum of magnitudes added to each scalar.
pub(crate) struct Summed<V> {
    pub(crate) values: Vec<V>,
    sizes: Vec<f64>,
}

impl<V: Held> Summed<V> {
    pub(crate) fn dat(values: Vec<V>) -> Self {
        let mut sizes = Vec::new();
        values.iter().for_each(|v| v.sizes(&mut sizes));
        Summed { values, sizes }
    }

    pub(crate) fn combine(&mut self, by: By, at: usize, value: V) {
        self.values[at].take(by, &value);
        if let By::Inc = by {
            let mut more = Vec::new();
            value.sizes(&mut more);
            self.sizes[at * V::DIM..].iter_mut().zip(more).for_each(|(all, one)| *all += one);
        }
    }
}

/// The results of loops.
#[derive(Default)]
pub(crate) struct Left {
    parts: Vec<(&'static str, Vec<Seen>, Vec<f64>)>,
}

impl Left {
    pub(crate) fn dat<V: Held>(&mut self, name: &'static str, values: &[V]) {
        let mut seen = Vec::new();
        values.iter().for_each(|v| v.see(&mut seen));
        self.parts.push((name, seen, Vec::new()));
    }

    pub(crate) fn global<V: Held>(&mut self, name: &'static str, value: &V) {
        self.dat(name, &[*value]);
    }

    pub(crate) fn summed<V: Held>(&mut self, name: &'static str, values: &Summed<V>) {
        self.dat(name, &values.values);
        self.parts.last_mut().unwrap().2 = values.sizes.clone();
    }

    pub(crate) fn best<V: Held, P: Rides>(&mut self, name: &'static str, best: Option<(V, P)>) {
        let mut seen = Vec::new();
        match best {
            Some((value, payload)) => {
                value.see(&mut seen);
                payload.ride(&mut seen);
            }
            None => seen.push(Seen::Nothing),
        }
        self.parts.push((name, seen, Vec::new()));
    }

    fn count(&self) -> usize {
        self.parts.iter().map(|(_, seen, _)| seen.len()).sum()
    }

    /// The first difference between two results: in any bit, or beyond the rounding of the sums in `expected`.
    fn differs(&self, expected: &Left, exact: bool) -> Option<String> {
        for ((name, found, _), (_, wanted, sizes)) in self.parts.iter().zip(&expected.parts) {
            if found.len() != wanted.len() {
                return Some(format!("`{name}`: found {found:?}, expected {wanted:?}"));
            }
            for (at, (a, b)) in found.iter().zip(wanted).enumerate() {
                let slack = if exact { 0.0 } else { sizes.get(at).copied().unwrap_or(0.0) };
                if !same(*a, *b, slack) {
                    return Some(format!("scalar {at} of `{name}`: found {a:?}, expected {b:?}"));
                }
            }
        }
        None
    }
}

fn same(a: Seen, b: Seen, slack: f64) -> bool {
    match (a, b) {
        (Seen::Exact(a), Seen::Exact(b)) => a == b,
        (Seen::Single(a), Seen::Single(b)) => {
            a.to_bits() == b.to_bits() || (a.is_nan() && b.is_nan()) || f64::from((a - b).abs()) < slack * 1e-5
        }
        (Seen::Double(a), Seen::Double(b)) => {
            a.to_bits() == b.to_bits() || (a.is_nan() && b.is_nan()) || (a - b).abs() < slack * 1e-13
        }
        (Seen::Nothing, Seen::Nothing) => true,
        _ => false,
    }
}
