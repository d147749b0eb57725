//! Constants whose value is fixed at run time, before the first loop that uses them.

use crate::data::value::{Elem, Value};
use crate::error::{Error, Result};
use std::sync::OnceLock;

/// A run-time constant, declared by `op2::constants!`, set once, read in kernels by `.get()`.
///
/// ```
/// use op2_runtime::Constant;
/// static QINF: Constant<[f64; 4]> = Constant::new("QINF");
/// QINF.set([1.0, 0.4, 0.0, 2.5])?;
/// assert_eq!(QINF.get()[1], 0.4);
/// assert!(QINF.set([2.0; 4]).is_err());
/// # Ok::<(), op2_runtime::Error>(())
/// ```
#[derive(Debug)]
pub struct Constant<V> {
    name: &'static str,
    value: OnceLock<V>,
}

impl<V: Value> Constant<V> {
    /// A constant without a value yet.
    pub const fn new(name: &'static str) -> Self {
        Constant { name, value: OnceLock::new() }
    }

    /// Gives the constant its value. Setting the same value again is allowed: one of the same bits, so that NaN is itself and -0 is not 0.
    ///
    /// # Errors
    /// [`Error::ConstantChanged`] if it has another value, which it keeps.
    pub fn set(&self, value: V) -> Result<()> {
        let old = *self.value.get_or_init(|| value);
        if V::Elem::bytes(old.components()) == V::Elem::bytes(value.components()) {
            return Ok(());
        }
        Err(Error::ConstantChanged { name: self.name, old: format!("{old:?}"), new: format!("{value:?}") })
    }

    /// Whether the constant has its value.
    pub fn is_set(&self) -> bool {
        self.value.get().is_some()
    }

    /// The value.
    ///
    /// # Panics
    /// If it was never set. Loops do not come this far: they refuse to start.
    #[inline(always)]
    pub fn get(&self) -> V {
        match self.value.get() {
            Some(value) => *value,
            None => unset(self.name),
        }
    }
}

/// How deep arrays of a constant may be nested for their lengths to be known.
const DEEPEST: usize = 8;

/// Lengths of nested arrays, which only the compiler knows.
pub trait Nested {
    /// From outside in, then zeros.
    const LENGTHS: [usize; DEEPEST];
}

impl<T: Nested, const N: usize> Nested for [T; N] {
    const LENGTHS: [usize; DEEPEST] = {
        let mut lengths = [N; DEEPEST];
        let mut depth = 1;
        while depth < DEEPEST {
            lengths[depth] = T::LENGTHS[depth - 1];
            depth += 1;
        }
        lengths
    };
}

macro_rules! nested_scalar {
    ($($ty:ident)*) => {$(
        impl Nested for $ty {
            const LENGTHS: [usize; DEEPEST] = [0; DEEPEST];
        }
    )*};
}
nested_scalar!(f32 f64 i32 u32 i64 u64 bool);

/// The lengths of the arrays that a constant consists of.
pub const fn lengths<V: Nested>(_constant: &Constant<V>) -> [usize; DEEPEST] {
    V::LENGTHS
}

/// A constant as a loop needs it, whatever its type.
pub trait Known: Sync {
    /// Name of the constant.
    fn name(&self) -> &'static str;
    /// Whether it has its value.
    fn has_value(&self) -> bool;
    /// Its type and its value in CUDA C++, as far as it has one.
    fn cuda(&self) -> Option<(String, String)>;
}

impl<V: Value + Portable> Known for Constant<V> {
    fn name(&self) -> &'static str {
        self.name
    }

    fn has_value(&self) -> bool {
        self.is_set()
    }

    fn cuda(&self) -> Option<(String, String)> {
        self.value.get().map(|value| (value.cuda_type(), value.cuda_value()))
    }
}

/// A Rust `const` that a kernel mentions, captured where its name is in scope.
#[derive(Debug)]
pub struct Fixed<T> {
    /// Its name.
    pub name: &'static str,
    /// Its value.
    pub value: T,
}

impl<T: Portable + Sync> Known for Fixed<T> {
    fn name(&self) -> &'static str {
        self.name
    }

    fn has_value(&self) -> bool {
        true
    }

    fn cuda(&self) -> Option<(String, String)> {
        Some((self.value.cuda_type(), self.value.cuda_value()))
    }
}

/// The constants that a function of the kernel language mentions: its own, and those of the device
/// functions that it calls. The macros leave it beside the function, where the names are in scope.
pub struct Captured {
    /// Constants mentioned in the function itself, in order of first mention.
    pub own: &'static [&'static dyn Known],
    /// Those of the called device functions.
    pub callees: &'static [&'static Captured],
}

impl Captured {
    /// The name of a constant that has no value yet, if there is one.
    pub fn unset(&self) -> Option<&'static str> {
        let own = self.own.iter().find(|c| !c.has_value()).map(|c| c.name());
        own.or_else(|| self.callees.iter().find_map(|c| c.unset()))
    }

    /// The constant number `own` of the function that is reached by calling the functions with these numbers.
    pub(crate) fn find(&self, way: &[usize], own: usize) -> &'static dyn Known {
        way.iter().fold(self, |captured, &callee| captured.callees[callee]).own[own]
    }
}

/// A value that can be written down in CUDA C++.
#[diagnostic::on_unimplemented(
    message = "a constant of type `{Self}` cannot be used in a kernel",
    label = "expected a scalar, `usize`, or an array or tuple of them",
    note = "the value is written into the code for other machines"
)]
pub trait Portable {
    /// Its type in the words of op2's header.
    fn cuda_type(&self) -> String;
    /// The value as an initialiser.
    fn cuda_value(&self) -> String;
}

macro_rules! portable_integer {
    ($($ty:ident $suffix:literal),*) => {$(
        impl Portable for $ty {
            fn cuda_type(&self) -> String {
                stringify!($ty).to_owned()
            }
            fn cuda_value(&self) -> String {
                // The least number has no literal: its digits alone do not fit its type.
                #[allow(unused_comparisons)]
                if *self < 0 && *self == $ty::MIN {
                    return format!("(-{}{} - 1)", $ty::MAX, $suffix);
                }
                format!("{self}{}", $suffix)
            }
        }
    )*};
}
portable_integer!(i32 "", u32 "u", i64 "ll", u64 "ull", usize "ull");

macro_rules! portable_float {
    ($($ty:ident $name:literal $suffix:literal),*) => {$(
        impl Portable for $ty {
            fn cuda_type(&self) -> String {
                $name.to_owned()
            }
            fn cuda_value(&self) -> String {
                match self {
                    x if x.is_nan() => concat!("__builtin_nan", $suffix, "(\"\")").to_owned(),
                    x if *x == $ty::INFINITY => concat!("__builtin_huge_val", $suffix, "()").to_owned(),
                    x if x.is_infinite() => concat!("-__builtin_huge_val", $suffix, "()").to_owned(),
                    // The shortest digits that give the same number back.
                    x => format!("{x:?}{}", $suffix),
                }
            }
        }
    )*};
}
portable_float!(f32 "float" "f", f64 "double" "");

impl Portable for bool {
    fn cuda_type(&self) -> String {
        "bool".to_owned()
    }
    fn cuda_value(&self) -> String {
        self.to_string()
    }
}

impl<T: Portable> Portable for [T] {
    fn cuda_type(&self) -> String {
        let item = self.first().map_or_else(|| "char".to_owned(), Portable::cuda_type);
        format!("Arr<{item}, {}>", self.len())
    }
    fn cuda_value(&self) -> String {
        let items: Vec<String> = self.iter().map(Portable::cuda_value).collect();
        format!("{{{{{}}}}}", items.join(", "))
    }
}

impl<T: Portable, const N: usize> Portable for [T; N] {
    fn cuda_type(&self) -> String {
        self.as_slice().cuda_type()
    }
    fn cuda_value(&self) -> String {
        self.as_slice().cuda_value()
    }
}

impl<T: Portable + ?Sized> Portable for &T {
    fn cuda_type(&self) -> String {
        (**self).cuda_type()
    }
    fn cuda_value(&self) -> String {
        (**self).cuda_value()
    }
}

macro_rules! portable_tuple {
    ($($part:ident)*) => {
        impl<$($part: Portable),*> Portable for ($($part,)*) {
            fn cuda_type(&self) -> String {
                #[allow(non_snake_case)]
                let ($($part,)*) = self;
                let parts: Vec<String> = vec![$($part.cuda_type()),*];
                format!("Tup<{}>", parts.join(", "))
            }
            fn cuda_value(&self) -> String {
                #[allow(non_snake_case)]
                let ($($part,)*) = self;
                let parts: Vec<String> = vec![$($part.cuda_value()),*];
                parts.iter().rev().fold("{}".to_owned(), |rest, part| format!("{{{part}, {rest}}}"))
            }
        }
    };
}
portable_tuple!(A);
portable_tuple!(A B);
portable_tuple!(A B C);
portable_tuple!(A B C D);
portable_tuple!(A B C D E);
portable_tuple!(A B C D E F);

#[cold]
fn unset(name: &str) -> ! {
    panic!("constant `{name}` has no value: call `{name}.set(…)` before the first loop that uses it")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(value: impl Portable) -> (String, String) {
        (value.cuda_type(), value.cuda_value())
    }

    #[test]
    fn values_are_compared_by_their_bits() {
        static ROW: Constant<[f64; 3]> = Constant::new("ROW");
        let row = [f64::NAN, 0.0, 1.0];
        let bits = || ROW.get().map(f64::to_bits);
        for _ in 0..2 {
            ROW.set(row).unwrap();
            assert_eq!(bits(), row.map(f64::to_bits));
        }
        for other in [[-f64::NAN, 0.0, 1.0], [f64::NAN, -0.0, 1.0], [f64::NAN, 0.0, 2.0], [0.0; 3]] {
            let error = ROW.set(other).unwrap_err();
            assert!(matches!(error, Error::ConstantChanged { name: "ROW", .. }), "{error}");
            assert_eq!(bits(), row.map(f64::to_bits), "what fails changes nothing");
        }
    }

    #[test]
    fn lengths_come_from_outside_in() {
        static TABLE: Constant<[[f64; 2]; 3]> = Constant::new("TABLE");
        static ALPHA: Constant<f64> = Constant::new("ALPHA");
        assert_eq!(lengths(&TABLE), [3, 2, 0, 0, 0, 0, 0, 0]);
        assert_eq!(lengths(&ALPHA), [0; DEEPEST]);
    }

    #[test]
    fn constants_are_written_exactly() {
        let expect = |found: (String, String), ty: &str, value: &str| assert_eq!(found, (ty.into(), value.into()));
        expect(written(1.4), "double", "1.4");
        expect(written(1.0f32), "float", "1.0f");
        expect(written(1e-300), "double", "1e-300");
        expect(written(f64::NEG_INFINITY), "double", "-__builtin_huge_val()");
        expect(written(f32::NAN), "float", "__builtin_nanf(\"\")");
        expect(written(i64::MIN), "i64", "(-9223372036854775807ll - 1)");
        expect(written(-7), "i32", "-7");
        expect(written(4usize), "usize", "4ull");
        expect(written([[1u32, 2], [3, 4]]), "Arr<Arr<u32, 2>, 2>", "{{{{1u, 2u}}, {{3u, 4u}}}}");
        expect(written(&[1.5, 2.5][..]), "Arr<double, 2>", "{{1.5, 2.5}}");
        expect(written((1.5, true)), "Tup<double, bool>", "{1.5, {true, {}}}");
    }
}
