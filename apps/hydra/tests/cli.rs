//! The program as a user meets it: exit status, messages, and the files it leaves.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use clap::{CommandFactory as _, Parser as _};
use hydra::cli::{Cells, Cli};
use hydra::mesh::{Mesh, Passage, Shape};
use op2_test_support::outputs::Program;

fn program() -> Program {
    Program {
        path: env!("CARGO_BIN_EXE_hydra"),
        command: Cli::command(),
        inputs: &["--mesh"],
        short: &["--backend", "seq", "--size", "3", "2", "2", "--iters", "3"],
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
    let program = Program { short: &["--backend", "seq", "--size", "3", "2", "2"], ..program() };
    program.check_head(&["--iters", "400"]);
}

#[test]
fn the_log_is_on_standard_error_and_its_level_is_checked() {
    program().check_log(&["--size", "3", "2", "2", "--iters", "2"]);
}

#[test]
fn the_help_names_every_option() {
    program().check_help();
}

#[test]
fn the_command_line_is_consistent() {
    Cli::command().debug_assert();
}

#[test]
fn the_help_names_the_true_default_sizes() {
    let help = Cli::command().render_help().to_string();
    let said = |[i, j, k]: [u32; 3]| format!("{i} {j} {k}");
    let words: Vec<&str> = help.split_whitespace().collect();
    let [hexahedra, tetrahedra] = [Cells::Hexahedra, Cells::Tetrahedra].map(|cells| said(cells.default_size()));
    let expected = format!("[default: {hexahedra} of hexahedra, {tetrahedra} of tetrahedra]");
    assert!(words.join(" ").contains(&expected), "{help}");
}

#[test]
fn numbers_that_cannot_be_are_refused() {
    program().check_numbers();
}

/// Whatever writes is looked at before the run.
#[test]
fn every_option_that_writes_is_among_the_outputs() {
    for option in program().writing() {
        let cli = Cli::parse_from(["hydra", &option, "out"]);
        let outputs: Vec<_> = cli.outputs().collect();
        assert_eq!(outputs, [(option.as_str(), Path::new("out"))]);
    }
}

fn hydra(folder: &Path, args: &str) -> Output {
    Command::new(env!("CARGO_BIN_EXE_hydra")).current_dir(folder).args(args.split_whitespace()).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// Runs in `folder`, expects success, returns standard output.
fn good(folder: &Path, args: &str) -> String {
    let output = hydra(folder, args);
    assert!(output.status.success(), "{args}: {}", text(&output.stderr));
    assert_eq!(text(&output.stderr), "", "{args}");
    text(&output.stdout)
}

fn names(folder: &Path) -> BTreeSet<String> {
    fs::read_dir(folder).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap()).collect()
}

fn numbers(path: &Path) -> Vec<[f64; 6]> {
    let line = |l: &str| l.split(' ').map(|w| w.parse().unwrap()).collect::<Vec<f64>>().try_into().unwrap();
    fs::read_to_string(path).unwrap().lines().map(line).collect()
}

#[test]
fn strategies_of_devices_are_refused_elsewhere() {
    let folder = tempfile::tempdir().unwrap();
    let output = hydra(folder.path(), "--size 2 2 2 --strategy atomics:256");
    let message = text(&output.stderr);
    assert_eq!((output.status.code(), text(&output.stdout)), (Some(1), String::new()), "{message}");
    assert!(message.contains("runs on devices only, found backend `threads`"), "{message}");
}

#[test]
fn wrong_command_lines_end_with_status_2_and_a_reason() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("sub")).unwrap();
    for (args, said) in [
        ("--backend gpu", "invalid value 'gpu' for '--backend <BACKEND>'"),
        ("--backend seq --threads 2", "`--backend seq` runs on 1 thread, found `--threads 2`"),
        ("--unchecked", "`--unchecked` is for `--backend cuda-emu`, found `--backend threads`"),
        ("--threads 0", "0 is not in 1..=1024"),
        ("--cells prisms", "invalid value 'prisms' for '--cells <CELLS>'"),
        ("--size 3 3", "3 values required"),
        ("--size 0 3 3", "0 is not in 1.."),
        ("--size 3 -1 3", "invalid value '-1' for '--size <I> <J> <K>'"),
        ("--size 100000 100000 100000", "has 1000030000300001 nodes, expected at most 50000000: choose a smaller size"),
        ("--size 4294967295 1 1", "has 17179869184 nodes, expected at most 50000000"),
        ("--mesh a.dat --size 1 2 3", "cannot be used with"),
        ("--mesh a.dat --cells tetrahedra", "cannot be used with"),
        ("--mesh none.dat", "cannot read `none.dat`"),
        ("--mesh sub", "cannot read `sub`: it is a folder"),
        ("--backend cuda-emu --isa avx2", "`--isa avx2` is for `--backend threads` and `--backend seq`"),
        ("--strategy=", "nothing is stated, expected `kernel=strategy` or a strategy"),
        ("--mach 0.5 --reynolds 1e-320", "is the viscosity, which is then too large for a number"),
        ("--iters 99999999999", "99999999999 is not in 0..="),
        ("--iters -1", "invalid value '-1' for '--iters <N>'"),
        ("--mach 1.5", "`--mach` is 1.5, expected a number above 0 and below 1"),
        ("--mach nan", "`--mach` is NaN, expected"),
        ("--reynolds -1", "`--reynolds` is -1, expected a number above 0"),
        ("--shuffle -3", "invalid value '-3' for '--shuffle <SEED>'"),
        ("--strategy tile:8", "`tile:8` is no strategy"),
        ("--reorder metis", "`metis` is no ordering"),
        ("--precision f16", "invalid value 'f16' for '--precision <PRECISION>'"),
        ("--precision f32 --reynolds 1e10", "whose fourth power is no number in single precision"),
        ("--precision f32 --reynolds 1e-12", "take another Reynolds number, or `--precision f64`"),
        ("--layout blocked", "invalid value 'blocked'"),
        ("--report none/r.json", "cannot write `none/r.json`: folder `none`"),
        ("--vtk sub", "cannot write `sub`: it is a folder"),
        ("--plot a --vtk ./a", "`--vtk` and `--plot` both name `./a`"),
    ] {
        let output = hydra(folder.path(), args);
        let message = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{args}: {message}");
        assert!(message.contains(said), "{args}: expected `{said}`, found: {message}");
        assert_eq!(text(&output.stdout), "", "{args}");
        assert_eq!(names(folder.path()), BTreeSet::from(["sub".into()]), "{args}");
    }
}

#[test]
fn a_run_leaves_what_was_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    let args = "--size 9 4 4 --iters 3 --threads 2 --report r.json --dump-q q --plot p.svg --loops l.svg --vtk v.vtu";
    let printed = good(folder.path(), args);
    assert!(printed.starts_with("250 nodes, 144 cells, 625 edges, "), "{printed}");
    assert_eq!(printed.lines().filter(|line| line.contains("max err")).count(), 3, "{printed}");
    assert!(printed.contains("vflux") && printed.contains("time loop: "), "{printed}");

    let read = |name: &str| fs::read_to_string(folder.path().join(name)).unwrap();
    let report: serde_json::Value = serde_json::from_str(&read("r.json")).unwrap();
    assert_eq!(
        (&report["app"], &report["backend"], &report["threads"]),
        (&"hydra".into(), &"threads".into(), &2.into())
    );
    assert_eq!(report["precision"], "f64");
    assert_eq!((&report["nodes"], &report["edges"], &report["cells"]), (&250.into(), &625.into(), &144.into()));
    assert_eq!(report["residuals"].as_array().unwrap().len(), 3);
    assert!(report["loops"].as_array().unwrap().iter().any(|row| row["name"] == "iflux" && row["calls"] == 15));
    assert!(read("p.svg").contains("hydra: rms") && read("l.svg").contains("edgecon"));

    let q = numbers(&folder.path().join("q"));
    let mesh = Passage::default().mesh(Shape::Hexahedra, [9, 4, 4]).unwrap();
    check_vtk(&folder.path().join("v.vtu"), &mesh, &q);
}

#[test]
fn a_run_in_single_precision_says_so() {
    let folder = tempfile::tempdir().unwrap();
    for backend in ["--backend seq", "--backend threads --threads 2"] {
        let args = "--precision f32 --cells tetrahedra --size 6 3 3 --iters 3 --report r.json --dump-q q";
        good(folder.path(), &format!("{backend} {args}"));
        let report = fs::read_to_string(folder.path().join("r.json")).unwrap();
        let report: serde_json::Value = serde_json::from_str(&report).unwrap();
        assert_eq!(report["precision"], "f32");
        let q = numbers(&folder.path().join("q"));
        assert!(q.iter().flatten().all(|q| f64::from(*q as f32) == *q), "{backend}: the arithmetic was not single");
    }
    // Without viscosity there is no power of it.
    good(folder.path(), "--precision f32 --backend seq --size 3 2 2 --iters 3 --reynolds inf");
}

fn check_vtk(path: &Path, mesh: &hydra::mesh::Mesh, q: &[[f64; 6]]) {
    use vtkio::model::{Attribute, CellType, DataSet, Piece};
    let DataSet::UnstructuredGrid { mut pieces, .. } = vtkio::Vtk::import(path).unwrap().data else {
        panic!("not an unstructured grid");
    };
    let Piece::Inline(piece) = pieces.remove(0) else { panic!("not in the file itself") };
    assert_eq!(piece.points.cast_into::<f64>().unwrap(), mesh.x.as_flattened());
    assert!(piece.cells.types.iter().all(|cell| *cell == CellType::Hexahedron));
    assert_eq!(piece.cells.types.len(), mesh.cells());
    let data = |name: &str| -> Vec<f64> {
        let found = piece.data.point.iter().find_map(|a| match a {
            Attribute::DataArray(array) if array.name == name => array.data.clone().cast_into(),
            _ => None,
        });
        found.unwrap_or_else(|| panic!("no {name}"))
    };
    let [density, velocity, mach] = ["density", "velocity", "Mach"].map(data);
    for (node, q) in q.iter().enumerate() {
        assert_eq!(density[node], q[0]);
        assert_eq!(velocity[3 * node..3 * node + 3], [q[1] / q[0], q[2] / q[0], q[3] / q[0]]);
        let speed = velocity[3 * node..3 * node + 3].iter().map(|u| u * u).sum::<f64>().sqrt();
        let sound = (1.4 * 0.4 * (q[4] / q[0] - 0.5 * speed * speed)).sqrt();
        assert!((mach[node] - speed / sound).abs() < 1e-14);
    }
}

#[test]
fn a_shuffled_run_gives_its_results_in_the_numbering_of_the_input() {
    let folder = tempfile::tempdir().unwrap();
    let size = "--backend seq --cells tetrahedra --size 6 3 3 --iters 5";
    good(folder.path(), &format!("{size} --dump-q a --report a.json"));
    good(folder.path(), &format!("{size} --dump-q b --report b.json --shuffle 9"));
    let [a, b] = ["a", "b"].map(|name| numbers(&folder.path().join(name)));
    assert_ne!(a, b, "the run was not shuffled");
    assert!(a.iter().flatten().zip(b.iter().flatten()).all(|(a, b)| (a - b).abs() < 1e-11));
    let worst = ["a.json", "b.json"].map(|name| {
        let report: serde_json::Value =
            serde_json::from_str(&fs::read_to_string(folder.path().join(name)).unwrap()).unwrap();
        report["residuals"][4]["max_err_node"].clone()
    });
    assert_eq!(worst[0], worst[1]);
}

#[test]
fn a_mesh_goes_through_its_file_without_a_change() {
    let folder = tempfile::tempdir().unwrap();
    let shapes = [("hexahedra", Shape::Hexahedra), ("tetrahedra", Shape::Tetrahedra)];
    for (cells, shape) in shapes {
        let size = format!("--backend seq --iters 3 --cells {cells} --size 6 3 2");
        good(folder.path(), &format!("{size} --write-mesh grid.dat --dump-q a --vtk a.vtu"));
        good(folder.path(), "--backend seq --iters 3 --mesh grid.dat --dump-q b --vtk b.vtu");
        let read = |name| fs::read(folder.path().join(name)).unwrap();
        assert!(read("a") == read("b") && read("a.vtu") == read("b.vtu"), "{cells}");
        let mesh = Passage::default().mesh(shape, [6, 3, 2]).unwrap();
        assert_eq!(Mesh::read(&folder.path().join("grid.dat")).unwrap(), mesh);
        good(folder.path(), &format!("{size} --shuffle 9 --write-mesh shuffled.dat"));
        assert_eq!(Mesh::read(&folder.path().join("shuffled.dat")).unwrap(), mesh.shuffled(9).0);
    }
}

#[test]
fn a_bad_mesh_leaves_every_output_as_it_was() {
    let folder = tempfile::tempdir().unwrap();
    good(folder.path(), "--backend seq --size 3 2 2 --iters 0 --write-mesh grid.dat");
    let grid = fs::read_to_string(folder.path().join("grid.dat")).unwrap();
    let before = names(folder.path());
    let mesh = Passage::default().mesh(Shape::Hexahedra, [3, 2, 2]).unwrap();
    // The first edge leads to where it comes from.
    let line = 2 + mesh.nodes() + mesh.cells();
    let [a, b] = mesh.edge_nodes[0];
    let turned = |(k, text): (usize, &str)| match k + 1 == line {
        true => format!("{}\n", text.replacen(&format!("{a} {b} "), &format!("{a} {a} "), 1)),
        false => format!("{text}\n"),
    };
    fs::write(folder.path().join("grid.dat"), grid.lines().enumerate().map(turned).collect::<String>()).unwrap();
    let output = hydra(folder.path(), "--mesh grid.dat --dump-q q --report r.json --write-mesh m.dat");
    let message = text(&output.stderr);
    assert_eq!((output.status.code(), text(&output.stdout).as_str()), (Some(2), ""), "{message}");
    let said = format!("error: `grid.dat`, line {line}: edge 0 of {}: it leads from node {a} to itself", mesh.edges());
    assert!(message.starts_with(&said), "expected `{said}`, found `{message}`");
    assert_eq!(names(folder.path()), before);

    good(folder.path(), "--backend seq --size 3 2 2 --iters 0 --write-mesh grid.dat");
    let output = hydra(folder.path(), "--mesh grid.dat --report ./grid.dat");
    assert!(text(&output.stderr).contains("`--report` and `--mesh` both name `./grid.dat`"));
}

#[test]
fn no_iterations_give_the_start() {
    let folder = tempfile::tempdir().unwrap();
    let printed = good(folder.path(), "--backend seq --size 3 2 2 --iters 0 --plot p.svg --dump-q q");
    assert!(!printed.contains("max err"), "{printed}");
    assert!(fs::read_to_string(folder.path().join("p.svg")).unwrap().contains("no iterations"));
    let q = numbers(&folder.path().join("q"));
    assert!(q.iter().all(|q| q[0] == 1.0 && (q[1] == 0.4 || q[1] == 0.0)));
}

/// `cargo test` builds the library for programs alone, so that a test in it would never run.
#[test]
fn tests_are_outside_of_the_library() {
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("src")];
    while let Some(folder) = folders.pop() {
        for path in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
            if path.is_dir() {
                folders.push(path);
            } else {
                let text = fs::read_to_string(&path).unwrap();
                assert!(!text.contains("#[test]") && !text.contains("cfg(test)"), "{}", path.display());
            }
        }
    }
}
