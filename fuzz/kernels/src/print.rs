//! Prints a case as Rust: the functions, the loops of op2, and the same loops by hand.

mod plain;

use std::fmt::Write;

use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use syn::ItemFn;

use crate::case::Record;
use crate::case::{Arg, Case, Constant, Dat, Kind, MapOf, Mode, Over, Ty, Via};
use crate::harness::HARNESS;
use crate::run::Failure;

/// The arguments of a loop in `op_par_loop!`.
pub fn loop_arguments(case: &Case, n: usize) -> String {
    let each = &case.loops[n];
    let set = match each.over {
        Over::Edges => "on.edges".to_owned(),
        Over::Some => "on.some".to_owned(),
        Over::Nodes => "on.nodes".to_owned(),
        Over::Pairs(meeting, by_to) => format!("{}{}", meeting.handle, if by_to { ".by_to()" } else { "" }),
    };
    let mut text = format!("op, {}, {set}", each.kernel.sig.ident);
    for arg in &each.args {
        text.push_str(", ");
        text.push_str(&argument(case, arg));
    }
    text
}

fn argument(case: &Case, arg: &Arg) -> String {
    let handle = |map: &MapOf| match map.dat {
        Some(at) => case.dats[at].name.clone(),
        None => format!("on.{}", map.name),
    };
    let entry = |via: &Via| match via {
        Via::Direct => String::new(),
        Via::One(map, at, false) => format!("{}[{at}]", handle(map)),
        Via::One(map, at, true) => format!("{}[mesh.entry({at})]", handle(map)),
        Via::All(map) | Via::Row(map) => format!("{}[..]", handle(map)),
        Via::End(to) => (if *to { "to" } else { "from" }).to_owned(),
    };
    let optional = |flag: Option<usize>, plain: String| match flag {
        Some(flag) => format!("opt(mesh.flag({flag}), {plain})"),
        None => plain,
    };
    match &arg.kind {
        Kind::Dat(at, mode, via, flag) => {
            let (word, name, entry) = (mode.word(), &case.dats[*at].name, entry(via));
            let comma = if entry.is_empty() { "" } else { ", " };
            optional(*flag, format!("{word}({name}{comma}{entry})"))
        }
        Kind::Global(at, mode) => format!("gbl_{}({})", mode.word(), case.globals[*at].name),
        Kind::Best(at, greatest) => {
            format!("gbl_{}({})", if *greatest { "max" } else { "min" }, case.globals[*at].name)
        }
        Kind::Index(via, _) | Kind::Element(via) => format!("idx({})", entry(via)),
        Kind::Members(map) => format!("read({})", handle(map)),
        Kind::Table(at, flag) => optional(*flag, format!("read({}, all)", case.dats[*at].name)),
        Kind::Shift => "shift()".to_owned(),
    }
}

/// All identifiers in some tokens.
pub fn names(tokens: &impl ToTokens) -> Vec<String> {
    fn walk(tokens: TokenStream, to: &mut Vec<String>) {
        for tree in tokens {
            match tree {
                TokenTree::Group(group) => walk(group.stream(), to),
                TokenTree::Ident(ident) => to.push(ident.to_string()),
                _ => {}
            }
        }
    }
    let mut found = Vec::new();
    walk(tokens.to_token_stream(), &mut found);
    found
}

/// The case as the content of a module: functions, `loops`, `plain` and `CASE`. It uses the harness.
///
/// # Panics
/// If the text is not Rust. A generated case always is.
pub fn module(case: &Case) -> String {
    parsed(case).unwrap_or_else(|e| panic!("seed {}: {e}", case.seed))
}

/// The same for a case that was changed since, whose text may not be Rust any more.
///
/// # Errors
/// The error of the parser.
pub fn parsed(case: &Case) -> syn::Result<String> {
    let (functions, constants) = reached(case);
    let mut text = String::from("use crate::harness::*;\nuse op2::prelude::*;\n");
    let value = |c: &Constant| format!("const {}: {} = {};\n", c.name, c.ty, c.value);
    let fixed = |in_module| constants.iter().filter(move |c| c.in_module == in_module && !c.runtime);
    for constant in fixed(false) {
        text.push_str(&value(constant));
    }
    if fixed(true).count() > 0 {
        let inside: String = fixed(true).map(|c| format!("pub(crate) {}", value(c))).collect();
        let _ = writeln!(text, "mod phys {{ {inside} }}");
    }
    let statics: String =
        constants.iter().filter(|c| c.runtime).map(|c| format!("static {}: {};", c.name, c.ty)).collect();
    if !statics.is_empty() {
        let _ = writeln!(text, "op2::constants! {{ {statics} }}");
    }
    text.push_str(&records(case));
    let own: Vec<_> =
        case.functions.iter().enumerate().filter(|(n, _)| functions.contains(n)).map(|(_, f)| f).collect();
    for function in own.iter().filter(|f| !f.in_module) {
        let _ = writeln!(text, "#[op2::device_fn] {}", function.item.to_token_stream());
    }
    if own.iter().any(|f| f.in_module) {
        let inside: String = own
            .iter()
            .filter(|f| f.in_module)
            .map(|f| format!("#[op2::device_fn] {}\n", f.item.to_token_stream()))
            .collect();
        let _ = writeln!(text, "mod deep {{ use super::*; {inside} }}");
    }
    for each in &case.loops {
        let _ = writeln!(text, "#[op2::kernel] {}", each.kernel.to_token_stream());
    }
    let set: String =
        constants.iter().filter(|c| c.runtime).map(|c| format!("{}.set({})?;", c.name, c.value)).collect();
    let Case { exact, rounded, .. } = case;
    let _ = write!(
        text,
        "pub(crate) const CASE: Case = Case {{ seed: {}, exact: {exact}, rounded: {rounded}, loops, plain }};
         fn loops(op: &mut Op2, mesh: &Mesh) -> op2::Result<Left> {{ set()?; {} }}
         fn set() -> op2::Result<()> {{ {set} Ok(()) }}
         fn plain(mesh: &Mesh) -> Left {{ set().expect(\"always the same values\"); {} }}",
        case.seed,
        by_op2(case),
        plain::by_hand(case),
    );
    Ok(prettyplease::unparse(&syn::parse_file(&text)?))
}

/// The case with the harness, as a program of one file that fails as long as the fault exists.
pub fn program(case: &Case, failure: &Failure) -> String {
    let call = match failure.setting {
        n if n >= 1000 => format!("harness::Setting::on_device(&CASE, {})", n - 1000),
        n => format!("harness::Setting::of(&CASE, {n})"),
    };
    let run = match failure.kind.as_str() {
        "bits" => format!("harness::same_bits(&CASE, &setting, {})", failure.setting),
        _ => "harness::run(&CASE, &setting)".to_owned(),
    };
    let said: String = failure.text.lines().map(|line| format!("//! {line}\n")).collect();
    let harness: String =
        HARNESS.lines().filter(|l| !l.starts_with("//!") && !l.starts_with("#![")).map(|l| format!("{l}\n")).collect();
    format!(
        "//! Seed {}, {}: {}\n//!\n{said}#![allow(warnings, arithmetic_overflow, unconditional_panic, overflowing_literals)]\n\n{}\n\nfn main() {{\n    let setting = {call};\n    println!(\"{{}}\", setting.text());\n    println!(\"{{}} scalars agree\", {run}.expect(\"op2 and the plain loops agree\"));\n}}\n\nmod harness {{\n{harness}}}\n",
        case.seed,
        failure.kind,
        failure.how,
        module(case),
    )
}

/// The device functions that kernels reach, and the constants that either name.
fn reached(case: &Case) -> (Vec<usize>, Vec<&Constant>) {
    let mut named: Vec<String> = case.loops.iter().flat_map(|l| names(&l.kernel)).collect();
    let mut functions = Vec::new();
    for (n, function) in case.functions.iter().enumerate().rev() {
        if named.contains(&function.item.sig.ident.to_string()) {
            named.extend(names(&function.item));
            functions.push(n);
        }
    }
    let types = case.dats.iter().map(|d| d.ty.to_string()).chain(case.globals.iter().map(|g| g.ty.to_string()));
    let lengths = types.into_iter().any(|ty| ty.contains("NVAR") || ty.contains("Nest"))
        || named.iter().any(|name| ["Nest", "Row"].contains(&&**name));
    let constants =
        case.constants.iter().filter(|c| named.contains(&c.name) || (lengths && c.name == "NVAR")).collect();
    (functions, constants)
}

/// The records that the case names.
fn records(case: &Case) -> String {
    let types = case.dats.iter().map(|d| d.ty.to_string()).chain(case.globals.iter().map(|g| g.ty.to_string()));
    let named = functions(case).into_iter().flat_map(names);
    Record::declarations(&types.chain(named).collect::<Vec<_>>().join(" "))
}

/// The kernels, and the device functions that they reach.
pub fn functions(case: &Case) -> Vec<&ItemFn> {
    let (reached, _) = reached(case);
    let called = reached.into_iter().map(|n| &case.functions[n].item);
    case.loops.iter().map(|l| &l.kernel).chain(called).collect()
}

/// The dats and globals that loops use.
fn used(case: &Case) -> (Vec<usize>, Vec<usize>) {
    let kinds = || case.loops.iter().flat_map(|l| l.args.iter().map(|a| &a.kind));
    let dat = |n: &usize| kinds().any(|kind| kind.dats().any(|at| at == *n));
    let global = |n: &usize| kinds().any(|k| matches!(k, Kind::Global(at, _) | Kind::Best(at, _) if at == n));
    ((0..case.dats.len()).filter(dat).collect(), (0..case.globals.len()).filter(global).collect())
}

/// The harness's function that makes the data: quarters where sums have to stay exact.
fn data(case: &Case, sum: bool) -> &'static str {
    if case.exact && sum { "quarters" } else { "samples" }
}

/// The initial values of a dat, or the entries of a map, as values of this type.
fn values(case: &Case, n: usize, ty: &str) -> String {
    let dat = &case.dats[n];
    let (_, size) = declared(dat.nodes);
    match dat.ty.row_of_map() {
        Some((index, _)) => format!("entries::<{ty}>({size}, {}, {n})", declared(index.node).1),
        None => format!("{}::<{ty}>({size}, {n})", data(case, is_sum(case, n))),
    }
}

/// The handle of a set in op2, and its size.
fn declared(nodes: bool) -> (&'static str, &'static str) {
    if nodes { ("on.nodes", "mesh.nodes") } else { ("on.edges", "mesh.edges") }
}

fn is_sum(case: &Case, n: usize) -> bool {
    let adds = |kind: &Kind| matches!(kind, Kind::Dat(at, Mode::Inc, ..) if *at == n);
    case.loops.iter().any(|l| l.args.iter().any(|a| adds(&a.kind)))
}

fn is_total(case: &Case, n: usize) -> bool {
    let adds = |kind: &Kind| matches!(kind, Kind::Global(at, Mode::Inc) if *at == n);
    case.loops.iter().any(|l| l.args.iter().any(|a| adds(&a.kind)))
}

fn best_type(greatest: bool, ty: &Ty, payload: &Ty) -> String {
    format!("{}<{ty}, {payload}>", if greatest { "ArgMax" } else { "ArgMin" })
}

fn by_op2(case: &Case) -> String {
    let (dats, globals) = used(case);
    let mut text = String::from("let on = Declared::new(op, mesh)?;");
    for &n in &dats {
        let Dat { name, nodes, ty } = &case.dats[n];
        let _ = match ty.row_of_map() {
            Some((index, arity)) => {
                let (word, entry) = if index.may_miss { ("opt_map", "Option<u32>") } else { ("map", "u32") };
                let (from, to) = (declared(*nodes).0, declared(index.node).0);
                let values = values(case, n, &format!("[{entry}; {arity}]"));
                write!(text, "let {name} = op.decl_{word}(\"{name}\", {from}, {to}, &{values})?;")
            }
            None => {
                let (set, values) = (declared(*nodes).0, values(case, n, &ty.to_string()));
                write!(text, "let {name} = op.decl_dat(\"{name}\", {set}, &{values})?;")
            }
        };
    }
    for &n in &globals {
        let global = &case.globals[n];
        let (name, ty) = (&global.name, &global.ty);
        match &global.best {
            None => {
                let _ = write!(
                    text,
                    "let {name} = op.decl_global(\"{name}\", {}::<{ty}>(1, {n})[0]);",
                    data(case, is_total(case, n))
                );
            }
            Some((greatest, payload)) => {
                let ty = best_type(*greatest, ty, payload);
                let _ = write!(text, "let {name} = op.decl_global(\"{name}\", <{ty}>::none());");
            }
        }
    }
    let loops: String = (0..case.loops.len()).map(|n| format!("op_par_loop!({})?;", loop_arguments(case, n))).collect();
    let loops = if case.chained { format!("op.chain(|op| {{ {loops} Ok(()) }})?;") } else { loops };
    let _ = write!(text, "for round in 0..2 {{ mesh.round(op, round)?; {loops} }} let mut left = Left::default();");
    for &n in &dats {
        let Dat { name, ty, .. } = &case.dats[n];
        let fetch = match ty.row_of_map() {
            Some((index, _)) if index.may_miss => "fetch_opt_map",
            Some(_) => "fetch_map",
            None => "fetch",
        };
        let _ = write!(text, "left.dat(\"{name}\", &op.{fetch}({name})?);");
    }
    for &n in &globals {
        let (name, word) = (&case.globals[n].name, if case.globals[n].best.is_some() { "best" } else { "global" });
        let value = if word == "best" { format!("op.get({name})?.best()") } else { format!("&op.get({name})?") };
        let _ = write!(text, "left.{word}(\"{name}\", {value});");
    }
    text.push_str("Ok(left)");
    text
}
