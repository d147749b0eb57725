//! Against a fault of the compiler in rows of integers.
//!
//! LLVM puts neighbouring scalars into one vector and computes several operations on all of it, of which each place then keeps one. Where
//! these are a signed shift by a constant and an `and` with another one, the constant of the `and` becomes the count of a shift whose
//! result nobody keeps. The back end for x86-64 takes such a result for 0, joins both by `or`, and then shifts by an instruction that
//! fills such places with the sign: -1 comes out (rustc 1.95, LLVM 22; the reports about it name LLVM 23, too, among them
//! llvm/llvm-project#214388). AVX-512 has this instruction for 64 bits, AVX2 for 32; the baseline has none. A signed shift is also what
//! is left of `x as i32 as i64`.
//!
//! So what the macros write for lanes seals the results of signed shifts and of casts to fewer bits: a shift then stands alone, and a
//! narrow value is widened as such. `op2-test-kernels` has the loops that failed in release builds, and the
//! fault without lanes.

/// A scalar whose origin can be hidden.
pub trait Seal: Copy {
    /// The same value, of which the compiler does not know where it comes from.
    fn sealed(self) -> Self;
}

macro_rules! seals {
    ($($ty:ident $text:literal;)*) => {$(
        impl Seal for $ty {
            #[inline(always)]
            fn sealed(self) -> $ty {
                #[cfg(not(target_arch = "x86_64"))]
                return self;
                #[cfg(target_arch = "x86_64")]
                {
                    let mut value = self;
                    // SAFETY: there is no instruction in it; it touches neither memory nor flags, and the register keeps its value.
                    unsafe {
                        std::arch::asm!($text, inlateout(reg) value, options(pure, nomem, nostack, preserves_flags));
                    }
                    value
                }
            }
        }
    )*};
}
seals! {
    i32 "/* {0:e} */";
    u32 "/* {0:e} */";
    i64 "/* {0} */";
}
