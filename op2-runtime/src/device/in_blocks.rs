//! Blocks of elements: what they read, collect and sum, in device memory, and their launches.
//!
//! A plan numbers positions, and the targets of all blocks, one after the other. On the device each block has as much room as the
//! largest one, so that threads know from the number of their block where all of it begins, and need not load that first.

use super::choice::Choice;
use super::cover::{Copies, Staging};
use super::entries::{Gathered, far};
use super::frame::{Frame, threads};
use super::incoming::{Incoming, Targets};
use super::planned::longest;
use super::prepare::{Builder, Step};
use super::schedule::BlockSchedule;
use crate::data::room;
use crate::desc::FormDesc;
use crate::strategy::{Reads, Resolution};
use op2_device::{Buffer, Error, Result};

/// The mark of far blocks in the list of their elements; see `Block` in `op2_loop.cuh`.
const FAR: u32 = 1 << 31;

/// Where the parts of blocks lie.
struct Rooms<'a> {
    /// Block `b` has the numbers `offsets[b]..offsets[b + 1]` of a plan.
    offsets: &'a [u32],
    /// Numbers that each block has room for.
    each: usize,
    /// All of them, with those behind the last block that its threads may ask for.
    all: usize,
}

impl<'a> Rooms<'a> {
    /// Rooms for blocks, and for `behind` more numbers; none if 32 bits cannot hold them all.
    fn new(offsets: &'a [u32], behind: usize) -> Option<Self> {
        let each = longest(offsets);
        let all = (offsets.len() - 1).checked_mul(each)?.checked_add(behind)?;
        u32::try_from(all).ok().map(|_| Rooms { offsets, each, all })
    }

    /// The numbers that the plan has.
    fn planned(&self) -> u32 {
        *self.offsets.last().unwrap_or(&0)
    }

    /// The numbers of each block.
    fn counts(&self) -> Vec<u32> {
        self.offsets.windows(2).map(|b| b[1] - b[0]).collect()
    }

    /// Whether every number is where the plan has it.
    fn is_plain(&self) -> bool {
        self.offsets.windows(2).enumerate().all(|(b, block)| block[0] as usize == b * self.each)
    }

    /// A list by the numbers of the plan, where blocks have room for it.
    fn placed<T: Copy + Default>(&self, list: &[T]) -> Vec<T> {
        let mut placed = Vec::with_capacity(self.all);
        for (b, block) in self.offsets.windows(2).enumerate() {
            placed.extend_from_slice(&list[block[0] as usize..block[1] as usize]);
            placed.resize((b + 1) * self.each, T::default());
        }
        placed.resize(self.all, T::default());
        placed
    }

    /// The same of `width` lists that follow each other, one for each entry of a map: number by number.
    fn placed_each<T: Copy + Default>(&self, lists: &[T], width: usize) -> Vec<T> {
        let mut placed = vec![T::default(); self.all * width];
        for (k, list) in lists.chunks(self.planned().max(1) as usize).enumerate() {
            for (b, block) in self.offsets.windows(2).enumerate() {
                let of_block = &list[block[0] as usize..block[1] as usize];
                of_block.iter().enumerate().for_each(|(n, of)| placed[(b * self.each + n) * width + k] = *of);
            }
        }
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
    ) -> crate::Result<(usize, usize)> {
        let task = self.task;
        let wrapper = choice.wrapper();
        let block = threads(longest(&blocks.offsets), self.threads, self.wave);
        let positions = self.rooms("elements", &blocks.offsets, block as usize)?;
        let (copies, gathers) = self.split(choice.resolution, blocks, &mut stagings)?;
        // Blocks that stage what they read need not know whether its parts are far from each other.
        let far = match self.reads {
            Reads::Staged => vec![false; blocks.offsets.len() - 1],
            Reads::Gathered => far(stagings.iter(), blocks.offsets.len() - 1),
        };
        let stages = self.stages(choice, (&far, &positions), (&stagings, &copies), block)?;
        // The element at a position, unless it is the same number.
        let order = match &blocks.order {
            Some(order) => Some(positions.placed(order)),
            None if positions.is_plain() => None,
            None => Some(positions.placed(&(0..positions.planned()).collect::<Vec<u32>>())),
        };
        let order = self.order(order)?;
        let elements = self.keep("elements of blocks", &marked(positions.counts(), &far))?;
        let turns = blocks.turns.as_ref();
        let colours =
            turns.map(|turns| self.keep("colours of elements", &positions.placed(&turns.colours))).transpose()?;
        let counts = turns.map(|turns| self.keep("colours of blocks", &turns.counts)).transpose()?;
        let all = 0..blocks.ids.len();
        let at_once = wrapper.starts_all_blocks();
        let launches = if at_once { std::slice::from_ref(&all) } else { &blocks.launches[..] };
        let shared = task.arena(&|cover| stagings[cover].most, block, self.form, self.reads).max(self.scratch) as u32;
        let kept = self.form.map(|form| self.kept(form, positions.all)).transpose()?;
        let parts = wrapper.redirects();
        for launch in launches.iter().filter(|l| !l.is_empty()) {
            let ids = &blocks.ids[launch.clone()];
            let in_order = ids.iter().enumerate().all(|(b, &id)| b as u32 == id);
            let ids = (!at_once && !in_order).then(|| self.keep("numbers of blocks", ids)).transpose()?;
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

    /// Rooms for a list of blocks, or an error if there are too many for 32 bits, or for the host's memory.
    fn rooms<'a>(&self, of: &str, offsets: &'a [u32], behind: usize) -> crate::Result<Rooms<'a>> {
        let what = || format!("the {of} of the blocks of loop `{}`", self.task.desc.kernel);
        let bytes = (offsets.len() as u128 * longest(offsets) as u128 + behind as u128) * size_of::<u32>() as u128;
        if !room::has(bytes) {
            return Err(room::missing(what(), bytes));
        }
        let (device, free) = (self.state.name().to_owned(), u32::MAX as usize);
        let too_many = || Error::OutOfMemory { device, what: what(), bytes: bytes as usize, free };
        Ok(Rooms::new(offsets, behind).ok_or_else(too_many)?)
    }

    /// Keeps a list of 16 bits.
    fn keep_narrow(&mut self, what: &'static str, list: impl IntoIterator<Item = u16>) -> Result<Buffer> {
        let bytes: Vec<u8> = list.into_iter().flat_map(u16::to_ne_bytes).collect();
        self.keep_bytes(what, &bytes, size_of::<u16>())
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
        (far, positions): (&[bool], &Rooms<'_>),
        (stagings, copies): (&[Staging], &[Copies]),
        threads: u32,
    ) -> crate::Result<Vec<Vec<u8>>> {
        let mut stages = Vec::new();
        for (cover, (staging, copies)) in stagings.iter().zip(copies).enumerate() {
            let Some(width) = self.task.cover(cover).map(|ways| ways.width()) else {
                let nothing = (0..5).fold(Frame::default(), |frame, _| frame.pointer(None));
                stages.push((0..4).fold(nothing, |frame, _| frame.number(0)).0);
                continue;
            };
            let targets = self.rooms("targets", &staging.offsets, 0)?;
            let gathered = match self.reads {
                Reads::Staged => None,
                Reads::Gathered => Some(Gathered::new(staging, positions.offsets, far, targets.each)),
            };
            let entries = gathered.as_ref().map_or(&staging.local, |of| &of.entries);
            let entries = self.keep_narrow("targets of elements", positions.placed_each(entries, width))?;
            let collects = self.task.collects_through(cover);
            let of_block = |b: usize| staging.offsets[b] as usize..staging.offsets[b + 1] as usize;
            let of_targets = |b: usize| {
                let (all, shared) = (of_block(b).len(), copies.of_block(b).len());
                let (base, above) = match &gathered {
                    None => (0, &[][..]),
                    Some(of) => (of.bases[b], &of.listed[of_block(b)]),
                };
                // Other blocks add to the targets of others.
                let count = if choice.resolution == Some(Resolution::Owner) { all - shared } else { all };
                Targets { count, own: all - shared, copy: copies.of_block(b).start, base, far: far[b], above }
            };
            let lists = collects.then(|| self.incoming(cover, staging, (positions.offsets, threads), of_targets));
            let (incoming, units) = lists.transpose()?.unzip();
            // Threads that gather follow entries.
            let staged = gathered.is_none();
            let list = staged.then(|| self.keep("targets", &targets.placed(&staging.list))).transpose()?;
            let about = (0..positions.offsets.len() - 1).flat_map(|b| {
                let Targets { own, base, .. } = of_targets(b);
                [if staged { of_block(b).len() as u32 } else { base }, own as u32]
            });
            let about: Vec<u8> = about.flat_map(u32::to_ne_bytes).collect();
            let about = self.keep_bytes("targets of blocks", &about, size_of::<u64>())?;
            let wide = gathered.as_ref().filter(|of| !of.wide.is_empty());
            let wide = wide.map(|of| self.keep("targets that are far apart", &of.wide)).transpose()?;
            let frame = Frame::default()
                .pointer(Some(&about))
                .pointer(list.as_ref())
                .pointer(Some(&entries))
                .pointer(wide.as_ref())
                .pointer(incoming.as_ref())
                .number(targets.each)
                .number(copies.count)
                .number(units.unwrap_or(0))
                .number(0);
            stages.push(frame.0);
        }
        Ok(stages)
    }

    /// The lists by which the targets of a cover find contributions, and the units of a block.
    fn incoming<'a>(
        &mut self,
        cover: usize,
        staging: &Staging,
        (blocks, threads): (&[u32], u32),
        targets: impl Fn(usize) -> Targets<'a>,
    ) -> crate::Result<(Buffer, usize)> {
        let incoming = Incoming::new(staging, blocks, threads as usize, &self.task.places(cover), targets)
            .expect("facts say that they fit");
        let units = self.rooms("contributions", &incoming.offsets, Incoming::behind(threads as usize))?;
        let words = units.placed(incoming.units()).into_iter().flatten();
        let buffer = self.keep_narrow("contributions to targets", words)?;
        Ok((buffer, units.each))
    }
}

/// Numbers of elements, with a mark at those of far blocks.
fn marked(mut counts: Vec<u32>, far: &[bool]) -> Vec<u32> {
    counts.iter_mut().zip(far).filter(|(_, far)| **far).for_each(|(count, _)| *count |= FAR);
    counts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_have_as_much_room_as_the_largest() {
        let offsets = [0, 3, 3, 5];
        let rooms = Rooms::new(&offsets, 2).expect("few numbers");
        assert_eq!((rooms.each, rooms.all, rooms.counts()), (3, 11, vec![3, 0, 2]));
        assert_eq!(rooms.placed(&[1, 2, 3, 4, 5]), [1, 2, 3, 0, 0, 0, 4, 5, 0, 0, 0]);
        let two = rooms.placed_each(&[1, 2, 3, 4, 5, 6, 7, 8, 9, 10], 2);
        assert_eq!((two.len(), &two[..6], &two[12..16]), (22, &[1, 6, 2, 7, 3, 8][..], &[4, 9, 5, 10][..]));
        assert!(!rooms.is_plain() && Rooms::new(&[0, 4, 8, 9], 0).is_some_and(|rooms| rooms.is_plain()));
        assert!(Rooms::new(&[0], 0).is_some_and(|rooms| rooms.placed_each::<u32>(&[], 2).is_empty()));
        assert!(Rooms::new(&[0, u32::MAX, u32::MAX], 0).is_none());
    }
}
