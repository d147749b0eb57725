//! A loop that is to be prepared for a device, with the facts that follow from its bound data.

use super::DeviceState;
use super::choice::Facts;
use super::cover::{Cover, Staging, Way};
use super::schedule::BlockSchedule;
use crate::data::layout::Layout;
use crate::data::room;
use crate::data::value::ElemType;
use crate::desc::{ConstDesc, DeviceDesc, FormDesc, Length, LoopDesc, RoomDesc, RoomScalar, ViewDesc};
use crate::inspect::LoopShape;
use crate::mesh::bindings::BoundDat;
use crate::plan::key::{Inputs, Reduces};
use crate::plan::{Plan, Race};
use crate::strategy::{Resolution, Scheme, Strategy};
use op2_core::{EntryPoint, Literal};
use op2_device::{Definition, Source};

/// Starts of arrays in shared memory are multiples of this.
const ALIGN: u64 = 16;

/// A loop with all that its launches may depend on, and nothing else: they are cached under the loop and the key of
/// `inputs`.
pub(crate) struct Task<'a> {
    pub(crate) desc: &'static LoopDesc,
    /// The loop in the language of the device.
    pub(crate) device: &'static DeviceDesc,
    pub(crate) inputs: Inputs<'a>,
    pub(crate) shape: &'a LoopShape<'a>,
    pub(crate) strategy: Strategy,
    pub(crate) plan: &'a Plan,
    /// Why strategy and plan are not those that were asked for; `None` if they are.
    pub(crate) note: Option<String>,
    /// Builds a plan of another scheme.
    pub(crate) replan: &'a dyn Fn(Scheme) -> crate::Result<Plan>,
}

impl<'a> Task<'a> {
    /// The dat of a view: that of its first argument that is present.
    pub(crate) fn bound(&self, view: &ViewDesc) -> Option<&'a BoundDat> {
        self.inputs.dats().iter().find(|b| view.args.contains(&b.arg))
    }

    /// The ways of a cover, if a view that uses it is present.
    pub(crate) fn cover(&self, cover: usize) -> Option<Cover<'a>> {
        let mut targets = 0;
        let mut ways = Vec::new();
        for &target in self.device.covers[cover] {
            let (map, used) = self.way(target)?;
            let store = self.inputs.map(map);
            targets = self.inputs.ends(map)[1];
            ways.push(Way { entries: &store.entries, arity: store.arity, used });
        }
        Some(Cover { targets, ways })
    }

    /// The map and the entries of a target, if an argument that uses it is present.
    fn way(&self, target: usize) -> Option<(usize, std::ops::Range<usize>)> {
        let of = |arg: usize| self.desc.args[arg].target == Some(target);
        let dat = self.inputs.dats().iter().filter(|b| of(b.arg)).find_map(|b| b.through.clone());
        let index = || self.inputs.more()?.indices.iter().find(|i| of(i.0)).map(|&(_, map, at)| (map, at..at + 1));
        dat.or_else(index)
    }

    /// The maps in the order in which the loop binds them.
    pub(crate) fn maps(&self) -> &'a [usize] {
        self.inputs.more().map_or(&[], |more| &more.maps)
    }

    /// The globals that the loop reduces.
    pub(crate) fn reductions(&self) -> &'a [Reduces] {
        self.inputs.more().map_or(&[], |more| &more.reductions)
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

    /// The form that the strategy asks for. If the loop has no form with so many stages: that with the most, and the reason why there are
    /// no more.
    pub(crate) fn form(&self) -> (Option<&'static FormDesc>, Option<String>) {
        let Some(stages) = self.strategy.scheme().and_then(|scheme| scheme.stages) else { return (None, None) };
        let found = self.device.forms.len().min(stages);
        let form = found.checked_sub(1).map(|n| &self.device.forms[n]);
        (form, (found < stages).then(|| self.desc.fewer(found)))
    }

    pub(crate) fn facts(&self, stagings: Option<&[Staging]>, form: Option<&FormDesc>, state: &DeviceState) -> Facts {
        let dats = self.inputs.dats();
        let indirect = |b: &&BoundDat| b.through.is_some();
        Facts {
            race: self.plan.race(),
            indirect: dats.iter().any(|b| b.through.is_some()),
            turns: self.desc.takes_turns(),
            doubled: self.is_doubled(),
            mixed: dats
                .iter()
                .filter(indirect)
                .any(|b| b.access.combines() && dats.iter().any(|d| d.dat == b.dat && d.through.is_none())),
            shared: stagings.map(|s| self.arena(&|cover| s[cover].most, form)),
            stages: form.is_some(),
            limit: u64::from(state.device.info().shared_per_block),
        }
    }

    /// Whether two views are one dat that is modified through a map.
    fn is_doubled(&self) -> bool {
        let names =
            |dat: usize| self.device.views.iter().filter(|v| self.bound(v).is_some_and(|b| b.dat == dat)).count();
        let mut indirect = self.inputs.dats().iter().filter(|b| b.through.is_some());
        indirect.any(|b| b.access.modifies() && names(b.dat) > 1)
    }

    /// Whether elements share targets, and blocks may stage their data.
    pub(crate) fn stages_data(&self) -> bool {
        self.plan.race() == Race::Coloured && !self.is_doubled()
    }

    /// Bytes of shared memory for the staged data of a block; in stages, those of the stage that needs most. `most` gives the number of
    /// staged targets for each cover.
    pub(crate) fn arena(&self, most: &dyn Fn(usize) -> u32, form: Option<&FormDesc>) -> u64 {
        let array = |cover: usize, bytes: u64| (bytes * u64::from(most(cover))).next_multiple_of(ALIGN);
        self.widest(&array, form)
    }

    /// The same per element of a block in which no two elements share a target.
    #[cfg(feature = "json")]
    pub(crate) fn bytes_per_element(&self, form: Option<&FormDesc>) -> u64 {
        let width = |cover| self.cover(cover).map_or(0, |ways| ways.width() as u64);
        self.widest(&|cover, bytes| bytes * width(cover), form)
    }

    /// The sum of `array(cover, bytes of a row)` over the views of the stage in which it is greatest.
    fn widest(&self, array: &dyn Fn(usize, u64) -> u64, form: Option<&FormDesc>) -> u64 {
        let views = self.device.views;
        let of_view = |view: &ViewDesc| match (view.cover, self.bound(view)) {
            (Some(cover), Some(bound)) => array(cover, self.inputs.dat(bound).bytes as u64),
            _ => 0,
        };
        let Some(form) = form else { return views.iter().map(of_view).sum() };
        let contributions = form.stages.iter().map(|stage| stage.iter().map(|v| of_view(&views[*v])).sum());
        let updated = |v: &&ViewDesc| !self.adds_at_once() && v.args.iter().any(|arg| form.kept.contains(arg));
        let updates = views.iter().filter(updated).map(of_view);
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

    /// The number of scalars in arrays of these lengths.
    fn scalars(&self, lens: &[Length]) -> usize {
        let length = |len: &Length| match len {
            Length::Number(n) => *n,
            Length::Param(n) => self.lens()[*n],
            Length::Constant(n) => match self.constant(&self.device.consts[*n]) {
                Literal::Usize(n) => n,
                other => unreachable!("the compiler takes no {other:?} for the length of an array"),
            },
            Length::Sum(fields) => fields.iter().map(|field| self.scalars(field)).sum(),
        };
        lens.iter().map(length).product()
    }

    /// The lengths of a generic kernel.
    fn lens(&self) -> &[usize] {
        self.inputs.more().map_or(&[], |more| &more.lens)
    }

    /// Whether a float type of a generic kernel is `f32`.
    fn is_single(&self, float: usize) -> bool {
        self.device.floats.get(float).and_then(|arg| self.inputs.elem_of(*arg)) == Some(ElemType::F32)
    }

    /// The text of a form, or of the unsplit loop, for blocks of at most `threads` threads.
    pub(crate) fn source(&self, form: Option<&'static FormDesc>, threads: u32) -> Source {
        let desc = self.device;
        let (text, kernels) = form.map_or((desc.text, desc.kernels), |form| (form.text, form.kernels));
        Source {
            target: desc.target,
            name: self.desc.kernel.to_owned(),
            definitions: self.definitions(threads),
            text: text.into(),
            kernels: kernels.iter().map(|(_, name)| (*name).to_owned()).collect(),
        }
    }

    /// Whether the kernel computes with doubles, judged by its data.
    pub(crate) fn is_double(&self) -> bool {
        self.inputs.dats().iter().any(|b| self.inputs.dat(b).elem == ElemType::F64)
    }

    /// Whether elements of a view are reached by entries that may be missing.
    fn misses(&self, view: &ViewDesc) -> bool {
        let of_view = self.inputs.dats().iter().filter(|bound| view.args.contains(&bound.arg));
        of_view.filter_map(|bound| Some(bound.through.as_ref()?.0)).any(|map| self.inputs.map(map).may_miss())
    }

    /// The definitions that complete the text.
    fn definitions(&self, threads: u32) -> Vec<Definition> {
        let desc = self.device;
        let value = |name: String, value: usize| Definition::Value(name, value as u64);
        let mut all = vec![value("OP2_BLOCK".to_owned(), threads as usize)];
        for n in 0..desc.floats.len() {
            let float = if self.is_single(n) { "float" } else { "double" };
            all.push(Definition::Macro(op2_core::float_definition(n), float.to_owned()));
        }
        let lens = self.lens().iter().enumerate();
        // A part of types, and so of the text.
        all.extend(lens.map(|(n, len)| Definition::Macro(op2_core::length_definition(n), len.to_string())));
        for view in desc.views {
            let bound = self.bound(view);
            let layout = match bound.map(|b| self.inputs.dat(b).layout()) {
                Some(Layout::Soa) => "Soa",
                Some(Layout::Blocked(_)) => "Blocked",
                Some(Layout::Aos) | None => "Aos",
            };
            let stride = bound.map_or(1, |b| self.inputs.geometry(b).stride());
            all.push(Definition::Macro(format!("OP2_LAYOUT_{}", view.name), layout.to_owned()));
            all.push(value(format!("OP2_STRIDE_{}", view.name), stride));
            let mapped = view.args.iter().any(|arg| self.desc.args[*arg].target.is_some());
            if mapped {
                all.push(value(format!("OP2_MISS_{}", view.name), usize::from(self.misses(view))));
            }
            if view.optional {
                all.push(value(format!("OP2_HAS_{}", view.name), usize::from(bound.is_some())));
            }
        }
        for (name, &map) in desc.maps.iter().zip(self.maps()) {
            all.push(value(format!("OP2_ROWS_{name}"), self.inputs.ends(map)[0]));
        }
        for (t, _) in desc.targets.iter().enumerate().filter(|(_, t)| t.computed) {
            all.push(value(format!("OP2_ENTRY_{t}"), self.way(t).map_or(0, |(_, used)| used.start)));
        }
        all.extend(self.constants());
        all
    }

    /// The name of a kernel in the text of a form, or of the unsplit loop.
    ///
    /// # Errors
    /// The text has no such kernel.
    pub(crate) fn kernel(&self, form: Option<&FormDesc>, entry: EntryPoint) -> op2_device::Result<&'static str> {
        let kernels = form.map_or(self.device.kernels, |form| form.kernels);
        let found = kernels.iter().find(|(known, _)| *known == entry);
        found
            .map(|(_, name)| *name)
            .ok_or_else(|| op2_device::Error::NoKernel { name: self.desc.kernel.to_owned(), entry })
    }

    fn constant(&self, c: &ConstDesc) -> Literal {
        self.desc.captured.find(c.way, c.own).value().expect("a call checks that constants are set")
    }

    fn constants(&self) -> Option<Definition> {
        let constants = self.device.consts.iter().map(|c| (c.name.to_owned(), self.constant(c))).collect();
        (!self.device.consts.is_empty()).then_some(Definition::Constants(constants))
    }
}
