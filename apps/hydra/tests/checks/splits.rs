//! What splitting the heavy loops leaves of the shared memory that they take, as the run time writes it down.

use crate::agree::emulator_runs;
use hydra::solver::{Flow, Settings};
use op2_apps::flags::Backend;
use serde_json::Value;
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
    if env::var_os(WITHIN).is_some() {
        let mesh = crate::images::passage(crate::images::SHAPES[0]);
        let mut flow = Flow::new(&mesh, &Settings { backend: Backend::CudaEmu, ..Settings::default() }).unwrap();
        flow.prepare().unwrap();
        flow.fluxes(1.0).unwrap();
        return;
    }
    if !emulator_runs() {
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
    let partition = |bytes: u64| 48 * 1024 / bytes;
    assert!(partition(288) >= 2 * partition(680), "one stage at least doubles the blocks of accu in 48 KB");
}
