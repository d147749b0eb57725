//! `cargo xtask cuda-model`.

mod choice;
mod page;
mod published;

use crate::apps::{self, Sample};
use crate::jobs::on_all_cores;
use crate::sass::{Account, Disassembler};
use crate::{Result, check_output, write_rows};
use choice::{Compiled, compiled_as, compiled_for};
use op2_apps::file;
use op2_apps::terminal::{complain, say};
use op2_device::cuda::nvrtc::{Nvrtc, Options};
use op2_device::{KNOWN, Performance};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

#[derive(clap::Args)]
pub(crate) struct Args {
    /// GPUs
    #[arg(long, value_delimiter = ',', default_values = ["A100", "H100", "H200"], value_name = "LIST")]
    gpu: Vec<String>,

    /// Only this app
    #[arg(long, value_name = "NAME")]
    app: Option<String>,

    /// Every variant of loops with this in their name, not only the chosen one
    #[arg(long, value_name = "TEXT")]
    variants: Option<String>,

    /// Write the rows as JSON
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,

    /// Write the page, in Markdown
    #[arg(long, value_name = "FILE")]
    page: Option<PathBuf>,
}

/// A loop on a GPU, by one of its variants.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Row {
    pub gpu: &'static str,
    /// The app, its options, and its elements.
    pub from: String,
    pub kernel: String,
    pub variant: String,
    /// Whether a GPU runs the loop so unless it is told otherwise.
    pub chosen: bool,
    /// Executions in an iteration.
    pub calls: u64,
    /// Launches of one execution.
    pub launches: u32,
    pub registers: u32,
    /// Whether they are the compiler's.
    pub reported: bool,
    /// Bytes of a thread's registers that are in memory.
    pub spilled: u32,
    /// Blocks on a multiprocessor.
    pub resident: u32,
    /// Microseconds in which a copy moves the useful bytes.
    pub floor: f64,
    /// Microseconds by the model.
    pub estimate: f64,
    pub binds: &'static str,
    /// Microseconds of each bound.
    pub bounds: BTreeMap<&'static str, f64>,
}

/// A GPU with published constants.
pub(crate) struct Gpu {
    name: &'static str,
    arch: &'static str,
    performance: Performance,
}

pub(crate) fn run(args: &Args) -> Result<()> {
    check_output(args.json.as_deref())?;
    let gpus = args.gpu.iter().map(|name| gpu(name)).collect::<Result<Vec<_>>>()?;
    let tools = Tools::find();
    let mut rows = Vec::new();
    for sample in apps::samples(args.app.as_deref())? {
        let compiled = tools.compiled(&sample, &gpus)?;
        for (elements, gpu) in sample.wanted.iter().flat_map(|elements| gpus.iter().map(move |gpu| (*elements, gpu))) {
            for (of, dump) in sample.loops.iter().enumerate() {
                let all = choice::rows(gpu, &sample, of, elements, &compiled);
                let shown = args.variants.as_ref().is_some_and(|part| dump.kernel.contains(part));
                rows.extend(all.into_iter().filter(|row| row.chosen || shown));
            }
        }
    }
    let page = page::page(&rows, &tools.versions());
    let said = say(&page);
    let written = match &args.page {
        Some(path) => file::write_atomically(path, |out| writeln!(out, "{page}")),
        None => Ok(()),
    };
    Ok(file::all([said, written, write_rows(args.json.as_deref(), &rows)])?)
}

fn gpu(name: &str) -> Result<Gpu> {
    let found = KNOWN.into_iter().find(|(known, _)| known.eq_ignore_ascii_case(name));
    let found = found.and_then(|(name, arch)| Some(Gpu { name, arch, performance: Performance::named(name)? }));
    let known = || KNOWN.map(|(known, _)| known).join(", ");
    found.ok_or_else(|| crate::Error::Gpu { name: name.to_owned(), known: known() })
}

/// NVIDIA's compiler and disassembler, as far as they are here. Without them registers and instructions are guessed.
struct Tools {
    nvrtc: Option<Nvrtc>,
    disassembler: Option<Disassembler>,
}

impl Tools {
    fn find() -> Self {
        let nvrtc = Nvrtc::load().inspect_err(|reason| complain(&format!("registers are guessed: {reason}"))).ok();
        let missing = |reason: &crate::Error| complain(&format!("instructions are guessed: {reason}"));
        Tools { nvrtc, disassembler: Disassembler::find().inspect_err(missing).ok() }
    }

    fn versions(&self) -> String {
        let nvrtc =
            self.nvrtc.as_ref().map_or("no NVRTC".to_owned(), |n| format!("NVRTC {}.{}", n.version().0, n.version().1));
        let disassembler =
            self.disassembler.as_ref().map_or("no nvdisasm".to_owned(), |d| format!("nvdisasm {}", d.version()));
        format!("{nvrtc}, {disassembler}")
    }

    /// The reports on every form of every loop, for each size of blocks.
    fn compiled(&self, sample: &Sample, gpus: &[Gpu]) -> Result<Vec<Compiled>> {
        let Some(nvrtc) = &self.nvrtc else { return Ok(Vec::new()) };
        // NVRTC compiles for no GPU before Turing.
        let mut archs: Vec<&'static str> = gpus.iter().map(|gpu| compiled_for(gpu.arch)).collect();
        archs.sort_unstable();
        archs.dedup();
        let mut jobs = Vec::new();
        for (n, dump) in sample.loops.iter().enumerate() {
            for form in &dump.forms {
                let of_form = dump.variants.iter().filter(|v| v.stages == form.stages);
                let kinds: BTreeSet<(u32, &str)> = of_form.map(|v| (compiled_as(&v.works[0]), &*v.reads)).collect();
                for arch in &archs {
                    jobs.extend(kinds.iter().map(|kind| (n, form, *arch, *kind)));
                }
            }
        }
        let outcomes = on_all_cores(&jobs, |&(n, form, arch, (threads, reads))| -> Result<Compiled> {
            let text = form.for_blocks(threads as usize, reads);
            let name = format!("{} {} {} {threads} {reads}", sample.from, sample.loops[n].kernel, form.stages)
                .replace([' ', '/'], "_");
            let compiled = nvrtc.compile(&name, &text, arch, Options::default())?;
            let accounts: Vec<Account> = match &self.disassembler {
                Some(disassembler) => disassembler.accounts(&compiled.image)?,
                None => Vec::new(),
            };
            let (stages, reads, reports) = (form.stages, reads.to_owned(), compiled.reports);
            Ok(Compiled { of: n, stages, reads, arch, threads, reports, accounts })
        });
        outcomes.into_iter().collect()
    }
}
