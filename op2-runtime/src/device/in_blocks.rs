//! Blocks of elements: what they read, collect and sum, in device memory, and their launches.
//!
//! A plan numbers positions, and the targets of all blocks, one after the other. On the device each block has as much room as the
//! largest one, so that threads know from the number of their block where all of it begins, and need not load that first.

use super::choice::Choice;
use super::cover::{Copies, Staging};
use super::frame::{Frame, threads};
use super::incoming::Incoming;
use super::planned::longest;
use super::prepare::{Builder, Step};
use super::schedule::BlockSchedule;
use crate::desc::FormDesc;
use crate::strategy::{Reads, Resolution};
use op2_core::Wrapper;
use op2_device::{Buffer, Error, Result};

/// Where the parts of blocks lie.
struct Rooms<'a> {
    /// Block `b` has the numbers `offsets[b]..offsets[b + 1]` of a plan.
    offsets: &'a [u32],
    /// Numbers that each block has room for.
    each: usize,
    /// Numbers behind the last block that its threads may ask for.
    behind: usize,
}

impl<'a> Rooms<'a> {
    fn new(offsets: &'a [u32]) -> Self {
        Rooms { offsets, each: longest(offsets), behind: 0 }
    }

    fn blocks(&self) -> usize {
        self.offsets.len() - 1
    }

    /// All numbers; none if 32 bits cannot hold them.
    fn all(&self) -> Option<usize> {
        let all = self.blocks().checked_mul(self.each)?.checked_add(self.behind)?;
        u32::try_from(all).ok().map(|_| all)
    }

    /// The numbers of each block.
    fn counts(&self) -> Vec<u32> {
        self.offsets.windows(2).map(|b| b[1] - b[0]).collect()
    }

    /// Whether every number is where the plan has it.
    fn is_plain(&self) -> bool {
        self.offsets.iter().take(self.blocks()).enumerate().all(|(b, &first)| first as usize == b * self.each)
    }

    /// What the plan lists for its numbers, where blocks have it.
    fn placed<T: Copy + Default>(&self, list: &[T]) -> Vec<T> {
        let mut placed = Vec::with_capacity(self.blocks() * self.each + self.behind);
        for block in self.offsets.windows(2) {
            placed.extend_from_slice(&list[block[0] as usize..block[1] as usize]);
            placed.resize(placed.len() + self.each - (block[1] - block[0]) as usize, T::default());
        }
        placed.resize(placed.len() + self.behind, T::default());
        placed
    }
}

impl Builder<'_> {
    /// Blocks of elements. Returns their number, and that of launches.
    pub(super) fn in_blocks(
        &mut self,
        choice: &Choice,
        blocks: &BlockSchedule,
        mut stagings: Vec<Staging>,
    ) -> Result<(usize, usize)> {
        let task = self.task;
        let wrapper = choice.wrapper();
        let block = threads(longest(&blocks.offsets), self.threads, self.wave);
        let positions = Rooms { behind: block as usize, ..Rooms::new(&blocks.offsets) };
        let all_positions = self.fits(&positions, "elements")?;
        let (copies, gathers) = self.split(choice.resolution, blocks, &mut stagings)?;
        let stages = self.stages(choice, &positions, (&stagings, &copies), block)?;
        // The element at a position, unless it is the same number.
        let order = match &blocks.order {
            Some(order) => Some(positions.placed(order)),
            None if positions.is_plain() => None,
            None => Some(positions.placed(&(0..*blocks.offsets.last().unwrap_or(&0)).collect::<Vec<u32>>())),
        };
        let order = self.order(order)?;
        let elements = self.keep("elements of blocks", &positions.counts())?;
        let turns = blocks.turns.as_ref();
        let colours =
            turns.map(|turns| self.keep("colours of elements", &positions.placed(&turns.colours))).transpose()?;
        let counts = turns.map(|turns| self.keep("colours of blocks", &turns.counts)).transpose()?;
        // Atomics need no colours between blocks: all go in one launch. Plans that redirect contributions have one.
        let all = 0..blocks.ids.len();
        let at_once = matches!(wrapper, Wrapper::Combined | Wrapper::StagedAtomic);
        let launches = if at_once { std::slice::from_ref(&all) } else { &blocks.launches[..] };
        let shared = task.arena(&|cover| stagings[cover].most, block, self.form, self.reads).max(self.scratch) as u32;
        let kept = self.form.map(|form| self.kept(form, all_positions)).transpose()?;
        let parts = wrapper.redirects();
        for launch in launches.iter().filter(|l| !l.is_empty()) {
            let ids = &blocks.ids[launch.clone()];
            let in_order = ids.iter().enumerate().all(|(b, &id)| b as u32 == id);
            let ids = (!in_order).then(|| self.keep("numbers of blocks", ids)).transpose()?;
            let frame = Frame::default()
                .pointer(ids.as_ref())
                .pointer(Some(&elements))
                .pointer(order.as_ref())
                .pointer(colours.as_ref())
                .pointer(counts.as_ref())
                .number(0)
                .number(positions.each);
            let frames = std::iter::once(frame.0).chain(stages.iter().cloned()).chain(kept.clone()).collect();
            let kernel = self.kernel(wrapper)?;
            let grid = launch.len() as u32;
            self.steps.push(Step::Wrapper { kernel, grid, block, shared, frames, parts });
        }
        self.steps.extend(gathers);
        self.partials = blocks.ids.len() as u32;
        Ok((blocks.ids.len(), launches.len()))
    }

    /// The numbers that rooms have in all, or an error if 32 bits cannot hold them.
    fn fits(&self, rooms: &Rooms<'_>, of: &str) -> Result<usize> {
        rooms.all().ok_or_else(|| Error::OutOfMemory {
            device: self.state.name().to_owned(),
            what: format!("the {of} of the blocks of loop `{}`", self.task.desc.kernel),
            bytes: rooms.blocks() * rooms.each * size_of::<u32>(),
            free: u32::MAX as usize,
        })
    }

    /// Memory for values that stages leave for later stages, by position.
    fn kept(&mut self, form: &FormDesc, positions: usize) -> Result<Vec<u8>> {
        let what = format!("what the stages of loop `{}` leave for each other", self.task.desc.kernel);
        let buffer = self.state.device.allocate(&what, positions * self.task.kept_bytes(form), size_of::<u64>())?;
        let frame = Frame::default().pointer(Some(&buffer)).number(positions).number(0);
        self.held.push(buffer);
        Ok(frame.0)
    }

    /// The targets of each cover, as parameters of the generated code.
    fn stages(
        &mut self,
        choice: &Choice,
        positions: &Rooms<'_>,
        (stagings, copies): (&[Staging], &[Copies]),
        threads: u32,
    ) -> Result<Vec<Vec<u8>>> {
        let all_positions = self.fits(positions, "elements")?;
        let mut stages = Vec::new();
        for (cover, (staging, copies)) in stagings.iter().zip(copies).enumerate() {
            if self.task.cover(cover).is_none() {
                let nothing = (0..5).fold(Frame::default(), |frame, _| frame.pointer(None));
                stages.push((0..4).fold(nothing, |frame, _| frame.number(0)).0);
                continue;
            }
            let targets = Rooms::new(&staging.offsets);
            self.fits(&targets, "targets")?;
            let entries = self.entries(staging, positions)?;
            let (incoming, units) = self.incoming(choice, cover, (staging, copies), positions.offsets, threads)?;
            // Threads that gather follow entries, and blocks list only what they change.
            let listed = self.reads == Reads::Staged || incoming.is_some();
            let mut list = |what, list: Vec<u32>| listed.then(|| self.keep(what, &list)).transpose();
            let counts = list("numbers of targets", targets.counts())?;
            let list = list("targets", targets.placed(&staging.list))?;
            let frame = Frame::default()
                .pointer(counts.as_ref())
                .pointer(list.as_ref())
                .pointer(Some(&entries))
                .pointer(copies.first.as_ref())
                .pointer(incoming.as_ref())
                .number(all_positions)
                .number(targets.each)
                .number(copies.count)
                .number(units);
            stages.push(frame.0);
        }
        Ok(stages)
    }

    /// The target of each entry: its place among those of its block if they are staged, else its number.
    fn entries(&mut self, staging: &Staging, positions: &Rooms<'_>) -> Result<Buffer> {
        let all = *positions.offsets.last().unwrap_or(&0) as usize;
        match self.reads {
            Reads::Staged => {
                let ways = staging.local.chunks(all.max(1)).flat_map(|way| positions.placed(way));
                let bytes: Vec<u8> = ways.flat_map(u16::to_ne_bytes).collect();
                self.keep_bytes("places of staged data", &bytes, size_of::<u16>())
            }
            Reads::Gathered => {
                let targets = staging.targets(positions.offsets);
                let ways: Vec<u32> = targets.chunks(all.max(1)).flat_map(|way| positions.placed(way)).collect();
                self.keep("targets of elements", &ways)
            }
        }
    }

    /// The lists by which the targets of a cover find contributions, and the units of a block; none where no view collects them.
    fn incoming(
        &mut self,
        choice: &Choice,
        cover: usize,
        (staging, copies): (&Staging, &Copies),
        blocks: &[u32],
        threads: u32,
    ) -> Result<(Option<Buffer>, usize)> {
        if !self.task.collects_through(cover) {
            return Ok((None, 0));
        }
        let targets = |b: usize| {
            let all = (staging.offsets[b + 1] - staging.offsets[b]) as usize;
            match (choice.resolution, &copies.of_blocks) {
                // Other blocks add to the targets of others.
                (Some(Resolution::Owner), Some(copies)) => all - (copies[b + 1] - copies[b]) as usize,
                _ => all,
            }
        };
        let incoming = Incoming::new(staging, blocks, threads as usize, targets).expect("facts say that they fit");
        let units = Rooms::new(&incoming.offsets);
        self.fits(&units, "contributions")?;
        let bytes: Vec<u8> = units.placed(incoming.units()).into_iter().flatten().flat_map(u16::to_ne_bytes).collect();
        let buffer = self.keep_bytes("contributions to targets", &bytes, size_of::<u16>())?;
        Ok((Some(buffer), units.each))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_have_as_much_room_as_the_largest() {
        let offsets = [0, 3, 3, 5];
        let rooms = Rooms { behind: 2, ..Rooms::new(&offsets) };
        assert_eq!((rooms.each, rooms.all(), rooms.counts()), (3, Some(11), vec![3, 0, 2]));
        assert_eq!(rooms.placed(&[1, 2, 3, 4, 5]), [1, 2, 3, 0, 0, 0, 4, 5, 0, 0, 0]);
        assert!(!rooms.is_plain() && Rooms::new(&[0, 4, 8, 9]).is_plain());
        assert!(Rooms::new(&[0]).placed::<u32>(&[]).is_empty());
        assert_eq!(Rooms::new(&[0, u32::MAX, u32::MAX]).all(), None);
    }
}
