//! The procedural macros of op2. Only entry points stand here; the generator is `op2-codegen`, and
//! the documentation of the macros is in the crate `op2`, which re-exports them.
//!
//! # Why no safe program reaches memory that it should not
//!
//! The bodies of loops follow maps and touch rows without checks, in `unsafe` blocks that these macros write into programs whose
//! authors never see them. That nothing goes wrong there rests on seven facts. Each is established by the part that is named, and a
//! test goes with it.
//!
//! 1. **Handles lead where their types say.** Only declarations make them, a handle of another `Op2` is refused when it is bound
//!    (`Call::place`), no handle turns into one of another type (`mesh/handle.rs`: they are invariant, and the traits by which loops take
//!    them are `unsafe` to implement). So a view has the value type of its dat, and a map the arity of its entries.
//! 2. **A handle that is checked is the one that is used.** Each expression of a loop is evaluated once, into a local
//!    (`op2-codegen/src/emit/bind.rs`); arguments share a view, a map or an entry only if the call has found their handles equal
//!    (`Call::one_handle`), else the loop does not start.
//! 3. **Every index is in bounds.** Elements come from the size of the loop's set or from subsets, entries of maps were checked
//!    when they were declared or set (`Mesh::checked_entries`), the numbers of entries by traits or when they were bound
//!    (`HasEntry`, `Call::entry`), partners come from a grid of the sets as they are numbered now (`Mesh::searched`); each dat is on
//!    the set that its map or its end of a pair leads to (`Call::expect_set`). Kernels write entries of maps: indices that come from the
//!    loop's elements and maps, and from tables by numbers that are checked (`data/table.rs`), all of one set for each kind
//!    (`Call::check_kinds`), and from nowhere else, since kernels
//!    cannot make any (`op2-codegen/src/model/verify.rs`, `check/call.rs`). Nobody else can change any of it
//!    while a loop runs, since the call holds the `Op2` exclusively; a chain does so until its last loop has run.
//! 4. **No element is lent twice, once of it to be changed.** One element: `Call::check_aliases` and `plan/collide.rs`. Several on
//!    threads or in lanes: the plan, which an independent verifier checks in tests and on request (`plan/verify.rs`). Over pairs,
//!    elements outside are the loop's own, and those inside are read, or combined into by patches with copies of their own
//!    (`plan/patches.rs`); writing them does not compile.
//!    Contributions are locals of the body, added by a plan's rules; those that leave the same bits in any order need none, and are
//!    combined by atomic operations (`Elem::combine_into`).
//! 5. **What is kept fits what is bound.** Plans and launches are found under a key that is made of the bound call, versions
//!    included (`op2-runtime/src/plan/key.rs`).
//! 6. **Kernels are safe functions.** The function that runs element by element is the user's, compiled as it stands; an index inside of
//!    it is checked by the compiler's own code. Functions written anew for lanes and stages are safe code, too, but for calls of the run
//!    time that state what they need, and lanes that are off do nothing that may fail. On devices nothing of this is checked unless
//!    asked for; the emulator checks all of it.
//! 7. **The generated function is the user's.** Names could mean something else to the compiler than to the generator; where they
//!    would, the program does not compile (`op2-codegen/src/expand/leaves.rs`, `expand/lent.rs`, `parse/kernel/names.rs`).
//!
//! An address sanitizer runs the bodies of `tests/backends` in continuous integration.

use op2_codegen::declare;
use op2_codegen::expand::{self, Site, Wanted};
use op2_codegen::parse::kernel::FnKind;
use op2_codegen::root::Root;
use proc_macro::{Span, TokenStream};
use proc_macro_crate::{FoundCrate, crate_name};
use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

#[allow(missing_docs, reason = "documented where `op2` re-exports it")]
#[proc_macro_attribute]
pub fn kernel(attr: TokenStream, item: TokenStream) -> TokenStream {
    function(FnKind::Kernel, attr, item)
}

#[allow(missing_docs, reason = "documented where `op2` re-exports it")]
#[proc_macro_attribute]
pub fn device_fn(attr: TokenStream, item: TokenStream) -> TokenStream {
    function(FnKind::DeviceFn, attr, item)
}

#[allow(missing_docs, reason = "documented where `op2` re-exports it")]
#[proc_macro_attribute]
pub fn record(attr: TokenStream, item: TokenStream) -> TokenStream {
    at_site(|site| expand::record(attr.into(), item.into(), site, &root()).into())
}

#[allow(missing_docs, reason = "documented where `op2` re-exports it")]
#[proc_macro_attribute]
pub fn alias(attr: TokenStream, item: TokenStream) -> TokenStream {
    at_site(|site| expand::alias(attr.into(), item.into(), site, &root()).into())
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

#[allow(missing_docs, reason = "documented where `op2` re-exports it")]
#[proc_macro]
pub fn sets(input: TokenStream) -> TokenStream {
    declare::sets(input.into(), &root()).into()
}

#[allow(missing_docs, reason = "documented where `op2` re-exports it")]
#[proc_macro]
pub fn constants(input: TokenStream) -> TokenStream {
    declare::constants(input.into(), &root()).into()
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

fn function(kind: FnKind, attr: TokenStream, item: TokenStream) -> TokenStream {
    at_site(|site| expand::function(kind, attr.into(), item.into(), site, &root()).into())
}

/// Expands the attribute that is being called, with the place where it stands.
fn at_site(expand: impl FnOnce(Site) -> TokenStream) -> TokenStream {
    let file = Span::call_site().file();
    expand(Site { compilation: &compilation(), file: &file, place: &place(&file) })
}

/// The name that op2 has in the crate being compiled. Its own tests and examples know it as `op2`, and so does whoever gets at it
/// in other ways than by a line in `Cargo.toml`.
fn root() -> Root {
    match crate_name("op2") {
        Ok(FoundCrate::Name(name)) => Root::named(&name),
        Ok(FoundCrate::Itself) | Err(_) => Root::default(),
    }
}

/// The crate that is compiled, and as which part of its package. A program may have one file in several crates: in a library and
/// the program beside it, in two versions of a library, in a library and its own unit tests. All of them need different numbers.
/// Cargo tells crates apart by the option `-C metadata`.
fn compilation() -> String {
    let variable = |name| std::env::var(name).unwrap_or_default();
    let names = ["CARGO_PKG_NAME", "CARGO_PKG_VERSION", "CARGO_CRATE_NAME"].map(variable);
    let options = std::env::args_os().filter_map(|option| option.into_string().ok());
    let metadata = options.filter(|option| option.trim_start_matches("-C").starts_with("metadata="));
    names.into_iter().chain(metadata).collect::<Vec<_>>().join(" ")
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
