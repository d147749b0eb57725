//! Prints a case as Rust: the functions, the loops of op2, and the same loops by hand.

use std::fmt::Write;

use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use syn::ItemFn;

use crate::case::Record;
use crate::case::{Arg, Case, Constant, Kind, Mode, Over, Scalar, Ty, Via};
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
    let entry = |via: &Via| match via {
        Via::Direct => String::new(),
        Via::One(map, at, false) => format!("on.{}[{at}]", map.name),
        Via::One(map, at, true) => format!("on.{}[mesh.entry({at})]", map.name),
        Via::All(map) | Via::Row(map) => format!("on.{}[..]", map.name),
        Via::End(to) => (if *to { "to" } else { "from" }).to_owned(),
    };
    match &arg.kind {
        Kind::Dat(at, mode, via, flag) => {
            let (word, name, entry) = (mode.word(), &case.dats[*at].name, entry(via));
            let comma = if entry.is_empty() { "" } else { ", " };
            let plain = format!("{word}({name}{comma}{entry})");
            flag.map_or(plain.clone(), |flag| format!("opt(mesh.flag({flag}), {plain})"))
        }
        Kind::Global(at, mode) => format!("gbl_{}({})", mode.word(), case.globals[*at].name),
        Kind::Best(at, greatest) => {
            format!("gbl_{}({})", if *greatest { "max" } else { "min" }, case.globals[*at].name)
        }
        Kind::Index(via, _) => format!("idx({})", entry(via)),
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
        by_hand(case),
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
    let dat = |n: &usize| kinds().any(|kind| matches!(kind, Kind::Dat(at, ..) if at == n));
    let global = |n: &usize| kinds().any(|k| matches!(k, Kind::Global(at, _) | Kind::Best(at, _) if at == n));
    ((0..case.dats.len()).filter(dat).collect(), (0..case.globals.len()).filter(global).collect())
}

/// The harness's function that makes the data: quarters where sums have to stay exact.
fn data(case: &Case, sum: bool) -> &'static str {
    if case.exact && sum { "quarters" } else { "samples" }
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
        let dat = &case.dats[n];
        let (set, size) = if dat.nodes { ("on.nodes", "mesh.nodes") } else { ("on.edges", "mesh.edges") };
        let (name, ty) = (&dat.name, &dat.ty);
        let _ = write!(
            text,
            "let {name} = op.decl_dat(\"{name}\", {set}, &{}::<{ty}>({size}, {n}))?;",
            data(case, is_sum(case, n))
        );
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
        let name = &case.dats[n].name;
        let _ = write!(text, "left.dat(\"{name}\", &op.fetch({name})?);");
    }
    for &n in &globals {
        let (name, word) = (&case.globals[n].name, if case.globals[n].best.is_some() { "best" } else { "global" });
        let value = if word == "best" { format!("op.get({name})?.best()") } else { format!("&op.get({name})?") };
        let _ = write!(text, "left.{word}(\"{name}\", {value});");
    }
    text.push_str("Ok(left)");
    text
}

fn by_hand(case: &Case) -> String {
    let (dats, globals) = used(case);
    let mut text = String::new();
    for &n in &dats {
        let dat = &case.dats[n];
        let size = if dat.nodes { "mesh.nodes" } else { "mesh.edges" };
        let (name, ty) = (&dat.name, &dat.ty);
        let _ = write!(text, "let mut {name} = Summed::dat({}::<{ty}>({size}, {n}));", data(case, is_sum(case, n)));
    }
    for &n in &globals {
        let global = &case.globals[n];
        let (name, ty) = (&global.name, &global.ty);
        let _ = match &global.best {
            None => write!(text, "let mut {name} = Summed::dat({}::<{ty}>(1, {n}));", data(case, is_total(case, n))),
            Some((greatest, payload)) => {
                write!(text, "let mut {name} = <{}>::none();", best_type(*greatest, ty, payload))
            }
        };
    }
    text.push_str("for _ in 0..2 {");
    for each in &case.loops {
        let (bound, over) = match each.over {
            Over::Edges => ("e", "0..mesh.edges"),
            Over::Some => ("e", "mesh.some.iter().copied()"),
            Over::Nodes => ("e", "0..mesh.nodes"),
            Over::Pairs(meeting, _) => ("(e, to, shift)", meeting.list),
        };
        let _ = write!(text, "for {bound} in {over} {{");
        let (mut pass, mut after) = (Vec::new(), String::new());
        for arg in &each.args {
            pass.push(element(case, arg, &mut text, &mut after));
        }
        let _ = write!(text, "{}({}); {after} }}", each.kernel.sig.ident, pass.join(", "));
    }
    text.push_str("} let mut left = Left::default();");
    for &n in &dats {
        let name = &case.dats[n].name;
        let _ = write!(text, "left.summed(\"{name}\", &{name});");
    }
    for &n in &globals {
        let name = &case.globals[n].name;
        let _ = match case.globals[n].best {
            None => write!(text, "left.summed(\"{name}\", &{name});"),
            Some(_) => write!(text, "left.best(\"{name}\", {name}.best());"),
        };
    }
    text.push_str("left");
    text
}

/// The argument of a call. Appends code before and after the call to `before` and `after`.
fn element(case: &Case, arg: &Arg, before: &mut String, after: &mut String) -> String {
    let name = &arg.name;
    let target = |via: &Via| match via {
        Via::Direct | Via::End(false) => vec!["e".to_owned()],
        Via::End(true) => vec!["to".to_owned()],
        Via::One(map, at, _) if map.optional => vec![format!("mesh.{}[e][{at}]", map.name)],
        Via::All(map) if map.optional => (0..map.arity).map(|at| format!("mesh.{}[e][{at}]", map.name)).collect(),
        Via::One(map, at, _) => vec![format!("mesh.{}[e][{at}] as usize", map.name)],
        Via::All(map) => (0..map.arity).map(|at| format!("mesh.{}[e][{at}] as usize", map.name)).collect(),
        // As many as the element has.
        Via::Row(_) => Vec::new(),
    };
    match &arg.kind {
        Kind::Index(via, s) if via.may_miss() => format!("{}.map(|t| t as {})", target(via)[0], s.name()),
        Kind::Index(via, s) => match s {
            Scalar::Usize => format!("({})", target(via)[0]),
            s => format!("({}) as {}", target(via)[0], s.name()),
        },
        Kind::Shift => "shift".to_owned(),
        Kind::Best(at, _) => format!("&mut {}", case.globals[*at].name),
        Kind::Global(at, Mode::Read) => format!("&{}.values[0]", case.globals[*at].name),
        Kind::Global(at, mode) => {
            let global = &case.globals[*at];
            let _ = write!(before, "let mut {name} = neutral::<{}>(By::{mode:?});", global.ty);
            let _ = write!(after, "{}.combine(By::{mode:?}, 0, {name});", global.name);
            format!("&mut {name}")
        }
        Kind::Dat(at, mode, Via::Row(map), flag) => {
            let (dat, row) = (&case.dats[*at], format!("mesh.{}[e]", map.name));
            let start = match mode.combines() {
                true => format!("neutral::<{}>(By::{mode:?})", dat.ty),
                false => format!("{}.values[*t as usize]", dat.name),
            };
            let _ = write!(before, "let mut {name}: Vec<{}> = {row}.iter().map(|t| {start}).collect();", dat.ty);
            let back = match mode {
                Mode::Read => String::new(),
                mode if mode.combines() => format!("{}.combine(By::{mode:?}, *t as usize, *value);", dat.name),
                _ => format!("{}.values[*t as usize] = *value;", dat.name),
            };
            if !back.is_empty() {
                let there = flag.map_or(String::new(), |flag| format!("if mesh.flag({flag})"));
                let _ = write!(after, "{there} {{ for (t, value) in {row}.iter().zip(&{name}) {{ {back} }} }}");
            }
            let passed = match mode {
                Mode::Read => format!("&*op2::Row::of(&mut {name})"),
                _ => format!("&mut *op2::Row::of(&mut {name})"),
            };
            flag.map_or(passed.clone(), |flag| format!("mesh.flag({flag}).then_some({passed})"))
        }
        Kind::Dat(at, mode, via, flag) => {
            let (dat, targets) = (&case.dats[*at], target(via));
            let all = matches!(via, Via::All(_));
            if via.may_miss() {
                return missing(case, arg, &targets, before, after);
            }
            let passed = match (mode, all) {
                (Mode::Read, false) => format!("&{}.values[{}]", dat.name, targets[0]),
                (Mode::Read, true) => {
                    let items: Vec<_> = targets.iter().map(|t| format!("&{}.values[{t}]", dat.name)).collect();
                    format!("[{}]", items.join(", "))
                }
                _ => {
                    let first = |target: &String| match mode.combines() {
                        true => format!("neutral::<{}>(By::{mode:?})", dat.ty),
                        false => format!("{}.values[{target}]", dat.name),
                    };
                    // An absent argument changes nothing, not even the bits of a NaN.
                    let there = flag.map_or(String::new(), |flag| format!("if mesh.flag({flag}) "));
                    let back = |target: &String, value: String| match mode.combines() {
                        true => format!("{there}{{ {}.combine(By::{mode:?}, {target}, {value}); }}", dat.name),
                        false => format!("{there}{{ {}.values[{target}] = {value}; }}", dat.name),
                    };
                    if all {
                        let items: Vec<_> = targets.iter().map(first).collect();
                        let _ = write!(before, "let mut {name} = [{}];", items.join(", "));
                        targets.iter().enumerate().for_each(|(n, t)| after.push_str(&back(t, format!("{name}[{n}]"))));
                        format!("{name}.each_mut()")
                    } else {
                        let _ = write!(before, "let mut {name} = {};", first(&targets[0]));
                        after.push_str(&back(&targets[0], name.clone()));
                        format!("&mut {name}")
                    }
                }
            };
            flag.map_or(passed.clone(), |flag| format!("mesh.flag({flag}).then_some({passed})"))
        }
    }
}

/// The argument of a dat whose targets, options, may be missing.
fn missing(case: &Case, arg: &Arg, targets: &[String], before: &mut String, after: &mut String) -> String {
    let Kind::Dat(at, mode, via, flag) = &arg.kind else { unreachable!("it is a dat") };
    let (dat, name) = (&case.dats[*at], &arg.name);
    let all = matches!(via, Via::All(_));
    let list = |items: Vec<String>| if all { format!("[{}]", items.join(", ")) } else { items[0].clone() };
    let there = flag.map_or("true".to_owned(), |flag| format!("mesh.flag({flag})"));
    let targets: Vec<String> = targets.iter().map(|t| format!("{t}.filter(|_| {there})")).collect();
    match mode {
        Mode::Read => list(targets.iter().map(|t| format!("{t}.map(|t| &{}.values[t as usize])", dat.name)).collect()),
        Mode::Rw | Mode::Write => {
            let target = &targets[0];
            let _ = write!(before, "let mut {name} = {target}.map(|t| {}.values[t as usize]);", dat.name);
            let _ = write!(
                after,
                "if let (Some(t), Some(value)) = ({target}, {name}) {{ {}.values[t as usize] = value; }}",
                dat.name
            );
            format!("{name}.as_mut()")
        }
        _ => {
            let neutral = format!("neutral::<{}>(By::{mode:?})", dat.ty);
            let _ = write!(before, "let mut {name} = {};", list(vec![neutral; targets.len()]));
            for (n, target) in targets.iter().enumerate() {
                let value = if all { format!("{name}[{n}]") } else { name.clone() };
                let _ = write!(
                    after,
                    "if let Some(t) = {target} {{ {}.combine(By::{mode:?}, t as usize, {value}); }}",
                    dat.name
                );
            }
            let passed = if all { format!("{name}.each_mut()") } else { format!("&mut {name}") };
            // The flag alone tells whether contributions are asked for.
            flag.map_or(passed.clone(), |_| format!("{there}.then_some({passed})"))
        }
    }
}
