//! Emits the static description of a loop, from which the run time works.

use crate::emit::Program;
use crate::emit::device::{
    DeviceConst, DeviceForm, DeviceKernel, DeviceLen, DeviceRoom, DeviceScalar, DeviceUnit, Stored,
};
use crate::emit::rust::length_at;
use crate::ir::{Access, Combine};
use crate::lower::{Lowered, Reach, Role};
use crate::model::Flops;
use crate::split::Form;
use op2_core::{EntryPoint, Target};
use proc_macro2::{Ident, Literal, Span, TokenStream};

/// The bodies that the host lacks for a loop, with reasons.
pub struct Host {
    /// Why it has no stages; empty if it has them.
    pub no_stages: String,
    /// Why it has no lanes; empty if it has them.
    pub no_lanes: String,
}

/// The `LoopDesc` of a loop, as an expression. `devices` has the text for each target.
pub fn desc(program: &Program<'_>, host: &Host, devices: &[(Target, DeviceUnit)]) -> TokenStream {
    let (lowered, carrier, Host { no_stages, no_lanes }) = (program.lowered, program.carrier, host);
    let Lowered { kernel_name, flops, .. } = lowered;
    let args = lowered.args.iter().map(|arg| {
        let text = &arg.text;
        let kind = kind(&arg.role);
        let (optional, target) = (arg.is_optional(), option(arg.target()));
        hygienic!(__op2::ArgDesc { text: #text, kind: #kind, optional: #optional, target: #target })
    });
    let devices = devices.iter().map(|(target, unit)| device(program, *target, unit));
    let flops = operations(flops, carrier);
    let stages = Literal::usize_unsuffixed(program.forms.list.len());
    let (by_rows, walks, asks_numbers) = (lowered.has_rows(), program.unit.walks(), program.unit.asks_numbers());
    let no_more_stages = program.forms.end.as_ref().map_or("", |refusal| &refusal.0);
    hygienic! {
        __op2::LoopDesc {
            kernel: #kernel_name,
            file: ::core::file!(),
            line: ::core::line!(),
            flops: #flops,
            args: &[#(#args),*],
            captured: #carrier::__CAPTURED,
            stages: #stages,
            no_more_stages: #no_more_stages,
            no_host_stages: #no_stages,
            no_lanes: #no_lanes,
            by_rows: #by_rows,
            walks: #walks,
            asks_numbers: #asks_numbers,
            devices: &[#(#devices),*],
        }
    }
}

/// The `DeviceDesc` of the loop's text for a target.
fn device(program: &Program<'_>, target: Target, unit: &DeviceUnit) -> TokenStream {
    let lowered = program.lowered;
    let DeviceUnit { text, kernels, views, maps, covers, consts, forms } = unit;
    let target = Ident::new(target.variant(), Span::mixed_site());
    let kernels = kernels.iter().map(kernel);
    let forms = forms
        .iter()
        .zip(&program.forms.list)
        .map(|(of_device, form)| self::form(of_device, form, consts, program.carrier));
    let views = views.iter().map(|view| {
        let (name, optional, cover, args) = (&view.name, view.optional, option(view.cover), numbers(&view.args));
        hygienic!(__op2::ViewDesc { name: #name, optional: #optional, cover: #cover, args: #args })
    });
    let targets = lowered.targets.iter().map(|target| {
        let map = Literal::usize_unsuffixed(target.map);
        let computed = target.is_computed();
        hygienic!(__op2::TargetDesc { map: #map, computed: #computed })
    });
    let covers = covers.iter().map(|cover| {
        let targets = numbers(&cover.targets);
        let stored = cover.stored.iter().map(|Stored { at, turned }| {
            let at = Literal::usize_unsuffixed(*at);
            hygienic!(__op2::StoredDesc { at: #at, turned: #turned })
        });
        hygienic!(__op2::CoverDesc { targets: #targets, stored: &[#(#stored),*] })
    });
    let floats = numbers(&lowered.floats());
    let consts = consts.iter().map(|c| {
        let (name, way, own) = (&c.name, numbers(&c.source), Literal::usize_unsuffixed(c.own));
        hygienic!(__op2::ConstDesc { name: #name, way: #way, own: #own })
    });
    hygienic! {
        __op2::DeviceDesc {
            target: __op2::Target::#target,
            text: #text,
            kernels: &[#(#kernels),*],
            views: &[#(#views),*],
            maps: &[#(#maps),*],
            targets: &[#(#targets),*],
            covers: &[#(#covers),*],
            floats: #floats,
            consts: &[#(#consts),*],
            forms: &[#(#forms),*],
        }
    }
}

/// The `FormDesc` of the loop in stages.
fn form(of_device: &DeviceForm, form: &Form, consts: &[DeviceConst], carrier: &TokenStream) -> TokenStream {
    let DeviceForm { text, kernels, stages, kept, alone, rooms } = of_device;
    let kernels = kernels.iter().map(kernel);
    let stages = stages.iter().map(|views| numbers(views));
    let (kept, alone) = (numbers(kept), Literal::usize_unsuffixed(*alone));
    let rooms = rooms.iter().map(|r| room(r, consts));
    let flops = operations(&form.flops, carrier);
    hygienic! {
        __op2::FormDesc {
            text: #text,
            kernels: &[#(#kernels),*],
            stages: &[#(#stages),*],
            kept: #kept,
            alone: #alone,
            rooms: &[#(#rooms),*],
            flops: #flops,
        }
    }
}

/// Floating-point operations, as an expression that the compiler evaluates.
fn operations(flops: &Flops, carrier: &TokenStream) -> TokenStream {
    let all = |parts: &[Flops]| parts.iter().map(|part| operations(part, carrier)).collect::<Vec<_>>();
    match flops {
        Flops::Number(n) => hygienic!(#n),
        Flops::Sum(parts) => {
            let parts = all(parts);
            hygienic!(__op2::total(&[#(#parts),*]))
        }
        Flops::Most(parts) => {
            let parts = all(parts);
            hygienic!(__op2::most(&[#(#parts),*]))
        }
        Flops::Rounds { from, to, inclusive, body } => {
            let (from, body) = (Literal::u128_unsuffixed(*from), operations(body, carrier));
            let to = length_at(carrier, to);
            hygienic!(__op2::rounds(#from, #to, #inclusive).saturating_mul(#body))
        }
    }
}

/// A kernel of a text: the entry point by which the run time finds it, and its name.
fn kernel(kernel: &DeviceKernel) -> TokenStream {
    let name = &kernel.name;
    let entry = match kernel.entry {
        EntryPoint::Loop(wrapper) => {
            let wrapper = Ident::new(wrapper.variant(), Span::mixed_site());
            hygienic!(__op2::EntryPoint::Loop(__op2::Wrapper::#wrapper))
        }
        EntryPoint::Shared => hygienic!(__op2::EntryPoint::Shared),
        EntryPoint::Single => hygienic!(__op2::EntryPoint::Single),
        EntryPoint::Gather(view) => {
            let view = Literal::usize_unsuffixed(view);
            hygienic!(__op2::EntryPoint::Gather(#view))
        }
    };
    hygienic!((#entry, #name))
}

fn room(room: &DeviceRoom, consts: &[DeviceConst]) -> TokenStream {
    let DeviceRoom { name, scalar, lens } = room;
    let lens = lengths(lens, consts);
    let scalar = match *scalar {
        DeviceScalar::Bytes(bytes) => {
            let bytes = Literal::usize_unsuffixed(bytes as usize);
            hygienic!(__op2::RoomScalar::Bytes(#bytes))
        }
        DeviceScalar::Float(n) => {
            let n = Literal::usize_unsuffixed(n);
            hygienic!(__op2::RoomScalar::Float(#n))
        }
    };
    hygienic!(__op2::RoomDesc { name: #name, scalar: #scalar, lens: #lens })
}

fn lengths(lens: &[DeviceLen], consts: &[DeviceConst]) -> TokenStream {
    let lens = lens.iter().map(|len| match len {
        DeviceLen::Number(n) => {
            let n = Literal::usize_unsuffixed(*n);
            hygienic!(__op2::Length::Number(#n))
        }
        DeviceLen::Param(n) => {
            let n = Literal::usize_unsuffixed(*n);
            hygienic!(__op2::Length::Param(#n))
        }
        DeviceLen::Constant(name) => {
            let place = consts.iter().position(|c| c.name == *name).expect("the text mentions the constant");
            let place = Literal::usize_unsuffixed(place);
            hygienic!(__op2::Length::Constant(#place))
        }
        DeviceLen::Sum(fields) => {
            let fields = fields.iter().map(|field| lengths(field, consts));
            hygienic!(__op2::Length::Sum(&[#(#fields),*]))
        }
    });
    hygienic!(&[#(#lens),*])
}

fn option(number: Option<usize>) -> TokenStream {
    match number.map(Literal::usize_unsuffixed) {
        Some(n) => hygienic!(::core::option::Option::Some(#n)),
        None => hygienic!(::core::option::Option::None),
    }
}

fn numbers(list: &[usize]) -> TokenStream {
    let list = list.iter().map(|&n| Literal::usize_unsuffixed(n));
    hygienic!(&[#(#list),*])
}

/// An access, as a path to the run time's type.
pub fn access(access: Access) -> TokenStream {
    let name = Ident::new(access.variant(), Span::mixed_site());
    hygienic!(__op2::Access::#name)
}

/// A way to combine, as a path to the run time's type.
pub fn combine(how: Combine) -> TokenStream {
    let name = Ident::new(how.variant(), Span::mixed_site());
    hygienic!(__op2::Combine::#name)
}

fn kind(role: &Role) -> TokenStream {
    match role {
        Role::Read(_) => hygienic!(__op2::ArgKind::Global(__op2::Access::Read)),
        Role::Reduce(how, _) => {
            let access = access((*how).into());
            hygienic!(__op2::ArgKind::Global(#access))
        }
        Role::Index(_) => hygienic!(__op2::ArgKind::Index),
        Role::Shift => hygienic!(__op2::ArgKind::Shift),
        Role::Dat(dat) => {
            let access = access(dat.access);
            match dat.reach {
                Reach::Element => hygienic!(__op2::ArgKind::Direct(#access)),
                Reach::Entry(_) => hygienic!(__op2::ArgKind::Indirect(#access)),
                Reach::All(_) | Reach::Row(_) => hygienic!(__op2::ArgKind::AllEntries(#access)),
                Reach::End(_) => hygienic!(__op2::ArgKind::End(#access)),
                Reach::Whole => hygienic!(__op2::ArgKind::Whole),
            }
        }
    }
}
