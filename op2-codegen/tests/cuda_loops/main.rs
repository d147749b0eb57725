//! CUDA wrappers of loops: their names and their needs, and that their results are those of a plain loop.
//!
//! The text is compiled by the host's C++ compiler (`c++`, or the command in the environment variable `CXX`).
//! Threads of a block are threads of the host, so that barriers, shared memory and atomics are what they
//! are on a device; the sanitizers watch.

mod apps;
mod cases;
mod described;
mod nvrtc;
mod program;
#[path = "../samples/mod.rs"]
mod samples;

use op2_codegen::emit::cuda;
use op2_codegen::emit::device::DeviceUnit;
use op2_codegen::lower::{self, Lowered};
use op2_codegen::model;
use op2_codegen::model::file::in_file;
use op2_codegen::parse::kernel::FnKind;
use op2_codegen::parse::loop_decl::LoopDecl;
use op2_codegen::payload::Payload;
use op2_codegen::split;

/// A loop and how it is to be run.
pub(crate) struct Case {
    /// For messages and the program's file.
    pub(crate) name: &'static str,
    /// Rust: device functions, and the kernel as the last function.
    pub(crate) kernel: &'static str,
    /// The arguments of `op_par_loop!` behind the kernel.
    pub(crate) args: &'static str,
    /// One element by hand, in C++: dats are vectors of values, maps vectors of rows.
    pub(crate) reference: &'static str,
    /// The arities of the maps in order of first use.
    pub(crate) arities: &'static [usize],
    /// Targets whose entry is known at run time, with the entry.
    pub(crate) entries: &'static [(usize, usize)],
    /// Views that turn out to be the dat of another one.
    pub(crate) same: &'static [(&'static str, &'static str)],
    /// Constants, in C++.
    pub(crate) consts: &'static str,
    /// The type of a generic kernel's type parameter.
    pub(crate) float: &'static str,
}

/// A loop that was emitted.
pub(crate) struct Loop {
    pub(crate) lowered: Lowered,
    pub(crate) unit: DeviceUnit,
    /// The names of the kernel's parameters.
    pub(crate) params: Vec<String>,
}

/// The payload of a function of a source file.
fn payload(file: &syn::File, name: &str) -> Payload {
    let item = file.items.iter().find_map(|item| match item {
        syn::Item::Fn(f) if f.sig.ident == name => Some(f),
        _ => None,
    });
    let item = item.unwrap_or_else(|| panic!("no function `{name}`"));
    in_file(item, FnKind::Kernel, &file.items).unwrap_or_else(|missing| panic!("{missing}"))
}

/// The payload of a case's kernel.
pub(crate) fn kernel_payload(case: &Case) -> Payload {
    let file = syn::parse_file(case.kernel).expect("the kernel is Rust");
    let Some(syn::Item::Fn(kernel)) = file.items.last() else { panic!("the kernel comes last") };
    payload(&file, &kernel.sig.ident.to_string())
}

/// All steps of the generator.
pub(crate) fn compile(case: &Case) -> Loop {
    let payload = kernel_payload(case);
    let name = payload.item.sig.ident.to_string();
    let unit = model::build(&payload, FnKind::Kernel).unwrap_or_else(|e| panic!("{e}"));
    let text = format!("op, {name}, {}", case.args);
    let decl: LoopDecl = syn::parse_str(&text).unwrap_or_else(|e| panic!("{text}: {e}"));
    let usage = op2_codegen::check::usage::usage(&unit);
    op2_codegen::check::call::check(&decl, &unit, &usage).unwrap_or_else(|e| panic!("{text}: {e}"));
    let lowered = lower::lower(decl, &unit);
    let params = cuda::functions(&unit).params.into_iter().map(|p| p.name).collect();
    let forms = split::forms(&lowered, &unit);
    Loop { unit: cuda::unit(&lowered, &unit, &forms), lowered, params }
}
