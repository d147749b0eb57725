//! Compares every operation, on every instruction set of this machine, with the scalar operation.

mod best;
mod contributions;
mod dispatch;
mod floats;
mod masks;
mod packs;
mod rows;
mod stream;

use super::{FloatLane, Vector, Width, run_in};
use crate::isa::Isa;
use crate::lanes::Elems;
use std::marker::PhantomData;

/// A check that runs for every width.
trait Check: Sync {
    /// Whether kernels of `f32` alone may do this, whose widths are others. Their dats are none of `f64`.
    const IN_SINGLE: bool = true;
    fn check<W: Width>(&self, w: W);
}

/// The instruction sets that run bodies in lanes.
fn vector_isas() -> Vec<Isa> {
    Isa::available().into_iter().filter(|&isa| isa != Isa::Scalar).collect()
}

/// Runs the check on all instruction sets of this machine, for kernels of `f64` and of `f32` alone, with few scalars
/// and with many.
fn on_all_widths<C: Check>(check: &C) {
    for isa in vector_isas() {
        run_in(isa, &Checked::<C, f64, 1>(check, PhantomData));
        if const { C::IN_SINGLE } {
            run_in(isa, &Checked::<C, f32, 1>(check, PhantomData));
        }
        if isa.lanes(8, MANY) == isa.lanes(8, 1) {
            continue;
        }
        run_in(isa, &Checked::<C, f64, MANY>(check, PhantomData));
        if const { C::IN_SINGLE } {
            run_in(isa, &Checked::<C, f32, MANY>(check, PhantomData));
        }
    }
}

/// More scalars than the widest vectors are used for.
const MANY: usize = 1000;

struct Checked<'a, C, T, const SCALARS: usize>(&'a C, PhantomData<fn() -> T>);

impl<C: Check, T: FloatLane, const SCALARS: usize> Vector for Checked<'_, C, T, SCALARS> {
    type Wide = T;
    type Out = ();
    const SCALARS: usize = SCALARS;
    #[inline(always)]
    fn run<W: Width, const SOA: bool>(&self, w: W, _elems: Elems<'_>, (): ()) {
        self.0.check(w);
    }
}

fn elems(positions: usize, list: Option<&[u32]>) -> Elems<'_> {
    Elems::at(0..positions, list)
}
