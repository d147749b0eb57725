//! Values as the bytes that the program reads and writes.

use crate::value::Value;

/// The bytes of an argument. An argument that may be missing starts with a flag: `optional`.
pub(crate) fn encode(value: &Value, optional: bool, out: &mut Vec<u8>) {
    if optional {
        out.push(u8::from(*value != Value::Absent));
    }
    put(value, out);
}

fn put(value: &Value, out: &mut Vec<u8>) {
    match value {
        Value::F32(x) => out.extend(x.to_ne_bytes()),
        Value::F64(x) => out.extend(x.to_ne_bytes()),
        Value::I8(x) => out.extend(x.to_ne_bytes()),
        Value::U8(x) => out.extend(x.to_ne_bytes()),
        Value::I16(x) => out.extend(x.to_ne_bytes()),
        Value::U16(x) => out.extend(x.to_ne_bytes()),
        Value::I32(x) => out.extend(x.to_ne_bytes()),
        Value::U32(x) => out.extend(x.to_ne_bytes()),
        Value::I64(x) => out.extend(x.to_ne_bytes()),
        Value::U64(x) => out.extend(x.to_ne_bytes()),
        Value::Usize(x) => out.extend((*x as u64).to_ne_bytes()),
        Value::Bool(x) => out.push(u8::from(*x)),
        Value::Array(items) | Value::Tuple(items) => items.iter().for_each(|item| put(item, out)),
        Value::Unit | Value::Absent => {}
        Value::Ref(place) => panic!("a reference to {place:?} is no argument"),
    }
}

/// How many bytes a value takes.
pub(crate) fn length(value: &Value) -> usize {
    let mut bytes = Vec::new();
    put(value, &mut bytes);
    bytes.len()
}

/// The value of the shape of `like` at the start of the bytes, which are consumed.
pub(crate) fn decode(like: &Value, bytes: &mut &[u8]) -> Value {
    match like {
        Value::F32(_) => Value::F32(f32::from_ne_bytes(take(bytes))),
        Value::F64(_) => Value::F64(f64::from_ne_bytes(take(bytes))),
        Value::I8(_) => Value::I8(i8::from_ne_bytes(take(bytes))),
        Value::U8(_) => Value::U8(u8::from_ne_bytes(take(bytes))),
        Value::I16(_) => Value::I16(i16::from_ne_bytes(take(bytes))),
        Value::U16(_) => Value::U16(u16::from_ne_bytes(take(bytes))),
        Value::I32(_) => Value::I32(i32::from_ne_bytes(take(bytes))),
        Value::U32(_) => Value::U32(u32::from_ne_bytes(take(bytes))),
        Value::I64(_) => Value::I64(i64::from_ne_bytes(take(bytes))),
        Value::U64(_) => Value::U64(u64::from_ne_bytes(take(bytes))),
        Value::Usize(_) => Value::Usize(u64::from_ne_bytes(take(bytes)) as usize),
        Value::Bool(_) => Value::Bool(take::<1>(bytes)[0] != 0),
        Value::Array(items) => Value::Array(items.iter().map(|item| decode(item, bytes)).collect()),
        Value::Tuple(items) => Value::Tuple(items.iter().map(|item| decode(item, bytes)).collect()),
        other => other.clone(),
    }
}

fn take<const N: usize>(bytes: &mut &[u8]) -> [u8; N] {
    let (head, rest) = bytes.split_first_chunk().expect("as many bytes as were asked for");
    *bytes = rest;
    *head
}
