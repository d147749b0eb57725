//! The shared memory that the heavy loops take when split, as the run time dumps it.

use hydra::solver::{Flow, Settings};
use op2_apps::flags::Backend;
use serde_json::Value;
use std::collections::BTreeSet;
use std::process::Command;
use std::{env, fs};

/// Bytes of shared memory per edge of the widest stage, if no two edges of a block share a node: all at once, then
/// with one contribution stage and more.
const WIDEST: [(&str, &[u64]); 4] = [
    ("accu", &[680, 288, 288]),
    ("edgecon", &[528, 288, 288]),
    ("vflux", &[808, 712, 632, 536]),
    ("iflux", &[328, 232, 136, 96]),
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

/// One stage at least doubles the largest block that fits into 48 KB, on the mesh as well as where edges share nothing.
fn blocks_grow(account: &Value) {
    const MEMORY: u64 = 48 * 1024;
    let unshared = |form: &Value| MEMORY / form["bytes_per_element"].as_u64().unwrap();
    let on_mesh = |form: &Value| {
        let sizes = form["shared"].as_array().unwrap().iter().map(|pair| [0, 1].map(|k| pair[k].as_u64().unwrap()));
        sizes.take_while(|[_, bytes]| *bytes <= MEMORY).last().map_or(0, |[size, _]| size)
    };
    let [whole, in_stages] = [0, 1].map(|form| [unshared(&account["forms"][form]), on_mesh(&account["forms"][form])]);
    for (before, after) in whole.into_iter().zip(in_stages) {
        assert!(before > 0 && after >= 2 * before, "{}: {whole:?} to {in_stages:?}", account["kernel"]);
    }
}

/// The bytes of `edgecon` in every size of blocks, counted here by what an edge and a node have: of a node 72 bytes are read and
/// 192 added to, of an edge 24 are read. An edge has a place in the order, a colour, and two places in shared memory.
fn bytes_are_accounted_for(account: &Value, edge_nodes: &[[u32; 2]]) {
    let edges = edge_nodes.len() as f64;
    let work = |form: usize| account["forms"][form]["work"].as_array().unwrap().iter();
    for (at_once, in_one_stage) in work(0).zip(work(1)) {
        let nodes = reached(edge_nodes, at_once[0].as_u64().unwrap() as usize);
        let lists = 4.0 * nodes + 4.0 * edges;
        let bytes = lists + (8.0 + 24.0) * edges + (72.0 + 2.0 * 192.0) * nodes;
        assert_eq!((at_once[1]["bytes"].as_f64(), at_once[1]["cached"].as_f64()), (Some(bytes), Some(lists)));
        // Both nodes' contributions are kept; each of two dats is updated by the lists of the block.
        let (kept, again) = (384.0 * edges, 384.0 * edges + 2.0 * lists);
        let found = (in_one_stage[1]["bytes"].as_f64(), in_one_stage[1]["cached"].as_f64());
        assert_eq!(found, (Some(bytes + kept), Some(again)));
    }
}

/// How often a block of `edgecon` waits, in every size. A thread has 64 bytes under way; a block waits for each thing that it needs
/// before it goes on: its description, places and colours, lists, rows of nodes, rows of edges, turns, and what is added to.
fn waits_are_accounted_for(account: &Value, edge_nodes: &[[u32; 2]]) {
    let edges = edge_nodes.len() as f64;
    let work = |form: usize| account["forms"][form]["work"].as_array().unwrap().iter();
    for (at_once, in_one_stage) in work(0).zip(work(1)) {
        let size = at_once[0].as_u64().unwrap() as usize;
        let nodes = reached(edge_nodes, size);
        // Sizes are whole warps, so that each element has a thread.
        let under_way = 64.0 * size as f64 * edge_nodes.len().div_ceil(size) as f64;
        let rounds = |bytes: f64| (bytes / under_way).ceil();
        let lists = rounds(4.0 * nodes + 4.0 * edges);
        let before = 1.0 + rounds(8.0 * edges) + lists + rounds(72.0 * nodes) + rounds(24.0 * edges);
        let back = 1.0 + lists + rounds(2.0 * 192.0 * nodes);
        assert_eq!(at_once[1]["waits"].as_f64(), Some(before + back), "{size}");
        // The gradients and the pseudo-Laplacians are updated one after the other, with turns and lists of their own.
        let updates = [144.0, 48.0].map(|row| 1.0 + lists + rounds(2.0 * row * nodes));
        let expected = before + rounds(384.0 * edges) + updates[0] + updates[1];
        assert_eq!(in_one_stage[1]["waits"].as_f64(), Some(expected), "{size}");
    }
}

/// Threads, blocks, and the operations of `edgecon`, which are on doubles.
fn operations_are_accounted_for(account: &Value, edges: usize) {
    for form in account["forms"].as_array().unwrap() {
        let operations = form["flops"].as_f64().unwrap() * edges as f64;
        for pair in form["work"].as_array().unwrap() {
            let (size, work) = (pair[0].as_u64().unwrap() as usize, &pair[1]);
            let found = ["threads", "blocks"].map(|field| work[field].as_u64().unwrap() as usize);
            assert_eq!(found, [size, edges.div_ceil(size)]);
            assert_eq!((work["doubles"].as_f64(), work["singles"].as_f64()), (Some(operations), Some(0.0)));
            let memory = form["shared"].as_array().unwrap().iter().find(|other| other[0] == pair[0]).unwrap();
            assert_eq!(work["shared"], memory[1]);
        }
    }
}

/// The number of nodes that a block of `size` edges reaches, summed over all blocks.
fn reached(edge_nodes: &[[u32; 2]], size: usize) -> f64 {
    let nodes = |block: &[[u32; 2]]| block.as_flattened().iter().collect::<BTreeSet<_>>().len();
    edge_nodes.chunks(size).map(nodes).sum::<usize>() as f64
}
