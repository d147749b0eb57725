//! Tests of the fuzzer: it is reproducible, finds planted faults, and covers all calls.

use op2::{Backend, Config, Isa, Op2};
use op2_fuzz_sequences::kinds::Kind;
use op2_fuzz_sequences::step::{Program, Step};
use op2_fuzz_sequences::{Counts, Plant, Runner, print, program, shrink, small_program};
use std::fs;
use std::ops::Range;
use std::panic::resume_unwind;
use std::path::Path;
use std::thread;

fn runner(plant: Option<Plant>) -> Runner {
    Runner::new(plant).expect("a folder and a mesh")
}

/// Runs the programs of these seeds on two threads, without the emulator.
fn run_many(seeds: Range<u64>) -> Counts {
    let middle = seeds.start.midpoint(seeds.end);
    let (mut counts, others) = thread::scope(|scope| {
        let others = scope.spawn(|| run(middle..seeds.end));
        (run(seeds.start..middle), others.join())
    });
    for (what, count) in others.unwrap_or_else(|panic| resume_unwind(panic)) {
        *counts.entry(what).or_default() += count;
    }
    counts
}

/// Runs the programs of these seeds, without the emulator.
fn run(seeds: Range<u64>) -> Counts {
    let (runner, mut counts) = (runner(None), Counts::new());
    for seed in seeds {
        let program = program(seed, 0);
        if let Err(failure) = runner.run(&program, &mut counts) {
            panic!("seed {seed}, step {}: {}\n{}", failure.step, failure.what, print::text(&program));
        }
    }
    counts
}

#[test]
fn a_seed_says_all() {
    for seed in 0..50 {
        assert_eq!(format!("{:?}", program(seed, 3)), format!("{:?}", program(seed, 3)));
    }
    assert_ne!(format!("{:?}", program(1, 3).steps), format!("{:?}", program(2, 3).steps));
    assert_eq!(run(100..140), run(100..140));
}

/// Finds a planted fault, and shortens the program that shows it.
fn shortened(plant: Plant) -> Program {
    let runner = runner(Some(plant));
    for seed in 0..500 {
        let program = program(seed, 0);
        if let Err(failure) = runner.run(&program, &mut Counts::new()) {
            let (short, failure) = shrink(&runner, &program, failure);
            let again = runner.run(&short, &mut Counts::new()).expect_err("the short program fails, too");
            assert_eq!(again.what, failure.what);
            assert_eq!(short.setup.backend, Backend::Seq, "no other executor is needed");
            return short;
        }
    }
    panic!("500 sequences did not find it");
}

#[test]
fn a_map_that_stays_old_is_found_and_shortened() {
    let short = shortened(|step| matches!(step, Step::SetMap { wrong: None, .. }));
    let has = |name: &str| short.steps.iter().any(|step| step.name() == name);
    assert!(has("set_map") && has("decl_map"), "{:?}", short.steps);
    assert!(short.steps.len() <= 9, "{} steps:\n{}", short.steps.len(), print::text(&short));
}

#[test]
fn a_lost_call_of_any_kind_is_found() {
    let plants: [(&str, Plant); 13] = [
        ("set_data", |step| matches!(step, Step::SetData { .. })),
        ("set_value", |step| matches!(step, Step::SetValue { .. })),
        ("set", |step| matches!(step, Step::Set { .. })),
        ("fill", |step| matches!(step, Step::Fill { .. })),
        ("fill of maps", |step| matches!(step, Step::FillMap { .. })),
        ("swap of maps", |step| matches!(step, Step::SwapMaps { .. })),
        ("select", |step| matches!(step, Step::Select { .. })),
        ("scan", |step| matches!(step, Step::Scan { .. })),
        ("grow", |step| matches!(step, Step::Grow { .. })),
        ("compact", |step| matches!(step, Step::Compact { .. })),
        ("chain", |step| matches!(step, Step::Chain(_))),
        ("op_par_loop", |step| matches!(step, Step::Loop(one) if one.kind == Kind::Stamp && one.subset)),
        ("op_par_loop", |step| matches!(step, Step::Loop(one) if one.kind == Kind::Least)),
    ];
    for (name, plant) in plants {
        let short = shortened(plant);
        let lost = short.steps.iter().filter(|step| step.name() == name).count();
        assert!(lost == 1 && short.steps.len() <= 12, "{name}:\n{}", print::text(&short));
    }
}

#[test]
fn every_call_and_every_dimension_comes_up() {
    let counts = run_many(0..1500);
    let mut missing: Vec<String> = Vec::new();
    let mut need = |what: String| {
        if !counts.contains_key(&what) {
            missing.push(what);
        }
    };
    Step::NAMES.iter().for_each(|name| need(format!("step {name}")));
    Kind::ALL.iter().for_each(|kind| need(format!("loop {}", kind.template().name)));
    for backend in ["Seq", "Threads(1)", "Threads(2)", "Threads(3)", "Threads(4)"] {
        need(format!("setup backend {backend}"));
    }
    for strategy in ["predicted", "blocks", "colours", "scatter", "tiles", "owner", "split", "auto"] {
        need(format!("setup strategy {strategy}"));
        need(format!("pin {strategy}"));
    }
    ["Aos", "Soa", "Blocked"].iter().for_each(|layout| need(format!("setup layout {layout}")));
    ["None", "Rcm", "Gps", "Runs", "Hilbert", "Metis"]
        .iter()
        .for_each(|o| need(format!("ordering {}", o.to_lowercase())));
    ["default", "None", "Rcm", "Gps"].iter().for_each(|o| need(format!("setup ordering {o}")));
    for isa in Isa::available() {
        need(format!("setup isa {isa:?}"));
        need(format!("pin isa {isa:?}"));
    }
    for flag in ["shuffled", "short_loops", "verify_plans", "ahead"] {
        [true, false].iter().for_each(|on| need(format!("setup {flag} {on}")));
    }
    ["FewCores", "ManyCores"].iter().for_each(|kind| need(format!("setup hardware {kind}")));
    let faults = ["OtherMesh", "OtherSet", "MapIndex", "Aliased", "AliasedGlobal", "Collision", "TwoSets"];
    let refusals = ["Rows", "Buffer", "Element", "MapEntry", "SubsetEntry", "EmptyBlock", "Kept", "OtherTarget"];
    let of_rows = ["Unset", "Inverse", "Children"];
    faults.iter().chain(&refusals).chain(&of_rows).for_each(|error| need(format!("error {error}")));
    assert!(missing.is_empty(), "never: {missing:?}");
    assert!(counts["comparisons"] > counts["sequences"] * 10 && counts["twins"] > 100);
}

#[test]
fn the_emulator_is_one_of_the_executors() {
    if let Err(reason) = Op2::with(Config::default().backend(Backend::CudaEmu)) {
        assert!(std::env::var_os("CI").is_none(), "{reason}");
        println!("skipped: the emulator; {reason}");
        return;
    }
    let (runner, mut counts) = (runner(None), Counts::new());
    for seed in 0..3 {
        let program = program(seed, 1);
        assert_eq!(program.setup.backend, Backend::CudaEmu);
        let done = runner.run(&program, &mut counts);
        done.unwrap_or_else(|failure| panic!("seed {seed}: {failure:?}\n{}", print::text(&program)));
    }
    assert_eq!(counts["setup backend CudaEmu"], 3);
}

/// The program in `printed.rs` equals the one that is printed today.
#[test]
fn programs_are_printed_as_they_are_run() {
    let program = (0..10_000).map(|seed| small_program(seed, 240)).find(has_all).expect("one with all of them");
    runner(None).run(&program, &mut Counts::new()).expect("op2 and the model agree");
    let printed = print::text(&program);
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/printed/program.txt");
    if std::env::var_os("BLESS").is_some() {
        fs::write(&path, &printed).unwrap();
    }
    let known = fs::read_to_string(&path).unwrap_or_default();
    assert!(known == printed, "BLESS=1 writes {} anew", path.display());
}

/// Whether a program has every call and every loop.
fn has_all(program: &Program) -> bool {
    let called = |name: &&str| program.steps.iter().any(|step| step.name() == *name);
    let looped = |kind: &Kind| program.steps.iter().flat_map(Step::loops).any(|one| one.kind == *kind);
    Step::NAMES.iter().all(called) && Kind::ALL.iter().all(looped)
}
