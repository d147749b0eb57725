//! The program as a user meets it: exit status, messages, and the files it leaves.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use adapt::cli::Cli;
use adapt::mesh::Mesh;
use adapt::metric::Metric;
use clap::{CommandFactory as _, Parser as _};
use op2_test_support::outputs::Program;
use serde_json::Value;

fn program() -> Program {
    Program {
        path: env!("CARGO_BIN_EXE_adapt"),
        command: Cli::command(),
        inputs: &["--mesh"],
        short: &["--backend", "seq", "--generate", "jittered", "100"],
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
    program.check_head(&["--generate", "jittered", "5000"]);
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
    for option in program().writing().iter().map(String::as_str).chain(["--series"]) {
        let cli = Cli::parse_from(["adapt", option, "out.pvd"]);
        let outputs: Vec<_> = cli.outputs().collect();
        assert_eq!(outputs, [(option, Path::new("out.pvd"))]);
    }
}

fn adapt(folder: &Path, args: &str) -> Output {
    Command::new(env!("CARGO_BIN_EXE_adapt")).current_dir(folder).args(args.split_whitespace()).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// Runs in `folder`, expects success, returns standard output.
fn good(folder: &Path, args: &str) -> String {
    let output = adapt(folder, args);
    assert!(output.status.success(), "{args}: {}", text(&output.stderr));
    assert_eq!(text(&output.stderr), "", "{args}");
    text(&output.stdout)
}

/// Runs in `folder`, expects bad input: a message with `said` in it, and nothing on standard output.
fn bad(folder: &Path, args: &str, said: &str) {
    let output = adapt(folder, args);
    let message = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{args}: {message}");
    assert!(message.starts_with("error: "), "{args}: {message}");
    assert!(message.contains(said), "{args}: expected `{said}`, found: {message}");
    assert!(output.stdout.is_empty(), "{args}: {}", text(&output.stdout));
}

fn names(folder: &Path) -> BTreeSet<String> {
    fs::read_dir(folder).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap()).collect()
}

fn read(folder: &Path, name: &str) -> String {
    fs::read_to_string(folder.join(name)).unwrap()
}

fn json(folder: &Path, name: &str) -> Value {
    serde_json::from_str(&read(folder, name)).unwrap()
}

#[test]
fn wrong_command_lines_end_with_status_2_and_a_reason() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("sub")).unwrap();
    for (args, said) in [
        ("--backend gpu", "invalid value 'gpu' for '--backend <BACKEND>'"),
        ("--backend seq --threads 2", "`--backend seq` runs on 1 thread, found `--threads 2`"),
        ("--backend cuda-emu --isa avx2", "`--isa avx2` is for `--backend threads` and `--backend seq`"),
        ("--unchecked", "`--unchecked` is for `--backend cuda-emu`"),
        ("--phase smooth", "invalid value 'smooth' for '--phase <PHASE>'"),
        ("--max-rounds 0", "0 is not in 1..=1000"),
        ("--generate random", "2 values required"),
        ("--generate squares 500", "`--generate` has the kind `squares`, expected one of `structured`, `jittered`"),
        ("--generate random 1", "`--generate random` has `1` facets, expected a number from 2 to 100000000"),
        ("--generate random -5", "`--generate random` has `-5` facets"),
        ("--generate random-holes 100", "`100` facets, expected a number from 500 to 100000000"),
        ("--generate jittered 9999999999999999999999", "`9999999999999999999999` facets, expected a number"),
        ("--mesh m --generate random 50", "cannot be used with"),
        ("--mesh m --seed 2", "cannot be used with"),
        ("--mesh none", "cannot read `none`: No such file"),
        ("--mesh sub", "cannot read `sub`: it is a folder, expected a file"),
        (
            "--metric shok:2",
            "`--metric shok:2` is no file, expected one, or a metric that is made: `uniform:S`, `shock:S`",
        ),
        ("--metric shock:-2", "`shock` has the scale `-2`, expected a number from 0.001 to 1000"),
        ("--metric uniform:", "`uniform` has the scale ``, expected a number"),
        ("--metric uniform:1000", "`--metric` asks for about 2.0e10 facets, expected fewer than 4294967295"),
        ("--metric sub", "cannot read `sub`: it is a folder, expected a file"),
        ("--steps 3", "`--steps 3` is for `--metric moving`, which changes in time, found `--metric shock:1`"),
        ("--metric moving --steps 0", "0 is not in 1..=1000"),
        ("--field cosine", "invalid value 'cosine' for '--field <NAME>'"),
        ("--series out.vtu", "expected a name that ends in `.pvd`"),
        ("--series none/out.pvd", "cannot write `none/out.pvd`: folder `none`"),
        ("--report none/r.json", "cannot write `none/r.json`: folder `none`"),
        ("--dump-mesh sub", "cannot write `sub`: it is a folder"),
        ("--plot a --vtk ./a", "`--vtk` and `--plot` both name `./a`"),
        ("--vtk a-1.vtu --series a.pvd", "`--series` and `--vtk` both name `a-1.vtu`"),
    ] {
        bad(folder.path(), args, said);
        assert_eq!(names(folder.path()), BTreeSet::from(["sub".into()]), "{args}");
    }
}

#[test]
fn files_that_cannot_be_adapted_are_refused_by_place_and_nothing_is_written() {
    let square = "4 2\n0 0\n1 0\n1 1\n0 1\n0 1 2\n0 2 3\n";
    let metric = "2 2\n1 0 1\n1 0 1\n1 0 1\n1 0 1\n";
    let folder = tempfile::tempdir().unwrap();
    let put = |name: &str, text: String| fs::write(folder.path().join(name), text).unwrap();
    put("out", "precious".into());
    for (from, to, said) in [
        (
            "0 2 3",
            "0 3 2",
            "`mesh`, line 7: facet 1 of 2: its area between (0, 0) (0, 1) (1, 1) is -5e-1: it is clockwise",
        ),
        ("0 2 3", "0 1 2", "`mesh`, line 7: facet 1 of 2: its vertices 0 1 2 are those of facet 0"),
        ("1 1", "2 0", "`mesh`, line 6: facet 0 of 2: its area between (0, 0) (1, 0) (2, 0) is 0e0: it is flat"),
        ("4 2\n", "5000000000 2\n", "`mesh`, line 1: the line of counts: value 1: `vertices` is 5000000000"),
        ("0 2 3", "0 2 4", "`mesh`, line 7: facet 1 of 2: value 3: vertex 4 is out of range (valid: 0..=3)"),
        ("0 1\n0", "0 1e400\n0", "`mesh`, line 5: vertex 3 of 4: value 2: `1e400` is not a finite number"),
    ] {
        let changed = square.replacen(from, to, 1);
        assert!(changed != square, "{from}");
        put("mesh", changed);
        bad(folder.path(), "--mesh mesh --dump-mesh out", said);
    }
    put("mesh", "5 3\n0 0\n1 0\n1 1\n0 1\n2 2\n0 1 2\n0 2 3\n0 2 4\n".into());
    bad(folder.path(), "--mesh mesh --dump-mesh out", "facet 2 of 3: its area between (0, 0) (1, 1) (2, 2) is 0e0");
    put("mesh", "5 3\n0 0\n1 0\n1 1\n0 1\n-1 3\n0 1 2\n0 2 3\n0 2 4\n".into());
    bad(
        folder.path(),
        "--mesh mesh --dump-mesh out",
        "line 9: facet 2 of 3: it overlaps facet 1: both go from vertex 0 to 2, an edge with 3 facets",
    );
    put("mesh", square.into());
    for (from, to, said) in [
        (
            "1 0 1\n",
            "1 1 1\n",
            "`metric`, line 2: node 0 of 4: its tensor [1e0, 1e0, 1e0], in column 0 of 2 and row 0 of 2, is not positive",
        ),
        ("1 0 1\n", "1 0 nan\n", "`metric`, line 2: node 0 of 4: value 3: `nan` is not a finite number"),
        ("2 2", "2 3", "`metric`, line 6: the file ends before node 4 of 6"),
    ] {
        let changed = metric.replacen(from, to, 1);
        assert!(changed != metric, "{from}");
        put("metric", changed);
        bad(folder.path(), "--mesh mesh --metric metric --dump-mesh out", said);
    }
    assert_eq!(read(folder.path(), "out"), "precious");
    put("metric", metric.into());
    good(folder.path(), "--mesh mesh --metric metric --dump-mesh out");
    assert!(read(folder.path(), "out") != "precious");
    bad(folder.path(), "--mesh mesh --metric metric --dump-mesh mesh", "`--dump-mesh` and `--mesh` both name `mesh`");
}

/// The files of a run are the input of another, which finds nothing more to do.
#[test]
fn what_is_written_is_read_back() {
    let folder = tempfile::tempdir().unwrap();
    let made = "--generate random 3000 --seed 4 --shuffle 2 --metric shock:0.5 --phase coarsen --check";
    good(folder.path(), &format!("{made} --write-mesh in --dump-mesh a --dump-metric m --report a.json"));
    let from_files = "--mesh in --metric m --phase coarsen --check --dump-mesh b --report b.json";
    good(folder.path(), from_files);
    assert_eq!(read(folder.path(), "a"), read(folder.path(), "b"));
    let [a, b] = ["a.json", "b.json"].map(|name| json(folder.path(), name));
    for key in ["facets", "vertices", "collapses", "sweeps", "short_edges", "worst", "before", "field"] {
        assert_eq!(a[key], b[key], "{key}");
    }
    assert!(a["collapses"].as_u64().unwrap() > 500, "{a}");
    good(folder.path(), "--mesh a --metric m --phase coarsen --dump-mesh c --report c.json");
    assert_eq!(json(folder.path(), "c.json")["collapses"], 0);
    assert_eq!(read(folder.path(), "a"), read(folder.path(), "c"));
    let mesh = Mesh::read(&folder.path().join("a")).unwrap();
    Metric::read(&folder.path().join("m"), &mesh).unwrap();
    assert_eq!(mesh.facets.len() as u64, a["facets"].as_u64().unwrap());
}

/// Every phase, kind of mesh and preset, each phase of the run checked by plain loops.
#[test]
fn runs_pass_their_check() {
    let folder = tempfile::tempdir().unwrap();
    for args in [
        "--generate structured 1000 --metric uniform:0.35 --phase coarsen",
        "--generate structured 1000 --metric uniform:3 --phase refine",
        "--generate jittered 1500 --metric uniform:1.2 --phase refine",
        "--generate structured-holes 1000 --metric uniform:0.6",
        "--generate random-holes 2000 --metric shock:0.7",
        "--generate random 1500 --metric layer:0.8 --phase loop --max-rounds 6 --field plane",
        "--generate jittered 800 --metric moving:0.8 --steps 4 --max-rounds 5",
    ] {
        let said = good(folder.path(), &format!("{args} --check"));
        assert!(said.contains("\ncheck passed: each phase"), "{args}: {said}");
    }
}

/// Executors, layouts, numbers inside and numbers of threads change nothing.
#[test]
fn everybody_leaves_the_same_files() {
    let folder = tempfile::tempdir().unwrap();
    let mut bits = BTreeSet::new();
    for how in [
        "--backend seq",
        "--threads 1",
        "--threads 2",
        "--threads 3 --isa scalar",
        "--threads 2 --layout soa",
        "--threads 2 --reorder rcm",
        "--backend cuda-emu --unchecked",
    ] {
        good(
            folder.path(),
            &format!("--generate random-holes 900 --metric shock:0.8 --max-rounds 3 --dump-mesh m {how}"),
        );
        bits.insert(read(folder.path(), "m"));
        assert_eq!(bits.len(), 1, "{how}");
    }
}

#[test]
fn the_report_has_what_others_need() {
    let folder = tempfile::tempdir().unwrap();
    let said = good(
        folder.path(),
        "--generate jittered 3000 --threads 2 --report r.json --plot p.svg --vtk a.vtu --loops l.svg",
    );
    let report = json(folder.path(), "r.json");
    for key in ["sweeps", "collapses", "red", "green", "facets", "vertices", "edges", "rounds"] {
        assert!(report[key].as_u64().is_some_and(|n| n > 0), "{key}: {report}");
    }
    for key in ["short_edges", "long_edges", "merged", "split"] {
        assert!(report[key].is_u64(), "{key}: {report}");
    }
    let of = |value: &Value| value.as_f64().unwrap();
    let seconds = &report["seconds"];
    assert!(of(&seconds["coarsen"]) > 0.0 && of(&seconds["refine"]) > 0.0, "{report}");
    assert_eq!(of(&seconds["loop"]), of(&seconds["coarsen"]) + of(&seconds["refine"]));
    assert!(report["converged"].is_boolean() && report["smallest_angle"].as_f64().unwrap() > 0.0);
    let bins = report["histogram"].as_array().unwrap();
    assert_eq!(bins.iter().map(|n| n.as_u64().unwrap()).sum::<u64>(), report["facets"].as_u64().unwrap());
    assert_eq!(report["before"]["facets"], 3042);
    assert!(report["loops"].as_array().unwrap().len() > 5, "{report}");
    let facets = report["facets"].as_u64().unwrap();
    assert!(said.contains(&format!("{facets:>12}")) && said.contains("quality, mean"), "{said}");
    let picture = read(folder.path(), "p.svg");
    assert!(picture.contains(&format!("after: {facets} facets")) && picture.matches("<path").count() > 4);
    assert!(["field", "m01", "quality"].iter().all(|name| read(folder.path(), "a.vtu").contains(name)));
    // A run of one phase does not converge or not.
    good(folder.path(), "--generate jittered 200 --phase refine --report r.json");
    assert!(json(folder.path(), "r.json")["converged"].is_null());
    // One round is too few to find that nothing is left to do.
    good(folder.path(), "--generate jittered 1500 --metric shock --max-rounds 1 --report r.json");
    assert_eq!(json(folder.path(), "r.json")["converged"], false);
}

#[test]
fn a_series_has_the_mesh_before_and_after_each_time() {
    let folder = tempfile::tempdir().unwrap();
    let said = good(
        folder.path(),
        "--generate jittered 1000 --metric moving --steps 3 --series s.pvd --report r.json --max-rounds 2",
    );
    let expected = ["r.json", "s-0.vtu", "s-1.vtu", "s-2.vtu", "s-3.vtu", "s.pvd"];
    assert_eq!(names(folder.path()), expected.map(str::to_owned).into());
    let list = read(folder.path(), "s.pvd");
    assert!((0..4).all(|n| list.contains(&format!("timestep=\"{n}\" file=\"s-{n}.vtu\""))), "{list}");
    let report = json(folder.path(), "r.json");
    let steps = report["steps"].as_array().unwrap();
    let times: Vec<f64> = steps.iter().map(|step| step["time"].as_f64().unwrap()).collect();
    assert_eq!(times, [0.0, 0.5, 1.0]);
    for (n, step) in steps.iter().enumerate() {
        let cells = format!("NumberOfCells=\"{}\"", step["facets"]);
        assert!(read(folder.path(), &format!("s-{}.vtu", n + 1)).contains(&cells), "{cells}");
    }
    assert!(said.contains(", 3 times as it moves"), "{said}");
}
