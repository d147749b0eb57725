//! Uses a script in place of the compiler that counts its calls.

use super::*;
use op2_core::Target;
use std::path::Path;
use std::thread;
use tempfile::TempDir;

/// A folder with a compiler, a cache and the number of texts that were compiled.
struct CountedCompiler {
    folder: TempDir,
    compiler: Compiler,
}

impl CountedCompiler {
    /// `None` without a C++ compiler.
    fn new() -> Option<Self> {
        if !op2_test_support::has_cxx() {
            return None;
        }
        let real = find().unwrap_or_else(|e| panic!("{e}")).command.join(" ");
        let folder = tempfile::tempdir().expect("a folder");
        let script = folder.path().join("count-compilations");
        let count = folder.path().join("count");
        let text = format!(
            "#!/bin/sh\ncase \"$*\" in *text.cpp*) echo one >> {};; esac\nexec {real} \"$@\"\n",
            count.display()
        );
        fs::write(&script, text).expect("a file");
        // Started by `sh`, since a test that starts a program at this moment may inherit the file open for writing.
        let compiler = Compiler::named(Some(format!("sh {}", script.display()))).expect("it starts");
        Some(CountedCompiler { folder, compiler })
    }

    fn cache_folder(&self) -> std::path::PathBuf {
        self.folder.path().join("cache")
    }

    fn cache(&self) -> Cache {
        Cache::at(self.cache_folder())
    }

    fn library(&self, source: &Source) -> Arc<Library> {
        Loaded::default().library(&self.compiler, source, Options::default(), &self.cache()).expect("it compiles")
    }

    fn compilations(&self) -> usize {
        fs::read_to_string(self.folder.path().join("count")).map_or(0, |lines| lines.lines().count())
    }
}

fn source(text: &'static str) -> Source {
    Source {
        target: Target::Cuda,
        name: "k".into(),
        definitions: Vec::new(),
        text: text.into(),
        kernels: vec!["k".into()],
    }
}

const TEXT: &str = "extern \"C\" __global__ void k(unsigned* x) { x[threadIdx.x] = 1; }";

fn files(folder: &Path) -> Vec<std::path::PathBuf> {
    let entries = fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path());
    entries.flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] }).collect()
}

#[test]
fn a_text_is_compiled_once_per_machine() {
    let Some(counted) = CountedCompiler::new() else { return };
    counted.library(&source(TEXT));
    counted.library(&source(TEXT));
    assert_eq!(counted.compilations(), 1);
    counted.library(&source("extern \"C\" __global__ void k(unsigned* x) { x[threadIdx.x] = 2; }"));
    assert_eq!(counted.compilations(), 2);
    Loaded::default()
        .library(&counted.compiler, &source(TEXT), Options { checks: false, ..Options::default() }, &counted.cache())
        .expect("it compiles");
    assert_eq!(counted.compilations(), 3, "without checks it is another library");
}

#[test]
fn damaged_entries_are_compiled_again() {
    let Some(counted) = CountedCompiler::new() else { return };
    counted.library(&source(TEXT));
    let [entry] = &files(&counted.cache_folder())[..] else { panic!("one text, one entry") };
    let good = fs::read(entry).expect("an entry");
    let mut flipped = good.clone();
    flipped[good.len() / 2] ^= 1;
    for (n, bad) in [&[][..], &good[..good.len() / 2], &flipped, b"nonsense"].into_iter().enumerate() {
        fs::write(entry, bad).expect("an entry");
        assert_eq!(counted.library(&source(TEXT)).kernel("k"), Some(0));
        assert_eq!(counted.compilations(), n + 2);
        assert_eq!(fs::read(entry).expect("an entry").len(), good.len(), "the entry is whole again");
    }
}

#[test]
fn threads_that_want_the_same_text_compile_it_once() {
    let Some(counted) = CountedCompiler::new() else { return };
    let loaded = Loaded::default();
    let libraries: Vec<Arc<Library>> = thread::scope(|scope| {
        let load = || {
            loaded.library(&counted.compiler, &source(TEXT), Options::default(), &counted.cache()).expect("it compiles")
        };
        let threads: Vec<_> = (0..8).map(|_| scope.spawn(load)).collect();
        threads.into_iter().map(|thread| thread.join().expect("no panic")).collect()
    });
    assert!(libraries.iter().all(|library| Arc::ptr_eq(library, &libraries[0])));
    assert_eq!(counted.compilations(), 1);
}

#[test]
fn a_cache_that_cannot_be_written_is_no_error() {
    let Some(counted) = CountedCompiler::new() else { return };
    fs::write(counted.cache_folder(), "a file, no folder").expect("a file");
    counted.library(&source(TEXT));
    counted.library(&source(TEXT));
    assert_eq!(counted.compilations(), 2);
}

#[test]
fn a_text_that_failed_is_compiled_again() {
    let Some(counted) = CountedCompiler::new() else { return };
    let loaded = Loaded::default();
    for _ in 0..2 {
        let broken = loaded.library(&counted.compiler, &source("broken"), Options::default(), &counted.cache());
        assert!(matches!(broken, Err(Error::Compile { .. })));
    }
    assert_eq!(counted.compilations(), 2);
}

#[test]
fn the_log_tells_of_texts_that_are_compiled_and_not_of_those_in_the_cache() {
    let Some(counted) = CountedCompiler::new() else { return };
    let first = logged(|| drop(counted.library(&source(TEXT))));
    let [event] = &first[..] else { panic!("one text, one event: {first:?}") };
    assert!(event.starts_with("DEBUG op2::device compiled `k` by sh ") && event.ends_with(" ms"), "{event}");
    assert!(logged(|| drop(counted.library(&source(TEXT)))).is_empty());
}

/// The events of `work`, which come on its thread.
fn logged(work: impl FnOnce()) -> Vec<String> {
    thread_local! {
        static EVENTS: std::cell::RefCell<Vec<String>> = const { std::cell::RefCell::new(Vec::new()) };
    }
    struct Capture;
    impl ::log::Log for Capture {
        fn enabled(&self, _: &::log::Metadata<'_>) -> bool {
            true
        }

        fn log(&self, event: &::log::Record<'_>) {
            let text = format!("{} {} {}", event.level(), event.target(), event.args());
            EVENTS.with_borrow_mut(|events| events.push(text));
        }

        fn flush(&self) {}
    }
    // It stands there already when a test asks twice.
    let _ = ::log::set_logger(&Capture);
    ::log::set_max_level(::log::LevelFilter::Debug);
    work();
    EVENTS.take()
}
