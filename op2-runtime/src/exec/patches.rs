//! Runs loops over pairs by overlapped tiles: all patches at once, then all sums at once.

use super::redirect::Copies;
use super::run_list;
use crate::data::room;
use crate::data::sink::{NOWHERE, Redirected};
use crate::error::Result;
use crate::exec::body::Course;
use crate::exec::work::Work;
use crate::mesh::Mesh;
use crate::mesh::bindings::BoundDat;
use crate::plan::Patches;
use smallvec::SmallVec;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

/// The copies of all dats that a call combines into inside, and the arguments that go there.
pub(crate) struct Tiles<'a> {
    patches: &'a Patches,
    copies: Vec<Copies<'a>>,
    /// With several devices, the two steps by which the copies of each dat are added.
    exchanges: Vec<[Copies<'a>; 2]>,
    redirected: SmallVec<[Redirected; 8]>,
    /// For each worker, the copy of each element inside that its patch reaches.
    places: Mutex<Vec<Vec<u32>>>,
}

impl<'a> Tiles<'a> {
    /// Assigns copies in `scratch` to the dats of a call, and makes a table for each of the `workers`.
    pub(crate) fn new(
        patches: &'a Patches,
        mesh: &mut Mesh,
        bound: &[BoundDat],
        scratch: &mut Vec<Vec<u64>>,
        workers: usize,
    ) -> Result<Self> {
        let mut copies: Vec<Copies<'a>> = Vec::new();
        let mut redirected = SmallVec::new();
        let inside = bound.iter().filter(|arg| arg.inside);
        for (arg, how) in inside.filter_map(|arg| Some((arg, arg.access.combine()?))) {
            let known = copies.iter().position(|of| of.dat == arg.dat);
            let n = known.unwrap_or(copies.len());
            if known.is_none() {
                copies.push(Copies::new(&patches.part, mesh, arg.dat, how, scratch, n)?);
            }
            let (targets, copies) = (patches.part.targets, copies[n].copies);
            redirected.push(Redirected {
                arg: arg.arg,
                destinations: std::ptr::null(),
                width: 0,
                first: 0,
                targets,
                copies,
            });
        }
        let mut exchanges = Vec::new();
        if let Some(exchange) = &patches.between_devices {
            for (n, of) in copies.iter().enumerate() {
                exchanges.push(of.by_devices(exchange, scratch, copies.len() + n)?);
            }
        }
        let what = || "the places of contributions of a loop over pairs".to_owned();
        let table = || room::filled(what, NOWHERE, patches.part.targets);
        let places = (0..workers.min(patches.len())).map(|_| table()).collect::<Result<_>>()?;
        Ok(Tiles { patches, copies, exchanges, redirected, places: Mutex::new(places) })
    }

    /// Bytes of the copies of all dats.
    pub(crate) fn bytes(&self) -> usize {
        self.copies.iter().map(Copies::bytes).sum::<usize>() + self.exchanged_bytes()
    }

    /// Bytes of the sums that go between devices.
    pub(crate) fn exchanged_bytes(&self) -> usize {
        self.exchanges.iter().map(|[_, between]| between.bytes()).sum()
    }

    /// # Safety
    /// No other thread runs this patch meanwhile.
    unsafe fn run_patch(&self, work: &dyn Work, patch: usize, course: Course<'_>) {
        for copies in &self.copies {
            // SAFETY: passed on to the caller; only this patch accesses its copies.
            unsafe { copies.clear(patch) };
        }
        let mut table = self.tables().pop().unwrap_or_else(|| vec![NOWHERE; self.patches.part.targets]);
        self.patches.copies(patch).for_each(|(element, copy)| table[element as usize] = copy);
        let to_table = |of: &Redirected| Redirected { destinations: table.as_ptr(), ..*of };
        let redirected: SmallVec<[Redirected; 8]> = self.redirected.iter().map(to_table).collect();
        let course = Course { form: None, redirected: Some(&redirected), ..course };
        // SAFETY: passed on to the caller.
        unsafe { work.run(patch, self.patches.positions(patch), course) };
        // The next patch reaches other elements.
        self.patches.copies(patch).for_each(|(element, _)| table[element as usize] = NOWHERE);
        self.tables().push(table);
    }

    fn tables(&self) -> std::sync::MutexGuard<'_, Vec<Vec<u32>>> {
        self.places.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Runs all patches, then adds the copies to the dats. Returns the seconds of the second pass.
pub(crate) fn run_patches(
    work: &mut dyn Work,
    pool: Option<&rayon_core::ThreadPool>,
    course: Course<'_>,
    tiles: &Tiles<'_>,
) -> f64 {
    let patches = tiles.patches;
    work.begin(patches.len());
    let work = &*work;
    let course = Course { list: Some(&patches.order), ..course };
    let all: Vec<u32> = (0..patches.len() as u32).collect();
    // SAFETY: a patch runs once.
    run_list(pool, &all, &|patch| unsafe { tiles.run_patch(work, patch as usize, course) });
    let start = Instant::now();
    for [within, between] in &tiles.exchanges {
        let devices = 0..between.devices();
        // SAFETY: the patches are done, nobody else has the sums, and the call has exclusive access to the mesh.
        unsafe {
            devices.for_each(|device| between.clear(device));
            within.add_all(pool);
            between.add_all(pool);
        }
    }
    for copies in tiles.copies.iter().filter(|_| tiles.exchanges.is_empty()) {
        // SAFETY: the patches are done, and the call has exclusive access to the mesh.
        unsafe { copies.add_all(pool) };
    }
    start.elapsed().as_secs_f64()
}
