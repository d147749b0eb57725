//! Prints a program as Rust that can be committed as a test.

use crate::config::pin_text;
use crate::data;
use crate::kernels;
use crate::kinds::{Arg, DatKind, GlobalKind, MapKind, NONE, Slot, Tag, Way};
use crate::model::{Expect, Model};
use crate::step::{FOREIGN, Id, Loop, Program, Step};
use std::fmt::Write;

/// A program as Rust, with the results that it must have.
pub fn text(program: &Program) -> String {
    let mut names: Vec<&str> = program.steps.iter().flat_map(|s| s.loops()).map(|l| l.kind.template().name).collect();
    names.sort_unstable();
    names.dedup();
    let mut body = String::new();
    let mut model = Model::default();
    for step in &program.steps {
        line(&mut body, &mut model, step);
    }
    let other = if body.contains("other_") { foreign(&body) } else { String::new() };
    let setup = program.setup.text();
    let head = kernels::text_of(&names);
    let close = if body.contains("close(") { CLOSE } else { "" };
    format!(
        "use op2::prelude::*;\n\n{head}{close}#[test]\nfn a_sequence_of_calls() -> op2::Result<()> {{\n    FACTOR.set({:?})?;\n    \
         let mut op = Op2::with({setup})?;\n{other}{body}    Ok(())\n}}\n",
        crate::compute::FACTOR
    )
}

const CLOSE: &str = "fn close(found: &[f32], expected: &[f64]) {
    let most = expected.iter().fold(1.0, |most: f64, x| most.max(x.abs()));
    assert!(found.iter().zip(expected).all(|(a, b)| (f64::from(*a) - b).abs() <= 1e-3 * most), \"{found:?}, {expected:?}\");
}

";

/// Declarations of the foreign handles that occur in `body`.
fn foreign(body: &str) -> String {
    let mut out = "    let mut other = Op2::with(Config::default().backend(Backend::Seq))?;\n".to_owned();
    out.push_str("    let other_n = other.decl_set::<Nodes>(\"n\", 300)?;\n");
    out.push_str("    let other_e = other.decl_set::<Edges>(\"e\", 300)?;\n");
    let all = [
        ("other_sn", "decl_subset(\"s\", other_n, &[1, 0])?"),
        ("other_se", "decl_subset(\"s\", other_e, &[1, 0])?"),
        ("other_ends", "decl_map(\"m\", other_e, other_n, &[[0, 1]; 300])?"),
        ("other_corners", "decl_map(\"m\", other_e, other_n, &[[0, 1, 2]; 300])?"),
        ("other_back", "decl_map(\"m\", other_n, other_e, &[[0]; 300])?"),
        ("other_next", "decl_map(\"m\", other_n, other_n, &[[0]; 300])?"),
        ("other_near", "decl_opt_map::<_, _, u32, 2>(\"m\", other_n, other_n, &[[None; 2]; 300])?"),
        ("other_born", "decl_children(\"m\", other_n, other_e)?"),
        ("other_star", "decl_rows(\"m\", other_n, other_e, &[0_u32; 301], &[0_u32; 0])?"),
        ("other_ring", "decl_rows(\"m\", other_n, other_n, &[0_u32; 301], &[0_u32; 0])?"),
        ("other_homes", "decl_rows(\"m\", other_e, other_n, &[0_u32; 301], &[0_u32; 0])?"),
        ("other_node_float", "decl_dat_filled(\"d\", other_n, 0.0)?"),
        ("other_node_ints", "decl_dat_filled(\"d\", other_n, [0; 3])?"),
        ("other_node_pair", "decl_dat_filled(\"d\", other_n, [0.0; 2])?"),
        ("other_node_single", "decl_dat_filled(\"d\", other_n, 0.0f32)?"),
        ("other_node_count", "decl_dat_filled(\"d\", other_n, 0u32)?"),
        ("other_edge_float", "decl_dat_filled(\"d\", other_e, 0.0)?"),
        ("other_edge_words", "decl_dat_filled(\"d\", other_e, [0; 2])?"),
        ("other_edge_flag", "decl_dat_filled(\"d\", other_e, false)?"),
        ("other_float", "decl_global(\"g\", 0.0)"),
        ("other_int", "decl_global(\"g\", 0i64)"),
        ("other_pair", "decl_global(\"g\", [0.0; 2])"),
        ("other_least", "decl_global(\"g\", ArgMin::<f64, usize>::none())"),
        ("other_most", "decl_global(\"g\", ArgMax::<f64, u32>::none())"),
    ];
    for (name, call) in all.into_iter().filter(|(name, _)| body.contains(name)) {
        _ = writeln!(out, "    let {name} = other.{call};");
    }
    out
}

fn line(out: &mut String, model: &mut Model, step: &Step) {
    let before = model.clone();
    if let Step::Chain(loops) = step {
        let calls = loops.iter().filter_map(|one| {
            let expect = model.run(one);
            (expect != Expect::Skip).then(|| format!("        {}\n", answered(&expect, &call("chain", one, &expect))))
        });
        _ = write!(out, "    op.chain(|chain| {{\n{}        Ok(())\n    }})?;\n", calls.collect::<String>());
        return;
    }
    let expect = model.step(step);
    if expect == Expect::Skip {
        return;
    }
    let size = |set: Id| before.sets.get(&set).map_or(300, |set| set.size);
    let text = match *step {
        Step::DeclSet { tag, size, .. } => format!("op.decl_set::<{tag:?}>(\"{0}\", {size})", declared(step)),
        Step::DeclSubset { tag, set, seed, wrong, .. } => {
            let elements = data::elements(size(set), seed, wrong);
            format!("op.decl_subset::<{tag:?}, usize>(\"{}\", {}, &{elements:?})", declared(step), set_name(tag, set))
        }
        Step::DeclMap { kind, from, to, seed, wrong, .. } => {
            let rows = data::entries(kind, size(from), size(to), seed, wrong);
            let (f, t) = kind.tags();
            let (from, to, arity, rows) = (set_name(f, from), set_name(t, to), kind.arity(), entries(kind, &rows));
            let call = if kind == MapKind::Near { "decl_opt_map" } else { "decl_map" };
            format!("op.{call}::<{f:?}, {t:?}, usize, {arity}>(\"{}\", {from}, {to}, &{rows})", declared(step))
        }
        Step::SetMap { map, kind, seed, wrong } => {
            let sizes = before.maps.get(&map).map_or((300, 300), |m| (size(m.from), size(m.to)));
            let rows = data::entries(kind, sizes.0, sizes.1, seed, wrong);
            let ((f, t), arity, map) = (kind.tags(), kind.arity(), map_name(kind, map));
            let call = if kind == MapKind::Near { "set_opt_map" } else { "set_map" };
            match kind.has_rows() {
                true => format!("op.set_rows({map}, &[0_u32; {}], &[0_u32; 0])", rows.len() + 1),
                false => format!("op.{call}::<{f:?}, {t:?}, usize, {arity}>({map}, &{})", entries(kind, &rows)),
            }
        }
        Step::DeclDat { kind, set, seed, wrong, .. } => {
            let values = rows(kind, &data::values(kind, size(set), seed, wrong));
            let types = format!("{:?}, {}", kind.tag(), value_type(kind));
            format!("op.decl_dat::<{types}>(\"{}\", {}, &{values})", declared(step), set_name(kind.tag(), set))
        }
        Step::DeclFilled { kind, set, seed, .. } => {
            let value = row(kind, &data::values(kind, 1, seed, None));
            let types = format!("{:?}, {}", kind.tag(), value_type(kind));
            format!("op.decl_dat_filled::<{types}>(\"{}\", {}, {value})", declared(step), set_name(kind.tag(), set))
        }
        Step::DeclGlobal { kind, seed, .. } => {
            format!("op.decl_global(\"{}\", {})", declared(step), global(kind, &data::global(kind, seed)))
        }
        Step::SetData { dat, kind, seed, wrong } => {
            let set = before.dats.get(&dat).map_or(300, |dat| size(dat.set));
            let values = rows(kind, &data::values(kind, set, seed, wrong));
            format!("op.set_data({}, &{values})", dat_name(kind, dat))
        }
        Step::SetLayout { dat, kind, layout } => format!("op.set_layout({}, Layout::{layout:?})", dat_name(kind, dat)),
        Step::Fetch { dat, kind } => format!("op.fetch({})", dat_name(kind, dat)),
        Step::FetchInto { dat, kind, .. } if expect == Expect::Ok => {
            format!("op.fetch_into({}, &mut rows)", dat_name(kind, dat))
        }
        Step::FetchInto { dat, kind, wrong } => {
            let set = before.dats.get(&dat).map_or(300, |dat| size(dat.set));
            format!("op.fetch_into({}, &mut {})", dat_name(kind, dat), zeros(kind, data::rows(set, wrong)))
        }
        Step::Value { dat, kind, element } => format!("op.value({}, {element})", dat_name(kind, dat)),
        Step::SetValue { dat, kind, element, seed } => {
            let value = row(kind, &data::values(kind, 1, seed, None));
            format!("op.set_value({}, {element}, {value})", dat_name(kind, dat))
        }
        Step::Get { global, kind } => format!("op.get({})", global_name(kind, global)),
        Step::Set { global: of, kind, seed } => {
            format!("op.set({}, {})", global_name(kind, of), global(kind, &data::global(kind, seed)))
        }
        Step::Size { set, tag } => format!("op.size({})", set_name(tag, set)),
        Step::Pin { kind, pin } => format!("op.pin(\"{}\", {})", kind.template().name, pin_text(pin)),
        Step::Reorder { ordering } => format!("op.reorder(Ordering::{ordering:?})"),
        Step::ReorderBy { map, kind, ordering } => {
            format!("op.reorder_by({}, Ordering::{ordering:?})", map_name(kind, map))
        }
        Step::SetCoordinates { dat, kind } => format!("op.set_coordinates({})", dat_name(kind, dat)),
        Step::FetchMap { map, kind: MapKind::Near } => format!("op.fetch_opt_map({})", map_name(MapKind::Near, map)),
        Step::FetchMap { map, kind } if kind.has_rows() => format!("op.fetch_rows({})", map_name(kind, map)),
        Step::FetchMap { map, kind } => format!("op.fetch_map({})", map_name(kind, map)),
        Step::Fill { dat, kind, seed } => {
            format!("op.fill({}, {})", dat_name(kind, dat), row(kind, &data::values(kind, 1, seed, None)))
        }
        Step::Swap { a, b, kind } => format!("op.swap({}, {})", dat_name(kind, a), dat_name(kind, b)),
        Step::FillMap { map, kind, seed, wrong } => {
            let target = data::target(kind, before.maps.get(&map).map_or(300, |map| size(map.to)), seed, wrong);
            let target = if kind == MapKind::Near { format!("{:?}", given(&target)) } else { target.to_string() };
            format!("op.fill({}, {target})", map_name(kind, map))
        }
        Step::Invert { map, kind, .. } => format!("op.invert({})", map_name(kind, map)),
        Step::SwapMaps { a, b, kind } => format!("op.swap({}, {})", map_name(kind, a), map_name(kind, b)),
        Step::Select { subset, tag, flags } => {
            format!("op.select({}, {})", subset_name(tag, subset), dat_name(DatKind::flags(tag), flags))
        }
        Step::Scan { counts, into } => {
            let [counts, into] = [counts, into].map(|dat| dat_name(DatKind::NodeCount, dat));
            format!("op.scan({counts}, {into})")
        }
        Step::DeclChildren { from, to, .. } => {
            let (from, to) = (set_name(Tag::Nodes, from), set_name(Tag::Edges, to));
            format!("op.decl_children(\"{}\", {from}, {to})", declared(step))
        }
        Step::Grow { rows, counts } => {
            format!("op.grow({}, {})", map_name(MapKind::Born, rows), dat_name(DatKind::NodeCount, counts))
        }
        Step::Compact { set, tag, keep } => {
            format!("op.compact({}, {})", set_name(tag, set), dat_name(DatKind::flags(tag), keep))
        }
        Step::Loop(ref one) => call("op", one, &expect),
        Step::Plan(ref one) => call("op", one, &expect).replacen("op_par_loop!", "op_plan!", 1),
        Step::Chain(_) => String::new(),
    };
    let name = declared(step);
    let whole = match (step, &expect) {
        (Step::DeclGlobal { .. }, _) => format!("let {name} = {text};"),
        (_, Expect::Ok) if !name.is_empty() => format!("let {name} = {text}?;"),
        (Step::Fetch { dat, kind }, Expect::Ok) => compared(*kind, &format!("{text}?"), &before.dats[dat].values),
        (Step::FetchInto { dat, kind, .. }, Expect::Ok) => {
            let values = &before.dats[dat].values;
            let buffer = zeros(*kind, values.len() / kind.dim());
            format!("let mut rows = {buffer};\n    {text}?;\n    {}", compared(*kind, "rows", values))
        }
        (Step::Value { dat, kind, element }, Expect::Ok) => {
            let value = &before.dats[dat].values[element * kind.dim()..][..kind.dim()];
            compared(*kind, &format!("[{text}?]"), value)
        }
        (Step::FetchMap { map, kind }, Expect::Ok) => {
            let rows = &before.maps[map].rows;
            match rows.is_empty() {
                _ if kind.has_rows() => {
                    let starts: Vec<usize> = (0..=rows.len()).map(|n| rows[..n].iter().map(Vec::len).sum()).collect();
                    format!("assert_eq!({text}?, (vec!{starts:?}, vec!{:?}));", rows.concat())
                }
                true => format!("assert!({text}?.is_empty());"),
                false => format!("assert_eq!({text}?, {});", entries(*kind, rows)),
            }
        }
        (Step::Get { global: of, kind }, Expect::Ok) => {
            format!("assert_eq!({text}?, {});", global(*kind, &before.globals[of].1))
        }
        _ => answered(&expect, &text),
    };
    _ = writeln!(out, "    {whole}");
}

/// Compares rows with the values that they must have.
fn compared(kind: DatKind, found: &str, values: &[f64]) -> String {
    match kind {
        DatKind::NodeSingle => format!("close(&{found}, &{values:?});"),
        _ if values.is_empty() => format!("assert!({found}.is_empty());"),
        _ => format!("assert_eq!({found}, {});", rows(kind, values)),
    }
}

/// A buffer of zeros.
fn zeros(kind: DatKind, size: usize) -> String {
    format!("vec![{}; {size}]", row(kind, &vec![0.0; kind.dim()]))
}

fn answered(expect: &Expect, text: &str) -> String {
    match expect {
        Expect::Fails(_) => format!("assert!({text}.is_err());"),
        Expect::Either => format!("let _ = {text};"),
        _ => format!("{text}?;"),
    }
}

/// The name of the handle that a step declares.
fn declared(step: &Step) -> String {
    match *step {
        Step::DeclSet { id, tag, .. } => set_name(tag, id),
        Step::DeclSubset { id, tag, .. } => subset_name(tag, id),
        Step::DeclMap { id, kind, .. } => map_name(kind, id),
        Step::DeclChildren { id, .. } => map_name(MapKind::Born, id),
        Step::Invert { id, kind, .. } => map_name(kind.inverse(), id),
        Step::DeclDat { id, kind, .. } | Step::DeclFilled { id, kind, .. } => dat_name(kind, id),
        Step::DeclGlobal { id, kind, .. } => global_name(kind, id),
        _ => String::new(),
    }
}

fn named(letter: &str, id: Id, other: &str) -> String {
    if id == FOREIGN { format!("other_{other}") } else { format!("{letter}{id}") }
}

fn set_name(tag: Tag, id: Id) -> String {
    let letter = if tag == Tag::Nodes { "n" } else { "e" };
    named(letter, id, letter)
}

fn subset_name(tag: Tag, id: Id) -> String {
    named("s", id, if tag == Tag::Nodes { "sn" } else { "se" })
}

fn map_name(kind: MapKind, id: Id) -> String {
    named("m", id, &format!("{kind:?}").to_lowercase())
}

fn dat_name(kind: DatKind, id: Id) -> String {
    let other = match kind {
        DatKind::NodeFloat => "node_float",
        DatKind::NodeInts => "node_ints",
        DatKind::NodePair => "node_pair",
        DatKind::NodeSingle => "node_single",
        DatKind::NodeCount => "node_count",
        DatKind::EdgeFloat => "edge_float",
        DatKind::EdgeWords => "edge_words",
        DatKind::EdgeFlag => "edge_flag",
    };
    named("d", id, other)
}

fn global_name(kind: GlobalKind, id: Id) -> String {
    named("g", id, &format!("{kind:?}").to_lowercase())
}

/// The call of a loop. A call that op2 refuses gets new names for its handles, since the compiler would refuse it
/// otherwise.
fn call(op: &str, one: &Loop, expect: &Expect) -> String {
    let template = one.kind.template();
    let refused = matches!(expect, Expect::Fails(_));
    let handle = |n: usize| match template.slots[n] {
        Slot::Dat(kind) => dat_name(kind, one.slots[n]),
        Slot::Map(kind) => map_name(kind, one.slots[n]),
        Slot::Global(kind) => global_name(kind, one.slots[n]),
    };
    let slot = |n: usize| if refused { format!("h{n}") } else { handle(n) };
    let through = |way: Way| match way {
        Way::Direct => String::new(),
        Way::Entry(map, entry) => format!("{}[{entry}]", slot(map)),
        // The entry is computed at run time, since the compiler would refuse a constant one.
        Way::Computed(map) => format!("{}[[0, 1, 2][{}]]", slot(map), one.entry),
        Way::All(map) => format!("{}[..]", slot(map)),
    };
    let dat = |n: usize, access: crate::kinds::Access, way: Way| {
        let comma = if way == Way::Direct { "" } else { ", " };
        format!("{}({}{comma}{})", access.text(), slot(n), through(way))
    };
    let arg = |arg: &Arg| match *arg {
        Arg::Dat(n, access, way) => dat(n, access, way),
        Arg::Opt(flag, n, access, way) => format!("opt({}, {})", one.flags[flag], dat(n, access, way)),
        Arg::Global(n, access) => format!("gbl_{}({})", access.text(), slot(n)),
        Arg::Index(way) => format!("idx({})", through(way)),
        Arg::Element => "idx()".to_owned(),
        Arg::Table(n) => format!("read({}, all)", slot(n)),
    };
    let over = if one.subset { subset_name(template.over, one.over) } else { set_name(template.over, one.over) };
    let args: Vec<String> = template.args.iter().map(arg).collect();
    let call = format!("op_par_loop!({op}, {}, {over}, {})", template.name, args.join(", "));
    let anew: String = (0..template.slots.len()).map(|n| format!("let h{n} = {}; ", handle(n))).collect();
    if refused { format!("{{ {anew}{call} }}") } else { call }
}

/// Rows of a map.
fn entries(kind: MapKind, rows: &[Vec<usize>]) -> String {
    if kind != MapKind::Near {
        return format!("{rows:?}");
    }
    format!("{:?}", rows.iter().map(|row| row.iter().map(given).collect::<Vec<_>>()).collect::<Vec<_>>())
}

/// An entry that may be missing.
fn given(entry: &usize) -> Option<usize> {
    (*entry != NONE).then_some(*entry)
}

fn value_type(kind: DatKind) -> &'static str {
    match kind {
        DatKind::NodeFloat | DatKind::EdgeFloat => "f64",
        DatKind::NodeInts => "[i32; 3]",
        DatKind::NodePair => "[f64; 2]",
        DatKind::NodeSingle => "f32",
        DatKind::NodeCount => "u32",
        DatKind::EdgeWords => "[u64; 2]",
        DatKind::EdgeFlag => "bool",
    }
}

fn rows(kind: DatKind, values: &[f64]) -> String {
    let all: Vec<String> = values.chunks(kind.dim()).map(|values| row(kind, values)).collect();
    format!("[{}]", all.join(", "))
}

fn row(kind: DatKind, values: &[f64]) -> String {
    match kind {
        DatKind::NodeInts => format!("{:?}", values.iter().map(|x| *x as i64).collect::<Vec<_>>()),
        DatKind::EdgeWords => format!("{:?}", values.iter().map(|x| *x as u64).collect::<Vec<_>>()),
        DatKind::NodePair => format!("{values:?}").replace("inf", "f64::INFINITY"),
        DatKind::EdgeFlag => (values[0] != 0.0).to_string(),
        DatKind::NodeCount => (values[0] as u32).to_string(),
        DatKind::NodeSingle => format!("{:?}", values[0] as f32),
        _ => format!("{:?}", values[0]).replace("inf", "f64::INFINITY"),
    }
}

fn global(kind: GlobalKind, values: &[f64]) -> String {
    let best = |name: &str, types: &str| match values[0] != 0.0 {
        false => format!("{name}::<{types}>::none()"),
        true => {
            let (value, place) = (values[1], values[2] as u64);
            format!("{{ let mut best = {name}::<{types}>::none(); best.update({value:?}, {place}); best }}")
        }
    };
    match kind {
        GlobalKind::Float => format!("{:?}", values[0]),
        GlobalKind::Int => format!("{}i64", values[0] as i64),
        GlobalKind::Pair => format!("{values:?}"),
        GlobalKind::Least => best("ArgMin", "f64, usize"),
        GlobalKind::Most => best("ArgMax", "f64, u32"),
    }
}
