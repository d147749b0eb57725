//! Writes all variants of a loop to a file, with the numbers that an estimate needs. `cargo xtask splits` and `cargo xtask cuda-model` make
//! their tables from these files.

use super::FORMS_DUMP;
use super::choice::choose;
use super::planned::ELEMENTS;
use super::ranking::{Candidate, SIZES, candidates, guessed};
use super::task::Task;
use super::text::class;
use super::work::{Division, Variant, works};
use crate::desc::FormDesc;
use crate::strategy::{Reads, Resolution};
use op2_cache::replace;
use op2_core::EntryPoint;
use op2_device::{Error, Result, Work};
use serde::Serialize;
use std::fs;
use std::path::Path;

/// Warps of a block for which the file lists shared memory: up to the most that a thread block can have.
const WARPS: std::ops::RangeInclusive<usize> = 1..=32;

/// A loop in the file.
#[derive(Serialize)]
struct LoopDump {
    kernel: String,
    /// File and line of the loop.
    location: String,
    elements: usize,
    /// Bytes that it moves at least.
    useful_bytes: u64,
    /// Whether blocks stage data at all.
    staged: bool,
    /// Elements of a block if no other form or size is clearly better.
    usual: usize,
    /// Why there are no more forms; empty if the generator found as many as it looks for.
    no_more_forms: &'static str,
    forms: Vec<FormDump>,
    variants: Vec<VariantDump>,
}

/// A form of the loop in the file.
#[derive(Serialize)]
struct FormDump {
    /// Contribution stages; 0 stands for the unsplit loop.
    stages: usize,
    /// Bytes of shared memory per element of the widest stage, if no two elements of a block share a target.
    bytes_per_element: u64,
    /// Bytes per element that stages leave for each other.
    kept_bytes: usize,
    /// Operations per element.
    flops: u32,
    /// Elements of a block, and the bytes of shared memory that it takes on this mesh.
    shared: Vec<(usize, u64)>,
    /// The text for blocks of the first of the sizes that are considered, which stage what they read.
    text: String,
}

/// A variant of the loop in the file.
#[derive(Serialize)]
struct VariantDump {
    /// The text of its strategy; empty where there is one way to run the loop.
    scheme: String,
    /// How it resolves races; empty if it need not.
    resolution: &'static str,
    /// Whether results repeat to the last bit.
    deterministic: bool,
    /// Elements of a block, and stages; 0 stands for the unsplit loop.
    size: usize,
    stages: usize,
    /// How blocks read the targets of maps: the name of a class of the text.
    reads: &'static str,
    /// Targets between the least and the greatest one of each block, and the targets of all blocks: on larger meshes more blocks may have
    /// some that are far from each other, and list them. Kernels without blocks have none.
    spans: Vec<u32>,
    targets: f64,
    /// Whether it stays unless another is clearly better.
    usual: bool,
    /// The function whose registers count.
    function: String,
    /// Registers that a compiler would need, by the operands of the kernel.
    guessed_registers: u32,
    /// The work of its kernels, of which the first runs the elements.
    works: Vec<Work>,
}

/// Writes a loop to a file in `folder`, named after the loop and its line.
///
/// # Errors
/// [`Error::Dump`].
pub(crate) fn write(task: &Task<'_>, limit: u32, folder: &Path) -> Result<()> {
    let (desc, device) = (task.desc, task.device);
    let forms = std::iter::once(None).chain(device.forms.iter().map(Some));
    let divisions: Vec<Division> = WARPS.map(|warps| Division::new(task, 32 * warps)).collect();
    let variants = match task.stages_data() {
        true => candidates(task, limit, |_| true).iter().map(|candidate| of_candidate(task, candidate)).collect(),
        false => the_only_one(task, limit).into_iter().collect(),
    };
    let dump = LoopDump {
        kernel: desc.kernel.to_owned(),
        location: format!("{}:{}", desc.file, desc.line),
        elements: task.shape.elements.len(),
        useful_bytes: task.plan.traffic().useful_bytes(),
        staged: task.stages_data(),
        usual: ELEMENTS,
        no_more_forms: desc.no_more_stages,
        forms: forms.map(|form| of_form(task, form, &divisions)).collect(),
        variants,
    };
    let place: String = dump.location.chars().map(|c| if c.is_alphanumeric() { c } else { '-' }).collect();
    let path = folder.join(format!("{}-{place}.json", dump.kernel));
    let text = serde_json::to_vec_pretty(&dump).expect("words and numbers can be written");
    let fault = |e: std::io::Error| Error::Dump {
        path: path.display().to_string(),
        reason: e.to_string(),
        variable: FORMS_DUMP,
    };
    fs::create_dir_all(folder).and_then(|()| replace(&path, &[&text])).map_err(fault)
}

fn of_form(task: &Task<'_>, form: Option<&'static FormDesc>, divisions: &[Division]) -> FormDump {
    let shared = |division: &Division| Some((division.size, division.shared(task, form, Reads::Staged)?));
    FormDump {
        stages: form.map_or(0, |form| form.stages.len()),
        bytes_per_element: task.bytes_per_element(form),
        kept_bytes: form.map_or(0, |form| task.kept_bytes(form)),
        flops: form.map_or(task.desc.flops, |form| form.flops),
        shared: divisions.iter().filter_map(shared).collect(),
        text: task.source(form, SIZES[0] as u32, Reads::Staged).whole(),
    }
}

fn of_candidate(task: &Task<'_>, candidate: &Candidate) -> VariantDump {
    let Candidate { scheme, form, wrapper, reads, works } = candidate;
    let division = Division::by(task, Some(scheme.resolution), scheme.size).filter(|_| wrapper.is_staged());
    VariantDump {
        scheme: scheme.to_string(),
        resolution: scheme.resolution.name(),
        deterministic: scheme.resolution.is_deterministic(),
        size: scheme.size,
        stages: scheme.stages.unwrap_or(0),
        reads: class(*reads),
        spans: division.as_ref().map(|division| division.spans().to_vec()).unwrap_or_default(),
        targets: division.map_or(0.0, |division| division.targets()),
        usual: candidate.is_usual(task),
        function: task.kernel(*form, EntryPoint::Loop(*wrapper)).unwrap_or_default().to_owned(),
        guessed_registers: guessed(task).registers,
        works: works.clone(),
    }
}

/// The way to run a loop that does not resolve races by blocks; none if the model does not know it.
fn the_only_one(task: &Task<'_>, limit: u32) -> Option<VariantDump> {
    let choice = choose(None, &task.facts(None, None, limit));
    let wrapper = choice.wrapper();
    if task.desc.by_rows || wrapper.is_staged() || choice.resolution == Some(Resolution::Colours) {
        return None;
    }
    let division = Division::new(task, ELEMENTS);
    let (reads, resolution) = (Reads::Gathered, choice.resolution);
    let variant = Variant { resolution, wrapper, form: None, division: &division, reads, colours: 1 };
    Some(VariantDump {
        scheme: String::new(),
        resolution: choice.resolution.map_or("", Resolution::name),
        deterministic: true,
        size: ELEMENTS,
        stages: 0,
        reads: class(reads),
        spans: Vec::new(),
        targets: 0.0,
        usual: true,
        function: task.kernel(None, EntryPoint::Loop(wrapper)).ok()?.to_owned(),
        guessed_registers: guessed(task).registers,
        works: works(task, &variant),
    })
}
