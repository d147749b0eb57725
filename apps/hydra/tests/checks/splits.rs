//! The shared memory that the heavy loops take when split, as the run time dumps it.

use hydra::solver::{Flow, Settings};
use op2_apps::flags::Backend;
use serde_json::Value;
use std::collections::BTreeSet;
use std::process::Command;
use std::{env, fs};

/// Bytes of shared memory per edge of the widest stage, if no two edges of a block share a node: all at once, then
/// with one contribution stage and more. Both ends of an edge get one contribution, or one of them its opposite, so that blocks store it once.
const WIDEST: [(&str, &[u64]); 4] = [
    ("accu", &[472, 264, 208]),
    ("edgecon", &[336, 144, 144]),
    ("vflux", &[760, 712, 632, 536]),
    ("iflux", &[280, 232, 136, 96]),
];
/// Names the process that runs the loops: the variable that asks for the accounts is for all of a process.
const WITHIN: &str = "HYDRA_ACCOUNTS_WITHIN";

#[test]
fn stages_take_less_shared_memory() {
    let mesh = crate::images::passage(crate::images::SHAPES[0]);
    if env::var_os(WITHIN).is_some() {
        let mut flow = Flow::<f64>::new(&mesh, &Settings { backend: Backend::CudaEmu, ..Settings::default() }).unwrap();
        flow.prepare().unwrap();
        flow.fluxes(1.0).unwrap();
        return;
    }
    if !op2_test_support::has_cxx() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let status = Command::new(env::current_exe().unwrap())
        .args(["--exact", "splits::stages_take_less_shared_memory"])
        .envs([(WITHIN, "1".as_ref()), ("OP2_FORMS_DUMP", folder.path().as_os_str())])
        .status()
        .unwrap();
    assert!(status.success());
    let accounts: Vec<Value> = fs::read_dir(folder.path())
        .unwrap()
        .map(|file| serde_json::from_slice(&fs::read(file.unwrap().path()).unwrap()).unwrap())
        .collect();
    for (kernel, widest) in WIDEST {
        let account = accounts.iter().find(|a| a["kernel"] == kernel).expect("the loop ran");
        let forms = account["forms"].as_array().unwrap();
        let bytes: Vec<u64> = forms.iter().map(|form| form["bytes_per_element"].as_u64().unwrap()).collect();
        assert_eq!(bytes, widest, "{kernel}");
        let shared = |form: &Value| -> Vec<u64> {
            form["shared"].as_array().unwrap().iter().map(|pair| pair[1].as_u64().unwrap()).collect()
        };
        let all: Vec<Vec<u64>> = forms.iter().map(shared).collect();
        assert!(all.iter().all(|form| form.len() == 32), "{kernel}");
        assert!(all[1..].iter().all(|form| form.iter().zip(&all[0]).all(|(less, more)| less < more)), "{kernel}");
    }
    let edgecon = accounts.iter().find(|a| a["kernel"] == "edgecon").expect("the loop ran");
    bytes_are_accounted_for(edgecon, &mesh.edge_nodes);
    waits_are_accounted_for(edgecon, &mesh.edge_nodes);
    operations_are_accounted_for(edgecon, mesh.edge_nodes.len());
    blocks_grow(accounts.iter().find(|a| a["kernel"] == "accu").expect("the loop ran"));
}

/// The largest blocks that fit into 48 KB, where edges share nothing and on the mesh: one stage doubles them there.
fn blocks_grow(account: &Value) {
    const MEMORY: u64 = 48 * 1024;
    let unshared = |form: &Value| MEMORY / form["bytes_per_element"].as_u64().unwrap();
    let on_mesh = |form: &Value| {
        let sizes = form["shared"].as_array().unwrap().iter().map(|pair| [0, 1].map(|k| pair[k].as_u64().unwrap()));
        sizes.take_while(|[_, bytes]| *bytes <= MEMORY).last().map_or(0, |[size, _]| size)
    };
    let [whole, in_stages] = [0, 1].map(|form| [unshared(&account["forms"][form]), on_mesh(&account["forms"][form])]);
    assert_eq!((whole, in_stages), ([104, 160], [186, 320]), "{}", account["kernel"]);
}

/// The bytes of `edgecon` in coloured blocks of every size, counted here by what an edge and a node have: of a node rows of 24 and 48
/// bytes are read, and rows of 144 and 48 are read and written; of an edge 24 bytes are read.
fn bytes_are_accounted_for(account: &Value, edge_nodes: &[[u32; 2]]) {
    let edges = edge_nodes.len() as f64;
    for Coloured { gathers, size, forms: [at_once, in_one_stage] } in coloured(account) {
        let [nodes, most] = reached(edge_nodes, size);
        // A node has two numbers of 16 bits in the lists of contributions, of which each edge has two.
        let sums = 2.0 * (2.0 * nodes + 2.0 * edges);
        // Each of the rows that are staged has its list, which all blocks load as if they were the largest. Who gathers has the entries
        // once, in 16 bits.
        let blocks = edge_nodes.len().div_ceil(size) as f64;
        let staged = 4.0 * blocks * most + 2.0 * 2.0 * edges;
        let (lists, cached) = if gathers { (2.0 * 2.0 * edges, 0.0) } else { (staged, staged) };
        // A thread stores rows of 48 bytes in three instructions, and each touches a sector for every row.
        let cached = cached + nodes * (3.0 * 32.0 - 48.0);
        let rows = |size: usize| {
            let of = |bytes| bytes_of_sectors(edge_nodes, size, bytes);
            of(24) + of(48) + 2.0 * (of(144) + of(48))
        };
        let different = rows(edge_nodes.len());
        let bytes = lists + sums + 24.0 * edges + different;
        let again = rows(size) - different;
        // Between stages, both contributions of an edge are written and read.
        for (variant, kept) in [(at_once, 0.0), (in_one_stage, 384.0 * edges)] {
            let found = ["bytes", "cached", "again"].map(|field| variant["works"][0][field].as_f64().unwrap());
            assert_eq!(found, [bytes + kept, cached + kept, again], "{}", variant["scheme"]);
        }
    }
}

/// The bytes that blocks of `size` edges load, if a node has a row of `bytes` bytes, and a block loads a sector of 32 bytes once.
fn bytes_of_sectors(edge_nodes: &[[u32; 2]], size: usize, bytes: u32) -> f64 {
    let sectors = |block: &[[u32; 2]]| {
        let nodes = block.as_flattened().iter();
        nodes.flat_map(|node| node * bytes / 32..=(node * bytes + bytes - 1) / 32).collect::<BTreeSet<_>>().len()
    };
    32.0 * edge_nodes.chunks(size).map(sectors).sum::<usize>() as f64
}

/// How often a block of `edgecon` waits, in every size: for its number, for lists or entries, for rows and data of its own. Then a thread has the
/// old values of a target, of which three words come at once: threads share out the nine of one row, and the other has three.
fn waits_are_accounted_for(account: &Value, edge_nodes: &[[u32; 2]]) {
    for Coloured { gathers, size, forms } in coloured(account) {
        let blocks = edge_nodes.len().div_ceil(size) as f64;
        let of_threads = reached(edge_nodes, size)[0] / blocks / size as f64;
        let old = (3.0 * of_threads).ceil() + of_threads.ceil();
        // Each of two dats is updated by lists of its own, for which those wait that stage; and all threads meet before they read.
        let expected = if gathers { [[3.0, old, 1.0], [3.0, old, 2.0]] } else { [[3.0, old, 2.0], [5.0, old, 5.0]] };
        for (variant, expected) in forms.into_iter().zip(expected) {
            let waits = &variant["works"][0]["waits"];
            let found = ["memory", "cache", "barriers"].map(|field| waits[field].as_f64().unwrap());
            assert_eq!(found, expected, "{}", variant["scheme"]);
        }
    }
}

/// Threads, blocks, and the operations of `edgecon`, which are on doubles.
fn operations_are_accounted_for(account: &Value, edges: usize) {
    let coloured = coloured(account);
    let all = coloured.iter().flat_map(|of| of.forms.iter().enumerate().map(|form| (of.gathers, form)));
    for (gathers, (form, variant)) in all {
        let (form, work) = (&account["forms"][form], &variant["works"][0]);
        let (operations, size) = (form["flops"].as_f64().unwrap() * edges as f64, variant["size"].as_u64().unwrap());
        let found = ["threads", "blocks"].map(|field| work[field].as_u64().unwrap());
        assert_eq!(found, [size, (edges as u64).div_ceil(size)]);
        assert_eq!((work["doubles"].as_f64(), work["singles"].as_f64()), (Some(operations), Some(0.0)));
        let memory = form["shared"].as_array().unwrap().iter().find(|other| other[0] == size).unwrap();
        // In stages, the widest one may be that in which contributions are summed.
        match gathers {
            false => assert_eq!(work["shared"], memory[1]),
            true => assert!(work["shared"].as_u64() <= memory[1].as_u64()),
        }
    }
}

/// Variants in coloured blocks of one size.
struct Coloured<'a> {
    /// Whether threads gather what they read; else blocks stage it.
    gathers: bool,
    size: usize,
    /// All at once, and with one contribution stage.
    forms: [&'a Value; 2],
}

/// Those of every size, which read in either way.
fn coloured(account: &Value) -> Vec<Coloured<'_>> {
    let of = |stages: u64| {
        let all = account["variants"].as_array().unwrap().iter();
        all.filter(move |variant| variant["resolution"] == "blocks" && variant["stages"] == stages)
    };
    let alike = |[a, b]: [&Value; 2]| ["size", "reads"].iter().all(|field| a[*field] == b[*field]);
    let both: Vec<_> = of(0).zip(of(1)).map(|(at_once, in_one_stage)| [at_once, in_one_stage]).collect();
    assert!(both.len() == 10 && both.iter().all(|both| alike(*both)));
    let gathers = |forms: &[&Value; 2]| forms[0]["reads"] == "Gathered";
    let size = |forms: &[&Value; 2]| forms[0]["size"].as_u64().unwrap() as usize;
    both.into_iter().map(|forms| Coloured { gathers: gathers(&forms), size: size(&forms), forms }).collect()
}

/// The number of nodes that a block of `size` edges reaches: summed over all blocks, and the most.
fn reached(edge_nodes: &[[u32; 2]], size: usize) -> [f64; 2] {
    let nodes = |block: &[[u32; 2]]| block.as_flattened().iter().collect::<BTreeSet<_>>().len();
    let all: Vec<usize> = edge_nodes.chunks(size).map(nodes).collect();
    [all.iter().sum::<usize>(), *all.iter().max().unwrap()].map(|n| n as f64)
}
