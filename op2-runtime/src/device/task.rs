//! A loop that is to be prepared for a device, with the facts that follow from its bound data.

use super::choice::Facts;
use super::cover::{Cover, Staging, Way};
use super::incoming::Places;
use super::schedule::BlockSchedule;
use super::text::Text;
use crate::data::room;
use crate::desc::{FormDesc, RoomDesc, RoomScalar, ViewDesc};
use crate::inspect::{Elements, LoopShape};
use crate::mesh::bindings::BoundDat;
use crate::plan::{Plan, Race};
use crate::strategy::{Reads, Resolution, Scheme, Strategy};
use op2_core::{EntryPoint, Wrapper};
use std::ops::Deref;

/// Starts of arrays in shared memory are multiples of this.
const ALIGN: u64 = 16;

/// A loop with all that its launches may depend on, and nothing else: they are cached under the loop and the key of its inputs. It
/// dereferences to its text.
pub(crate) struct Task<'a> {
    pub(crate) text: Text<'a>,
    pub(crate) shape: &'a LoopShape<'a>,
    pub(crate) strategy: Strategy,
    pub(crate) plan: &'a Plan,
    /// Why strategy and plan are not those that were asked for; `None` if they are.
    pub(crate) note: Option<String>,
    /// Whether the host has all entries of the maps.
    pub(crate) has_entries: bool,
    /// Builds a plan of another scheme.
    pub(crate) replan: &'a dyn Fn(Scheme) -> crate::Result<Plan>,
}

/// A part of the shared memory of a block.
enum Part {
    /// Rows of `bytes` bytes of the targets of a cover.
    Staged { cover: usize, bytes: u64 },
    /// Contributions of `bytes` bytes to each target of an element.
    Collected { cover: usize, bytes: u64 },
    /// The places of the contributions to each target of a cover.
    Incoming { cover: usize },
}

impl<'a> Deref for Task<'a> {
    type Target = Text<'a>;

    fn deref(&self) -> &Text<'a> {
        &self.text
    }
}

/// Whether a loop with this shape needs the entries of its maps on the host: for colours, or for lists of what blocks stage. Without a
/// strategy in blocks nothing is staged where no elements can meet.
pub(crate) fn needs_entries(strategy: Strategy, shape: &LoopShape<'_>) -> bool {
    strategy.scheme().is_some() || !shape.is_free()
}

impl<'a> Task<'a> {
    /// The ways of a cover, if a view that uses it is present.
    pub(crate) fn cover(&self, cover: usize) -> Option<Cover<'a>> {
        let mut targets = 0;
        let mut ways = Vec::new();
        for &target in self.device.covers[cover].targets {
            let (map, used) = self.way(target)?;
            let store = self.inputs.map(map);
            targets = self.inputs.ends(map)[1];
            let entries = self.inputs.through(map, used.clone()).entries;
            ways.push(Way { entries, arity: store.arity, used });
        }
        Some(Cover { targets, ways })
    }

    /// Where elements of blocks store their contributions through a cover.
    pub(crate) fn places(&self, cover: usize) -> Places<'static> {
        let width = self.cover(cover).map_or(0, |ways| ways.width());
        Places { width, stored: self.device.covers[cover].stored }
    }

    /// The staging of each cover; `None` if one cover cannot be staged.
    pub(crate) fn stagings(&self, blocks: &BlockSchedule) -> crate::Result<Option<Vec<Staging>>> {
        let positions = blocks.offsets.last().map_or(0, |&end| end as usize);
        let covers = (0..self.device.covers.len()).filter_map(|cover| self.cover(cover));
        // A lower bound: a place for each entry, and a mark and a place for each target.
        let bytes = covers.map(|c| 2 * (positions as u128 * c.width() as u128) + 3 * c.targets as u128).sum();
        if !room::has(bytes) {
            return Err(room::missing(format!("what the blocks of loop `{}` stage", self.desc.kernel), bytes));
        }
        let of = |cover| match self.cover(cover) {
            Some(cover) => Staging::new(&cover, blocks.order.as_deref(), &blocks.offsets),
            None => {
                Some(Staging { offsets: Vec::new(), list: Vec::new(), local: Vec::new(), shared: Vec::new(), most: 0 })
            }
        };
        Ok((0..self.device.covers.len()).map(of).collect())
    }

    /// The form that the strategy asks for. If the loop has no form with as many stages: that with the most, and the reason why there are
    /// no more.
    pub(crate) fn form(&self) -> (Option<&'static FormDesc>, Option<String>) {
        let Some(stages) = self.strategy.scheme().and_then(|scheme| scheme.stages) else { return (None, None) };
        let found = self.device.forms.len().min(stages);
        let form = found.checked_sub(1).map(|n| &self.device.forms[n]);
        (form, (found < stages).then(|| self.desc.fewer(found)))
    }

    /// The facts of the loop, whose blocks would take `shared` bytes of shared memory, if they can stage their data, and could have `limit`.
    pub(crate) fn facts(&self, shared: Option<u64>, form: Option<&FormDesc>, limit: u32) -> Facts {
        let dats = self.inputs.dats();
        let indirect = |b: &&BoundDat| b.through.is_some();
        Facts {
            race: self.plan.race(),
            free: self.shape.is_free() && self.shape.touches.iter().any(|t| t.is_shared() && t.access.modifies()),
            indirect: dats.iter().any(|b| b.through.is_some()),
            turns: self.desc.takes_turns(),
            rows: self.desc.by_rows,
            doubled: self.is_doubled(),
            mixed: dats
                .iter()
                .filter(indirect)
                .any(|b| b.access.combines() && dats.iter().any(|d| d.dat == b.dat && d.through.is_none())),
            alone: self.only_cover().is_some(),
            shared,
            stages: form.is_some(),
            limit: u64::from(limit),
        }
    }

    /// Whether two views are one dat that is modified through a map.
    fn is_doubled(&self) -> bool {
        let names =
            |dat: usize| self.device.views.iter().filter(|v| self.bound(v).is_some_and(|b| b.dat == dat)).count();
        let mut indirect = self.inputs.dats().iter().filter(|b| b.through.is_some());
        indirect.any(|b| b.access.modifies() && names(b.dat) > 1)
    }

    /// All elements of the set that the loop runs over, if they follow a curve in space.
    pub(crate) fn along_curve(&self) -> Option<&'a [u32]> {
        match self.shape.elements {
            Elements::Subset(list) if self.inputs.stored_subset().is_none() => Some(list),
            _ => None,
        }
    }

    /// Whether elements share targets, and blocks may stage their data.
    pub(crate) fn stages_data(&self) -> bool {
        self.plan.race() == Race::Coloured && !self.is_doubled()
    }

    /// The cover through which the loop makes all of its contributions, if there is a kernel with a thread for each target: it changes
    /// nothing else, and reads nothing that it changes. All entries are there, so that every element runs, and is checked.
    pub(crate) fn only_cover(&self) -> Option<usize> {
        let is_there = |(entry, _): &(EntryPoint, &str)| *entry == EntryPoint::Loop(Wrapper::PerTarget);
        if !self.device.kernels.iter().any(is_there) || !self.may_gather() {
            return None;
        }
        let changed = self.device.views.iter().filter(|v| self.bound(v).is_some_and(|b| b.access.modifies()));
        let cover = changed.filter_map(|view| view.cover).next()?;
        let may_miss = |&target: &usize| self.way(target).is_some_and(|(map, _)| self.inputs.map(map).may_miss());
        (!self.device.covers[cover].targets.iter().any(may_miss)).then_some(cover)
    }

    /// Whether blocks may gather what they read through maps: nobody changes it meanwhile, and what the loop changes through maps it
    /// collects.
    pub(crate) fn may_gather(&self) -> bool {
        let dats = || self.inputs.dats().iter();
        let unchanged = |b: &BoundDat| dats().all(|other| other.dat != b.dat || !other.access.modifies());
        let collected = |b: &BoundDat| dats().filter(|other| other.dat == b.dat).all(|other| other.access.combines());
        !self.desc.takes_turns() && dats().filter(|b| b.through.is_some()).all(|b| unchanged(b) || collected(b))
    }

    /// Bytes of shared memory that a block of `threads` threads takes; none if it cannot number its contributions. `most` gives
    /// the number of targets of a block for each cover.
    pub(crate) fn room(
        &self,
        most: &dyn Fn(usize) -> u32,
        threads: u32,
        form: Option<&FormDesc>,
        reads: Reads,
    ) -> Option<u64> {
        let fits =
            |cover: usize| !self.collects_through(cover) || self.places(cover).fit(threads as usize, most(cover));
        (0..self.device.covers.len()).all(fits).then(|| self.arena(most, threads, form, reads))
    }

    /// Bytes of shared memory for the staged data and the contributions of a block of `threads` threads; in stages, those of the stage
    /// that needs most. `most` gives the number of targets of a block for each cover.
    pub(crate) fn arena(
        &self,
        most: &dyn Fn(usize) -> u32,
        threads: u32,
        form: Option<&FormDesc>,
        reads: Reads,
    ) -> u64 {
        let array = |part: Part| match part {
            Part::Staged { .. } if reads == Reads::Gathered => 0,
            Part::Staged { cover, bytes } => bytes * u64::from(most(cover)),
            // Behind each word of all contributions follows one that nobody uses.
            Part::Collected { cover, bytes } => bytes * (self.places(cover).count() as u64 * u64::from(threads) + 1),
            Part::Incoming { cover } => self.places(cover).bytes(most(cover), threads as usize),
        };
        self.widest(&|part| array(part).next_multiple_of(ALIGN), form)
    }

    /// The same per element of a block in which no two elements share a target.
    #[cfg(feature = "json")]
    pub(crate) fn bytes_per_element(&self, form: Option<&FormDesc>) -> u64 {
        let width = |cover| self.cover(cover).map_or(0, |ways| ways.width() as u64);
        let array = |part: Part| match part {
            Part::Staged { cover, bytes } => bytes * width(cover),
            Part::Collected { cover, bytes } => bytes * self.places(cover).count() as u64,
            // They are no data of the loop's.
            Part::Incoming { .. } => 0,
        };
        self.widest(&array, form)
    }

    /// The sum of the bytes of all parts of shared memory, in the stage in which it is greatest.
    fn widest(&self, bytes_of: &dyn Fn(Part) -> u64, form: Option<&FormDesc>) -> u64 {
        let views = self.device.views;
        let of_view = |view: &ViewDesc| match (view.cover, self.bound(view)) {
            (Some(cover), Some(bound)) => {
                let bytes = self.inputs.dat(bound).bytes as u64;
                let collects = bound.access.combines() && !self.desc.takes_turns();
                bytes_of(if collects { Part::Collected { cover, bytes } } else { Part::Staged { cover, bytes } })
            }
            _ => 0,
        };
        let incoming = |cover: usize| match self.collects_through(cover) {
            true => bytes_of(Part::Incoming { cover }),
            false => 0,
        };
        let Some(form) = form else {
            let lists: u64 = (0..self.device.covers.len()).map(incoming).sum();
            return lists + views.iter().map(of_view).sum::<u64>();
        };
        let contributions = form.stages.iter().map(|stage| stage.iter().map(|v| of_view(&views[*v])).sum());
        let updated = |v: &&ViewDesc| !self.adds_at_once() && v.args.iter().any(|arg| form.kept.contains(arg));
        let updates = views.iter().filter(updated).map(|view| of_view(view) + view.cover.map_or(0, incoming));
        contributions.chain(updates).max().unwrap_or(0)
    }

    /// Whether stages add contributions by atomics as soon as these are complete, so that no updates follow.
    fn adds_at_once(&self) -> bool {
        matches!(self.strategy, Strategy::Pinned(Scheme { resolution: Resolution::Atomics, stages: Some(_), .. }))
    }

    /// Bytes per element of values that stages leave for later stages.
    pub(crate) fn kept_bytes(&self, form: &FormDesc) -> usize {
        let scalar = |room: &RoomDesc| match room.scalar {
            RoomScalar::Bytes(bytes) => bytes,
            RoomScalar::Float(n) if self.is_single(n) => size_of::<f32>(),
            RoomScalar::Float(_) => size_of::<f64>(),
        };
        let bytes = |room: &RoomDesc| scalar(room) * self.scalars(room.lens);
        let unused = if self.adds_at_once() { form.alone } else { 0 };
        form.rooms[unused..].iter().map(|room| bytes(room).next_multiple_of(size_of::<u64>())).sum()
    }
}
