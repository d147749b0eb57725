//! Names of functions that mean something else, too, and functions that call each other.

use crate::error::Errors;
use crate::parse::alike::hygiene;
use crate::parse::loop_decl::LoopDecl;
use proc_macro2::Ident;
use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use syn::ext::IdentExt;
use syn::{Expr, Path, Result};

/// Macros that every module sees. A macro of such a name, beside the function, would be ambiguous.
const MACROS: [&str; 46] = [
    "assert",
    "assert_eq",
    "assert_ne",
    "cfg",
    "column",
    "compile_error",
    "concat",
    "dbg",
    "debug_assert",
    "debug_assert_eq",
    "debug_assert_ne",
    "env",
    "eprint",
    "eprintln",
    "file",
    "format",
    "format_args",
    "include",
    "include_bytes",
    "include_str",
    "is_x86_feature_detected",
    "line",
    "matches",
    "module_path",
    "option_env",
    "panic",
    "print",
    "println",
    "stringify",
    "thread_local",
    "todo",
    "unimplemented",
    "unreachable",
    "vec",
    "write",
    "writeln",
    "try",
    "concat_bytes",
    "concat_idents",
    "log_syntax",
    "trace_macros",
    "global_asm",
    "cfg_select",
    "assert_matches",
    "debug_assert_matches",
    "const_format_args",
];

/// Refuses a loop over a kernel whose name a variable of the same loop hides.
pub(super) fn check_loop(decl: &LoopDecl) -> Result<()> {
    let Some(kernel) = decl.kernel.get_ident() else { return Ok(()) };
    let mut errors = Errors::new();
    for variable in decl.expressions().filter_map(variable).filter(|variable| one_name(variable, kernel)) {
        errors.at(
            variable.span(),
            format!("`{variable}` is a variable here and hides the kernel of that name: rename one of the two"),
        );
    }
    errors.finish(())
}

/// The variable in which a handle lies: `x` of `x`, `x.q`, `x[1]` and `*x`.
fn variable(handle: &Expr) -> Option<&Ident> {
    match handle {
        Expr::Path(path) => path.path.get_ident(),
        Expr::Field(field) => variable(&field.base),
        Expr::Index(index) => variable(&index.expr),
        Expr::Unary(unary) => variable(&unary.expr),
        Expr::Reference(reference) => variable(&reference.expr),
        Expr::Paren(paren) => variable(&paren.expr),
        Expr::Group(group) => variable(&group.expr),
        _ => None,
    }
}

/// Whether the compiler takes both for one name too: names made by a macro differ from the caller's.
fn one_name(a: &Ident, b: &Ident) -> bool {
    a.unraw() == b.unraw() && hygiene(a.span()) == hygiene(b.span())
}

/// Whether the name of a function is that of a macro which every module sees.
pub(super) fn is_taken(name: &Ident) -> bool {
    MACROS.iter().any(|taken| name.unraw() == taken)
}

/// Functions that wait for their callees, by file and name, with the names of the callees.
type Waiting = BTreeMap<(String, String), Vec<String>>;

/// Refuses functions that call each other by their names alone. None of them would ever get a macro, since each waits
/// for that of the next one, and the compiler would only report missing macros.
pub(super) fn recursion(file: &str, item: &Ident, mentioned: &[Path]) -> Result<()> {
    let name = item.unraw().to_string();
    let called = mentioned.iter().filter_map(|path| path.get_ident()).map(|name| name.unraw().to_string());
    let mut waiting = waiting();
    waiting.insert((file.to_owned(), name.clone()), called.collect());
    let Some(circle) = circle(&waiting, file, &name) else { return Ok(()) };
    let calls: Vec<String> = circle.iter().map(|name| format!("`{name}`")).collect();
    let second = circle.first().unwrap_or(&name);
    let is_record = |name: &String| name.starts_with(char::is_uppercase);
    let message = match [&name].into_iter().chain(&circle).find(|name| is_record(name)) {
        Some(record) => format!(
            "`{name}` waits for itself through {}: methods of `{record}` call a function that needs `{record}`; make `{}` a method, too",
            calls.join(", "),
            [&name].into_iter().chain(&circle).find(|name| !is_record(name)).unwrap_or(&name),
        ),
        None => format!(
            "`{name}` calls itself through {}: recursion is not part of the kernel language, write a loop; if another `{second}` is \
         meant, call it by a longer path, such as `module::{second}(…)`",
            calls.join(", ")
        ),
    };
    let place = mentioned.iter().find(|path| path.is_ident(second.as_str()));
    Err(match place {
        Some(path) => syn::Error::new_spanned(path, message),
        None => syn::Error::new(item.span(), message),
    })
}

/// The function waits for nothing any more.
pub(super) fn finished(item: &Ident) {
    let name = item.unraw().to_string();
    waiting().retain(|(_, other), _| *other != name);
}

fn waiting() -> MutexGuard<'static, Waiting> {
    static WAITING: Mutex<Waiting> = Mutex::new(Waiting::new());
    WAITING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The functions between two calls of `name`.
fn circle(waiting: &Waiting, file: &str, name: &str) -> Option<Vec<String>> {
    let mut ways: Vec<Vec<String>> = calls(waiting, file, name).map(|callee| vec![callee.clone()]).collect();
    let mut met: Vec<String> = Vec::new();
    while let Some(way) = ways.pop() {
        let last = way.last()?.clone();
        for next in calls(waiting, file, &last) {
            if next == name {
                return Some(way);
            }
            if !met.contains(next) {
                met.push(next.clone());
                ways.push(way.iter().chain([next]).cloned().collect());
            }
        }
    }
    None
}

fn calls<'w>(waiting: &'w Waiting, file: &str, name: &str) -> impl Iterator<Item = &'w String> {
    waiting.get(&(file.to_owned(), name.to_owned())).into_iter().flatten()
}
