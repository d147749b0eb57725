//! What the macros make of a loop: its body for some elements, and where the results of its reductions go.

use crate::data::reduce::Reduce;
use crate::exec::stages::Form;
use crate::lanes::{Ahead, Elems, Isa, Vector};
use crate::mesh::Mesh;
use crate::mesh::handle::Global;
use std::ops::Range;

/// The body of a loop, once for each way to run it.
///
/// `fast` is for consecutive elements of AoS dats, `listed` for a list of elements of AoS dats, `general` for everything else.
/// `vector` takes several elements at once, in any layout, with contributions that the plan redirects. `stages` takes the number of a form and how many positions go through its stages at a time. Each takes the partial result
/// that the elements before have left, and returns it with what its own elements add: so a range that is run piece by
/// piece gives the bits of the range run at once.
///
/// The functions stand in one struct, rather than as arguments of one call, so that one more of them is one line.
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
    /// Any elements, in any layout, with contributions that the plan redirects.
    pub general: G,
    /// A form in stages.
    pub stages: S,
    /// Several elements at once.
    pub vector: V,
    /// Adds the partial result of a later block to that of the blocks before.
    pub absorb: fn(&mut R, &R),
    /// Hands the result of the whole loop to its globals.
    pub finish: E,
}

/// Where the results of reductions go.
pub struct Results<'a> {
    mesh: &'a mut Mesh,
}

/// How executors see the body of a loop.
pub trait Body: Sync {
    /// The partial result of its reductions.
    type Part: Send;
    /// The partial result of no elements.
    fn start(&self) -> Self::Part;
    /// Runs the elements at some positions.
    fn run(&self, positions: Range<usize>, course: Course<'_>, part: Self::Part) -> Self::Part;
    /// The same by a body for any layout and for redirected contributions.
    fn general(&self, elems: Elems<'_>, isa: Isa, part: Self::Part) -> Self::Part;
    /// Adds the partial result of a later block.
    fn absorb(&self, total: &mut Self::Part, part: &Self::Part);
    /// Hands the result of the whole loop to its globals.
    fn finish(&self, results: &mut Results<'_>, total: &Self::Part);
}

/// Whether a loop may use the bodies for AoS dats, what leads its positions to elements, and the form it runs in if it is one
/// in stages.
#[derive(Debug, Clone, Copy)]
pub struct Course<'a> {
    /// Whether all dats are AoS.
    pub all_aos: bool,
    /// The elements in the order of their positions; `None` where a position is its element.
    pub list: Option<&'a [u32]>,
    /// The form in stages.
    pub form: Option<Form>,
    /// How many elements go at once, and by which instructions.
    pub isa: Isa,
    /// The arguments, by number, whose rows may be written past the caches.
    pub streams: u64,
    /// The rows that are fetched ahead, if any are.
    pub(crate) ahead: Option<&'a Ahead>,
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
        match course {
            Course { list, form: Some(Form { number, size }), .. } => {
                (self.stages)(number, Elems::at(positions, list), size, part)
            }
            Course { list, isa, streams, ahead, .. } if isa != Isa::Scalar => {
                isa.run(&self.vector, Elems { streams, ahead, ..Elems::at(positions, list) }, part)
            }
            Course { all_aos: true, list: None, .. } => (self.fast)(positions, part),
            Course { all_aos: true, list: Some(list), .. } => (self.listed)(&list[positions], part),
            Course { list, .. } => (self.general)(Elems::at(positions, list), part),
        }
    }

    fn general(&self, elems: Elems<'_>, isa: Isa, part: R) -> R {
        if isa == Isa::Scalar { (self.general)(elems, part) } else { isa.run(&self.vector, elems, part) }
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

/// The value with which a reduction into `global` starts in every block.
#[inline(always)]
pub fn start_of<By, G: Reduce<By>>(_global: Global<G>) -> G {
    G::start()
}

/// The value with which a contribution to a partial result starts.
#[inline(always)]
pub fn start_like<By, G: Reduce<By>>(_part: &G) -> G {
    G::start()
}
