//! Sizes of sets are no part of the code of loops for a GPU: growth compiles nothing. A process of its own writes the text of each loop to
//! a folder before it is compiled.

use op2::{Backend, Config, Idx, Layout, Op2, Row, Strategy, Table, op_par_loop};
use std::collections::BTreeMap;
use std::env;
use std::process::Command;

op2::sets! { Edges, Nodes }

/// Names the folder.
const DUMP: &str = "OP2_CUDA_DUMP";

#[op2::kernel]
fn halve(x: [&[f64; 2]; 2], new: &mut Row<[f64; 2]>) {
    for k in 0..new.len() {
        for c in 0..2 {
            new[k][c] = 0.5 * (x[0][c] + x[1][c]);
        }
    }
}

#[op2::kernel]
fn divide(kids: &mut Row<[Idx<Nodes>; 2]>, ends: &mut [Idx<Nodes>; 2], born: &Row<Idx<Nodes>>) {
    for k in 0..kids.len() {
        kids[k] = [born[k], ends[1]];
        ends[1] = born[k];
    }
}

#[op2::kernel]
fn spread(x: [&[f64; 2]; 2], sum: [&mut f64; 2]) {
    *sum[0] += x[1][0];
    *sum[1] += x[0][1];
}

#[op2::kernel]
fn look(ends: &[Idx<Nodes>; 2], x: &Table<Nodes, [f64; 2]>, length: &mut f64) {
    *length = x.at(ends[0])[0] - x.at(ends[1])[0];
}

/// Three growths, each beyond the room that there is.
fn grown() -> op2::Result<()> {
    let config = Config::default().backend(Backend::CudaEmu).layout(Layout::Soa).strategy(Strategy::blocks(64));
    let mut op = Op2::with(config)?;
    let (edges, nodes) = (op.decl_set::<Edges>("edges", 100)?, op.decl_set::<Nodes>("nodes", 101)?);
    let rows: Vec<[u32; 2]> = (0..100).map(|e| [e, e + 1]).collect();
    let ends = op.decl_map("ends", edges, nodes, &rows)?;
    let x = op.decl_dat_filled("x", nodes, [1.0, 2.0])?;
    let (sum, length) = (op.decl_dat_filled("sum", nodes, 0.0)?, op.decl_dat_filled("length", edges, 0.0)?);
    let one = op.decl_dat_filled("one", edges, 1_u32)?;
    let (born, kids) = (op.decl_children("born", edges, nodes)?, op.decl_children("kids", edges, edges)?);
    let old = op.decl_subset::<_, u32>("old", edges, &[])?;
    for _ in 0..3 {
        op.select(old, one)?;
        op.grow(born, one)?;
        op_par_loop!(op, halve, edges, read(x, ends[..]), write(x, born[..]))?;
        op.grow(kids, one)?;
        op_par_loop!(op, divide, old, write(ends, kids[..]), rw(ends), read(born))?;
        op_par_loop!(op, spread, edges, read(x, ends[..]), inc(sum, ends[..]))?;
        op_par_loop!(op, look, edges, read(ends), read(x, all), write(length))?;
    }
    assert_eq!((op.size(edges)?, op.size(nodes)?), (800, 801));
    assert_eq!(op.fetch(sum)?[801 - 400..], [3.0; 400]);
    Ok(())
}

#[test]
fn growth_compiles_nothing() {
    if env::var_os(DUMP).is_some() {
        return grown().unwrap();
    }
    if !op2_test_support::has_cxx() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let mut process = Command::new(env::current_exe().unwrap());
    let output = process.args(["growth_compiles_nothing", "--exact"]).env(DUMP, folder.path()).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
    let mut texts: BTreeMap<String, usize> = BTreeMap::new();
    for file in std::fs::read_dir(folder.path()).unwrap() {
        let name = file.unwrap().file_name().into_string().unwrap();
        *texts.entry(name.split('-').next().unwrap().to_owned()).or_default() += 1;
    }
    // Four loops, and the kernels between them.
    let names = ["between", "divide", "halve", "look", "spread"];
    assert_eq!(texts, BTreeMap::from(names.map(|name| (name.to_owned(), 1))), "one text for all sizes");
}
