//! Writes all forms of a loop to a file, with the numbers that an estimate needs. `cargo xtask splits` makes its table from these files.

use super::FORMS_DUMP;
use super::planned::ELEMENTS;
use super::ranking::SIZES;
use super::task::Task;
use super::work::{Division, work};
use crate::desc::FormDesc;
use op2_cache::replace;
use op2_core::{EntryPoint, Wrapper};
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
    /// The function whose registers count; empty if the loop stages nothing.
    function: String,
    /// Whether blocks stage data at all.
    staged: bool,
    /// Elements of a block if no other form or size is clearly better.
    usual: usize,
    /// Why there are no more forms; empty if the generator found as many as it looks for.
    no_more_forms: &'static str,
    forms: Vec<FormDump>,
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
    /// Elements of a block, and the work of the loop in such blocks.
    work: Vec<(usize, Work)>,
    /// The text for blocks of the first of these sizes.
    text: String,
}

/// Writes a loop to a file in `folder`, named after the loop and its line.
///
/// # Errors
/// [`Error::Dump`].
pub(crate) fn write(task: &Task<'_>, folder: &Path) -> Result<()> {
    let (desc, device) = (task.desc, task.device);
    let forms = std::iter::once(None).chain(device.forms.iter().map(Some));
    let divisions: Vec<Division> = WARPS.map(|warps| Division::new(task, 32 * warps)).collect();
    let dump = LoopDump {
        kernel: desc.kernel.to_owned(),
        location: format!("{}:{}", desc.file, desc.line),
        elements: task.shape.elements.len(),
        function: task.kernel(None, EntryPoint::Loop(Wrapper::Staged)).unwrap_or_default().to_owned(),
        staged: task.stages_data(),
        usual: ELEMENTS,
        no_more_forms: desc.no_more_stages,
        forms: forms.map(|form| of_form(task, form, &divisions)).collect(),
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
    let shared = |division: &Division| (division.size, division.shared(task, form));
    let estimated = divisions.iter().filter(|division| SIZES.contains(&division.size));
    let work = |division: &Division| (division.size, work(task, form, division, task.plan.colours()));
    FormDump {
        stages: form.map_or(0, |form| form.stages.len()),
        bytes_per_element: task.bytes_per_element(form),
        kept_bytes: form.map_or(0, |form| task.kept_bytes(form)),
        flops: form.map_or(task.desc.flops, |form| form.flops),
        shared: divisions.iter().map(shared).collect(),
        work: estimated.map(work).collect(),
        text: task.source(form, SIZES[0] as u32).whole(),
    }
}
