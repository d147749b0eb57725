//! The text of a loop with what completes it: definitions that follow from the bound data.

use crate::data::layout::Layout;
use crate::data::value::ElemType;
use crate::desc::{ArgKind, ConstDesc, DeviceDesc, FormDesc, Length, LoopDesc, ViewDesc};
use crate::mesh::bindings::BoundDat;
use crate::mesh::handle::End;
use crate::plan::key::{Inputs, Reduces};
use op2_core::{EntryPoint, Literal, Reads, Wrapper};
use op2_device::{Definition, Source};

/// Blocks of this many threads leave each thread all registers that an instruction can name.
const ROOMY: u32 = 256;

/// A loop in the language of a device, with all that its text may depend on, and nothing else: what is made of it is cached under
/// the loop and the key of `inputs`.
#[derive(Clone, Copy)]
pub(crate) struct Text<'a> {
    pub(crate) desc: &'static LoopDesc,
    /// The loop in the language of the device.
    pub(crate) device: &'static DeviceDesc,
    pub(crate) inputs: Inputs<'a>,
}

impl<'a> Text<'a> {
    /// The dat of a view: that of its first argument that is present.
    pub(crate) fn bound(&self, view: &ViewDesc) -> Option<&'a BoundDat> {
        self.inputs.dats().iter().find(|b| view.args.contains(&b.arg))
    }

    /// The map and the entries of a target, if an argument that uses it is present.
    pub(super) fn way(&self, target: usize) -> Option<(usize, std::ops::Range<usize>)> {
        let of = |arg: usize| self.desc.args[arg].target == Some(target);
        let dat = self.inputs.dats().iter().filter(|b| of(b.arg)).find_map(|b| b.through.clone());
        let index = || {
            let found = self.inputs.more()?.indices.iter().find(|(arg, ..)| of(*arg))?;
            Some((found.1, found.2.clone()))
        };
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

    /// The number of scalars in arrays of these lengths.
    pub(super) fn scalars(&self, lens: &[Length]) -> usize {
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
    pub(super) fn is_single(&self, float: usize) -> bool {
        self.device.floats.get(float).and_then(|arg| self.inputs.elem_of(*arg)) == Some(ElemType::F32)
    }

    /// Whether the kernel computes with doubles, judged by its data.
    pub(crate) fn is_double(&self) -> bool {
        self.inputs.dats().iter().any(|b| self.inputs.dat(b).elem == ElemType::F64)
    }

    /// The text of a form, or of the unsplit loop, for blocks of at most `threads` threads that read targets of maps by the
    /// functions of this class.
    pub(crate) fn source(&self, form: Option<&'static FormDesc>, threads: u32, reads: Reads) -> Source {
        let desc = self.device;
        let (text, kernels) = form.map_or((desc.text, desc.kernels), |form| (form.text, form.kernels));
        Source {
            target: desc.target,
            name: self.desc.kernel.to_owned(),
            definitions: self.definitions(threads, reads),
            text: text.into(),
            kernels: kernels.iter().map(|(_, name)| (*name).to_owned()).collect(),
        }
    }

    /// The same for a loop that runs in this wrapper: kernels that it does not start are left out. What it redirects is gathered.
    pub(crate) fn source_in(
        &self,
        form: Option<&'static FormDesc>,
        threads: u32,
        (wrapper, reads): (Wrapper, Reads),
    ) -> Source {
        let starts = |entry: EntryPoint| match entry {
            EntryPoint::Loop(of) => of == wrapper,
            EntryPoint::Gather(_) => wrapper.redirects(),
            EntryPoint::Shared | EntryPoint::Single => false,
        };
        let mut source = self.source(form, threads, reads);
        let all = form.map_or(self.device.kernels, |form| form.kernels);
        let left_out = all.iter().filter(|(entry, _)| !starts(*entry));
        source.definitions.extend(left_out.map(|(_, name)| Definition::LeftOut((*name).to_owned())));
        source
    }

    /// Whether elements of a view are reached by entries that may be missing.
    fn misses(&self, view: &ViewDesc) -> bool {
        let of_view = self.inputs.dats().iter().filter(|bound| view.args.contains(&bound.arg));
        of_view.filter_map(|bound| Some(bound.through.as_ref()?.0)).any(|map| self.inputs.map(map).may_miss())
    }

    /// The definitions that complete the text.
    fn definitions(&self, threads: u32, reads: Reads) -> Vec<Definition> {
        let desc = self.device;
        let value = |name: String, value: usize| Definition::Value(name, value as u64);
        let size = |name: String, value: usize| Definition::Size(name, value as u64);
        let mut all = vec![value("OP2_BLOCK".to_owned(), compiled_for(threads) as usize)];
        if !desc.covers.is_empty() {
            all.push(Definition::Macro("OP2_READS".to_owned(), class(reads).to_owned()));
        }
        for n in 0..desc.floats.len() {
            let float = if self.is_single(n) { "float" } else { "double" };
            all.push(Definition::Macro(op2_core::float_definition(n), float.to_owned()));
        }
        let lens = self.lens().iter().enumerate();
        // A part of types, and so of the text.
        all.extend(lens.map(|(n, len)| Definition::Macro(op2_core::length_definition(n), len.to_string())));
        if let Some((dimensions, outside)) = self.inputs.pairs() {
            // Parts of types, and so of the text.
            all.push(Definition::Macro("OP2_DIMENSIONS".to_owned(), dimensions.to_string()));
            let from_outside = usize::from(outside == End::From);
            all.push(Definition::Macro("OP2_FROM_OUTSIDE".to_owned(), from_outside.to_string()));
        }
        for view in desc.views {
            let bound = self.bound(view);
            let layout = match bound.map(|b| self.inputs.dat(b).layout()) {
                Some(Layout::Soa) => "Soa",
                Some(Layout::Blocked(_)) => "Blocked",
                Some(Layout::Aos) | None => "Aos",
            };
            all.push(Definition::Macro(format!("OP2_LAYOUT_{}", view.name), layout.to_owned()));
            let (name, stride) =
                (format!("OP2_STRIDE_{}", view.name), bound.map_or(1, |b| self.inputs.geometry(b).stride()));
            // Columns are as long as there is room for; the others depend on the layout alone.
            all.push(if layout == "Soa" { size(name, stride) } else { value(name, stride) });
            let mapped = view.args.iter().any(|arg| self.desc.args[*arg].target.is_some());
            if mapped {
                all.push(value(format!("OP2_MISS_{}", view.name), usize::from(self.misses(view))));
            }
            let whole = |arg: &usize| self.desc.args[*arg].kind == ArgKind::Whole;
            if view.args.iter().any(whole) {
                all.push(size(format!("OP2_SIZE_{}", view.name), bound.map_or(0, |b| self.inputs.rows(b))));
            }
            if view.optional {
                all.push(value(format!("OP2_HAS_{}", view.name), usize::from(bound.is_some())));
            }
        }
        for (name, &map) in desc.maps.iter().zip(self.maps()) {
            all.push(size(format!("OP2_ROWS_{name}"), self.inputs.ends(map)[0]));
            if self.desc.by_rows {
                let store = self.inputs.map(map);
                let arity = if store.offsets.is_some() { 0 } else { store.arity };
                all.push(value(format!("OP2_ARITY_{name}"), arity));
            }
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

/// The name of the class in texts for devices of this way to read.
pub(super) fn class(reads: Reads) -> &'static str {
    match reads {
        Reads::Staged => "Staged",
        Reads::Gathered => "Gathered",
    }
}

/// The most threads of the blocks for which a text is compiled: smaller blocks share its code.
fn compiled_for(threads: u32) -> u32 {
    threads.next_power_of_two().max(ROOMY)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_blocks_share_a_text() {
        assert_eq!([1, 32, 96, 256, 257, 544, 1024].map(compiled_for), [256, 256, 256, 256, 512, 1024, 1024]);
    }
}
