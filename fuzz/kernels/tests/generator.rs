//! Tests of the generator, the check of programs and the shrinker. They compile no program.

use std::collections::BTreeSet;
use std::time::Duration;

use op2_fuzz_kernels::case::Case;
use op2_fuzz_kernels::shrink::shrink;
use op2_fuzz_kernels::{check, generate, print};

/// Enough cases for every construct to occur.
const CASES: u64 = 250;

fn cases() -> Vec<Case> {
    (0..CASES).map(generate::case).collect()
}

#[test]
fn a_seed_gives_the_same_program_every_time() {
    for seed in [0, 1, 77, u64::MAX] {
        let [one, two] = [0, 1].map(|_| print::module(&generate::case(seed)));
        assert_eq!(one, two, "seed {seed}");
    }
    assert_ne!(print::module(&generate::case(1)), print::module(&generate::case(2)));
}

/// Programs are Rust, and op2 accepts them in parse, model and check.
#[test]
fn programs_are_of_the_kernel_language() {
    for case in cases() {
        let text = print::module(&case);
        check::check(&case).unwrap_or_else(|why| panic!("seed {}: {why} in\n{text}", case.seed));
    }
}

/// For each construct in the language's table, the marks of the generator that cover it.
const CONSTRUCTS: &[(&str, &[&str])] = &[
    ("scalars", &["f32", "f64", "i8", "u8", "i16", "u16", "i32", "u32", "i64", "u64", "bool", "idx()"]),
    ("arrays, arrays of arrays", &["array", "array of arrays"]),
    ("tuples", &["tuple", "field"]),
    (
        "records",
        &["record", "field of a record", "record value", "record from another", "generic record", "dat of records"],
    ),
    ("enums", &["enum", "value of an enum", "dat of enums", "match of an enum", "comparison of enums"]),
    (
        "methods of records",
        &[
            "method",
            "function of a record",
            "method named as one of floats",
            "method by reference",
            "method by exclusive reference",
        ],
    ),
    ("aliases", &["alias", "generic alias"]),
    ("references", &["reference", "exclusive reference", "dereference"]),
    (
        "parameters of a kernel",
        &["read", "write", "rw", "inc", "min", "max", "or", "direct", "one entry", "computed entry"],
    ),
    ("… all entries of a map", &["all entries"]),
    ("… optional", &["optional argument", "optional argument that may be missing", "if let Some", "is_some"]),
    (
        "… of entries that may be missing",
        &["entry that may be missing", "unwrap_or", "is_some of an entry", "if let of an entry"],
    ),
    (
        "… a row of any length",
        &[
            "row",
            "value of a row",
            "reference into a row",
            "length of a row",
            "contribution to a row",
            "change of a row",
        ],
    ),
    ("… the element's index", &["idx()", "idx(map[i])"]),
    (
        "… the element itself",
        &[
            "idx() as an element",
            "idx(map[i]) as an element",
            "idx(from), idx(to) as elements",
            "element that may be missing",
            "elements of a row",
            "comparison of indices",
            "index of a device function",
        ],
    ),
    (
        "… those of all entries of a map",
        &["idx(map[..])", "idx(map[..]) as elements", "idx(map[..]) as elements that may be missing"],
    ),
    (
        "… entries of a map",
        &["map", "map whose entries may be missing", "read of a map", "write of a map", "rw of a map"],
    ),
    (
        "… all values of a dat",
        &[
            "table of a dat",
            "table of a map",
            "table of a device function",
            "optional table",
            "if let of a table",
            "table of a loop over pairs",
            "value of a table",
            "length of a table",
            "element of a number",
            "number of an element",
            "walk",
        ],
    ),
    (
        "… the shift of a pair",
        &["shift()", "loop over pairs in space", "loop over pairs of rows", "idx(from), idx(to)"],
    ),
    ("… reduction with payload", &["ArgMin", "ArgMax", "reduction with payload"]),
    ("generic lengths", &["generic length", "length of a kernel", "computed length"]),
    ("generic float types", &["generic kernel", "kernel of two float types", "F::lit", "F::lit of a cast"]),
    ("`let`", &["let", "let with its type", "late value", "shadowing"]),
    ("patterns", &["pattern", "array pattern", "record pattern"]),
    ("literals", &["float literal", "integer literal"]),
    ("arithmetic", &["float arithmetic", "float remainder", "integer arithmetic", "integer division", "negation"]),
    ("comparison, logic", &["comparison", "logic", "not"]),
    (
        "indices that may be missing",
        &[
            "Some",
            "None",
            "is_some of an index",
            "unwrap_or of an index",
            "if let of an index",
            "let else of an index",
            "match of an index",
        ],
    ),
    ("bits", &["bits", "bits of flags", "shift"]),
    ("assignment", &["assignment", "assignment of a whole value", "compound assignment"]),
    ("array values", &["array value", "repeated value", "len"]),
    ("… by closures", &["map", "array::from_fn"]),
    ("blocks", &["block"]),
    ("`if`", &["if", "else if", "if as a value"]),
    ("`if let`, `let … else`", &["if let Some", "let else"]),
    ("`match`", &["match", "value of a match"]),
    ("`for`", &["for", "inclusive range", "reversed range", "range that varies", "loop over components"]),
    ("… over arrays", &["for over an array", "for over two arrays", "for over what it changes", "numbered elements"]),
    ("`while`, `loop`", &["while", "while let", "loop"]),
    ("`break`, `continue`", &["break", "continue", "label"]),
    ("`return`", &["return", "return of a value"]),
    ("assertions", &["debug_assert!"]),
    ("casts", &["cast", "conversion by from"]),
    ("float methods", &["float method", "method by path"]),
    ("integer methods", &["integer method"]),
    ("constants", &["constant", "constant of a module", "table by an index"]),
    ("run-time constants", &["run-time constant"]),
    ("associated constants", &["associated constant"]),
    (
        "device functions",
        &[
            "device function",
            "generic device function",
            "stated parameters",
            "device function of a module",
            "contribution of a device function",
            "parameter by reference",
            "parameter by exclusive reference",
            "function returning a scalar",
            "function returning an array",
            "function returning a tuple",
            "function returning a record",
            "function returning a reference",
        ],
    ),
];

/// Marks of loops, in addition to the constructs of kernels.
const LOOPS: &[&str] = &[
    "gbl_read",
    "gbl_inc",
    "gbl_min",
    "gbl_max",
    "gbl_or",
    "loop over a set",
    "loop over a subset",
    "one dat in several arguments",
    "rw that commutes",
    "map that kernels write",
    "index that varies",
    "index by a counter",
    "index under its condition",
];

const LANGUAGE: &str = include_str!("../../../src/kernel-language.md");

/// Rows of the first table: construct and example.
fn rows() -> Vec<(&'static str, &'static str)> {
    let table = LANGUAGE.split("| operation |").next().expect("the first table");
    let cells = |line: &'static str| {
        let mut cells = line.trim_matches('|').split(" | ").map(str::trim);
        Some((cells.next()?, cells.next()?))
    };
    table.lines().filter(|l| l.starts_with('|')).skip(2).filter_map(cells).collect()
}

/// A construct that is added to the table has to be generated, too.
#[test]
fn every_construct_of_the_language_occurs() {
    let cases = cases();
    let marks: BTreeSet<&str> = cases.iter().flat_map(|case| case.marks.iter().copied()).collect();
    let rows = rows();
    assert!(rows.len() > 25, "{rows:?}");
    for (construct, _) in &rows {
        let found = CONSTRUCTS.iter().find(|(name, _)| name == construct);
        let (_, wanted) =
            found.unwrap_or_else(|| panic!("`{construct}` is not generated: say here by what marks it is known"));
        for mark in *wanted {
            assert!(marks.contains(mark), "`{construct}`: no case has `{mark}`");
        }
    }
    for name in CONSTRUCTS.iter().map(|(name, _)| name) {
        assert!(rows.iter().any(|(construct, _)| construct == name), "the table has no row `{name}` any more");
    }
    for mark in LOOPS {
        assert!(marks.contains(mark), "no case has `{mark}`");
    }
}

/// All methods in the table are generated, by few enough seeds.
#[test]
fn every_method_of_the_language_occurs() {
    let methods = rows().into_iter().filter(|(construct, _)| construct.ends_with("methods"));
    let mut missing: BTreeSet<&str> = methods.flat_map(|(_, all)| all.trim_matches('`').split(' ')).collect();
    assert!(missing.len() > 30, "{missing:?}");
    for seed in 0..3 * CASES {
        let text = print::module(&generate::case(seed));
        missing.retain(|method| !text.contains(&format!(".{method}(")) && !text.contains(&format!("::{method}(")));
        if missing.is_empty() {
            return;
        }
    }
    panic!("no case has {missing:?}");
}

/// With a planted fault, a case fails if a kernel calls a method. Shrinking leaves this call and its operands.
#[test]
fn shrinking_leaves_what_fails() {
    let fails =
        |case: &Case| case.loops.iter().any(|l| print::names(&l.kernel).iter().any(|name| name == "rem_euclid"));
    // Each round tries every part of a case, so that a long one takes minutes.
    let short = |case: &Case| print::module(case).len() < 5_000;
    let indexed = |case: &Case| ["Table", "Some"].iter().all(|name| print::module(case).contains(name));
    let mut cases = (0..).map(generate::case);
    let case = cases.find(|case| fails(case) && indexed(case) && short(case)).expect("some case has it");
    let mut judged = 0;
    let small = shrink(&case, Duration::from_secs(60), &mut |candidates| {
        judged += candidates.len();
        candidates.iter().map(fails).collect()
    });
    assert!(fails(&small), "{}", print::module(&small));
    check::check(&small).expect("it is a program still");
    let [before, after] =
        [&case, &small].map(|case| case.loops.iter().map(|l| print::names(&l.kernel.block).len()).sum::<usize>());
    assert_eq!(small.loops.len(), 1);
    assert!(!indexed(&small), "{}", print::module(&small));
    assert!(
        after <= 30 && after < before,
        "{before} names became {after} by {judged} candidates:\n{}",
        print::module(&small)
    );
}
