//! The procedural macros of op2. Only entry points stand here; the generator is `op2-codegen`, and
//! the documentation of the macros is in the crate `op2`, which re-exports them.

use op2_codegen::expand::{self, Site, Wanted};
use op2_codegen::parse::kernel::Role;
use op2_codegen::root::Root;
use proc_macro::{Span, TokenStream};
use proc_macro_crate::{FoundCrate, crate_name};
use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

#[allow(missing_docs, reason = "documented where `op2` re-exports it")]
#[proc_macro_attribute]
pub fn kernel(attr: TokenStream, item: TokenStream) -> TokenStream {
    function(Role::Kernel, attr, item)
}

#[allow(missing_docs, reason = "documented where `op2` re-exports it")]
#[proc_macro_attribute]
pub fn device_fn(attr: TokenStream, item: TokenStream) -> TokenStream {
    function(Role::DeviceFn, attr, item)
}

#[allow(missing_docs, reason = "documented where `op2` re-exports it")]
#[proc_macro]
pub fn op_par_loop(input: TokenStream) -> TokenStream {
    expand::loop_start(input.into(), Wanted::Run, &root()).into()
}

#[allow(missing_docs, reason = "documented where `op2` re-exports it")]
#[proc_macro]
pub fn op_plan(input: TokenStream) -> TokenStream {
    expand::loop_start(input.into(), Wanted::Plan, &root()).into()
}

#[doc(hidden)]
#[proc_macro]
pub fn function_step(input: TokenStream) -> TokenStream {
    expand::function_step(input.into(), &root()).into()
}

#[doc(hidden)]
#[proc_macro]
pub fn par_loop_step(input: TokenStream) -> TokenStream {
    expand::loop_step(input.into(), Wanted::Run, &root()).into()
}

#[doc(hidden)]
#[proc_macro]
pub fn plan_step(input: TokenStream) -> TokenStream {
    expand::loop_step(input.into(), Wanted::Plan, &root()).into()
}

fn function(role: Role, attr: TokenStream, item: TokenStream) -> TokenStream {
    let file = Span::call_site().file();
    let site = Site { file: &file, place: &place(&file) };
    expand::function(role, attr.into(), item.into(), site, &root()).into()
}

/// The name that op2 has in the crate being compiled. Its own tests and examples know it as `op2`, and so does whoever gets at it
/// in other ways than by a line in `Cargo.toml`.
fn root() -> Root {
    match crate_name("op2") {
        Ok(FoundCrate::Name(name)) => Root::named(&name),
        Ok(FoundCrate::Itself) | Err(_) => Root::default(),
    }
}

/// Where in the file the attribute stands, and how often it was met there, since a macro of the user's can write it
/// many times: it makes the names of hidden macros unique in a crate.
fn place(file: &str) -> String {
    static MET: Mutex<BTreeMap<String, u32>> = Mutex::new(BTreeMap::new());
    let span = Span::call_site();
    let place = format!("{}:{}", span.line(), span.column());
    let mut met = MET.lock().unwrap_or_else(PoisonError::into_inner);
    let times = met.entry(format!("{file}:{place}")).or_default();
    *times += 1;
    format!("{place} {times}")
}
