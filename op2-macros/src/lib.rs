//! The procedural macros of op2. Only entry points stand here; the generator is `op2-codegen`, and
//! the documentation of the macros is in the crate `op2`, which re-exports them.

use op2_codegen::expand;
use op2_codegen::parse::kernel::Role;
use proc_macro::{Span, TokenStream};

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
    expand::loop_start(input.into(), quote::quote!(::op2::__private::par_loop_step)).into()
}

#[allow(missing_docs, reason = "documented where `op2` re-exports it")]
#[proc_macro]
pub fn op_plan(input: TokenStream) -> TokenStream {
    expand::loop_start(input.into(), quote::quote!(::op2::__private::plan_step)).into()
}

#[doc(hidden)]
#[proc_macro]
pub fn function_step(input: TokenStream) -> TokenStream {
    expand::function_step(input.into()).into()
}

#[doc(hidden)]
#[proc_macro]
pub fn par_loop_step(input: TokenStream) -> TokenStream {
    expand::par_loop(input.into()).into()
}

#[doc(hidden)]
#[proc_macro]
pub fn plan_step(input: TokenStream) -> TokenStream {
    expand::plan(input.into()).into()
}

/// Where the attribute stands: it makes the names of hidden macros unique in a crate.
fn site() -> String {
    let span = Span::call_site();
    format!("{}:{}:{}", span.file(), span.line(), span.column())
}
