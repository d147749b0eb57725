//! The CUDA code of the apps. Each app runs a few steps in the emulator, which dumps the texts that it compiles.

use crate::{Error, Result, file_error};
use op2_device::Work;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// A text and its origin.
pub(crate) struct Text {
    /// The app and its options, the golden, or where else it is launched.
    pub from: String,
    pub text: String,
}

/// A loop with all its forms, as the run time dumped it.
#[derive(Deserialize)]
pub(crate) struct LoopDump {
    pub kernel: String,
    /// File and line.
    pub location: String,
    pub elements: usize,
    /// Bytes that it moves at least.
    pub useful_bytes: u64,
    /// Whether blocks stage data.
    pub staged: bool,
    /// Elements of a block, for the unsplit loop, which stays unless another form is clearly better.
    pub usual: usize,
    pub no_more_forms: String,
    pub forms: Vec<FormDump>,
    pub variants: Vec<VariantDump>,
}

/// One form of a loop.
#[derive(Default, Deserialize)]
pub(crate) struct FormDump {
    /// Contribution stages; 0 for the unsplit loop.
    pub stages: usize,
    pub bytes_per_element: u64,
    pub kept_bytes: usize,
    pub flops: u32,
    /// Sizes of blocks in elements, with the bytes of shared memory of each.
    pub shared: Vec<(usize, u64)>,
    /// The text for blocks of one size.
    pub text: String,
}

impl FormDump {
    /// The text for blocks of at most `threads` threads that read targets of maps so.
    pub(crate) fn for_blocks(&self, threads: usize, reads: &str) -> String {
        let defined = [("#define OP2_BLOCK ", format!("{threads}ull")), ("#define OP2_READS ", reads.to_owned())];
        let line = |line: &str| match defined.iter().find(|(start, _)| line.starts_with(start)) {
            Some((start, value)) => format!("{start}{value}\n"),
            None => format!("{line}\n"),
        };
        self.text.lines().map(line).collect()
    }
}

/// A way to run a loop.
#[derive(Deserialize)]
pub(crate) struct VariantDump {
    /// The text of its strategy; empty where there is one way only.
    pub scheme: String,
    pub resolution: String,
    pub deterministic: bool,
    /// Elements of a block, and stages; 0 for the unsplit loop.
    pub size: usize,
    pub stages: usize,
    /// How blocks read the targets of maps: the name of a class of the text.
    pub reads: String,
    /// Targets between the least and the greatest one of each block, and the targets of all blocks.
    pub spans: Vec<u32>,
    pub targets: f64,
    /// Whether it stays unless another is clearly better.
    pub usual: bool,
    /// The function whose registers are reported.
    pub function: String,
    pub guessed_registers: u32,
    /// The work of its kernels, of which the first runs the elements.
    pub works: Vec<Work>,
}

impl VariantDump {
    /// The works on a mesh in `dimensions` dimensions that is `times` as large as this one.
    pub(crate) fn works_on(&self, times: f64, dimensions: i32) -> Vec<Work> {
        let mut works: Vec<Work> = self.works.iter().map(|work| work.scaled(times)).collect();
        if self.reads == "Gathered" {
            // A far block lists its targets, and waits for the list.
            let more_far = self.far(times, dimensions) - self.far(1.0, dimensions);
            let more = size_of::<u32>() as f64 * more_far * self.targets * times;
            works[0].bytes += more;
            works[0].footprint += more / f64::from(works[0].launches.max(1));
            works[0].waits.memory += more_far;
        }
        works
    }

    /// The share of blocks on that mesh whose targets are too far from each other for 16 bits. Those of most blocks are as far apart as
    /// layers of the mesh are large. Along a cut they are farther, but of a larger mesh fewer blocks lie there.
    pub(crate) fn far(&self, times: f64, dimensions: i32) -> f64 {
        let farther = times.powf(1.0 - 1.0 / f64::from(dimensions));
        let far = self.spans.iter().filter(|&&span| f64::from(span) * farther > f64::from(u16::MAX - 1));
        far.count() as f64 / self.spans.len().max(1) as f64
    }
}

/// The loops of an app on a mesh that stands for larger ones.
pub(crate) struct Sample {
    /// The app and its options.
    pub from: String,
    pub loops: Vec<LoopDump>,
    /// Executions of each loop in an iteration, in their order.
    pub calls: Vec<u64>,
    /// Elements for which estimates are wanted, and those of this mesh.
    pub wanted: &'static [f64],
    here: f64,
    pub dimensions: i32,
}

impl Sample {
    /// How much larger a loop is on a mesh of `wanted` elements: boundaries grow less.
    pub(crate) fn times(&self, of: &LoopDump, wanted: f64) -> f64 {
        let times = wanted / self.here;
        let boundary = (of.elements as f64) < self.here / 4.0;
        if boundary { times.powf(1.0 - 1.0 / f64::from(self.dimensions)) } else { times }
    }
}

/// An app, with command lines that reach all of its loops in all of their forms.
struct App {
    name: &'static str,
    size: &'static [&'static str],
    /// Options for a mesh so large that blocks of 512 elements share as much as on larger meshes. Empty if no loop has forms.
    large: &'static [&'static str],
    /// Each item is one choice of options.
    choices: &'static [&'static [&'static str]],
    model: Option<Model>,
}

/// How the loops of an app are estimated.
struct Model {
    /// Options for a mesh like those of the estimates, but smaller.
    size: &'static [&'static str],
    /// The option that says how many iterations run, if the app reports them.
    iterations: Option<&'static str>,
    /// The number of choices of options.
    choices: usize,
    /// A loop over the elements that are counted, and how many of them are wanted.
    unit: &'static str,
    wanted: &'static [f64],
    dimensions: i32,
}

/// A new app adds an item here.
const APPS: [App; 5] = [
    App {
        name: "airfoil",
        size: &["--size", "4", "6", "--iters", "1", "--unchecked"],
        large: &["--size", "60", "90", "--iters", "1", "--unchecked"],
        choices: &[
            &["--precision", "f64", "--layout", "aos"],
            &["--precision", "f64", "--layout", "soa"],
            &["--precision", "f32", "--layout", "aos"],
            &["--precision", "f32", "--layout", "soa"],
        ],
        model: Some(Model {
            size: &["--size", "100", "150", "--unchecked"],
            iterations: Some("--iters"),
            choices: 3,
            unit: "save_soln",
            wanted: &[720e3, 2.88e6],
            dimensions: 2,
        }),
    },
    App {
        name: "hydra",
        size: &["--size", "3", "2", "2", "--iters", "1", "--unchecked"],
        large: &["--size", "24", "12", "12", "--iters", "1", "--unchecked"],
        choices: &[
            &["--precision", "f64", "--layout", "aos"],
            &["--precision", "f64", "--layout", "soa"],
            &["--precision", "f32", "--layout", "aos"],
            &["--precision", "f32", "--layout", "soa"],
        ],
        model: Some(Model {
            size: &["--size", "40", "20", "20", "--unchecked"],
            iterations: Some("--iters"),
            choices: 1,
            unit: "save",
            // The nodes of 150 x 74 x 74 hexahedra, the app's usual mesh.
            wanted: &[849e3],
            dimensions: 3,
        }),
    },
    App {
        name: "jac",
        size: &["--size", "4", "--steps", "1"],
        large: &["--size", "60", "--steps", "1"],
        choices: &[&["--precision", "f64"], &["--precision", "f32"]],
        model: Some(Model {
            size: &["--size", "200", "--steps", "1"],
            iterations: None,
            choices: 2,
            unit: "step",
            wanted: &[1e6],
            dimensions: 2,
        }),
    },
    App {
        name: "siac",
        size: &["--generate", "low", "200"],
        large: &[],
        choices: &[
            &["--method", "per-point", "--boundary", "periodic"],
            &["--method", "per-element", "--boundary", "periodic"],
            &["--method", "per-point", "--boundary", "one-sided"],
            &["--method", "per-element", "--boundary", "one-sided"],
        ],
        model: None,
    },
    App {
        name: "adapt",
        size: &["--generate", "jittered", "200", "--max-rounds", "3", "--unchecked"],
        large: &[],
        choices: &[&["--layout", "aos"], &["--layout", "soa"]],
        model: None,
    },
];

/// Builds apps next to this program, with one call of cargo, so that common dependencies are built once.
fn build<'a>(apps: impl IntoIterator<Item = &'a App>) -> Result<()> {
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["build", "-q", "--profile", if cfg!(debug_assertions) { "dev" } else { "release" }]);
    // All members have a say in the features of libraries, so that what another command on all of them has built serves here.
    cargo.arg("--workspace").args(apps.into_iter().flat_map(|app| ["--bin", app.name]));
    let output = cargo.output().map_err(file_error(Path::new(env!("CARGO"))))?;
    match output.status.success() {
        true => Ok(()),
        false => Err(Error::App { command: "cargo build".into(), output: lossy(&output) }),
    }
}

/// The output of a program.
fn lossy(output: &Output) -> String {
    String::from_utf8_lossy(&[output.stdout.as_slice(), &output.stderr].concat()).into_owned()
}

/// The texts of all apps.
pub(crate) fn texts() -> Result<Vec<Text>> {
    build(&APPS)?;
    let mut all = Vec::new();
    for app in &APPS {
        for choice in app.choices {
            all.extend(app.texts(choice)?);
        }
    }
    Ok(all)
}

/// The loops of all apps, or of one, in all their forms, each with the app and its options.
pub(crate) fn dumps(only: Option<&str>) -> Result<Vec<(String, LoopDump)>> {
    let with_forms = || APPS.iter().filter(|app| !app.large.is_empty());
    let chosen: Vec<&App> = with_forms().filter(|app| only.is_none_or(|name| app.name == name)).collect();
    if let Some(name) = only.filter(|_| chosen.is_empty()) {
        return Err(Error::NoApp { name: name.to_owned(), known: with_forms().map(|app| app.name).collect() });
    }
    build(chosen.iter().copied())?;
    let mut all = Vec::new();
    for app in chosen {
        // Forms do not depend on the layout, so the first choice of options suffices.
        let choice = app.choices[0];
        for (path, text) in app.dumped("OP2_FORMS_DUMP", app.large, choice)? {
            let refused = |cause| Error::Json { path: path.display().to_string(), cause };
            all.push((app.from(choice), serde_json::from_str(&text).map_err(refused)?));
        }
    }
    Ok(all)
}

/// The loops of all apps that have estimates, or of one.
pub(crate) fn samples(only: Option<&str>) -> Result<Vec<Sample>> {
    let with_model = || APPS.iter().filter_map(|app| Some((app, app.model.as_ref()?)));
    let chosen: Vec<(&App, &Model)> =
        with_model().filter(|(app, _)| only.is_none_or(|name| app.name == name)).collect();
    if let Some(name) = only.filter(|_| chosen.is_empty()) {
        return Err(Error::NoApp { name: name.to_owned(), known: with_model().map(|(app, _)| app.name).collect() });
    }
    build(chosen.iter().map(|(app, _)| *app))?;
    let mut all = Vec::new();
    for (app, model) in chosen {
        for choice in &app.choices[..model.choices] {
            all.push(app.sample(model, choice)?);
        }
    }
    Ok(all)
}

/// A report of an app, as far as it counts calls.
#[derive(Deserialize)]
struct Report {
    loops: Vec<ReportedLoop>,
}

#[derive(Deserialize)]
struct ReportedLoop {
    location: String,
    calls: u64,
}

impl App {
    fn sample(&self, model: &Model, choice: &[&str]) -> Result<Sample> {
        let once: Vec<&str> = model.iterations.map(|name| [name, "1"]).into_iter().flatten().collect();
        let mut loops: Vec<LoopDump> = Vec::new();
        for (path, text) in self.dumped("OP2_FORMS_DUMP", &[model.size, &once[..]].concat(), choice)? {
            let refused = |cause| Error::Json { path: path.display().to_string(), cause };
            loops.push(serde_json::from_str(&text).map_err(refused)?);
        }
        let calls = match model.iterations {
            Some(name) => {
                let [one, two] = ["1", "2"].map(|n| self.calls(&[model.size, &[name, n]].concat(), choice));
                let (one, two) = (one?, two?);
                let of = |of: &LoopDump| two.get(&of.location).unwrap_or(&0) - one.get(&of.location).unwrap_or(&0);
                loops.iter().map(of).collect()
            }
            None => vec![1; loops.len()],
        };
        let unit = loops.iter().find(|of| of.kernel == model.unit);
        let missing = || Error::NoText { command: format!("{}, loop {}", self.name, model.unit) };
        let here = unit.ok_or_else(missing)?.elements as f64;
        Ok(Sample { from: self.from(choice), loops, calls, wanted: model.wanted, here, dimensions: model.dimensions })
    }

    /// How often each loop runs, by its location.
    fn calls(&self, size: &[&str], choice: &[&str]) -> Result<BTreeMap<String, u64>> {
        let folder = tempfile::tempdir().map_err(file_error(&std::env::temp_dir()))?;
        let path = folder.path().join("report.json");
        let report = ["--report", path.to_str().expect("a path in words")];
        let args = [&["--backend", "cuda-emu"], size, choice, &report].concat();
        let program = self.program()?;
        Command::new(&program).args(&args).output().map_err(file_error(&program))?;
        let text = fs::read_to_string(&path).map_err(file_error(&path))?;
        let refused = |cause| Error::Json { path: path.display().to_string(), cause };
        let report: Report = serde_json::from_str(&text).map_err(refused)?;
        Ok(report.loops.into_iter().map(|of| (of.location, of.calls)).collect())
    }

    fn program(&self) -> Result<PathBuf> {
        Ok(std::env::current_exe().map_err(file_error(Path::new("xtask")))?.with_file_name(self.name))
    }

    fn texts(&self, choice: &[&str]) -> Result<Vec<Text>> {
        let files = self.dumped(op2_device::DUMP, self.size, choice)?;
        Ok(files.into_iter().map(|(_, text)| Text { from: self.from(choice), text }).collect())
    }

    fn from(&self, choice: &[&str]) -> String {
        format!("{} {}", self.name, choice_name(choice))
    }

    /// The files that the app dumps into the folder in the environment variable `variable`, sorted by name.
    fn dumped(&self, variable: &str, size: &[&str], choice: &[&str]) -> Result<Vec<(PathBuf, String)>> {
        let folder = tempfile::tempdir().map_err(file_error(&std::env::temp_dir()))?;
        let args = [&["--backend", "cuda-emu"], size, choice].concat();
        let command = format!("{} {}", self.name, args.join(" "));
        let program = self.program()?;
        // The exit status is ignored: after a step or two results have not converged.
        let output = Command::new(&program).args(&args).env(variable, folder.path()).output();
        let output = lossy(&output.map_err(file_error(&program))?);
        let mut files = Vec::new();
        for path in sorted_files(folder.path())? {
            let text = fs::read_to_string(&path).map_err(file_error(&path))?;
            files.push((path, text));
        }
        match files.is_empty() {
            true if output.contains("error") => Err(Error::App { command, output }),
            true => Err(Error::NoText { command }),
            false => Ok(files),
        }
    }
}

/// The values of the options.
fn choice_name(choice: &[&str]) -> String {
    choice.iter().skip(1).step_by(2).copied().collect::<Vec<_>>().join(" ")
}

/// The files in a folder, sorted by name.
pub(crate) fn sorted_files(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut paths = Vec::new();
    for entry in fs::read_dir(folder).map_err(file_error(folder))? {
        paths.push(entry.map_err(file_error(folder))?.path());
    }
    paths.sort();
    Ok(paths)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// On a plane four times as large, targets are twice as far from each other.
    #[test]
    fn more_blocks_are_far_where_meshes_are_large() {
        let work = Work { launches: 2, bytes: 1000.0, footprint: 500.0, ..Work::default() };
        let variant = |reads: &str| {
            let variant = serde_json::json!({
                "scheme": "owner:64", "resolution": "owner", "deterministic": true, "size": 64, "stages": 0, "reads": reads,
                "spans": [3000, 30_000, 40_000, 70_000], "targets": 10.0, "usual": false, "function": "k", "guessed_registers": 32, "works": [work],
            });
            serde_json::from_value::<VariantDump>(variant).expect("a variant")
        };
        let gathered = variant("Gathered");
        assert_eq!(gathered.works_on(1.0, 2), [work.scaled(1.0)]);
        // One block more of four lists its targets.
        let [far] = gathered.works_on(4.0, 2)[..] else { panic!("one kernel") };
        assert_eq!((far.bytes, far.footprint, far.waits.memory), (4040.0, 2020.0, 0.25));
        // In space they are 2.5 times as far from each other, so that it is two.
        let [far] = gathered.works_on(4.0, 3)[..] else { panic!("one kernel") };
        assert_eq!((far.bytes, far.footprint, far.waits.memory), (4080.0, 2040.0, 0.5));
        assert_eq!(variant("Staged").works_on(4.0, 2), [work.scaled(4.0)]);
    }

    /// Texts define the size of their blocks once, and how these read.
    #[test]
    fn texts_are_made_for_all_blocks() {
        let source = op2_device::Source {
            target: op2_device::Target::Cuda,
            name: "k".to_owned(),
            definitions: vec![
                op2_device::Definition::Value("OP2_BLOCK".to_owned(), 64),
                op2_device::Definition::Macro("OP2_READS".to_owned(), "Staged".to_owned()),
            ],
            text: "void k() {}".into(),
            kernels: Vec::new(),
        };
        let form = FormDump { text: source.whole(), ..FormDump::default() };
        assert_eq!(form.text.matches("#define OP2_BLOCK 64ull\n").count(), 1);
        let expected =
            form.text.replace("OP2_BLOCK 64ull", "OP2_BLOCK 96ull").replace("READS Staged", "READS Gathered");
        assert!(form.for_blocks(96, "Gathered").lines().eq(expected.lines()));
    }
}
