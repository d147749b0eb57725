//! Values of the interpreter, and how Rust's values become them.

/// Where a reference points: a frame, a slot in it, and the way through arrays and tuples.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Place {
    pub(crate) frame: usize,
    pub(crate) slot: usize,
    pub(crate) path: Vec<usize>,
}

/// A value of the kernel language.
#[derive(Debug, Clone)]
pub(crate) enum Value {
    Unit,
    F32(f32),
    F64(f64),
    I8(i8),
    U8(u8),
    I16(i16),
    U16(u16),
    I32(i32),
    U32(u32),
    I64(i64),
    U64(u64),
    Usize(usize),
    Bool(bool),
    Array(Vec<Value>),
    Tuple(Vec<Value>),
    Ref(Place),
    /// An absent optional argument.
    Absent,
}

/// Equality of bits, so that signed zeros differ and NaNs are themselves.
impl PartialEq for Value {
    fn eq(&self, other: &Value) -> bool {
        use Value::*;
        match (self, other) {
            (Unit, Unit) | (Absent, Absent) => true,
            (F32(a), F32(b)) => a.to_bits() == b.to_bits() || (a.is_nan() && b.is_nan()),
            (F64(a), F64(b)) => a.to_bits() == b.to_bits() || (a.is_nan() && b.is_nan()),
            (I8(a), I8(b)) => a == b,
            (U8(a), U8(b)) => a == b,
            (I16(a), I16(b)) => a == b,
            (U16(a), U16(b)) => a == b,
            (I32(a), I32(b)) => a == b,
            (U32(a), U32(b)) => a == b,
            (I64(a), I64(b)) => a == b,
            (U64(a), U64(b)) => a == b,
            (Usize(a), Usize(b)) => a == b,
            (Bool(a), Bool(b)) => a == b,
            (Array(a), Array(b)) | (Tuple(a), Tuple(b)) => a == b,
            (Ref(a), Ref(b)) => a == b,
            _ => false,
        }
    }
}

impl Value {
    pub(crate) fn at(&mut self, path: &[usize]) -> &mut Value {
        match (self, path) {
            (value, []) => value,
            (Value::Array(items) | Value::Tuple(items), [i, rest @ ..]) => items[*i].at(rest),
            (value, _) => panic!("no parts in {value:?}"),
        }
    }

    pub(crate) fn index(&self) -> usize {
        match self {
            Value::Usize(i) => *i,
            other => panic!("index {other:?}"),
        }
    }

    pub(crate) fn bool(&self) -> bool {
        match self {
            Value::Bool(b) => *b,
            other => panic!("condition {other:?}"),
        }
    }
}

/// A Rust value as one of the interpreter.
pub(crate) trait ToValue {
    fn value(&self) -> Value;
}

macro_rules! scalars {
    ($($variant:ident $ty:ty,)*) => {
        $(impl ToValue for $ty {
            fn value(&self) -> Value { Value::$variant(*self) }
        })*
    };
}

scalars!(F32 f32, F64 f64, I8 i8, U8 u8, I16 i16, U16 u16, I32 i32, U32 u32, I64 i64, U64 u64, Usize usize, Bool bool,);

impl ToValue for () {
    fn value(&self) -> Value {
        Value::Unit
    }
}

impl<T: ToValue, const N: usize> ToValue for [T; N] {
    fn value(&self) -> Value {
        Value::Array(self.iter().map(T::value).collect())
    }
}

/// The values of a row of any length.
impl<T: ToValue> ToValue for Vec<T> {
    fn value(&self) -> Value {
        Value::Array(self.iter().map(T::value).collect())
    }
}

impl<T: ToValue> ToValue for Option<T> {
    fn value(&self) -> Value {
        self.as_ref().map_or(Value::Absent, T::value)
    }
}

macro_rules! tuples {
    ($(($($t:ident $i:tt),+))*) => {
        $(impl<$($t: ToValue),+> ToValue for ($($t,)+) {
            fn value(&self) -> Value { Value::Tuple(vec![$(self.$i.value()),+]) }
        })*
    };
}

tuples! {
    (A 0) (A 0, B 1) (A 0, B 1, C 2) (A 0, B 1, C 2, D 3) (A 0, B 1, C 2, D 3, E 4)
    (A 0, B 1, C 2, D 3, E 4, F 5) (A 0, B 1, C 2, D 3, E 4, F 5, G 6)
    (A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7)
}
