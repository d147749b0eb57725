//! The text of a few kernels, word by word; `UPDATE_GOLDEN=1 cargo test -p op2-codegen` accepts it.

use op2_codegen::emit::cuda::functions;
use op2_codegen::ir::Unit;
use op2_codegen::model;
use op2_codegen::model::file::in_file;
use op2_codegen::parse::kernel::FnKind;
use op2_codegen::payload::Payload;

use crate::{awkward, golden, kernel, list};

/// The payload of a function of a source file, with what it calls there.
fn found(file: &syn::File, name: &str) -> Payload {
    let item = file.items.iter().find_map(|item| match item {
        syn::Item::Fn(f) if f.sig.ident == name => Some(f.clone()),
        _ => None,
    });
    let item = item.unwrap_or_else(|| panic!("no function `{name}`"));
    in_file(&item, FnKind::Kernel, &file.items).unwrap_or_else(|missing| panic!("{missing}"))
}

fn check(name: &str, unit: &Unit) {
    golden(&format!("cuda_functions/golden/{name}.cu"), &functions(unit).text);
}

/// Names of the kernels of airfoil.
const AIRFOIL: [&str; 5] = ["save_soln", "adt_calc", "res_calc", "bres_calc", "update"];

#[test]
fn airfoil() {
    let source = concat!(env!("CARGO_MANIFEST_DIR"), "/../apps/airfoil/src/kernels.rs");
    let file = syn::parse_file(&std::fs::read_to_string(source).unwrap()).unwrap();
    for name in AIRFOIL {
        let unit = model::build(&found(&file, name), FnKind::Kernel);
        check(&format!("airfoil_{name}"), &unit.unwrap_or_else(|e| panic!("{}", list(e))));
    }
}

#[test]
fn awkward_kernels() {
    for (name, text) in awkward::TEXTS {
        check(name, &kernel(text));
    }
    check("effects", &awkward::effects_unit());
}

/// The text of a kernel that is gone would stay in the folder for good.
#[test]
fn every_file_is_compared_with_a_text() {
    let airfoil = AIRFOIL.map(|name| format!("airfoil_{name}"));
    let awkward = awkward::TEXTS.iter().map(|(name, _)| name.to_string());
    let mut texts: Vec<_> = airfoil.into_iter().chain(awkward).chain(["effects".to_owned()]).collect();
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/cuda_functions/golden");
    let files = std::fs::read_dir(folder).expect("a readable folder").map(|entry| entry.expect("a file").path());
    let mut names: Vec<_> =
        files.map(|file| file.file_stem().expect("a name").to_string_lossy().into_owned()).collect();
    texts.sort();
    names.sort();
    assert_eq!(names, texts, "files in {folder}, and kernels whose text is compared");
}

/// Texts of the other tests, of any size, are not compared; but what a parameter becomes is.
#[test]
fn parameters_are_listed() {
    let unit = kernel(
        "fn k(a: &[f64; 4], b: &mut f32, c: [&[f64; 2]; N], d: Option<&mut i32>, e: Option<[&u64; 3]>, int: usize,
              f: &mut ArgMin<f64, u32>, g: [&mut bool; 2]) {}",
    );
    let emitted = functions(&unit);
    let shown: Vec<String> = emitted.params.iter().map(|p| format!("{} {:?} {}", p.name, p.passing, p.value)).collect();
    let expected = [
        "a Reference { mutable: false } Arr<double, 4>",
        "b Reference { mutable: true } float",
        "c Entries { mutable: false, len: \"N\" } Arr<double, 2>",
        "d Optional(Reference { mutable: true }) i32",
        "e Optional(Entries { mutable: false, len: \"3\" }) u64",
        "int_ Value usize",
        "f Reference { mutable: true } ArgMin<double, u32>",
        "g Entries { mutable: true, len: \"2\" } bool",
    ];
    assert_eq!(shown, expected);
    assert_eq!((emitted.kernel.as_str(), emitted.result.as_str()), ("user::k", "void"));
    let head = "__device__ __forceinline__ void k(const Arr<double, 4>& a, float& b,\n        \
                Arr<const Arr<double, 2>*, N> c, i32* d, const Arr<const u64*, 3>* e, usize int_,\n        \
                ArgMin<double, u32>& f, Arr<bool*, 2> g) {\n";
    assert!(emitted.text.contains(head), "{}", emitted.text);
}
