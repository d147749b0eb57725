//! Works around a miscompilation of integer vectors by LLVM.
//!
//! LLVM packs neighbouring scalars into one vector, applies several operations to all of it and keeps one result per
//! lane. If the operations are a signed shift by a constant and an `and` with another constant, the constant of the
//! `and` becomes the count of a shift whose result is discarded. The back end for x86-64 assumes that this result is 0
//! and merges both vectors by `or`, but then emits a shift that fills such lanes with the sign: -1 appears (rustc 1.95,
//! LLVM 22; reports mention LLVM 23 as well, among them llvm/llvm-project#214388). AVX-512 has this instruction for 64
//! bits, AVX2 for 32, the baseline has none. `x as i32 as i64` compiles to a signed shift, too.
//!
//! The macros therefore seal the results of signed shifts and of narrowing casts in lanes: the compiler then cannot
//! combine the shift with others. `op2-test-kernels` has the loops that failed in release builds, and one that shows
//! the fault without lanes.

/// A scalar whose origin can be hidden from the compiler.
pub trait Seal: Copy {
    /// The same value; the compiler cannot see how it was computed.
    fn sealed(self) -> Self;
}

macro_rules! seals {
    ($($ty:ident $class:ident $text:literal;)*) => {$(
        impl Seal for $ty {
            #[inline(always)]
            fn sealed(self) -> $ty {
                #[cfg(not(target_arch = "x86_64"))]
                return self;
                #[cfg(target_arch = "x86_64")]
                {
                    let mut value = self;
                    // SAFETY: the text has no instruction: memory, flags and the register stay as they are.
                    unsafe {
                        std::arch::asm!($text, inlateout($class) value, options(pure, nomem, nostack, preserves_flags));
                    }
                    value
                }
            }
        }
    )*};
}
seals! {
    i8 reg_byte "/* {0} */";
    u8 reg_byte "/* {0} */";
    i16 reg "/* {0:x} */";
    u16 reg "/* {0:x} */";
    i32 reg "/* {0:e} */";
    u32 reg "/* {0:e} */";
    i64 reg "/* {0} */";
}
