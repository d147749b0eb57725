//! The procedural macros of op2. Only entry points stand here; the generator is `op2-codegen`, and
//! the documentation of the macros is in the crate `op2`, which re-exports them.

use op2_codegen::expand::{self, Wanted};
use op2_codegen::parse::kernel::Role;
use proc_macro::{Span, TokenStream};
use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

#[allow(missing_docs, reason = "documented where `op2` re-exports it")]
#[proc_macro_attribute]
pub fn kernel(attr: TokenStream, item: TokenStream) -> TokenStream {
    expand::function(Role::Kernel, attr.into(), item.into(), &site()).into()
}

#[allow(missing_docs, reason = "documented where `op2` re-exports it")]
#[proc_macro_attribute]
pub fn device_fn(attr: TokenStream, item: TokenStream) -> TokenStream {
    expand::function(Role::DeviceFn, attr.into(), item.into(), &site()).into()
}

#[allow(missing_docs, reason = "documented where `op2` re-exports it")]
#[proc_macro]
pub fn op_par_loop(input: TokenStream) -> TokenStream {
    expand::loop_start(input.into(), Wanted::Run).into()
}

#[allow(missing_docs, reason = "documented where `op2` re-exports it")]
#[proc_macro]
pub fn op_plan(input: TokenStream) -> TokenStream {
    expand::loop_start(input.into(), Wanted::Plan).into()
}

#[doc(hidden)]
#[proc_macro]
pub fn function_step(input: TokenStream) -> TokenStream {
    expand::function_step(input.into()).into()
}

#[doc(hidden)]
#[proc_macro]
pub fn par_loop_step(input: TokenStream) -> TokenStream {
    expand::loop_step(input.into(), Wanted::Run).into()
}

#[doc(hidden)]
#[proc_macro]
pub fn plan_step(input: TokenStream) -> TokenStream {
    expand::loop_step(input.into(), Wanted::Plan).into()
}

/// Where the attribute stands, and how often it was met there, since a macro of the user's can write it
/// many times: it makes the names of hidden macros unique in a crate.
fn site() -> String {
    static MET: Mutex<BTreeMap<String, u32>> = Mutex::new(BTreeMap::new());
    let span = Span::call_site();
    let place = format!("{}:{}:{}", span.file(), span.line(), span.column());
    let mut met = MET.lock().unwrap_or_else(PoisonError::into_inner);
    let times = met.entry(place.clone()).or_default();
    *times += 1;
    format!("{place} {times}")
}
