//! CUDA C++.

use super::Language;
use op2_core::Literal;

/// The text that precedes every generated text: the types and functions of the kernel language, and the building blocks
/// of the loops around a kernel.
pub const HEADER: &str = concat!(
    include_str!("cuda/op2_device.cuh"),
    include_str!("cuda/op2_data.cuh"),
    include_str!("cuda/op2_waits.cuh"),
    include_str!("cuda/op2_loop.cuh"),
    include_str!("cuda/op2_rows.cuh"),
    include_str!("cuda/op2_staged.cuh"),
    include_str!("cuda/op2_collected.cuh"),
    include_str!("cuda/op2_reduce.cuh"),
    include_str!("cuda/op2_targets.cuh"),
    include_str!("cuda/op2_pairs.cuh"),
);

/// Bytes of the longest rows of which threads exchange words before they store them (`op2_rows.cuh`).
pub const LONGEST_EXCHANGED: usize = 192;

/// The text that precedes that one for AMD's GPUs: their compilers then take it, and all that follows, as CUDA.
pub(crate) const OF_HIP: &str = include_str!("cuda/op2_hip.cuh");

pub(super) const LANGUAGE: Language =
    Language { header: HEADER, constants, copy: COPY, between: BETWEEN, extension: "cu" };

const BETWEEN: &str = include_str!("cuda/op2_between.cuh");

/// Copies in units of 16 bytes, as the generated loops load and store.
const COPY: &str = r#"
using Unit16 = op2::Pack<double, 2>;
extern "C" __global__ void __launch_bounds__(OP2_BLOCK) copy(const Unit16* __restrict__ from, Unit16* __restrict__ to,
        op2::u64 units) {
    for (op2::u64 n = op2::thread(); n < units; n += op2::threads()) to[n] = from[n];
}
"#;

fn constants(constants: &[(String, Literal)]) -> String {
    let line =
        |(name, value): &(String, Literal)| format!("OP2_CONST {} {name} = {};\n", ty(value), initialiser(value));
    let lines: String = constants.iter().map(line).collect();
    format!("namespace user {{\nusing namespace op2::types;\n{lines}}}")
}

/// The type of a value, in the words of the header.
fn ty(value: &Literal) -> String {
    match value {
        Literal::F32(_) => "float".to_owned(),
        Literal::F64(_) => "double".to_owned(),
        Literal::I8(_) => "i8".to_owned(),
        Literal::U8(_) => "u8".to_owned(),
        Literal::I16(_) => "i16".to_owned(),
        Literal::U16(_) => "u16".to_owned(),
        Literal::I32(_) => "i32".to_owned(),
        Literal::U32(_) => "u32".to_owned(),
        Literal::I64(_) => "i64".to_owned(),
        Literal::U64(_) => "u64".to_owned(),
        Literal::Usize(_) => "usize".to_owned(),
        Literal::Bool(_) => "bool".to_owned(),
        // An array without items has no type of its items, and any will do.
        Literal::Array(items) => {
            format!("Arr<{}, {}>", items.first().map_or_else(|| "char".to_owned(), ty), items.len())
        }
        Literal::Tuple(parts) => format!("Tup<{}>", parts.iter().map(ty).collect::<Vec<_>>().join(", ")),
    }
}

fn initialiser(value: &Literal) -> String {
    match value {
        Literal::F32(x) => float(f64::from(*x), format!("{x:?}f"), "f"),
        Literal::F64(x) => float(*x, format!("{x:?}"), ""),
        // The least number has no literal: its digits alone do not fit its type.
        Literal::I32(i32::MIN) => format!("(-{} - 1)", i32::MAX),
        Literal::I64(i64::MIN) => format!("(-{}ll - 1)", i64::MAX),
        // C++ computes with an `int` in their place, and has no literals for them.
        Literal::I8(n) => n.to_string(),
        Literal::U8(n) => n.to_string(),
        Literal::I16(n) => n.to_string(),
        Literal::U16(n) => n.to_string(),
        Literal::I32(n) => n.to_string(),
        Literal::U32(n) => format!("{n}u"),
        Literal::I64(n) => format!("{n}ll"),
        Literal::U64(n) => format!("{n}ull"),
        Literal::Usize(n) => format!("{n}ull"),
        Literal::Bool(b) => b.to_string(),
        Literal::Array(items) => format!("{{{{{}}}}}", items.iter().map(initialiser).collect::<Vec<_>>().join(", ")),
        Literal::Tuple(parts) => {
            parts.iter().rev().fold("{}".to_owned(), |rest, part| format!("{{{}, {rest}}}", initialiser(part)))
        }
    }
}

/// A float. `digits` are the shortest that give the same number back.
fn float(x: f64, digits: String, suffix: &str) -> String {
    match x {
        x if x.is_nan() => format!("__builtin_nan{suffix}(\"\")"),
        f64::INFINITY => format!("__builtin_huge_val{suffix}()"),
        f64::NEG_INFINITY => format!("-__builtin_huge_val{suffix}()"),
        _ => digits,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Literal::{Array, Bool, F32, F64, I8, I32, I64, Tuple, U32, Usize};

    #[test]
    fn constants_are_written_exactly() {
        let expect = |found: Literal, of: &str, value: &str| {
            assert_eq!((ty(&found), initialiser(&found)), (of.to_owned(), value.to_owned()));
        };
        expect(F64(1.4), "double", "1.4");
        expect(F32(1.0), "float", "1.0f");
        expect(F64(1e-300), "double", "1e-300");
        expect(F64(f64::NEG_INFINITY), "double", "-__builtin_huge_val()");
        expect(F32(f32::INFINITY), "float", "__builtin_huge_valf()");
        expect(F32(f32::NAN), "float", "__builtin_nanf(\"\")");
        expect(I32(i32::MIN), "i32", "(-2147483647 - 1)");
        expect(I64(i64::MIN), "i64", "(-9223372036854775807ll - 1)");
        expect(I32(-7), "i32", "-7");
        expect(I8(i8::MIN), "i8", "-128");
        expect(Usize(4), "usize", "4ull");
        let rows = [[1, 2], [3, 4]].map(|row| Array(row.map(U32).to_vec()));
        expect(Array(rows.to_vec()), "Arr<Arr<u32, 2>, 2>", "{{{{1u, 2u}}, {{3u, 4u}}}}");
        expect(Array(vec![F64(1.5), F64(2.5)]), "Arr<double, 2>", "{{1.5, 2.5}}");
        expect(Array(vec![]), "Arr<char, 0>", "{{}}");
        expect(Tuple(vec![F64(1.5), Bool(true)]), "Tup<double, bool>", "{1.5, {true, {}}}");
    }

    #[test]
    fn constants_are_defined_where_kernels_look_for_them() {
        let found = constants(&[("GAM".to_owned(), F64(1.4)), ("N".to_owned(), Usize(4))]);
        let lines = "OP2_CONST double GAM = 1.4;\nOP2_CONST usize N = 4ull;\n";
        assert_eq!(found, format!("namespace user {{\nusing namespace op2::types;\n{lines}}}"));
    }

    #[test]
    fn the_header_has_the_limit_of_rows_that_the_model_has() {
        assert!(HEADER.contains(&format!("longest_exchanged = {LONGEST_EXCHANGED};")));
    }
}
