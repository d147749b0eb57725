//! Constants whose value is fixed at run time, before the first loop that uses them.

use crate::data::value::{Elem, Value};
use crate::error::{Error, Result};
use op2_core::Literal;
use std::sync::OnceLock;

/// A run-time constant, declared by `op2::constants!`, set once per process, read in kernels by `.get()`.
///
/// All [`Op2`](crate::Op2)s of a process share it, and it never changes: code for devices is compiled with the value, and kept for
/// later calls. A value that changes, as in a sweep over Mach numbers, is a global ([`Op2::decl_global`](crate::Op2::decl_global),
/// [`Op2::set`](crate::Op2::set)) that the kernel takes by `gbl_read`; or each value has a process of its own.
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
    /// [`Error::ConstantChanged`] if it has another value, which it keeps, whether or not a loop has used it.
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
    /// If it was never set. A loop that mentions the constant refuses to start instead.
    #[inline(always)]
    pub fn get(&self) -> V {
        match self.value.get() {
            Some(value) => *value,
            None => unset(self.name),
        }
    }
}

/// The number of nested arrays up to which lengths are known.
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
nested_scalar!(f32 f64 i8 u8 i16 u16 i32 u32 i64 u64 bool);

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
    /// Its value, once it has one.
    fn value(&self) -> Option<Literal>;
}

impl<V: Value + Portable> Known for Constant<V> {
    fn name(&self) -> &'static str {
        self.name
    }

    fn has_value(&self) -> bool {
        self.is_set()
    }

    fn value(&self) -> Option<Literal> {
        self.value.get().map(Portable::literal)
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

    fn value(&self) -> Option<Literal> {
        Some(self.value.literal())
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

    /// Constant number `own` of the function to which `way` leads, as in [`ConstDesc`](super::ConstDesc).
    pub(crate) fn find(&self, way: &[usize], own: usize) -> &'static dyn Known {
        way.iter().fold(self, |captured, &callee| captured.callees[callee]).own[own]
    }
}

/// A value that can be written into the code for a device.
#[diagnostic::on_unimplemented(
    message = "a constant of type `{Self}` cannot be used in a kernel",
    label = "expected a scalar, `usize`, or an array or tuple of them; in place of a record, constants for its fields",
    note = "the value is written into the code for other machines"
)]
pub trait Portable {
    /// The value, independent of the target's language.
    fn literal(&self) -> Literal;
}

macro_rules! portable_scalar {
    ($($ty:ident $variant:ident),*) => {$(
        impl Portable for $ty {
            fn literal(&self) -> Literal {
                Literal::$variant(*self)
            }
        }
    )*};
}
portable_scalar!(f32 F32, f64 F64, i8 I8, u8 U8, i16 I16, u16 U16, i32 I32, u32 U32, i64 I64, u64 U64, usize Usize, bool Bool);

impl<T: Portable> Portable for [T] {
    fn literal(&self) -> Literal {
        Literal::Array(self.iter().map(Portable::literal).collect())
    }
}

impl<T: Portable, const N: usize> Portable for [T; N] {
    fn literal(&self) -> Literal {
        self.as_slice().literal()
    }
}

impl<T: Portable + ?Sized> Portable for &T {
    fn literal(&self) -> Literal {
        (**self).literal()
    }
}

macro_rules! portable_tuple {
    ($($part:ident)*) => {
        impl<$($part: Portable),*> Portable for ($($part,)*) {
            fn literal(&self) -> Literal {
                #[allow(non_snake_case)]
                let ($($part,)*) = self;
                Literal::Tuple(vec![$($part.literal()),*])
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
    fn values_keep_their_structure() {
        use Literal::{Array, Bool, F64, Tuple, U32};
        assert_eq!([[1u32, 2]].literal(), Array(vec![Array(vec![U32(1), U32(2)])]));
        assert_eq!([1.5, 2.5][..].literal(), Array(vec![F64(1.5), F64(2.5)]));
        assert_eq!((1.5, true).literal(), Tuple(vec![F64(1.5), Bool(true)]));
    }
}
