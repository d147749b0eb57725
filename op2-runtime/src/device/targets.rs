//! Loops with a thread for each target, and maps in the order of its contributions.

use super::frame::{Frame, threads};
use super::prepare::{Builder, Step};
use super::slots::Slots;
use crate::data::room;
use crate::desc::ArgKind;
use crate::plan::own_order;
use op2_core::Wrapper;
use op2_device::Buffer;

impl Builder<'_> {
    /// One launch with a thread for each target. Returns the number of blocks, and of launches.
    pub(super) fn per_target(&mut self) -> crate::Result<(usize, usize)> {
        let task = self.task;
        let ways = task.only_cover().and_then(|cover| task.cover(cover)).expect("a loop that can be run so");
        let what = || format!("the contributions of loop `{}`", task.desc.kernel);
        let n = task.shape.elements.len();
        let wave = self.wave as usize;
        let slots = Slots::new(&ways, own_order(task.shape), n, wave).map_err(|bytes| room::missing(what(), bytes))?;
        let rows = slots.list.len();
        if n == 0 || rows == 0 {
            return Ok((0, 0));
        }
        self.entries = (0..task.maps().len()).map(|m| self.entries_of(m, &slots)).collect::<crate::Result<_>>()?;
        let targets = slots.targets.as_ref().map(|list| self.keep("targets of contributions", list)).transpose()?;
        let count = slots.count(ways.targets);
        let frame = Frame::default()
            .pointer(Some(&self.keep("starts of contributions", &slots.starts)?))
            .pointer(Some(&self.keep("list of contributions", &slots.list)?))
            .pointer(targets.as_ref())
            .number(count)
            .number(rows);
        let kernel = self.kernel(Wrapper::PerTarget)?;
        let block = threads(count, self.threads, self.wave);
        let grid = count.div_ceil(block as usize) as u32;
        self.steps.push(Step::Wrapper { kernel, grid, block, shared: 0, frames: vec![frame.0], parts: false });
        Ok((grid as usize, 1))
    }

    /// The rows of a map in the order of contributions, entry by entry, if an argument needs more of it than where to add.
    fn entries_of(&mut self, map: usize, slots: &Slots) -> crate::Result<Option<Buffer>> {
        let task = self.task;
        let leads = |arg: usize| task.desc.args[arg].target.is_some_and(|t| task.device.targets[t].map == map);
        let read = task.inputs.dats().iter().any(|b| leads(b.arg) && !b.access.combines());
        let by_index = (0..task.desc.args.len()).any(|arg| task.desc.args[arg].kind == ArgKind::Index && leads(arg));
        if !read && !by_index {
            return Ok(None);
        }
        let stored = task.inputs.stored_map(task.maps()[map]);
        let (entries, arity, rows) = (stored.entries, stored.store.arity, slots.list.len());
        let mut elements = slots.elements().cycle();
        let what =
            || format!("map `{}` in the order of the contributions of loop `{}`", stored.store.name, task.desc.kernel);
        // In the order of the list, entry by entry. Places without a contribution have entries, too: threads load them and do not use them.
        let entry = |n: usize| elements.next().flatten().map_or(0, |e| entries[e * arity + n / rows]);
        let words = room::all(what, arity * rows, entry)?;
        Ok(Some(self.keep(&format!("map `{}`", stored.store.name), &words)?))
    }
}
