//! The instructions that a loop runs by on the host.

use super::state::CallState;
use crate::data::layout::Layout;
use crate::exec::stages::Form;
use crate::isa::Isa;
use crate::mesh::DatStore;
use crate::mesh::bindings::BoundDat;
use crate::mesh::handle::Iterates;
use crate::plan::Plan;
use crate::plan::cache::Inspected;
use crate::strategy::Resolution;
use op2_core::Access;

/// Dats of at least this many bytes are written by non-temporal stores, past the caches. Measured on 2 cores of an
/// Intel Xeon, 2026-11-22: non-temporal copies of 8 MB that are read again were 0.86 times as fast, of 16 MB 1.20
/// times, of 69 MB that are not read again 1.4 to 1.6 times.
const STREAMED_BYTES: usize = 16 << 20;

/// The instructions of an execution.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Instructions {
    /// Those that it runs by.
    pub(crate) isa: Isa,
    /// Those that it would run by if its kernel and its plan let elements run at once.
    pub(crate) asked: Isa,
}

impl CallState<'_> {
    /// The instructions of this execution: those that its strategy states, else those of the computation, else the predicted ones.
    pub(super) fn instructions(
        &self,
        stated: Option<Isa>,
        inspected: &Inspected,
        form: Option<Form>,
        layout: Option<Layout>,
    ) -> Instructions {
        let stated = stated.or(self.context.isa);
        let widest = best(stated.unwrap_or(self.context.widest), layout);
        if !self.runs_in_lanes(inspected.plan.as_deref(), form) {
            return Instructions { isa: Isa::Scalar, asked: widest };
        }
        let in_lanes = stated.is_some() || self.lanes_pay(inspected, layout);
        let isa = if in_lanes { widest } else { Isa::Scalar };
        Instructions { isa, asked: isa }
    }

    /// Whether the kernel can run in lanes under some strategy, no instructions are stated for all loops, and trials may decide: loops
    /// over pairs take too long for them.
    pub(super) fn may_run_in_lanes(&self) -> bool {
        self.context.isa.is_none() && self.desc.no_lanes.is_empty() && !self.is_over_pairs()
    }

    /// The instructions to measure against the predicted ones. `None` if the computation states some, or lanes are impossible.
    pub(super) fn rival(&self, inspected: &Inspected) -> Option<Isa> {
        if !self.may_run_in_lanes() || !self.runs_in_lanes(inspected.plan.as_deref(), None) {
            return None;
        }
        let layout = self.layout();
        match self.instructions(None, inspected, None, layout).isa {
            Isa::Scalar => Some(best(self.context.widest, layout)),
            _ => Some(Isa::Scalar),
        }
    }

    /// The layout of all dats beside tables, AoS for a loop without any; `None` if they differ. Dats of one component have every layout.
    pub(super) fn layout(&self) -> Option<Layout> {
        let dats = self.bound.dats.iter().filter(|bound| !bound.whole).map(|bound| &self.context.mesh.dats[bound.dat]);
        let mut all = dats.filter(|dat| dat.components() > 1).map(DatStore::layout);
        let first = all.next().unwrap_or_default();
        all.all(|layout| layout == first).then_some(first)
    }

    /// The arguments, as a bit set, whose dats are written completely and are too large to stay in a cache. Lanes write them past
    /// the caches.
    pub(super) fn streams(&self) -> u64 {
        let large = |bound: &BoundDat| {
            let dat = &self.context.mesh.dats[bound.dat];
            dat.bytes * self.context.mesh.sets[dat.set].size >= STREAMED_BYTES
        };
        let streamed = |bound: &&BoundDat| bound.access == Access::Write && bound.through.is_none() && large(bound);
        self.bound
            .dats
            .iter()
            .filter(streamed)
            .fold(0, |bits, bound| bits | 1u64.checked_shl(bound.arg as u32).unwrap_or(0))
    }

    fn is_over_pairs(&self) -> bool {
        matches!(self.iterates, Iterates::Pairs(..))
    }

    /// Whether the kernel can be run in lanes.
    fn runs_in_lanes(&self, plan: Option<&Plan>, form: Option<Form>) -> bool {
        // Elements of one colour have no common targets.
        let coloured = plan.is_some_and(|plan| plan.scheme().resolution == Resolution::Colours);
        form.is_none() && self.desc.no_lanes.is_empty() && (coloured || !self.desc.lanes_need_colours())
    }

    /// Whether lanes are predicted to be faster than single elements: always where only lanes have a body for the layout, store past
    /// the caches or prefetch rows behind maps. Lanes of elements that walk would wait for each other: app
    /// adapt's `choose`, which walks round vertices, takes 1.8 times as many cycles by AVX2 as by scalars (AMD EPYC, 2026-11-26).
    fn lanes_pay(&self, inspected: &Inspected, layout: Option<Layout>) -> bool {
        if layout != Some(Layout::Aos) {
            return true;
        }
        if self.desc.walks {
            return false;
        }
        let widest = best(self.context.widest, layout);
        let (operations, reduces) = (self.desc.flops, self.desc.reduces());
        inspected.in_lanes.pay(widest, operations, reduces, inspected.ahead.direct)
            || inspected.ahead.mapped
            || (inspected.in_lanes.streams_matter() && self.streams() != 0)
    }
}

/// The best of these instructions for a layout. The bodies for SoA use vectors of 256 bits, so that loops need not be compiled once
/// more.
fn best(isa: Isa, layout: Option<Layout>) -> Isa {
    if (isa, layout) == (Isa::Avx512, Some(Layout::Soa)) { Isa::Avx2 } else { isa }
}
