//! The interface between executors and the code that the macros write: bodies of loops, and the results of reductions.

use crate::data::layout::Layout;
use crate::data::reduce::Reduce;
use crate::data::sink::Redirected;
use crate::exec::stages::Form;
use crate::isa::Isa;
use crate::lanes::{Ahead, Elems, Vector};
use crate::mesh::Mesh;
use crate::mesh::handle::Global;
use std::marker::PhantomData;
use std::ops::Range;

/// The bodies of a loop, one for each way to run it.
///
/// `fast` runs consecutive elements of AoS dats, `listed` a list of elements of AoS dats, `general` all others.
/// `vector` runs several elements at once, in any layout, with redirected contributions. `stages` takes the number of a
/// form, and how many positions pass through its stages together. Each body takes the partial result of the elements
/// before, and returns it combined with that of its own elements: a range gives the same bits whether it runs piece by
/// piece or at once.
///
/// The bodies are fields of a struct rather than arguments of a call, so that another one adds one line.
#[derive(Debug)]
pub struct Bodies<B, F, L, G, S, V, E, R>
where
    B: Fn() -> R + Sync,
    F: Fn(Range<usize>, R) -> R + Sync,
    L: Fn(&[u32], R) -> R + Sync,
    G: Fn(Elems<'_>, R) -> R + Sync,
    S: Fn(usize, Elems<'_>, usize, R) -> R + Sync,
    V: Vector<Out = R>,
    E: Fn(&mut Results<'_>, &R),
{
    /// The partial result of no elements.
    pub start: B,
    /// Consecutive elements of AoS dats.
    pub fast: F,
    /// Listed elements of AoS dats.
    pub listed: L,
    /// Any elements, in any layout, with redirected contributions.
    pub general: G,
    /// Elements in stages.
    pub stages: S,
    /// Several elements at once.
    pub vector: V,
    /// Combines the partial result of a later block with that of the blocks before.
    pub absorb: fn(&mut R, &R),
    /// Adds the result of the whole loop to its globals.
    pub finish: E,
}

/// Receives the results of reductions.
pub struct Results<'a> {
    mesh: &'a mut Mesh,
}

/// The bodies of a loop, which continue a partial result.
pub trait Body: Sync {
    /// The partial result of its reductions.
    type Part: Send;
    /// The partial result of no elements.
    fn start(&self) -> Self::Part;
    /// Runs the elements at some positions.
    fn run(&self, positions: Range<usize>, course: Course<'_>, part: Self::Part) -> Self::Part;
    /// Combines the partial result of a later block with the total.
    fn absorb(&self, total: &mut Self::Part, part: &Self::Part);
    /// Adds the result of the whole loop to its globals.
    fn finish(&self, results: &mut Results<'_>, total: &Self::Part);
}

/// How a loop runs: the bodies that it may use, the elements at its positions, and its form if it runs in stages.
#[derive(Debug, Clone, Copy)]
pub struct Course<'a> {
    /// The layout of all dats; `None` if they differ.
    pub layout: Option<Layout>,
    /// The elements in the order of their positions; `None` where a position is its element.
    pub list: Option<&'a [u32]>,
    /// The form in stages.
    pub form: Option<Form>,
    /// The instruction set.
    pub isa: Isa,
    /// The arguments, as a bit set, whose rows are written by non-temporal stores.
    pub streams: u64,
    /// The rows to prefetch, if any.
    pub(crate) ahead: Option<&'a Ahead>,
    /// The arguments whose contributions are redirected. `None` where all go straight to their targets.
    pub(crate) redirected: Option<&'a [Redirected]>,
}

impl<'a> Results<'a> {
    pub(crate) fn of(mesh: &'a mut Mesh) -> Self {
        Results { mesh }
    }

    /// Adds the result of a reduction to its global.
    pub fn reduce<By, G: Reduce<By>>(&mut self, global: Global<G>, result: &G) {
        self.mesh.globals[global.id.index as usize].get_mut::<G>().absorb(result);
    }
}

impl<B, F, L, G, S, V, E, R> Body for Bodies<B, F, L, G, S, V, E, R>
where
    B: Fn() -> R + Sync,
    F: Fn(Range<usize>, R) -> R + Sync,
    L: Fn(&[u32], R) -> R + Sync,
    G: Fn(Elems<'_>, R) -> R + Sync,
    S: Fn(usize, Elems<'_>, usize, R) -> R + Sync,
    V: Vector<Out = R>,
    E: Fn(&mut Results<'_>, &R) + Sync,
    R: Send,
{
    type Part = R;

    #[inline]
    fn start(&self) -> R {
        (self.start)()
    }

    fn run(&self, positions: Range<usize>, course: Course<'_>, part: R) -> R {
        let Course { layout, list, form, isa, streams, ahead, redirected } = course;
        let all_aos = layout == Some(Layout::Aos) && redirected.is_none();
        match (form, list) {
            (Some(Form { number, size }), _) => (self.stages)(number, Elems::at(positions, list), size, part),
            (None, None) if all_aos && isa == Isa::Scalar => (self.fast)(positions, part),
            (None, Some(list)) if all_aos && isa == Isa::Scalar => (self.listed)(&list[positions], part),
            (None, _) => {
                let redirected = redirected.unwrap_or_default();
                let elems = Elems {
                    redirected,
                    streams,
                    ahead,
                    soa: layout == Some(Layout::Soa),
                    ..Elems::at(positions, list)
                };
                if isa == Isa::Scalar { (self.general)(elems, part) } else { isa.run(&self.vector, elems, part) }
            }
        }
    }

    #[inline]
    fn absorb(&self, total: &mut R, part: &R) {
        (self.absorb)(total, part);
    }

    #[inline]
    fn finish(&self, results: &mut Results<'_>, total: &R) {
        (self.finish)(results, total);
    }
}

/// The initial value of a reduction into `global`, in every block.
#[inline(always)]
pub fn start_of<By, G: Reduce<By>>(_global: Global<G>) -> G {
    G::start()
}

/// The type of the partial results of a reduction into `global`.
#[inline(always)]
pub fn total_of<G>(_global: Global<G>) -> PhantomData<G> {
    PhantomData
}

/// The initial value of a contribution to a partial result.
#[inline(always)]
pub fn start_like<By, G: Reduce<By>>(_part: &G) -> G {
    G::start()
}
