//! The text of sources, for both compilers and for dumps.

use op2_device::language::cuda::HEADER;
use op2_device::{Definition, Error, Literal, Source, Target};

fn source() -> Source {
    Source {
        target: Target::Cuda,
        name: "scale".to_owned(),
        definitions: vec![
            Definition::Value("OP2_BLOCK".to_owned(), 128),
            Definition::Macro("OP2_LAYOUT_x".to_owned(), "Soa".to_owned()),
            Definition::Size("OP2_STRIDE_x".to_owned(), 720_000),
            Definition::Value("OP2_HAS_x".to_owned(), 1),
            Definition::Size("OP2_ROWS_map".to_owned(), 900),
            Definition::Constants(vec![("GAM".to_owned(), Literal::F64(1.4))]),
        ],
        text: "// text\n".into(),
        kernels: vec!["scale_global".to_owned()],
    }
}

#[test]
fn a_gpu_gets_numbers_and_the_emulator_places_of_numbers() {
    let rest = "namespace user {\nusing namespace op2::types;\nOP2_CONST double GAM = 1.4;\n}\n// text\n";
    let defined = |numbers: [&str; 4]| {
        let names = ["OP2_BLOCK", "OP2_STRIDE_x", "OP2_HAS_x", "OP2_ROWS_map"];
        let mut lines: Vec<String> =
            names.iter().zip(numbers).map(|(name, n)| format!("#define {name} {n}\n")).collect();
        lines.insert(1, "#define OP2_LAYOUT_x Soa\n".to_owned());
        lines.concat()
    };
    let table = "extern \"C\" { __constant__ unsigned long long op2_sizes[2]; }\n";
    let cuda = defined(["128ull", "(op2_sizes[0])", "1ull", "(op2_sizes[1])"]);
    assert_eq!(source().whole(), format!("{HEADER}{table}{cuda}{rest}"));
    let folded = defined(["128ull", "720000ull", "1ull", "900ull"]);
    assert_eq!(source().folded(), format!("{folded}{rest}"));
    let emulated = defined(["(op2_values[0])", "(op2_values[1])", "(op2_values[2])", "(op2_values[3])"]);
    assert_eq!(source().emulated(), format!("{emulated}{rest}"));
    assert_eq!((source().values(), source().places_of_sizes()), (vec![128, 720_000, 1, 900], vec![1, 3]));
    assert_eq!(source().place_of_value("OP2_STRIDE_x"), Some(1));
    assert_eq!(source().place_of_value("OP2_LAYOUT_x"), None);
}

#[test]
fn growth_changes_no_text() {
    let mut grown = source();
    grown.definitions[2] = Definition::Size("OP2_STRIDE_x".to_owned(), 1_000_000);
    assert!(grown.whole() == source().whole() && grown.emulated() == source().emulated());
    assert_eq!(grown.values(), [128, 1_000_000, 1, 900]);
}

/// A change of the way in which kernels begin must not end this unnoticed.
#[test]
fn of_every_golden_kernels_are_left_out_for_gpus_and_stay_for_the_emulator() {
    const HEAD: &str = "extern \"C\" __global__ void __launch_bounds__(OP2_BLOCK)\n";
    let mut kernels_of_all = 0;
    for file in goldens() {
        let text = std::fs::read_to_string(&file).unwrap();
        let kernels: Vec<&str> = text.split(HEAD).skip(1).filter_map(|rest| rest.split('(').next()).collect();
        assert_eq!(kernels.len(), text.matches("__global__").count(), "{}", file.display());
        kernels_of_all += kernels.len();
        let of = |left_out: &[&str]| Source {
            definitions: left_out.iter().map(|name| Definition::LeftOut((*name).to_owned())).collect(),
            text: text.clone().into(),
            kernels: kernels.iter().map(|name| (*name).to_owned()).collect(),
            ..source()
        };
        assert!(!of(&kernels).whole().contains(HEAD), "{}", file.display());
        let [first, others @ ..] = &kernels[..] else { continue };
        let of_one = of(others);
        assert_eq!(of_one.whole().matches(HEAD).count(), 1);
        assert!(of_one.whole().contains(&format!("{HEAD}{first}(")), "{}", file.display());
        assert_eq!(of_one.whole().lines().count(), of(&[]).whole().lines().count(), "lines keep their numbers");
        assert!(of_one.emulated() == of(&[]).emulated());
    }
    assert!(kernels_of_all > 100, "{kernels_of_all}");
}

fn goldens() -> Vec<std::path::PathBuf> {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/golden");
    let files = |folder| std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    files(folder)
        .filter(|path| path.is_dir())
        .flat_map(files)
        .filter(|path| path.extension().is_some_and(|e| e == "cu"))
        .collect()
}

#[test]
fn texts_are_dumped_side_by_side() {
    let folder = tempfile::tempdir().unwrap();
    let inner = folder.path().join("deep/er");
    source().dump(&inner).unwrap();
    source().dump(&inner).unwrap();
    let mut other = source();
    other.definitions[0] = Definition::Value("OP2_BLOCK".to_owned(), 256);
    other.dump(&inner).unwrap();
    let mut texts: Vec<String> =
        std::fs::read_dir(&inner).unwrap().map(|e| std::fs::read_to_string(e.unwrap().path()).unwrap()).collect();
    texts.sort();
    let mut expected = [source().whole(), other.whole()];
    expected.sort();
    assert_eq!(texts, expected);
}

#[test]
fn a_place_that_cannot_be_written_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    std::fs::write(&file, "").unwrap();
    let error = source().dump(&file).unwrap_err();
    assert!(matches!(&error, Error::Dump { path, .. } if path.contains("file")), "{error}");
    assert!(error.to_string().ends_with("name a folder that can be written in OP2_CUDA_DUMP, or unset it"), "{error}");
}

/// A reader of an older text keeps it: the new file replaces it when it is complete.
#[test]
fn a_text_is_replaced_as_a_whole() {
    let folder = tempfile::tempdir().unwrap();
    source().dump(folder.path()).unwrap();
    let file = std::fs::read_dir(folder.path()).unwrap().next().unwrap().unwrap().path();
    std::fs::write(&file, "old").unwrap();
    let older = folder.path().join("older");
    std::fs::hard_link(&file, &older).unwrap();
    source().dump(folder.path()).unwrap();
    let read = |path| std::fs::read_to_string(path).unwrap();
    assert!(read(&file) == source().whole() && read(&older) == "old", "the older text was written over");
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 2, "nothing else is left in the folder");
}
