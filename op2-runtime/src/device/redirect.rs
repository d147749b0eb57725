//! Redirected contributions: arrays that take them in place of their targets, and the launches that gather them
//! afterwards.

use super::cover::{Copies, Staging, Sums};
use super::frame::{Frame, grid};
use super::prepare::{Builder, Step};
use super::schedule::BlockSchedule;
use super::task::Task;
use crate::mesh::bindings::BoundDat;
use crate::plan::{Destination, own_order};
use crate::strategy::Resolution;
use op2_core::{EntryPoint, Wrapper};
use op2_device::Result;

/// [`Sums`] on the device.
struct Summed {
    frame: Vec<u8>,
    targets: usize,
    contributions: usize,
}

impl Builder<'_> {
    /// Launches that store every contribution at a place of its own, then those that gather them.
    pub(super) fn scattered(&mut self) -> Result<(usize, usize)> {
        let task = self.task;
        let n = task.shape.elements.len();
        let gathers = self.gathers(|builder, cover| {
            let ways = task.cover(cover).expect("an argument that uses it is there");
            let Some(sums) = Sums::new(&ways, own_order(task.shape), n) else {
                let what = format!("the contributions of loop `{}`", task.desc.kernel);
                let (device, bytes) = (builder.state.name().to_owned(), n * ways.width() * 4);
                return Err(op2_device::Error::OutOfMemory { device, what, bytes, free: u32::MAX as usize });
            };
            builder.summed(&sums, ways.targets)
        })?;
        let order = self.elements()?;
        let blocks = self.range(Wrapper::Scatter, order.as_ref(), 0..n as u32, true)?;
        self.steps.extend(gathers);
        Ok((blocks, usize::from(n > 0)))
    }

    /// Splits the staged targets of each cover through which the loop combines: the block's own come first, and in tiles the others get
    /// copies. Returns the numbers of the others, and the launches that add up copies.
    pub(super) fn split(
        &mut self,
        resolution: Option<Resolution>,
        blocks: &BlockSchedule,
        stagings: &mut [Staging],
    ) -> Result<(Vec<Copies>, Vec<Step>)> {
        let task = self.task;
        let mut copies: Vec<Copies> = stagings.iter().map(|_| Copies::default()).collect();
        let mut sums: Vec<Option<Sums>> = stagings.iter().map(|_| None).collect();
        for (cover, staging) in stagings.iter_mut().enumerate() {
            let own = match resolution {
                _ if !task.collects_through(cover) => continue,
                Some(Resolution::Tiles | Resolution::BlockAtomics) => staging.shared.iter().map(|&s| s == 0).collect(),
                Some(Resolution::Owner) => task.owned(cover, staging),
                _ => continue,
            };
            let first = staging.split(&blocks.offsets, &own);
            let count = first.last().map_or(0, |&n| n as usize);
            if resolution == Some(Resolution::Tiles) {
                sums[cover] = Some(staging.sums(&first));
            }
            copies[cover] = Copies { of_blocks: Some(first), count };
        }
        let gathers = match resolution {
            Some(Resolution::Tiles) => self.gathers(|builder, cover| {
                let sums = sums[cover].as_ref().expect("what is combined through a cover has sums");
                builder.summed(sums, 0)
            })?,
            _ => Vec::new(),
        };
        Ok((copies, gathers))
    }

    /// Allocates memory for the contributions of every view that is combined through maps, and makes the launch that gathers them.
    fn gathers(&mut self, mut sums: impl FnMut(&mut Self, usize) -> Result<Summed>) -> Result<Vec<Step>> {
        let task = self.task;
        // Views with equal covers have equal sums.
        let mut known: Vec<Option<Summed>> = task.device.covers.iter().map(|_| None).collect();
        let mut gathers = Vec::new();
        for (v, view) in task.device.views.iter().enumerate() {
            let (Some(bound), Some(cover)) = (task.combined(v), view.cover) else { continue };
            let summed = match &mut known[cover] {
                Some(summed) => summed,
                unknown => unknown.insert(sums(self, cover)?),
            };
            if summed.contributions == 0 {
                continue;
            }
            let store = task.inputs.dat(bound);
            let what = format!("the contributions to dat `{}`", store.name);
            let bytes = summed.contributions * store.bytes;
            self.parts[v] = Some(self.state.device.allocate(&what, bytes, store.elem.bytes())?);
            let kernel = task.kernel(None, EntryPoint::Gather(v))?;
            let (grid, block) = grid(summed.targets, self.threads, self.wave);
            gathers.push(Step::Gather { kernel, grid, block, frame: summed.frame.clone(), view: v });
        }
        Ok(gathers)
    }

    /// Copies sums to the device; `all` is the number of targets if they are not listed.
    fn summed(&mut self, sums: &Sums, all: usize) -> Result<Summed> {
        let targets = sums.targets.as_ref().map(|t| self.keep("targets of contributions", t)).transpose()?;
        let count = sums.targets.as_ref().map_or(all, Vec::len);
        let contributions = sums.list.len();
        let frame = Frame::default()
            .pointer(Some(&self.keep("sums of contributions", &sums.offsets)?))
            .pointer(Some(&self.keep("list of contributions", &sums.list)?))
            .pointer(targets.as_ref())
            .number(count)
            .number(contributions);
        Ok(Summed { frame: frame.0, targets: count, contributions })
    }
}

impl Task<'_> {
    /// The dat of a view, if the loop combines it through maps.
    fn combined(&self, view: usize) -> Option<&BoundDat> {
        let view = &self.device.views[view];
        let through = |b: &&BoundDat| view.args.contains(&b.arg) && b.through.is_some() && b.access.combines();
        self.inputs.dats().iter().find(through)
    }

    /// Whether blocks collect contributions through a cover, to add them by lists.
    pub(super) fn collects_through(&self, cover: usize) -> bool {
        !self.desc.takes_turns() && self.combines_through(cover)
    }

    /// Whether a view that is present is combined through a cover.
    fn combines_through(&self, cover: usize) -> bool {
        let views = self.device.views.iter().enumerate().filter(|(_, v)| v.cover == Some(cover));
        views.into_iter().any(|(v, _)| self.combined(v).is_some())
    }

    /// For each staged target of a cover, whether the block that stages it owns it, by a plan of owners. Expects the list of each block
    /// in ascending order.
    fn owned(&self, cover: usize, staging: &Staging) -> Vec<bool> {
        let redirect = self.plan.redirect().expect("a plan of owners says where contributions go");
        let mut owned = vec![false; staging.list.len()];
        let uses = |view: &crate::desc::ViewDesc, arg: usize| view.cover == Some(cover) && view.args.contains(&arg);
        let dats = self.inputs.dats().iter().filter(|b| b.access.combines());
        let dats = dats.filter(|b| self.device.views.iter().any(|v| uses(v, b.arg)));
        for bound in dats {
            let Some((_, used)) = &bound.through else { continue };
            let (part, first) = redirect.part_of(bound.arg).expect("contributions through maps are redirected");
            for b in 0..self.plan.blocks() {
                let start = staging.offsets[b] as usize;
                let list = &staging.list[start..staging.offsets[b + 1] as usize];
                let destinations = self
                    .plan
                    .block(b)
                    .flat_map(|p| (first..first + used.len()).map(move |k| redirect.parts()[part].destination(p, k)));
                for destination in destinations {
                    if let Destination::Target(target) = destination
                        && let Ok(at) = list.binary_search(&(target as u32))
                    {
                        owned[start + at] = true;
                    }
                }
            }
        }
        owned
    }
}
