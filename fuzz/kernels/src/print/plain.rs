//! The loops by hand: they gather, call the kernel itself and scatter.

use std::fmt::Write;

use super::{best_type, data, is_total, used, values};
use crate::case::{Arg, Case, Kind, MapOf, Mode, Over, Scalar, Ty, Via};

pub(super) fn by_hand(case: &Case) -> String {
    let (dats, globals) = used(case);
    let mut text = String::new();
    for &n in &dats {
        let (name, values) = (&case.dats[n].name, values(case, n, &case.dats[n].ty.to_string()));
        let _ = write!(text, "let mut {name} = Summed::dat({values});");
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
        let (mut pass, mut before, mut after) = (Vec::new(), String::new(), String::new());
        for arg in &each.args {
            pass.push(element(case, arg, &mut before, &mut after));
        }
        let (tables, name) = (tables(case, &each.args), &each.kernel.sig.ident);
        let _ = write!(text, "{tables} for {bound} in {over} {{ {before} {name}({}); {after} }}", pass.join(", "));
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

/// The tables of a loop, which changes nothing of them.
fn tables(case: &Case, args: &[Arg]) -> String {
    let mut text = String::new();
    for arg in args {
        if let Kind::Table(at, _) = arg.kind {
            let (dat, name) = (&case.dats[at], &arg.name);
            let kind = if dat.nodes { "Nodes" } else { "Edges" };
            let _ = write!(text, "let {name} = Table::<{kind}, {}>::of(&{}.values);", dat.ty, dat.name);
        }
    }
    text
}

/// The entries of an element's row, as numbers. Those of a map that kernels write are kept before the call changes them.
fn row(case: &Case, name: &str, map: &MapOf, before: &mut String) -> String {
    let Some(at) = map.dat else { return format!("mesh.{}[e]", map.name) };
    let (dat, kept) = (&case.dats[at], format!("row_{name}"));
    let values = match dat.ty {
        Ty::Index(_) => format!("[{}.values[e]]", dat.name),
        _ => format!("{}.values[e]", dat.name),
    };
    let numbers = if map.optional { "|t| t.map(number)" } else { "number" };
    let _ = write!(before, "let {kept} = {values}.map({numbers});");
    kept
}

/// The argument of a call. Appends code before and after the call to `before` and `after`.
fn element(case: &Case, arg: &Arg, before: &mut String, after: &mut String) -> String {
    let name = &arg.name;
    let mut target = |via: &Via| {
        let (map, entries) = match via {
            Via::Direct | Via::End(false) => return vec!["e".to_owned()],
            Via::End(true) => return vec!["to".to_owned()],
            // As many as the element has.
            Via::Row(_) => return Vec::new(),
            Via::One(map, at, _) => (map, *at..*at + 1),
            Via::All(map) => (map, 0..map.arity),
        };
        let (row, number) = (row(case, name, map, before), if map.optional { "" } else { " as usize" });
        entries.map(|at| format!("{row}[{at}]{number}")).collect()
    };
    let mut each = |via: &Via, one: &dyn Fn(&String) -> String| {
        let all: Vec<String> = target(via).iter().map(one).collect();
        if via.count().is_some() { format!("[{}]", all.join(", ")) } else { all[0].clone() }
    };
    match &arg.kind {
        Kind::Table(_, None) => format!("&{name}"),
        Kind::Table(_, Some(flag)) => format!("mesh.flag({flag}).then(|| &*{name})"),
        Kind::Members(map) => {
            let row = row(case, name, map, before);
            let _ = write!(before, "let mut {name}: Vec<_> = {row}.iter().map(|t| Idx::of(*t)).collect();");
            format!("&*op2::Row::of(&mut {name})")
        }
        Kind::Element(via) if via.may_miss() => each(via, &|at| format!("{at}.map(Idx::of)")),
        Kind::Element(via) => each(via, &|at| format!("Idx::of(({at}) as u32)")),
        Kind::Index(via, s) if via.may_miss() => each(via, &|at| format!("{at}.map(|t| t as {})", s.name())),
        Kind::Index(via, s) => each(via, &|at| match s {
            Scalar::Usize => format!("({at})"),
            s => format!("({at}) as {}", s.name()),
        }),
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
            let (dat, row) = (&case.dats[*at], row(case, name, map, before));
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
