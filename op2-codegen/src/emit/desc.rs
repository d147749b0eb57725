//! The static description of a loop.

use crate::emit::cuda::{CudaConst, CudaLen, CudaRoom, CudaStages, CudaUnit};
use crate::ir::{Access, Combine};
use crate::lower::{Lowered, Place, Role, literal};
use crate::split::Form;
use proc_macro2::{Ident, Literal, Span, TokenStream};

/// What the host has of a loop's forms.
pub struct Host {
    /// Why it has no stages; empty if it has them.
    pub whole: String,
    /// Why it has no lanes; empty if it has them.
    pub single: String,
    /// Whether elements that go at once must not share a target.
    pub apart: bool,
}

/// The `LoopDesc` of a loop, as an expression.
pub fn desc(lowered: &Lowered, cuda: &CudaUnit, host: &Host) -> TokenStream {
    let Host { whole, single, apart } = host;
    let Lowered { kernel, kernel_name, flops, .. } = lowered;
    let args = lowered.args.iter().map(|arg| {
        let text = &arg.text;
        let kind = kind(&arg.role);
        let optional = matches!(&arg.role, Role::Dat(d) if d.flag.is_some());
        let target = option(target(&arg.role));
        hygienic!(__op2::ArgDesc { text: #text, kind: #kind, optional: #optional, target: #target })
    });
    let device = device(lowered, cuda);
    hygienic! {
        __op2::LoopDesc {
            kernel: #kernel_name,
            file: ::core::file!(),
            line: ::core::line!(),
            flops: #flops,
            args: &[#(#args),*],
            captured: #kernel::__CAPTURED,
            whole: #whole,
            single: #single,
            apart: #apart,
            device: #device,
        }
    }
}

/// What the run time must know of the loop's CUDA C++.
fn device(lowered: &Lowered, cuda: &CudaUnit) -> TokenStream {
    let CudaUnit { text, kernel, kernels, views, maps, covers, float, consts, stages } = cuda;
    let forms = stages.iter().zip(&lowered.forms.list).map(|(stages, form)| self::form(stages, form, consts));
    let views = views.iter().map(|view| {
        let (name, optional, cover, args) = (&view.name, view.optional, option(view.cover), numbers(&view.args));
        hygienic!(__op2::ViewDesc { name: #name, optional: #optional, cover: #cover, args: #args })
    });
    let targets = lowered.targets.iter().map(|target| {
        let map = Literal::usize_unsuffixed(target.map);
        let computed = target.entry.as_ref().is_some_and(|entry| literal(entry).is_none());
        hygienic!(__op2::TargetDesc { map: #map, computed: #computed })
    });
    let covers = covers.iter().map(|cover| numbers(cover));
    let float = option(*float);
    let end = lowered.forms.end.as_ref().map_or("", |refusal| &refusal.0);
    let consts = consts.iter().map(|c| {
        let (name, way, own) = (&c.name, numbers(&c.source), Literal::usize_unsuffixed(c.own));
        hygienic!(__op2::ConstDesc { name: #name, way: #way, own: #own })
    });
    hygienic! {
        __op2::DeviceDesc {
            text: #text,
            kernel: #kernel,
            kernels: &[#(#kernels),*],
            views: &[#(#views),*],
            maps: &[#(#maps),*],
            targets: &[#(#targets),*],
            covers: &[#(#covers),*],
            float: #float,
            consts: &[#(#consts),*],
            forms: &[#(#forms),*],
            no_more_forms: #end,
        }
    }
}

/// The loop in stages.
fn form(stages: &CudaStages, form: &Form, consts: &[CudaConst]) -> TokenStream {
    let CudaStages { text, kernels, stages, kept, alone, rooms } = stages;
    let stages = stages.iter().map(|views| numbers(views));
    let (kept, alone) = (numbers(kept), Literal::usize_unsuffixed(*alone));
    let rooms = rooms.iter().map(|r| room(r, consts));
    let flops = form.flops;
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

fn room(room: &CudaRoom, consts: &[CudaConst]) -> TokenStream {
    let CudaRoom { name, scalar, lens } = room;
    let lens = lens.iter().map(|len| match len {
        CudaLen::Number(n) => {
            let n = Literal::usize_unsuffixed(*n);
            hygienic!(__op2::Length::Number(#n))
        }
        CudaLen::Constant(name) => {
            let place = consts.iter().position(|c| c.name == *name).expect("the text mentions the constant");
            let place = Literal::usize_unsuffixed(place);
            hygienic!(__op2::Length::Constant(#place))
        }
    });
    let bytes = option(scalar.map(|s| s as usize));
    hygienic!(__op2::RoomDesc { name: #name, scalar: #bytes, lens: &[#(#lens),*] })
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

/// The way through maps that an argument takes.
fn target(role: &Role) -> Option<usize> {
    let place = match role {
        Role::Index(place) => *place,
        Role::Dat(dat) => dat.place,
        Role::Read(_) | Role::Reduce(..) => return None,
    };
    match place {
        Place::Element => None,
        Place::Entry(t) | Place::All(t) => Some(t),
    }
}

/// The access of the run time.
pub fn access(access: Access) -> TokenStream {
    let name = Ident::new(access.variant(), Span::mixed_site());
    hygienic!(__op2::Access::#name)
}

/// The way to combine of the run time.
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
        Role::Dat(dat) => {
            let access = access(dat.access);
            match dat.place {
                Place::Element => hygienic!(__op2::ArgKind::Direct(#access)),
                Place::Entry(_) => hygienic!(__op2::ArgKind::Indirect(#access)),
                Place::All(_) => hygienic!(__op2::ArgKind::AllEntries(#access)),
            }
        }
    }
}
