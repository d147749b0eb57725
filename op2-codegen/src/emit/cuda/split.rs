//! A loop in stages: contribution stages, each with its own part of the data in shared memory, then an update for each dat
//! that the loop adds to. Values that a stage leaves for later stages are in global memory, by position.

use crate::emit::device::{DeviceForm, DeviceKernel, DeviceLen, DeviceRoom, DeviceScalar};
use crate::ir::{FuncId, Len, Scalar, Ty, Unit};
use crate::lower::{Argument, DatArg};
use crate::split::{self, Forms, StageArg, bytes};
use op2_core::Wrapper;

use super::element::Element;
use super::names::Names;
use super::preamble::{description, types};
use super::shape::{Shape, View};
use super::types::Types;
use super::variant::comment;
use super::wrapper::{
    Kernel, all_collected, all_read, collect, common_params, flush, frames, loop_kernel, reduce, stage_in,
    start_reductions, take,
};
use super::writer::Writer;
use super::{function, functions_of};

/// All forms of a loop.
pub(super) fn in_stages(shape: &Shape, unit: &Unit, forms: &Forms) -> Vec<DeviceForm> {
    forms.list.iter().map(|form| FormWriter::new(shape, unit, form).emit()).collect()
}

/// The unit with the stages of a form as functions behind those of the kernel.
fn with_stages(unit: &Unit, form: &split::Form) -> Unit {
    let mut unit = unit.clone();
    for (s, stage) in form.parts.stages.iter().enumerate() {
        let mut func = stage.func.clone();
        func.name = quote::format_ident!("{}_stage{}", func.name, s + 1);
        unit.funcs.push(func);
    }
    unit
}

/// One form of a loop.
struct FormWriter<'a> {
    shape: &'a Shape<'a>,
    /// The kernel's functions, then the stages.
    unit: Unit,
    /// The index of the first stage in the unit.
    first: usize,
    form: &'a split::Form,
    /// Arguments whose contributions are kept.
    kept: Vec<usize>,
    /// The number of arguments in `kept` to which a single stage adds; they come first.
    alone: usize,
}

impl<'a> FormWriter<'a> {
    fn new(shape: &'a Shape<'a>, unit: &Unit, form: &'a split::Form) -> Self {
        let stages = |n: usize| form.parts.stages.iter().filter(|s| s.args.contains(&StageArg::Kernel(n))).count();
        // An argument to which no stage adds has no contribution to keep.
        let added = |(n, _, dat): (usize, &Argument, &DatArg)| {
            (dat.is_mapped() && dat.access.combines() && stages(n) > 0).then_some(n)
        };
        let (mut kept, several): (Vec<usize>, Vec<usize>) =
            shape.lowered.dats().filter_map(added).partition(|n| stages(*n) == 1);
        let alone = kept.len();
        kept.extend(several);
        FormWriter { shape, first: unit.funcs.len(), unit: with_stages(unit, form), form, kept, alone }
    }

    fn emit(&self) -> DeviceForm {
        let names = Names::new(&self.unit);
        let mut functions = String::from("namespace user {\n");
        for s in 0..self.form.parts.stages.len() {
            functions.push('\n');
            functions.push_str(&function(&self.unit, FuncId(self.first + s), &names));
        }
        functions.push_str("\n}  // namespace user\n");
        let in_stages = Wrapper::ALL.into_iter().filter(|wrapper| wrapper.has_stages());
        let wrappers: Vec<Kernel> = in_stages.map(|wrapper| self.wrapper(wrapper, &names)).collect();
        let (kernels, texts): (Vec<DeviceKernel>, Vec<String>) = wrappers.into_iter().unzip();
        let preamble = vec![
            functions_of(&self.unit, &names),
            types(self.shape),
            functions,
            self.places(&names),
            description(self.shape),
        ];
        let text = [preamble, texts].concat().join("\n");
        let stages = self.form.parts.stages.iter().map(|stage| self.staged(&stage.args)).collect();
        let rooms = self.rooms(&names);
        DeviceForm { text, kernels, stages, kept: self.kept.clone(), alone: self.alone, rooms }
    }

    /// The views that a stage reads from shared memory.
    fn staged(&self, args: &[StageArg]) -> Vec<usize> {
        let views = self.shape.views.iter().enumerate();
        let uses = |view: &View| {
            args.iter()
                .any(|arg| matches!(arg, StageArg::Kernel(n) if view.args.contains(n) && self.is_read_mapped(*n)))
        };
        views.filter(|(_, view)| uses(view)).map(|(v, _)| v).collect()
    }

    fn is_read_mapped(&self, n: usize) -> bool {
        self.shape.lowered.args[n].dat().is_some_and(|dat| dat.is_mapped() && !dat.access.combines())
    }

    /// The values that are kept.
    fn rooms(&self, names: &Names) -> Vec<DeviceRoom> {
        let types = Types::new(&self.unit, FuncId(0), names);
        let params = &self.unit.funcs[0].params;
        let contributions = self.kept.iter().map(|n| (params[*n].name.to_string(), value(&params[*n].ty)));
        let temporaries = self.form.parts.temporaries.iter().map(|t| (t.name.clone(), t.ty.clone()));
        contributions.chain(temporaries).map(|(name, ty)| room(name, &ty, &types)).collect()
    }

    /// The types of kept values, and the place of each: the bytes per position in front of it.
    fn places(&self, names: &Names) -> String {
        let types = Types::new(&self.unit, FuncId(0), names);
        let params = &self.unit.funcs[0].params;
        let contributions = self.kept.iter().map(|n| types.of(&value(&params[*n].ty)));
        let temporaries = self.form.parts.temporaries.iter().map(|t| types.of(&t.ty));
        let mut text = format!("namespace user {{\nnamespace {} {{\n\n", self.shape.own.rooms);
        let mut before = "0".to_owned();
        for (n, ty) in contributions.chain(temporaries).enumerate() {
            text.push_str(&format!("using Of{n} = {ty};\nconstexpr op2::usize at{n} = {before};\n"));
            before = format!("at{n} + op2::room<Of{n}>");
        }
        text + "\n}\n}  // namespace user\n"
    }

    fn wrapper(&self, wrapper: Wrapper, names: &Names) -> Kernel {
        let shape = self.shape;
        let kernel = loop_kernel(shape, wrapper);
        let mut params = frames(shape, wrapper);
        params.push(format!("op2::Kept {}", shape.own.kept));
        params.extend(common_params(shape));
        let comment = format!("{} In stages.", comment(wrapper));
        let mut w = Writer::new(&comment, &kernel.name, &params);
        start_reductions(shape, &mut w);
        let element = Element { shape, wrapper };
        element.start_block(&mut w);
        element.find_element(&mut w);
        element.look_up(&mut w);
        for s in 0..self.form.parts.stages.len() {
            w.open("{");
            self.stage(s, &element, names, &mut w);
            w.close();
        }
        let kept = shape.views.iter().filter(|v| v.args.iter().any(|n| self.kept.contains(n)));
        for view in kept.filter(|_| wrapper != Wrapper::StagedAtomic) {
            w.open("{");
            self.update(view, &element, &mut w);
            w.close();
        }
        reduce(shape, wrapper, &mut w);
        (kernel, w.end())
    }

    /// A contribution stage: fetches its data, calls its function, and keeps the results.
    fn stage(&self, s: usize, element: &Element, names: &Names, w: &mut Writer) {
        let shape = self.shape;
        let staged = self.staged(&self.form.parts.stages[s].args);
        let staged: Vec<&View> = staged.iter().map(|v| &shape.views[*v]).collect();
        if !staged.is_empty() {
            w.line(format!("op2::Arena {};", shape.own.arena));
            staged.iter().for_each(|view| take(shape, view, w));
            stage_in(shape, &staged, &[], w);
        }
        let begun = element.load_own(|n| self.loads(s, n), w);
        if !staged.is_empty() {
            w.line(all_read());
        }
        w.open(format!("if ({}.busy()) {{", shape.own.block));
        element.turn_to(begun, w);
        self.call(s, element, names, w);
        w.close();
        // The next stage reuses the shared memory.
        if !staged.is_empty() {
            w.line("__syncthreads();");
        }
    }

    /// Declares the arguments of a stage, calls its function, and keeps or combines the results.
    fn call(&self, s: usize, element: &Element, names: &Names, w: &mut Writer) {
        let (shape, stage) = (self.shape, &self.form.parts.stages[s]);
        let own: Vec<usize> = stage.args.iter().filter_map(kernel_arg).collect();
        element.load_others(|n| self.loads(s, n), w);
        for n in own.iter().filter(|n| self.kept.contains(n)) {
            match self.adds(*n, &self.form.parts.stages[..s]) {
                true => self.fetch(self.room_of(*n), &shape.args[*n].name, "auto", element.wrapper, w),
                false => element.declare_arg(*n, w),
            }
        }
        element.point_to(&own, w);
        let mut pass = Vec::new();
        for arg in &stage.args {
            pass.push(match arg {
                StageArg::Kernel(n) => element.pass(*n),
                StageArg::Left(t) | StageArg::Leaves(t) => {
                    let (room, local) = (self.kept.len() + t, format!("{}{t}", shape.own.temporary));
                    match arg {
                        StageArg::Left(_) => self.fetch(room, &local, "const auto", element.wrapper, w),
                        _ => w.line(format!("user::{}::Of{room} {local}{{}};", shape.own.rooms)),
                    }
                    local
                }
            });
        }
        element.gather(own.iter().copied().filter(|n| !self.kept.contains(n)), w);
        w.line(format!("user::{}({});", names.funcs[self.first + s], pass.join(", ")));
        for n in own {
            match self.waits(n, s, element.wrapper) {
                true => self.leave(self.room_of(n), &shape.args[n].name, element.wrapper, w),
                false => element.hand_in_arg(n, w),
            }
        }
        for arg in &stage.args {
            if let StageArg::Leaves(t) = arg {
                let local = format!("{}{t}", shape.own.temporary);
                self.leave(self.kept.len() + t, &local, element.wrapper, w);
            }
        }
    }

    /// Adds the kept contributions to one dat.
    fn update(&self, view: &View, element: &Element, w: &mut Writer) {
        let shape = self.shape;
        w.line(format!("op2::Arena {};", shape.own.arena));
        collect(shape, &[view], w);
        stage_in(shape, &[], &[view], w);
        w.line(all_read());
        w.open(format!("if ({}.busy()) {{", shape.own.block));
        for n in view.args.iter().filter(|n| shape.lowered.args[**n].target().is_some()) {
            match self.kept.contains(n) {
                true => self.fetch(self.room_of(*n), &shape.args[*n].name, "const auto", element.wrapper, w),
                // No stage adds to it.
                false => element.declare_arg(*n, w),
            }
            element.hand_in_arg(*n, w);
        }
        w.close();
        w.line(all_collected());
        flush(shape, view, element.wrapper, w);
        w.line("__syncthreads();");
    }

    /// Whether a stage gets an argument that is not kept.
    fn loads(&self, s: usize, n: usize) -> bool {
        self.form.parts.stages[s].args.contains(&StageArg::Kernel(n)) && !self.kept.contains(&n)
    }

    /// Whether some of these stages touch an argument.
    fn adds(&self, n: usize, stages: &[split::Stage]) -> bool {
        stages.iter().any(|stage| stage.args.contains(&StageArg::Kernel(n)))
    }

    /// Whether the contribution to an argument is kept behind a stage. Atomics combine it as soon as it is complete.
    fn waits(&self, n: usize, s: usize, wrapper: Wrapper) -> bool {
        let goes_at_once = wrapper == Wrapper::StagedAtomic && !self.adds(n, &self.form.parts.stages[s + 1..]);
        self.kept.contains(&n) && !goes_at_once
    }

    fn room_of(&self, n: usize) -> usize {
        self.kept.iter().position(|k| *k == n).unwrap_or(0)
    }

    fn fetch(&self, room: usize, name: &str, declare: &str, wrapper: Wrapper, w: &mut Writer) {
        let (kept, block, rooms) = (&self.shape.own.kept, &self.shape.own.block, &self.shape.own.rooms);
        let place = self.place(room, wrapper);
        let fetch = format!("op2::fetch<user::{rooms}::Of{room}>({kept}, {place}, {block}.p)");
        w.line(format!("{declare} {name} = {fetch};"));
    }

    fn leave(&self, room: usize, name: &str, wrapper: Wrapper, w: &mut Writer) {
        let (kept, block) = (&self.shape.own.kept, &self.shape.own.block);
        w.line(format!("op2::leave({kept}, {}, {block}.p, {name});", self.place(room, wrapper)));
    }

    /// The bytes per position in front of a room. Rooms that the wrapper does not use take none.
    fn place(&self, room: usize, wrapper: Wrapper) -> String {
        let (rooms, alone) = (&self.shape.own.rooms, self.alone);
        match wrapper {
            Wrapper::StagedAtomic if alone > 0 => format!("user::{rooms}::at{room} - user::{rooms}::at{alone}"),
            _ => format!("user::{rooms}::at{room}"),
        }
    }
}

/// The type of the values to which a parameter leads.
fn value(ty: &Ty) -> Ty {
    match ty {
        Ty::Ref(_, inner) | Ty::Option(inner) => value(inner),
        Ty::Array(inner, len) => Ty::Array(Box::new(value(inner)), len.clone()),
        ty => ty.clone(),
    }
}

fn room(name: String, ty: &Ty, types: &Types) -> DeviceRoom {
    let scalar = match ty.elem() {
        Some(Scalar::Generic(n)) => DeviceScalar::Float(n.into()),
        Some(scalar) => DeviceScalar::Bytes(bytes(&Ty::Scalar(scalar))),
        None => DeviceScalar::Bytes(0),
    };
    DeviceRoom { name, scalar, lens: lens(ty, types) }
}

/// Lengths whose product is the number of scalars.
fn lens(ty: &Ty, types: &Types) -> Vec<DeviceLen> {
    match ty {
        Ty::Array(inner, len) => {
            let own = match len {
                Len::Lit(n) => DeviceLen::Number(*n),
                Len::Param(n) => DeviceLen::Param(*n),
                len => DeviceLen::Constant(types.len(len)),
            };
            std::iter::once(own).chain(lens(inner, types)).collect()
        }
        Ty::Record(_, fields) => vec![DeviceLen::Sum(fields.iter().map(|field| lens(field, types)).collect())],
        _ => Vec::new(),
    }
}

fn kernel_arg(arg: &StageArg) -> Option<usize> {
    match arg {
        StageArg::Kernel(n) => Some(*n),
        _ => None,
    }
}
