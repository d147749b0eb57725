//! The program as a user meets it: exit status, messages, and the files it leaves.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use clap::{CommandFactory as _, Parser as _};
use op2_test_support::outputs::Program;
use serde_json::Value;
use siac::cli::Cli;

fn program() -> Program {
    Program {
        path: env!("CARGO_BIN_EXE_siac"),
        command: Cli::command(),
        inputs: &["--input"],
        short: &["--backend", "seq", "--generate", "low", "40"],
    }
}

#[test]
fn files_are_written_whole_or_the_reason_is_told() {
    program().check_files();
}

#[test]
#[cfg(target_os = "linux")]
fn a_file_that_cannot_be_written_leaves_the_others() {
    program().check_that_one_failure_leaves_the_others();
}

#[test]
#[cfg(target_os = "linux")]
fn what_is_printed_arrives_or_the_program_fails() {
    program().check_streams();
}

#[test]
fn a_reader_that_goes_away_ends_the_run() {
    let program = Program { short: &["--backend", "seq"], ..program() };
    program.check_head(&["--generate", "low", "2000"]);
}

#[test]
fn the_help_names_every_option() {
    program().check_help();
}

#[test]
fn numbers_that_cannot_be_are_refused() {
    program().check_numbers();
}

/// Whatever writes is looked at before the run.
#[test]
fn every_option_that_writes_is_among_the_outputs() {
    for option in program().writing() {
        let cli = Cli::parse_from(["siac", &option, "out"]);
        let outputs: Vec<_> = cli.outputs().collect();
        assert_eq!(outputs, [(option.as_str(), Path::new("out"))]);
    }
}

fn siac(folder: &Path, args: &str) -> Output {
    Command::new(env!("CARGO_BIN_EXE_siac")).current_dir(folder).args(args.split_whitespace()).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// Runs in `folder`, expects success, returns standard output.
fn good(folder: &Path, args: &str) -> String {
    let output = siac(folder, args);
    assert!(output.status.success(), "{args}: {}", text(&output.stderr));
    assert_eq!(text(&output.stderr), "", "{args}");
    text(&output.stdout)
}

/// Runs in `folder`, expects `status` and a message with `said` in it, and nothing on standard output if it is bad input.
fn bad(folder: &Path, args: &str, status: i32, said: &str) {
    let output = siac(folder, args);
    let message = text(&output.stderr);
    assert_eq!(output.status.code(), Some(status), "{args}: {message}");
    assert!(message.starts_with("error: "), "{args}: {message}");
    assert!(message.contains(said), "{args}: expected `{said}`, found: {message}");
    assert!(status == 1 || output.stdout.is_empty(), "{args}: {}", text(&output.stdout));
}

fn names(folder: &Path) -> BTreeSet<String> {
    fs::read_dir(folder).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap()).collect()
}

fn numbers(folder: &Path, name: &str) -> Vec<f64> {
    fs::read_to_string(folder.join(name)).unwrap().lines().map(|line| line.parse().unwrap()).collect()
}

fn json(folder: &Path, name: &str) -> Value {
    serde_json::from_slice(&fs::read(folder.join(name)).unwrap()).unwrap()
}

#[test]
fn wrong_command_lines_end_with_status_2_and_a_reason() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("sub")).unwrap();
    for (args, said) in [
        ("--backend gpu", "invalid value 'gpu' for '--backend <BACKEND>'"),
        ("--backend seq --threads 2", "`--backend seq` runs on 1 thread, found `--threads 2`"),
        ("--backend cuda-emu --isa avx2", "`--isa avx2` is for `--backend threads` and `--backend seq`"),
        ("--isa sse9", "expected `scalar`, `baseline`, `avx2` or `avx512`, found `sse9`"),
        ("--generate low", "2 values required"),
        ("--generate lo 500", "`--generate` has the kind `lo`, expected `structured`, `low` or `high`"),
        ("--generate low 1", "`--generate low` has `1` triangles, expected a number from 2 to 10000000"),
        ("--generate low -5", "`--generate low` has `-5` triangles"),
        ("--generate low 1e3", "`--generate low` has `1e3` triangles"),
        ("--generate high 99999999999999999999999", "`99999999999999999999999` triangles, expected a number"),
        ("--degree 4", "4 is not in 1..=3"),
        ("--solution-degree 8", "8 is not in 0..=7"),
        ("--points 4", "invalid value '4' for '--points <N>'"),
        ("--h 0", "`--h` is 0, expected a finite number above 0"),
        ("--h inf", "`--h` is inf, expected a finite number above 0"),
        ("--h 1e-300", "the scale h of the filter is 1e-300, expected 1e-9 or more"),
        ("--h 1e300", "wide, 4 times h, expected at most 64 periods of the domain"),
        (
            "--generate low 40 --boundary one-sided",
            "and one-sided stencils have to lie in the unit square: refine the mesh",
        ),
        ("--method per-cell", "invalid value 'per-cell' for '--method <METHOD>'"),
        ("--method per-point --patches 4", "`--patches 4` is for `--method per-element` with `--backend threads`"),
        ("--backend seq --patches 4", "`--patches 4` is for `--method per-element` with `--backend threads`"),
        ("--patches 0", "0 is not in 1..="),
        ("--method per-point --devices 2", "`--devices 2` is for `--method per-element` with `--backend threads`"),
        ("--devices 0", "0 is not in 1..=1024"),
        ("--seed -1", "invalid value '-1' for '--seed <SEED>'"),
        ("--function cosines", "invalid value 'cosines' for '--function <NAME>'"),
        ("--input a.json --degree 2", "cannot be used with"),
        ("--input a.json --generate low 50", "cannot be used with"),
        ("--convergence --h 0.1", "cannot be used with"),
        ("--convergence --dump u", "cannot be used with"),
        ("--input none.json", "cannot read `none.json`: No such file"),
        ("--input sub", "cannot read `sub`: it is a folder"),
        ("--report none/r.json", "cannot write `none/r.json`: folder `none`"),
        ("--dump sub", "cannot write `sub`: it is a folder"),
        ("--plot a --vtk ./a", "`--vtk` and `--plot` both name `./a`"),
    ] {
        bad(folder.path(), args, 2, said);
        assert_eq!(names(folder.path()), BTreeSet::from(["sub".into()]), "{args}");
    }
}

/// Writes a small mesh, changes it by `change`, and expects that it is refused.
fn bad_input(change: impl Fn(&mut Value), args: &str, said: &str) {
    let folder = tempfile::tempdir().unwrap();
    good(folder.path(), "--generate structured 18 --write-input in.json");
    let mut task = json(folder.path(), "in.json");
    change(&mut task);
    fs::write(folder.path().join("in.json"), task.to_string()).unwrap();
    fs::write(folder.path().join("u"), "precious").unwrap();
    bad(folder.path(), &format!("--input in.json --dump u {args}"), 2, said);
    assert_eq!(fs::read_to_string(folder.path().join("u")).unwrap(), "precious", "{said}");
}

#[test]
fn bad_input_is_refused_by_name() {
    bad_input(|task| drop(task["tri"].as_array_mut().unwrap().pop()), "", "`coef` has 18 entries, expected 17");
    let hole = |task: &mut Value| {
        for key in ["tri", "coef"] {
            task[key].as_array_mut().unwrap().remove(8);
        }
    };
    bad_input(hole, "", "triangle 3 of 17: it has no neighbour at its edge");
    bad_input(hole, "--boundary one-sided", "triangle 3 of 17: it has no neighbour at its edge");
    bad_input(|task| task["xy"][5] = task["xy"][6].clone(), "", "it is degenerate, with an area of 0e0");
    bad_input(
        |task| task["xy"][3][0] = 2.0.into(),
        "",
        "vertex 3 of 16: its place is (2, 0), expected finite coordinates",
    );
    bad_input(|task| task["h"] = 0.0.into(), "", "the scale h of the filter is 0, expected a positive number");
    bad_input(|task| task["h"] = (-1.0).into(), "", "the scale h of the filter is -1, expected a positive number");
    bad_input(|task| task["points"][4][1] = 1.5.into(), "", "point 4 of 54: it is at (");
    bad_input(|task| task["points"] = Value::Array(Vec::new()), "", "the mesh has no points");
    bad_input(|task| task["k"] = 7.into(), "", "`k` is 7, expected a degree of the kernel from 1 to 3");
    bad_input(|task| task["xy"][0][0] = Value::Null, "", "cannot read `in.json`: invalid type: null");
    bad_input(
        |task| task["exps"][1] = [5, 4].into(),
        "",
        "u_h has degree 9, expected P = 1, 2 or 3 and a degree from 0 to 7",
    );
    bad_input(|task| task["points"][0][0] = 0.5.into(), "--plot p.svg", "`--plot` draws errors, which are known where");
    let folder = tempfile::tempdir().unwrap();
    for (text, said) in [("", "EOF while parsing"), ("{\"xy\": NaN}", "expected value"), ("[]", "invalid length 0")] {
        fs::write(folder.path().join("in.json"), text).unwrap();
        bad(folder.path(), "--input in.json", 2, said);
    }
}

/// Finite coefficients whose products are not.
#[test]
fn values_that_are_no_numbers_are_told() {
    let folder = tempfile::tempdir().unwrap();
    good(folder.path(), "--generate structured 18 --write-input in.json");
    let mut task = json(folder.path(), "in.json");
    task["coef"][7] = [1e308, 1e308, 1e308].into();
    fs::write(folder.path().join("in.json"), task.to_string()).unwrap();
    bad(folder.path(), "--input in.json --dump u", 1, "expected a finite number: coefficients of u_h near it");
    assert!(!folder.path().join("u").exists());
}

#[test]
fn a_file_leaves_the_values_of_the_run_in_memory() {
    for (task, same) in [
        ("--generate low 120 --seed 7 --degree 2 --points 6", ""),
        ("--generate high 100 --h 0.07 --solution-degree 3 --boundary one-sided", "--boundary one-sided"),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let made = good(folder.path(), &format!("{task} --write-input in.json"));
        assert!(!made.contains("hits"), "it only writes: {made}");
        good(folder.path(), &format!("{task} --dump memory --report memory.json"));
        good(folder.path(), &format!("--input in.json {same} --function sines --dump file --report file.json"));
        let read = |name: &str| fs::read_to_string(folder.path().join(name)).unwrap();
        assert!(read("memory") == read("file"), "{task}");
        let [memory, file] = ["memory.json", "file.json"].map(|name| json(folder.path(), name));
        for key in ["tests", "hits", "h", "l2_before", "l2_after", "linf_before", "linf_after", "degree"] {
            assert_eq!(memory[key], file[key], "{task}: {key}");
        }
    }
}

/// Both methods on one, two and three threads find the same pairs and values; a method has the same bits on any number of threads.
#[test]
fn methods_and_threads_agree() {
    let folder = tempfile::tempdir().unwrap();
    let mut found = Vec::new();
    for method in ["per-element", "per-point", "per-element --patches 7", "per-element --patches 7 --devices 3"] {
        let mut bits = BTreeSet::new();
        for threads in ["--threads 1", "--threads 2", "--threads 3 --check"] {
            let said = good(
                folder.path(),
                &format!("--generate high 300 --method {method} {threads} --dump u --report r.json"),
            );
            assert_eq!(said.contains("\ncheck passed: "), threads.contains("check"), "{said}");
            bits.insert(fs::read_to_string(folder.path().join("u")).unwrap());
        }
        assert_eq!(bits.len(), 1, "{method}");
        let report = json(folder.path(), "r.json");
        found.push((numbers(folder.path(), "u"), report["hits"].as_u64().unwrap(), report["tests"].as_u64().unwrap()));
        assert_eq!(report["patches"].as_u64(), [Some(5), None, Some(7), Some(7)][found.len() - 1], "{method}");
    }
    good(folder.path(), "--generate high 300 --backend seq --dump u --report r.json");
    found.push((numbers(folder.path(), "u"), json(folder.path(), "r.json")["hits"].as_u64().unwrap(), 0));
    let (values, hits, tests) = &found[0];
    assert!(found[1].2 > *tests, "a point is tested with more triangles: {} {tests}", found[1].2);
    for (other, other_hits, _) in &found[1..] {
        assert_eq!(other_hits, hits);
        let apart = values.iter().zip(other).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        assert!(apart < 1e-13 && values.len() == other.len(), "{apart}");
    }
}

/// Every pair of degrees that the program has loops for.
#[test]
fn every_degree_agrees_with_plain_loops() {
    let folder = tempfile::tempdir().unwrap();
    for (degree, solution) in [(1, 0), (1, 5), (2, 1), (2, 2), (2, 7), (3, 3), (3, 4)] {
        for more in ["--h 0.1 --method per-point", "--h 0.09 --boundary one-sided"] {
            let args = format!("--generate low 30 --degree {degree} --solution-degree {solution} {more} --check");
            assert!(good(folder.path(), &args).contains("\ncheck passed: the same"), "{args}");
        }
    }
}

#[test]
fn the_report_has_what_others_need() {
    let folder = tempfile::tempdir().unwrap();
    let said = good(folder.path(), "--generate low 500 --threads 2 --report r.json --plot p.svg --vtk u.vtu");
    let report = json(folder.path(), "r.json");
    for key in ["seconds", "tests", "hits", "l2_before", "l2_after", "triad_gb_per_s", "ns_per_hit", "gflop_per_s", "h"]
    {
        assert!(report[key].as_f64().is_some_and(|value| value > 0.0), "{key}: {report}");
    }
    assert_eq!((report["method"].as_str(), report["app"].as_str()), (Some("per-element"), Some("siac")));
    let row = &report["loops"][0];
    assert!(report["loops"].as_array().unwrap().len() == 1 && row["name"] == "meet", "{report}");
    // The seconds have those of the loop, of the grid and of the tiles in them.
    let of = |value: &Value| value.as_f64().unwrap();
    let parts = of(&row["seconds"]) + of(&row["search"]["grid_seconds"]) + of(&row["plan_seconds"]);
    assert!(of(&report["seconds"]) >= parts && of(&row["search"]["combine_seconds"]) > 0.0, "{report}");
    // Each triangle adds to its own points, so there are more copies than values.
    let copies = of(&report["copies_bytes"]) / (8.0 * of(&report["points"]));
    assert!(copies > 1.0 && of(&report["copies_over_values"]) == copies, "{report}");
    assert!(said.contains("hits, ") && said.contains(" GFLOP/s: ") && said.contains("times the values"), "{said}");
    let picture = fs::read_to_string(folder.path().join("p.svg")).unwrap();
    assert!(picture.contains("after the filter") && picture.matches("<path").count() > 8, "{}", &picture[..500]);
    let solution = fs::read_to_string(folder.path().join("u.vtu")).unwrap();
    assert!(["u_h", "u_star", "error before", "error after"].iter().all(|name| solution.contains(name)));
}

/// Of a file the function is known only if it is stated, and points may lie anywhere.
#[test]
fn a_list_of_points_has_values_and_no_errors() {
    let folder = tempfile::tempdir().unwrap();
    good(folder.path(), "--generate structured 200 --write-input in.json");
    let mut task = json(folder.path(), "in.json");
    let points = [[0.0, 0.0], [1.0, 1.0], [0.25, 0.25]];
    task["points"] = Value::from(points.map(|p| Value::from(p.to_vec())).to_vec());
    fs::write(folder.path().join("in.json"), task.to_string()).unwrap();
    let said = good(folder.path(), "--input in.json --dump u --report r.json --vtk u.vtu --function sines");
    assert!(said.contains("200 triangles, 121 vertices; 3 points\n") && !said.contains("before"), "{said}");
    assert!(json(folder.path(), "r.json").get("l2_before").is_none());
    // Corners of the square are one point where it is periodic.
    let u = numbers(folder.path(), "u");
    assert!((u[0] - u[1]).abs() < 1e-14 && (u[2] - 1.0).abs() < 0.02, "{u:?}");
}

#[test]
fn the_table_of_convergence_has_four_rows() {
    let folder = tempfile::tempdir().unwrap();
    let said = good(folder.path(), "--convergence --generate structured 2048 --threads 2");
    let rows: Vec<Vec<f64>> = (said.lines().skip(3))
        .map(|line| line.split_whitespace().map(|word| word.parse().unwrap()).collect())
        .collect();
    let triangles: Vec<f64> = rows.iter().map(|row| row[0]).collect();
    assert_eq!(triangles, [32.0, 128.0, 512.0, 2048.0], "{said}");
    // Triangles, h, L2 before, order, L2 after, order, L∞ before and after.
    let last = &rows[3];
    assert!((last[3] - 2.0).abs() < 0.1 && last[5] > 3.0 && last[4] < last[2] && last[7] < last[6], "{said}");
}
