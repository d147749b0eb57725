//! Runs plans that redirect contributions: keeps memory for the copies, and adds them to their targets in a second
//! pass.
//!
//! Elements that redirect nothing run by the body for consecutive elements, so that only the borders of tiles pay for the
//! look-up of places.

use super::run_colours;
use crate::data::layout::{Geometry, Layout};
use crate::data::room;
use crate::data::sink::Redirected;
use crate::data::tasks;
use crate::data::value::{Elem, ElemType, by_type};
use crate::error::Result;
use crate::exec::body::Course;
use crate::exec::work::Work;
use crate::isa::Isa;
use crate::mesh::Mesh;
use crate::mesh::bindings::BoundDat;
use crate::plan::{Exchange, Part, Plan, Redirect, RunKind};
use op2_core::Combine;
use smallvec::SmallVec;
use std::ops::Range;

/// Targets per task of the second pass.
const CHUNK: usize = 2048;

/// The copies of one dat.
pub(super) struct Copies<'a> {
    pub(super) dat: usize,
    part: &'a Part,
    how: Combine,
    elem: ElemType,
    dim: usize,
    geometry: Geometry,
    data: *mut u8,
    pub(super) copies: *mut u8,
}

// SAFETY: only `clear` and `add` use the addresses, and they state when they may be called.
unsafe impl Sync for Copies<'_> {}

/// The copies of all dats of a call, and the redirected contributions of its arguments.
pub(crate) struct Detour<'a> {
    redirect: &'a Redirect,
    copies: Vec<Copies<'a>>,
    redirected: SmallVec<[Redirected; 8]>,
}

impl<'a> Detour<'a> {
    /// Assigns copies in `scratch` to the dats of a call; `scratch` grows if it has to.
    pub(crate) fn new(
        redirect: &'a Redirect,
        mesh: &mut Mesh,
        bound: &[BoundDat],
        scratch: &mut Vec<Vec<u64>>,
    ) -> Result<Detour<'a>> {
        let mut detour = Detour { redirect, copies: Vec::new(), redirected: SmallVec::new() };
        let combined = bound.iter().filter_map(|arg| Some((arg, arg.access.combine()?)));
        for (arg, how) in combined {
            let Some((part, first)) = redirect.part_of(arg.arg) else { continue };
            let part = &redirect.parts()[part];
            let n = match detour.copies.iter().position(|copies| copies.dat == arg.dat) {
                Some(n) => n,
                None => {
                    let n = detour.copies.len();
                    detour.copies.push(Copies::new(part, mesh, arg.dat, how, scratch, n)?);
                    n
                }
            };
            let destinations = if part.destinations.is_empty() { std::ptr::null() } else { part.destinations.as_ptr() };
            let Part { width, targets, .. } = *part;
            detour.redirected.push(Redirected {
                arg: arg.arg,
                destinations,
                width,
                first,
                targets,
                copies: detour.copies[n].copies,
            });
        }
        Ok(detour)
    }

    /// Adds all copies to their targets.
    ///
    /// # Safety
    /// All blocks are done, and nothing else accesses the dats.
    unsafe fn add(&self, pool: Option<&rayon_core::ThreadPool>) {
        for copies in &self.copies {
            // SAFETY: passed on to the caller.
            unsafe { copies.add_all(pool) };
        }
    }
}

impl<'a> Copies<'a> {
    pub(super) fn new(
        part: &'a Part,
        mesh: &mut Mesh,
        dat: usize,
        how: Combine,
        scratch: &mut Vec<Vec<u64>>,
        n: usize,
    ) -> Result<Self> {
        let store = &mut mesh.dats[dat];
        let words = (part.copies * store.bytes).div_ceil(size_of::<u64>());
        let copies = room_of(scratch, n, words, || format!("the contributions to dat `{}`", store.name))?;
        let dim = store.components();
        let geometry = store.geometry(&mesh.sets[store.set]);
        let data = store.address();
        Ok(Copies { dat, part, how, elem: store.elem, dim, geometry, data, copies })
    }

    /// The two steps by which several devices add these copies: to sums of their own, in memory `n` of `scratch`, and those to the dat.
    pub(super) fn by_devices(
        &self,
        exchange: &'a Exchange,
        scratch: &mut Vec<Vec<u64>>,
        n: usize,
    ) -> Result<[Self; 2]> {
        let Exchange { within, between } = exchange;
        let words = (between.copies * self.value_bytes()).div_ceil(size_of::<u64>());
        let sums = room_of(scratch, n, words, || "the sums of devices of a loop over pairs".to_owned())?;
        let step = |part, geometry, data, copies| Copies { part, geometry, data, copies, ..*self };
        Ok([step(within, Geometry::aos(self.dim), sums, self.copies), step(between, self.geometry, self.data, sums)])
    }

    fn value_bytes(&self) -> usize {
        self.dim * by_type!(self.elem, E => size_of::<E>())
    }

    /// Bytes of all copies.
    pub(super) fn bytes(&self) -> usize {
        self.part.copies * self.value_bytes()
    }

    /// Blocks that have copies of their own.
    pub(super) fn devices(&self) -> usize {
        self.part.block_copies.len() - 1
    }

    /// Sets the copies of a block to the neutral element.
    ///
    /// # Safety
    /// Nothing else accesses the copies of this block.
    pub(super) unsafe fn clear(&self, block: usize) {
        let range = self.part.block_copies[block] as usize..self.part.block_copies[block + 1] as usize;
        // SAFETY: passed on to the caller.
        by_type!(self.elem, E => unsafe { self.clear_as::<E>(range) });
    }

    unsafe fn clear_as<E: Elem>(&self, range: Range<usize>) {
        // SAFETY: the copies are `dim` scalars each, and only the caller accesses these.
        let copies = unsafe {
            let first = self.copies.cast::<E>().add(range.start * self.dim);
            std::slice::from_raw_parts_mut(first, range.len() * self.dim)
        };
        copies.fill(E::neutral(self.how));
    }

    /// Adds all copies to their targets.
    ///
    /// # Safety
    /// All blocks are done, and nothing else accesses the dat.
    pub(super) unsafe fn add_all(&self, pool: Option<&rayon_core::ThreadPool>) {
        let targets = self.part.sums.targets.len();
        let add = |chunk: usize| {
            let range = chunk * CHUNK..targets.min((chunk + 1) * CHUNK);
            // SAFETY: passed on to the caller; chunks have different targets.
            unsafe { self.add(range) };
        };
        let chunks = targets.div_ceil(CHUNK);
        match pool {
            Some(pool) => tasks::install(pool, || tasks::for_each(chunks, &add)),
            None => (0..chunks).for_each(add),
        }
    }

    /// Adds copies to their targets, for the given range of the sums.
    ///
    /// # Safety
    /// All blocks are done, and nothing else accesses these targets.
    unsafe fn add(&self, range: Range<usize>) {
        // SAFETY: passed on to the caller.
        by_type!(self.elem, E => unsafe { self.add_as::<E>(range) });
    }

    unsafe fn add_as<E: Elem>(&self, range: Range<usize>) {
        let sums = &self.part.sums;
        for i in range {
            let target = sums.targets[i] as usize;
            for &copy in &sums.list[sums.offsets[i] as usize..sums.offsets[i + 1] as usize] {
                for c in 0..self.dim {
                    // SAFETY: the geometry leads into the dat, copies are `dim` scalars each, and by the contract
                    // nothing else accesses them.
                    unsafe {
                        let slot = self.data.cast::<E>().add(self.geometry.offset(target, c));
                        let part = *self.copies.cast::<E>().add(copy as usize * self.dim + c);
                        *slot = E::combined(self.how, *slot, part);
                    }
                }
            }
        }
    }
}

/// Memory `n` of those that loops share, which grows if it has to.
fn room_of(scratch: &mut Vec<Vec<u64>>, n: usize, words: usize, what: impl FnOnce() -> String) -> Result<*mut u8> {
    if scratch.len() <= n {
        scratch.resize_with(n + 1, Vec::new);
    }
    if scratch[n].len() < words {
        scratch[n] = room::filled(what, 0, words)?;
    }
    Ok(scratch[n].as_mut_ptr().cast())
}

/// Runs all blocks at once, then all sums at once.
pub(crate) fn run_redirected(
    work: &mut dyn Work,
    pool: Option<&rayon_core::ThreadPool>,
    plan: &Plan,
    course: Course<'_>,
    detour: &Detour<'_>,
) {
    work.begin(plan.blocks());
    let work = &*work;
    // SAFETY: a block runs once.
    run_colours(pool, plan, &|block| unsafe { run_block(work, block as usize, course, detour) });
    // SAFETY: the blocks are done, and the call has exclusive access to the mesh.
    unsafe { detour.add(pool) };
}

/// # Safety
/// No other thread runs this block meanwhile.
unsafe fn run_block(work: &dyn Work, block: usize, course: Course<'_>, detour: &Detour<'_>) {
    for copies in &detour.copies {
        // Copies of single contributions need no initial value: each is written once.
        if !copies.part.destinations.is_empty() {
            // SAFETY: passed on to the caller; only this block accesses its copies.
            unsafe { copies.clear(block) };
        }
    }
    let course = Course { form: None, ..course };
    for run in detour.redirect.runs_of(block) {
        let (positions, course) = match run.kind {
            RunKind::Straight { element } if course.layout == Some(Layout::Aos) || course.isa != Isa::Scalar => {
                let first = element as usize;
                (first..first + (run.end - run.start) as usize, Course { list: None, ..course })
            }
            _ => (run.start as usize..run.end as usize, Course { redirected: Some(&detour.redirected), ..course }),
        };
        // SAFETY: passed on to the caller.
        unsafe { work.run(block, positions, course) };
    }
}
