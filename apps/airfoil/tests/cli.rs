//! The program as a user meets it: exit status, messages, and the files it leaves.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use airfoil::cli::Cli;
use airfoil::mesh::Mesh;
use airfoil::physics::far_field;
use clap::{CommandFactory as _, Parser as _};
use op2_test_support::outputs::Program;
use vtkio::model::{Attribute, CellType, DataSet, Piece, UnstructuredGridPiece};

fn program() -> Program {
    Program {
        path: env!("CARGO_BIN_EXE_airfoil"),
        command: Cli::command(),
        inputs: &["--mesh"],
        short: &["--backend", "seq", "--size", "3", "2", "--iters", "120"],
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
    let program = Program { short: &["--backend", "seq", "--size", "3", "2"], ..program() };
    program.check_head(&["--iters", "20000"]);
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
        let cli = Cli::parse_from(["airfoil", &option, "out"]);
        let outputs: Vec<_> = cli.outputs().collect();
        assert_eq!(outputs, [(option.as_str(), Path::new("out"))]);
    }
}

fn airfoil(folder: &Path, args: &str) -> Output {
    Command::new(env!("CARGO_BIN_EXE_airfoil")).current_dir(folder).args(args.split_whitespace()).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// Runs in `folder`, expects success, returns standard output.
fn good(folder: &Path, args: &str) -> String {
    let output = airfoil(folder, args);
    assert!(output.status.success(), "{args}: {}", text(&output.stderr));
    assert_eq!(text(&output.stderr), "", "{args}");
    text(&output.stdout)
}

/// Runs in `folder`, expects `status` and a message with `said` in it, and nothing on standard output.
fn bad(folder: &Path, args: &str, status: i32, said: &str) {
    let output = airfoil(folder, args);
    let message = text(&output.stderr);
    assert_eq!(output.status.code(), Some(status), "{args}: {message}");
    assert!(message.contains(said), "{args}: expected `{said}`, found: {message}");
    assert!(message.starts_with("error: "), "{args}: {message}");
    assert_eq!(text(&output.stdout), "", "{args}");
}

#[test]
fn strategies_of_devices_are_refused_elsewhere() {
    let folder = tempfile::tempdir().unwrap();
    bad(folder.path(), "--size 2 2 --strategy atomics:256", 1, "runs on devices only, found backend `threads`");
    bad(folder.path(), "--size 2 2 --backend seq --strategy res_calc=block-atomics:8", 1, "found backend `seq`");
}

/// Without a GPU the program starts and says what is missing.
#[test]
fn a_missing_gpu_is_an_error_with_a_cure() {
    let folder = tempfile::tempdir().unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_airfoil"))
        .args(["--backend", "cuda", "--dump-q", "q.txt"])
        // Also where there is one.
        .env("OP2_CUDA_DRIVER", folder.path().join("none.so"))
        .current_dir(folder.path())
        .output()
        .unwrap();
    let message = text(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{message}");
    assert!(message.starts_with("error: ") && message.contains("no GPU to run on"), "{message}");
    assert!(output.stdout.is_empty() && names(folder.path()).is_empty());
}

/// The compiler that the emulator needs is named when it is missing.
#[test]
fn a_missing_compiler_is_an_error_with_a_cure() {
    let output = Command::new(env!("CARGO_BIN_EXE_airfoil"))
        .args(["--backend", "cuda-emu", "--size", "4", "3", "--iters", "1"])
        .env("CXX", "no-such-compiler")
        .output()
        .unwrap();
    let message = text(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{message}");
    assert!(message.contains("no-such-compiler") && message.contains("install g++"), "{message}");
}

#[test]
fn instructions_of_the_environment_are_checked_and_leave_the_same_residuals() {
    let run = |isa: &str| {
        let args = ["--size", "8", "6", "--iters", "3"];
        Command::new(env!("CARGO_BIN_EXE_airfoil")).args(args).env("OP2_ISA", isa).output().unwrap()
    };
    let refused = run("sse9");
    assert_eq!((refused.status.code(), text(&refused.stdout)), (Some(1), String::new()));
    let message = text(&refused.stderr);
    assert!(
        message.contains("`OP2_ISA`: expected `scalar`, `baseline`, `avx2` or `avx512`, found `sse9`"),
        "{message}"
    );
    let (scalar, vector) = (text(&run("scalar").stdout), text(&run("baseline").stdout));
    let residual = |out: &str| out.lines().nth(1).map(str::to_owned);
    assert_eq!(residual(&vector), residual(&scalar));
    assert!(vector.contains(", baseline") && !scalar.contains(", baseline"), "{vector}");
}

#[test]
fn the_log_is_on_standard_error_and_its_level_is_checked() {
    program().check_log(&["--size", "4", "3", "--iters", "1"]);
    let told = |variable: &str, args: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_airfoil"));
        command.args(["--size", "8", "6", "--iters", "1"]).args(args).env("OP2_LOG", variable);
        text(&command.output().unwrap().stderr)
    };
    let ordered = told("info", &["--reorder", "gps"]);
    assert!(ordered.contains("[op2::order] ") && ordered.contains("s: order of map `"), "{ordered}");
    let pinned = ["--strategy", "update=split:64:9"];
    assert!(told("warn", &pinned).contains("s: warning: loop `update` over `cells` ("), "{}", told("warn", &pinned));
    assert_eq!(told("off", &pinned), "");
}

#[test]
fn strategies_of_the_environment_are_checked_before_anything_is_printed() {
    let run = |strategies: &str| {
        let args = ["--size", "4", "3", "--iters", "1"];
        Command::new(env!("CARGO_BIN_EXE_airfoil")).args(args).env("OP2_STRATEGY", strategies).output().unwrap()
    };
    let refused = run("res_calc=tiles");
    assert_eq!((refused.status.code(), text(&refused.stdout)), (Some(1), String::new()));
    let message = text(&refused.stderr);
    assert!(message.contains("`OP2_STRATEGY`: entry 1: `tiles` is no strategy"), "{message}");
    let taken = text(&run("res_calc=tiles:30,nothing=owner:9").stdout);
    assert!(taken.contains("tiles of 30") && taken.contains("no loop ran kernel `nothing`"), "{taken}");
}

fn names(folder: &Path) -> BTreeSet<String> {
    fs::read_dir(folder).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap()).collect()
}

fn numbers(path: &Path) -> Vec<[f64; 4]> {
    let line = |l: &str| l.split(' ').map(|w| w.parse().unwrap()).collect::<Vec<f64>>().try_into().unwrap();
    fs::read_to_string(path).unwrap().lines().map(line).collect()
}

#[test]
fn wrong_command_lines_end_with_status_2_and_a_reason() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("sub")).unwrap();
    for (args, said) in [
        ("--backend gpu", "invalid value 'gpu' for '--backend <BACKEND>'"),
        ("--strategy tile:8", "`tile:8` is no strategy: expected `predicted`, `auto`, or one of `blocks`"),
        ("--reorder metis", "`metis` is no ordering"),
        ("--reorder metis:0", "`metis:0` is no ordering"),
        ("--strategy blocks:0", "`blocks:0` is no strategy"),
        ("--isa sse9", "expected `scalar`, `baseline`, `avx2` or `avx512`, found `sse9`"),
        ("--backend cuda-emu --threads 2", "`--backend cuda-emu` runs on 1 thread, found `--threads 2`"),
        (
            "--backend cuda-emu --isa avx2",
            "`--isa avx2` is for `--backend threads` and `--backend seq`, found `--backend cuda-emu`",
        ),
        ("--backend cuda --isa scalar", "`--isa scalar` is for"),
        ("--strategy=", "nothing is stated, expected `kernel=strategy` or a strategy"),
        ("--reorder=", "`` is no ordering"),
        ("--mesh=", "a value is required for '--mesh <FILE>'"),
        ("--report=", "a value is required for '--report <FILE.json>'"),
        ("--unchecked", "`--unchecked` is for `--backend cuda-emu`, found `--backend threads`"),
        ("--backend", "a value is required for '--backend <BACKEND>'"),
        ("--threads 0", "0 is not in 1..=1024"),
        ("--threads 100000", "100000 is not in 1..=1024"),
        ("--threads two", "invalid value 'two' for '--threads <N>'"),
        ("--backend seq --threads 2", "`--backend seq` runs on 1 thread, found `--threads 2`"),
        ("--size 3", "2 values required"),
        ("--size 0 3", "0 is not in 1.."),
        ("--size 3 -1", "invalid value '-1' for '--size <I> <J>'"),
        ("--size 99999999999 1", "99999999999 is not in 1.."),
        ("--size 100000 100000", "has 30000000000 cells, expected at most 100000000"),
        ("--iters -1", "invalid value '-1' for '--iters <N>'"),
        ("--iters 1e3", "invalid value '1e3' for '--iters <N>'"),
        ("--iters 99999999999", "99999999999 is not in 0..="),
        ("--shuffle -3", "invalid value '-3' for '--shuffle <SEED>'"),
        ("--precision f16", "invalid value 'f16'"),
        ("--layout blocked", "invalid value 'blocked'"),
        ("--mesh a.dat --size 1 2", "cannot be used with"),
        ("--mesh none.dat", "cannot read `none.dat`"),
        ("--mesh sub", "cannot read `sub`: it is a folder"),
        ("--colour", "unexpected argument '--colour'"),
        ("mesh.dat", "unexpected argument 'mesh.dat'"),
        ("--report none/r.json", "cannot write `none/r.json`: folder `none`"),
        ("--dump-q sub", "cannot write `sub`: it is a folder"),
        ("--plot a --vtk ./a", "`--vtk` and `--plot` both name `./a`"),
    ] {
        bad(folder.path(), args, 2, said);
        assert_eq!(names(folder.path()), BTreeSet::from(["sub".into()]), "{args}");
    }
}

#[test]
fn a_bad_mesh_leaves_every_output_as_it_was() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("grid.dat"), "3 1 0 0\n0 0\n1 0\n").unwrap();
    fs::write(folder.path().join("q.txt"), "precious").unwrap();
    bad(
        folder.path(),
        "--mesh grid.dat --backend seq --dump-q q.txt --report r.json --plot p.svg --vtk v.vtu --write-mesh m.dat",
        2,
        "`grid.dat`, line 4: the file ends before node 2 of 3, expected `x y`",
    );
    assert_eq!(names(folder.path()), BTreeSet::from(["grid.dat".into(), "q.txt".into()]));
    assert_eq!(fs::read_to_string(folder.path().join("q.txt")).unwrap(), "precious");
}

#[test]
fn a_mesh_that_makes_no_sense_is_refused_with_its_line() {
    let folder = tempfile::tempdir().unwrap();
    let mut mesh = Mesh::naca0012(2, 2).unwrap();
    mesh.edge_cells[3] = [5, 5];
    mesh.write(&folder.path().join("grid.dat")).unwrap();
    let line = 1 + mesh.nodes() + mesh.cells() + 4;
    let said = format!("`grid.dat`, line {line}: edge 3 of {}: it leads from cell 5 to itself", mesh.edges());
    bad(folder.path(), "--mesh grid.dat --dump-q q", 2, &said);
}

#[test]
fn the_mesh_that_is_read_is_not_overwritten() {
    let folder = tempfile::tempdir().unwrap();
    good(folder.path(), "--backend seq --size 1 1 --iters 0 --write-mesh grid.dat");
    bad(folder.path(), "--mesh grid.dat --report ./grid.dat", 2, "`--report` and `--mesh` both name `./grid.dat`");
}

#[test]
fn a_failing_run_ends_with_status_1_and_writes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let mut mesh = Mesh::naca0012(2, 2).unwrap();
    // So long that squares of lengths are no numbers any more, while areas are.
    mesh.x.iter_mut().for_each(|[x, y]| (*x, *y) = (*x * 1e160, *y * 1e-10));
    mesh.write(&folder.path().join("grid.dat")).unwrap();
    let output = airfoil(folder.path(), "--backend seq --mesh grid.dat --dump-q q.txt --report r.json");
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).starts_with("error: the solution is no longer finite after iteration 1"));
    assert_eq!(names(folder.path()), BTreeSet::from(["grid.dat".into()]));
}

#[test]
fn residuals_are_printed_every_100_iterations_and_at_the_end() {
    let folder = tempfile::tempdir().unwrap();
    let printed = good(folder.path(), "--backend seq --size 4 3 --iters 250 --report r.json");
    let report: serde_json::Value =
        serde_json::from_str(&fs::read_to_string(folder.path().join("r.json")).unwrap()).unwrap();
    let lines: Vec<&str> = printed.lines().filter(|l| l.contains("max err")).collect();
    assert_eq!(lines.len(), 3, "{printed}");
    for (line, iteration) in lines.iter().zip([100, 200, 250]) {
        let (first, rest) = line.split_once("  ").unwrap();
        let (rms, rest) = rest.split_once(", max err ").unwrap();
        let (max_err, cell) = rest.split_once(" at ").unwrap();
        let told = &report["residuals"][iteration - 1];
        assert_eq!(first, iteration.to_string());
        assert_eq!(told["iteration"], iteration);
        assert_eq!(told["max_err_cell"].to_string(), cell);
        for (printed, key) in [(rms, "rms"), (max_err, "max_err")] {
            let full = told[key].as_f64().unwrap();
            assert!((printed.parse::<f64>().unwrap() / full - 1.0).abs() < 6e-6, "{key} {printed} {full}");
        }
    }
}

#[test]
fn the_report_holds_what_is_promised() {
    let folder = tempfile::tempdir().unwrap();
    good(folder.path(), "--backend seq --size 4 3 --iters 5 --precision f32 --layout soa --report r.json");
    let report: serde_json::Value =
        serde_json::from_str(&fs::read_to_string(folder.path().join("r.json")).unwrap()).unwrap();
    assert_eq!(report["backend"], "seq");
    assert_eq!(report["threads"], 1);
    assert_eq!(report["precision"], "f32");
    assert_eq!(report["layout"], "soa");
    assert_eq!(report["cells"], 36);
    assert_eq!(report["iterations"], 5);
    assert_eq!(report["residuals"].as_array().unwrap().len(), 5);
    assert!(report["seconds"].as_f64().unwrap() > 0.0);
    assert!(report["triad_gb_per_s"].is_f64());
    assert!(report.get("loops").is_some());
}

#[test]
fn no_iterations_give_the_start_in_every_output() {
    let folder = tempfile::tempdir().unwrap();
    let args = "--backend seq --size 4 3 --iters 0 --dump-q q --report r.json --plot p.svg --vtk v.vtu";
    assert!(!good(folder.path(), args).contains("max err"));
    let far = far_field();
    let q = numbers(&folder.path().join("q"));
    assert_eq!(q, vec![far; 36]);
    let line = fs::read_to_string(folder.path().join("q")).unwrap().lines().next().unwrap().to_owned();
    assert!(line.split(' ').all(|w| w.trim_start_matches('-').split_once('e').unwrap().0.len() == 18), "{line}");
    assert!(fs::read_to_string(folder.path().join("p.svg")).unwrap().contains("no iterations"));
}

#[test]
fn a_mesh_goes_through_its_file_without_a_change() {
    let folder = tempfile::tempdir().unwrap();
    good(folder.path(), "--backend seq --size 5 4 --iters 20 --write-mesh grid.dat --dump-q a");
    good(folder.path(), "--backend seq --mesh grid.dat --iters 20 --dump-q b");
    let read = |name| fs::read(folder.path().join(name)).unwrap();
    assert_eq!(read("a"), read("b"));
    assert_eq!(Mesh::read(&folder.path().join("grid.dat")).unwrap(), Mesh::naca0012(5, 4).unwrap());
}

#[test]
fn a_shuffled_run_gives_its_results_in_the_numbering_of_the_input() {
    let folder = tempfile::tempdir().unwrap();
    good(folder.path(), "--backend seq --size 8 6 --iters 50 --dump-q a --vtk a.vtu --report a.json");
    good(folder.path(), "--backend seq --size 8 6 --iters 50 --dump-q b --vtk b.vtu --shuffle 9 --write-mesh grid.dat");
    let [a, b] = ["a", "b"].map(|name| numbers(&folder.path().join(name)));
    assert_ne!(a, b, "the run was not shuffled");
    assert!(a.iter().flatten().zip(b.iter().flatten()).all(|(a, b)| (a - b).abs() < 1e-12));
    let [a, b] = ["a.vtu", "b.vtu"].map(|name| piece(&folder.path().join(name)));
    assert_eq!((a.points, a.cells), (b.points, b.cells));
    let mesh = Mesh::naca0012(8, 6).unwrap();
    assert_eq!(Mesh::read(&folder.path().join("grid.dat")).unwrap(), mesh.shuffled(9).0);
}

fn piece(path: &Path) -> UnstructuredGridPiece {
    let DataSet::UnstructuredGrid { mut pieces, .. } = vtkio::Vtk::import(path).unwrap().data else {
        panic!("not an unstructured grid");
    };
    assert_eq!(pieces.len(), 1);
    match pieces.remove(0) {
        Piece::Inline(piece) => *piece,
        other => panic!("not in the file itself: {other:?}"),
    }
}

#[test]
fn the_vtk_file_holds_mesh_and_flow() {
    let folder = tempfile::tempdir().unwrap();
    good(folder.path(), "--backend seq --size 4 3 --iters 30 --dump-q q --vtk v.vtu");
    let piece = piece(&folder.path().join("v.vtu"));
    let mesh = Mesh::naca0012(4, 3).unwrap();
    let points: Vec<f64> = piece.points.cast_into().unwrap();
    assert!(points.chunks(3).zip(&mesh.x).all(|(p, x)| p == [x[0], x[1], 0.0]));
    assert!(piece.cells.types.iter().all(|t| *t == CellType::Quad));
    let (corners, offsets) = piece.cells.cell_verts.into_xml();
    assert_eq!(corners, mesh.cell_nodes.iter().flatten().map(|&n| u64::from(n)).collect::<Vec<_>>());
    assert_eq!(offsets, (1..=36).map(|c| 4 * c).collect::<Vec<u64>>());

    let data = |name: &str| -> Vec<f64> {
        let found = piece.data.cell.iter().find_map(|a| match a {
            Attribute::DataArray(array) if array.name == name => array.data.clone().cast_into(),
            _ => None,
        });
        found.unwrap_or_else(|| panic!("no {name}"))
    };
    let [density, velocity, pressure, mach] = ["density", "velocity", "pressure", "Mach"].map(data);
    assert_eq!([density.len(), velocity.len(), pressure.len(), mach.len()], [36, 108, 36, 36]);
    for (cell, [r, ru, rv, re]) in numbers(&folder.path().join("q")).into_iter().enumerate() {
        assert_eq!(density[cell], r);
        assert_eq!(velocity[3 * cell..3 * cell + 3], [ru / r, rv / r, 0.0]);
        // From enthalpy and speed of sound instead of the formula that the app uses.
        let (u, v, gam) = (ru / r, rv / r, f64::from(1.4f32));
        let sound = (gam * (gam - 1.0) * (re / r - (u * u + v * v) / 2.0)).sqrt();
        assert!((pressure[cell] - r * sound * sound / gam).abs() < 1e-14);
        assert!((mach[cell] - u.hypot(v) / sound).abs() < 1e-14);
    }
}

#[test]
fn the_plot_shows_both_curves_on_labelled_axes() {
    let folder = tempfile::tempdir().unwrap();
    good(folder.path(), "--backend seq --size 4 3 --iters 300 --plot p.svg");
    let svg = fs::read_to_string(folder.path().join("p.svg")).unwrap();
    assert!(svg.starts_with("<svg ") && svg.trim_end().ends_with("</svg>"));
    for label in ["iteration", "change of the unknowns", "rms of all cells", "greatest change", "10⁻³", "after 300"]
    {
        assert!(svg.contains(label), "{label}");
    }
    let longest = svg.split("points=\"").skip(1).map(|p| p.split('"').next().unwrap().split(' ').count()).max();
    assert!(longest.unwrap() >= 300, "{longest:?} points");
}

#[test]
#[cfg(unix)]
fn links_are_followed_and_devices_are_not_replaced() {
    let folder = tempfile::tempdir().unwrap();
    let (real, link) = (folder.path().join("real"), folder.path().join("link"));
    fs::write(&real, "old").unwrap();
    std::os::unix::fs::symlink(&real, &link).unwrap();
    good(folder.path(), "--backend seq --size 1 1 --iters 0 --dump-q link --report /dev/null --write-mesh /dev/stdout");
    assert!(link.is_symlink());
    assert_eq!(numbers(&real).len(), 3);
    assert!(!Path::new("/dev/null").is_file());
}
