//! Values that are written into the code for a device.

/// The value of a constant, in the terms of no language.
#[derive(Debug, Clone, PartialEq)]
pub enum Literal {
    /// `f32`
    F32(f32),
    /// `f64`
    F64(f64),
    /// `i8`
    I8(i8),
    /// `u8`
    U8(u8),
    /// `i16`
    I16(i16),
    /// `u16`
    U16(u16),
    /// `i32`
    I32(i32),
    /// `u32`
    U32(u32),
    /// `i64`
    I64(i64),
    /// `u64`
    U64(u64),
    /// `usize`
    Usize(usize),
    /// `bool`
    Bool(bool),
    /// An array; all items are of one type.
    Array(Vec<Literal>),
    /// A tuple.
    Tuple(Vec<Literal>),
}
