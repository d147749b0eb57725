//! What splitting the heavy loops leaves of the shared memory that they take, as the run time writes it down.

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
        let mut flow = Flow::new(&mesh, &Settings { backend: Backend::CudaEmu, ..Settings::default() }).unwrap();
        flow.prepare().unwrap();
        flow.fluxes(1.0).unwrap();
        return;
    }
    if !op2_test_skips::has_cxx() {
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
    bytes_are_accounted_for(
        accounts.iter().find(|a| a["kernel"] == "edgecon").expect("the loop ran"),
        &mesh.edge_nodes,
    );
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
    let reached = |size: usize| -> f64 {
        let nodes = |block: &[[u32; 2]]| block.as_flattened().iter().collect::<BTreeSet<_>>().len();
        edge_nodes.chunks(size).map(nodes).sum::<usize>() as f64
    };
    for (at_once, in_one_stage) in work(0).zip(work(1)) {
        let nodes = reached(at_once[0].as_u64().unwrap() as usize);
        let lists = 4.0 * nodes + 4.0 * edges;
        let bytes = lists + (8.0 + 24.0) * edges + (72.0 + 2.0 * 192.0) * nodes;
        assert_eq!((at_once[1]["bytes"].as_f64(), at_once[1]["cached"].as_f64()), (Some(bytes), Some(lists)));
        // Both nodes' contributions are kept; each of two dats is updated by the lists of the block.
        let (kept, again) = (384.0 * edges, 384.0 * edges + 2.0 * lists);
        let found = (in_one_stage[1]["bytes"].as_f64(), in_one_stage[1]["cached"].as_f64());
        assert_eq!(found, (Some(bytes + kept), Some(again)));
    }
}
