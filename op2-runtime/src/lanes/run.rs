//! The functions that compile a body for each instruction set.

use super::held::{FloatLane, Width};
use super::width::{Four, SingleEight};
use crate::isa::Isa;
use crate::lanes::Elems;
use fearless_simd::{Level, Simd};
use std::marker::PhantomData;

/// A loop body over packs of elements, written by the macros.
pub trait Vector: Sync {
    /// The widest float of the kernel, which decides how many elements are computed at once.
    type Wide: FloatLane;
    /// The partial results of the loop's reductions.
    type Out;
    /// The number of scalars in all dats that an element reaches.
    const SCALARS: usize;
    /// Runs the elements and combines their reductions with `part`; `SOA` says which layout the body is compiled for.
    /// Implementations must be `#[inline(always)]`, or they are compiled without the instructions of `w`.
    fn run<W: Width, const SOA: bool>(&self, w: W, elems: Elems<'_>, part: Self::Out) -> Self::Out;
}

/// The [`Vector`] of a loop that has none.
#[derive(Debug)]
pub struct NotInLanes<R>(PhantomData<fn() -> R>);

impl<R> NotInLanes<R> {
    /// Makes the one value.
    #[expect(clippy::new_without_default, reason = "only the macros make one")]
    pub fn new() -> Self {
        NotInLanes(PhantomData)
    }
}

impl<R> Vector for NotInLanes<R> {
    type Wide = f64;
    type Out = R;
    const SCALARS: usize = 0;
    #[inline(always)]
    fn run<W: Width, const SOA: bool>(&self, _w: W, _elems: Elems<'_>, _part: R) -> R {
        unreachable!("the loop's description says that it has no lanes")
    }
}

/// Runs a body over no elements, for tests of the lane types.
pub fn run_in<B: Vector<Out = ()>>(isa: Isa, body: &B) {
    isa.run(body, Elems::at(0..0, None), ());
}

impl Isa {
    /// Runs a body with these instructions, or with those of the baseline if the processor lacks them.
    ///
    /// Never called for [`Isa::Scalar`], which runs the user's own function.
    #[doc(hidden)]
    pub fn run<B: Vector>(self, body: &B, elems: Elems<'_>, part: B::Out) -> B::Out {
        let streams = elems.streams != 0;
        let part = self.run_unfenced(body, elems, part);
        if streams {
            super::stream::finish();
        }
        part
    }

    fn run_unfenced<B: Vector>(self, body: &B, elems: Elems<'_>, part: B::Out) -> B::Out {
        debug_assert_ne!(self, Isa::Scalar);
        #[cfg(target_arch = "x86_64")]
        match self {
            Isa::Avx512 => {
                if let Some(token) = Level::new().as_avx512() {
                    // SAFETY: the token is there only if the processor has these instructions.
                    return unsafe { x86::run_avx512(token, body, elems, part) };
                }
            }
            Isa::Avx2 => {
                if let Some(token) = Level::new().as_avx2() {
                    // SAFETY: as above.
                    return unsafe {
                        if elems.soa {
                            x86::run_avx2::<B, true>(token, body, elems, part)
                        } else {
                            x86::run_avx2::<B, false>(token, body, elems, part)
                        }
                    };
                }
            }
            Isa::Scalar | Isa::Baseline => {}
        }
        run_baseline(body, elems, part)
    }
}

/// Needs no target feature: every processor of the compilation target has these instructions.
fn run_baseline<B: Vector>(body: &B, elems: Elems<'_>, part: B::Out) -> B::Out {
    #[cfg(target_arch = "x86_64")]
    {
        let token = Level::new().as_sse2().expect("every x86-64 processor has SSE2");
        run_narrow::<_, B, false>(token, body, elems, part)
    }
    #[cfg(not(target_arch = "x86_64"))]
    {
        fearless_simd::dispatch!(Level::baseline(), token => run_narrow::<_, B, false>(token, body, elems, part))
    }
}

/// 4 lanes, or 8 for kernels of `f32` alone: vectors of 128 and 256 bits.
#[inline(always)]
fn run_narrow<S: Simd, B: Vector, const SOA: bool>(token: S, body: &B, elems: Elems<'_>, part: B::Out) -> B::Out {
    // The loop keeps its own copy in registers.
    let elems = elems.clone();
    // Conditions on the body are constants, so that only the width that is used gets compiled.
    if const { is_single::<B>() } {
        body.run::<_, SOA>(SingleEight(token), elems, part)
    } else {
        body.run::<_, SOA>(Four(token), elems, part)
    }
}

const fn is_single<B: Vector>() -> bool {
    size_of::<B::Wide>() == size_of::<f32>()
}

/// Each list of target features equals that of the token, word by word: with any other, operations on vectors stay
/// calls.
#[cfg(target_arch = "x86_64")]
mod x86 {
    use super::{Elems, Vector, is_single, run_narrow};
    use crate::isa::WIDE;
    use crate::lanes::width::{Eight, SingleSixteen};
    use fearless_simd::x86::{Avx2, Avx512};

    #[target_feature(
        enable = "adx,aes,avx512bitalg,avx512bw,avx512cd,avx512dq,avx512f,avx512ifma,avx512vbmi,avx512vbmi2,avx512vl,avx512vnni,avx512vpopcntdq,bmi1,bmi2,cmpxchg16b,fma,fxsr,gfni,lzcnt,movbe,pclmulqdq,popcnt,rdrand,rdseed,sha,vaes,vpclmulqdq,xsave,xsavec,xsaveopt,xsaves"
    )]
    pub(super) fn run_avx512<B: Vector>(token: Avx512, body: &B, elems: Elems<'_>, part: B::Out) -> B::Out {
        if const { B::SCALARS > WIDE } {
            return run_narrow::<_, B, false>(token, body, elems, part);
        }
        // As in `run_narrow`.
        let elems = elems.clone();
        if const { is_single::<B>() } {
            body.run::<_, false>(SingleSixteen(token), elems, part)
        } else {
            body.run::<_, false>(Eight(token), elems, part)
        }
    }

    #[target_feature(enable = "avx2,bmi1,bmi2,cmpxchg16b,f16c,fma,fxsr,lzcnt,movbe,popcnt,xsave")]
    pub(super) fn run_avx2<B: Vector, const SOA: bool>(
        token: Avx2,
        body: &B,
        elems: Elems<'_>,
        part: B::Out,
    ) -> B::Out {
        run_narrow::<_, B, SOA>(token, body, elems, part)
    }
}
