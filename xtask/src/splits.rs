//! `cargo xtask splits`.

mod columns;

use crate::apps::{self, FormDump, LoopDump, VariantDump};
use crate::jobs::on_all_cores;
use crate::{Error, Result, check_output, write_rows};
use op2_apps::file;
use op2_apps::terminal::say;
use op2_device::cuda::nvrtc::{Nvrtc, Options, Report};
use op2_device::{Performance, Work};
use serde::Serialize;
use std::path::PathBuf;

/// Sizes of a block's shared memory for which the largest partition is stated, in kilobytes: the default of every GPU,
/// the whole multiprocessor of compute capability 8.6 and 12.0, and the most of a block on an H200.
const KILOBYTES: [u64; 3] = [48, 100, 227];
/// The most threads of a block.
const MOST: usize = 1024;
/// Elements for which the time is predicted.
const ELEMENTS: f64 = 1e6;
/// How all forms resolve races.
const COLOURED: &str = "blocks";
/// Reads of the variants of the table.
const STAGED: &str = "Staged";

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Architecture to compile for; predictions are for an A100 (sm_80) or an H200 (sm_90)
    #[arg(long, default_value = "sm_90")]
    arch: String,

    /// Only this app
    #[arg(long, value_name = "NAME")]
    app: Option<String>,

    /// Write the table as JSON
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
}

/// One form of a loop.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Row {
    /// The app and its options.
    pub from: String,
    pub kernel: String,
    /// Contribution stages; 0 for the unsplit loop.
    pub stages: usize,
    /// Bytes of shared memory per element in the stage that takes most, if no two elements share a target.
    pub bytes_per_element: u64,
    /// Bytes per element that stages keep for later ones.
    pub kept_bytes: usize,
    /// Operations per element.
    pub flops: u32,
    /// Elements of the largest block of whole warps, up to 1024, for each of [`KILOBYTES`].
    pub partitions: [Partition; 3],
    /// The block size with the least predicted time; `None` if no block fits.
    pub best: Option<Best>,
    /// The block size in which a GPU runs this form by default; `None` if it runs another form.
    pub chosen: Option<usize>,
    /// In the last form, the reason why there are no more stages; empty if the limit of stages was reached.
    pub end: String,
}

/// Elements of the largest block that fits.
#[derive(Debug, Clone, Copy, Serialize)]
pub(crate) struct Partition {
    /// If no two elements share a target.
    pub unshared: usize,
    /// On the mesh of the run.
    pub on_mesh: usize,
}

/// A form with its best block size.
#[derive(Debug, Clone, Copy, Serialize)]
pub(crate) struct Best {
    /// Elements of a block.
    pub size: usize,
    pub registers: u32,
    /// Bytes of spilled registers that a thread writes to and reads from local memory.
    pub spills: u32,
    /// Blocks on a multiprocessor.
    pub resident: u32,
    /// Microseconds per million elements.
    pub predicted: f64,
}

pub(crate) fn run(args: &Args) -> Result<()> {
    check_output(args.json.as_deref())?;
    let nvrtc = Nvrtc::load()?;
    let performance = Performance::of(&args.arch).ok_or_else(|| Error::Architecture { arch: args.arch.clone() })?;
    let dumps = apps::dumps(args.app.as_deref())?;
    let mut jobs = Vec::new();
    for (from, dump) in dumps.iter().filter(|(_, dump)| dump.staged) {
        for form in &dump.forms {
            // Stages make room for what is staged.
            let of_form = |variant: &&VariantDump| {
                (&*variant.resolution, &*variant.reads, variant.stages) == (COLOURED, STAGED, form.stages)
            };
            jobs.extend(dump.variants.iter().filter(of_form).map(|variant| Job { from, dump, form, variant }));
        }
    }
    let reports = on_all_cores(&jobs, |job| job.report(&nvrtc, &args.arch));
    let reports = reports.into_iter().collect::<Result<Vec<Report>>>()?;
    let mut rows = Vec::new();
    for (from, dump) in &dumps {
        let own: Vec<(&Job<'_>, &Report)> =
            jobs.iter().zip(&reports).filter(|(job, _)| std::ptr::eq(job.dump, dump)).collect();
        let chosen = chosen(&own, &performance);
        let forms = dump.forms.iter().filter(|form| dump.staged || form.stages == 0);
        rows.extend(forms.map(|form| row(from, dump, form, &own, chosen, &performance)));
    }
    let said = say(&format!("{}\n\n{}", columns::table(&rows), explanation(&args.arch)));
    Ok(file::all([said, write_rows(args.json.as_deref(), &rows)])?)
}

/// A form of a loop in blocks of one size.
struct Job<'a> {
    from: &'a str,
    dump: &'a LoopDump,
    form: &'a FormDump,
    variant: &'a VariantDump,
}

impl Job<'_> {
    /// The compiler's report.
    fn report(&self, nvrtc: &Nvrtc, arch: &str) -> Result<Report> {
        let Job { dump, form, variant: VariantDump { size, function, .. }, .. } = self;
        let text = form.for_blocks(*size, STAGED);
        let name = format!("{} {} {} {size}", self.from, dump.kernel, form.stages).replace(' ', "_");
        let mut compiled = nvrtc.compile(&name, &text, arch, Options::default())?;
        compiled.reports.retain(|report| report.kernel == *function);
        compiled.reports.pop().ok_or_else(|| Error::NoReport { name, function: function.clone() })
    }

    /// The work on a mesh of [`ELEMENTS`] elements.
    fn scaled(&self) -> Vec<Work> {
        let times = ELEMENTS / self.dump.elements.max(1) as f64;
        self.variant.works.iter().map(|work| work.scaled(times)).collect()
    }
}

/// The form and block size that a GPU runs by default.
fn chosen(own: &[(&Job<'_>, &Report)], performance: &Performance) -> Option<(usize, usize)> {
    let works: Vec<Vec<Work>> = own.iter().map(|(job, _)| job.scaled()).collect();
    let works: Vec<&[Work]> = works.iter().map(Vec::as_slice).collect();
    let usual = own.iter().position(|(job, _)| job.form.stages == 0 && job.variant.size == job.dump.usual);
    let known = |n: usize| Ok::<_, std::convert::Infallible>(Some(own[n].1.resources()));
    let Ok(best) = op2_device::least(&works, usual, performance, known);
    best.map(|n| (own[n].0.form.stages, own[n].0.variant.size))
}

fn explanation(arch: &str) -> String {
    let sizes = KILOBYTES.map(|k| k.to_string()).join(", ");
    format!(
        "shared: bytes per element that the widest stage has in shared memory if no two elements share a target; kept: bytes \
         per element that stages leave for each other. Blocks at {sizes} KB: elements of the largest block of up to 1024, \
         without and with what elements of this mesh share. The last columns are of the block size with the least \
         predicted time, compiled for {arch}: blocks on a multiprocessor and elements of each, registers, bytes of spills, \
         microseconds for a million elements. A star stands where a GPU runs the loop unless it is told otherwise, and the \
         elements of a block then."
    )
}

fn row(
    from: &str,
    dump: &LoopDump,
    form: &FormDump,
    own: &[(&Job<'_>, &Report)],
    chosen: Option<(usize, usize)>,
    performance: &Performance,
) -> Row {
    let partition = |kilobytes: u64| Partition {
        unshared: match form.bytes_per_element {
            0 => MOST,
            bytes => (kilobytes * 1024 / bytes).min(MOST as u64) as usize / 32 * 32,
        },
        on_mesh: largest(&form.shared, kilobytes * 1024),
    };
    let estimates = own.iter().filter(|(job, _)| job.form.stages == form.stages);
    let estimates = estimates.filter_map(|(job, report)| {
        let (works, taken) = (job.scaled(), report.resources());
        let seconds = op2_device::seconds(&works, performance, Some(&taken))?;
        Some(Best {
            size: job.variant.size,
            registers: report.registers,
            spills: report.spill_stores + report.spill_loads,
            resident: works[0].estimate(performance, Some(&taken))?.resident,
            predicted: seconds * 1e6,
        })
    });
    let last = dump.forms.len() == form.stages + 1;
    Row {
        from: from.to_owned(),
        kernel: dump.kernel.clone(),
        stages: form.stages,
        bytes_per_element: form.bytes_per_element,
        kept_bytes: form.kept_bytes,
        flops: form.flops,
        partitions: KILOBYTES.map(partition),
        best: estimates.min_by(|a, b| a.predicted.total_cmp(&b.predicted)),
        chosen: chosen.filter(|(stages, _)| *stages == form.stages).map(|(_, size)| size),
        end: if dump.staged && last { dump.no_more_forms.clone() } else { String::new() },
    }
}

/// The largest size below the first that does not fit.
fn largest(shared: &[(usize, u64)], limit: u64) -> usize {
    shared.iter().take_while(|(_, bytes)| *bytes <= limit).last().map_or(0, |(size, _)| *size)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn partitions_are_what_fits() {
        let shared = [(32, 10_000), (64, 20_000), (96, 30_000)];
        assert_eq!([9_999, 10_000, 29_999, 90_000].map(|limit| largest(&shared, limit)), [0, 32, 64, 96]);
    }
}
