//! `cargo xtask cuda-check`.

mod sections;

use crate::apps::Text;
use crate::goldens::{is_golden, is_in_further_layout};
use crate::jobs::on_all_cores;
use crate::sass::{Account, Disassembler, Section};
use crate::table::written;
use crate::{Error, Result, check_output, texts, write_rows};
use op2_apps::file;
use op2_apps::terminal::{complain, say};
use op2_device::cuda::nvrtc::{Compiled, Nvrtc, Options, Report};
use op2_device::occupancy;
use serde::Serialize;
use std::path::PathBuf;

/// Threads per block for the stated occupancy: the default of the run time.
const THREADS: u32 = 128;

/// The most bytes of a golden's thread that may be in memory instead of registers.
const KEPT_OUT: u32 = 64;

const HEADINGS: [&str; 15] = [
    "from",
    "kernel",
    "arch",
    "registers",
    "spill st",
    "spill ld",
    "stack",
    "shared",
    "occupancy",
    "code",
    "f64",
    "loops",
    "barriers",
    "waits",
    "chain",
];

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Architectures to compile for
    #[arg(long, value_delimiter = ',', default_values = ["sm_80", "sm_90"], value_name = "LIST")]
    arch: Vec<String>,

    /// Print every kernel of the goldens too; without it they are only compiled
    #[arg(long)]
    all: bool,

    /// Print what the machine code of kernels with this in their name does, section by section
    #[arg(long, value_name = "TEXT")]
    sections: Option<String>,

    /// Write the table as JSON
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
}

impl Args {
    /// Whether it tells of the machine code of a text.
    fn tells_of(&self, text: &Text) -> bool {
        self.all || self.sections.is_some() || self.json.is_some() || !is_golden(&text.from)
    }
}

/// Resources that one kernel takes.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Row {
    /// The origin of the text.
    pub from: String,
    pub kernel: String,
    pub arch: String,
    /// Registers of a thread.
    pub registers: u32,
    /// Bytes that a thread spills.
    pub spill_stores: u32,
    pub spill_loads: u32,
    /// Bytes of a thread's stack.
    pub stack: u32,
    /// Bytes of static shared memory of a block.
    pub shared: u32,
    /// The part of a multiprocessor's threads that run at once in blocks of 128, as far as registers limit it.
    pub occupancy: Option<f32>,
    /// An account of the machine code; none without a disassembler, and where nobody is told of it.
    pub account: Option<Account>,
}

pub(crate) fn run(args: &Args) -> Result<()> {
    check_output(args.json.as_deref())?;
    let nvrtc = match Nvrtc::load() {
        Ok(nvrtc) => nvrtc,
        // In CI a missing compiler is an error; elsewhere it is not.
        Err(reason) if std::env::var_os("CI").is_none() => {
            return Ok(say(&format!("skipped: {reason}"))?);
        }
        Err(reason) => return Err(reason.into()),
    };
    let (major, minor) = nvrtc.version();
    say(&format!("NVRTC {major}.{minor}, {}", nvrtc.file()))?;
    let disassembler = match Disassembler::find() {
        Ok(found) => Some(found),
        Err(reason) if std::env::var_os("CI").is_none() => {
            complain(&format!("machine code is not read: {reason}"));
            None
        }
        Err(reason) => return Err(reason),
    };
    if let Some(disassembler) = &disassembler {
        say(&format!("nvdisasm {}", disassembler.version()))?;
    }
    let texts = texts::all()?;
    let jobs: Vec<(&Text, &str)> = texts.iter().flat_map(|t| args.arch.iter().map(move |a| (t, a.as_str()))).collect();
    let compile =
        |text: &Text, arch: &str, options| nvrtc.compile(&text.from.replace(' ', "_"), &text.text, arch, options);
    let outcomes = on_all_cores(&jobs, |(text, arch)| {
        let compiled = compile(text, arch, Options::default())?;
        // It takes as long as the compiler.
        let accounts = match &disassembler {
            Some(disassembler) if args.tells_of(text) => disassembler.accounts(&compiled.image)?,
            _ => Vec::new(),
        };
        Ok::<_, Error>((compiled, accounts))
    });
    // Checks are in the headers, so one architecture and one layout show whether every text compiles with them, and PTX, from which machine
    // code would take as long again.
    let checked = Options { kernel_checks: true, ..Options::default() };
    let ptx = args.arch[0].replace("sm_", "compute_");
    let to_check: Vec<&Text> = texts.iter().filter(|text| !is_in_further_layout(text)).collect();
    let with_checks = on_all_cores(&to_check, |text| compile(text, &ptx, checked));
    let mut rows = Vec::new();
    let mut failed = 0;
    for ((text, arch), outcome) in jobs.iter().zip(outcomes) {
        match outcome {
            Ok((compiled, accounts)) => {
                if is_golden(&text.from)
                    && let Some(fault) = fault(&compiled)
                {
                    failed += 1;
                    complain(&format!("{}, {arch}: {fault}", text.from));
                }
                let account = |r: &Report| accounts.iter().find(|account| account.kernel == r.kernel).cloned();
                rows.extend(compiled.reports.iter().map(|r| row(&text.from, arch, r, account(r))));
            }
            Err(error) => {
                failed += 1;
                complain(&format!("{}, {arch}: {error}", text.from));
            }
        }
    }
    let shown = rows.iter().filter(|r| args.all || !is_golden(&r.from));
    let said = say(&format!(
        "{}\n{}\n{} compilations with checks of kernels",
        written(HEADINGS, 3, shown.map(cells)),
        summary(&rows, jobs.len()),
        with_checks.len()
    ));
    if let Some(part) = &args.sections {
        say(&sections::table(rows.iter().filter(|row| row.kernel.contains(part))))?;
    }
    for (text, outcome) in to_check.iter().zip(&with_checks) {
        if let Err(error) = outcome {
            failed += 1;
            eprintln!("{}, {}, with checks of kernels: {error}", text.from, args.arch[0]);
        }
    }
    file::all([said, write_rows(args.json.as_deref(), &rows)])?;
    if failed > 0 { Err(Error::Refused { failed, all: jobs.len() + with_checks.len() }) } else { Ok(()) }
}

/// The fault of a golden that compiles. Its values are kept in registers: what does not fit is a few words at most.
fn fault(compiled: &Compiled) -> Option<String> {
    if compiled.log.contains("warning") {
        return Some(compiled.log.clone());
    }
    let most = |r: &&Report| r.stack.max(r.spill_stores).max(r.spill_loads) > KEPT_OUT;
    compiled
        .reports
        .iter()
        .find(most)
        .map(|report| format!("more than {KEPT_OUT} bytes are not in registers: {report:?}"))
}

fn row(from: &str, arch: &str, report: &Report, account: Option<Account>) -> Row {
    Row {
        from: from.to_owned(),
        kernel: report.kernel.clone(),
        arch: arch.to_owned(),
        registers: report.registers,
        spill_stores: report.spill_stores,
        spill_loads: report.spill_loads,
        stack: report.stack,
        shared: report.shared,
        occupancy: occupancy(&report.resources(), THREADS, 0, arch),
        account,
    }
}

/// A row of the table.
fn cells(row: &Row) -> [String; 15] {
    let total = row.account.as_ref().map(Account::total);
    let of_code = |cell: fn(&Section) -> String| total.as_ref().map_or_else(|| "-".to_owned(), cell);
    let occupancy = row.occupancy.map_or_else(|| "-".to_owned(), |part| format!("{:.0} %", part * 100.0));
    [
        row.from.clone(),
        row.kernel.clone(),
        row.arch.clone(),
        row.registers.to_string(),
        row.spill_stores.to_string(),
        row.spill_loads.to_string(),
        row.stack.to_string(),
        row.shared.to_string(),
        occupancy,
        of_code(|code| code.pipes.all().to_string()),
        of_code(|code| code.pipes.doubles.to_string()),
        row.account.as_ref().map_or_else(|| "-".to_owned(), |account| account.loops().to_string()),
        of_code(|code| code.pipes.barriers.to_string()),
        of_code(|code| code.waits.len().to_string()),
        of_code(|code| code.chain.to_string()),
    ]
}

fn summary(rows: &[Row], jobs: usize) -> String {
    let spilling = rows.iter().filter(|r| r.spill_stores + r.spill_loads > 0).count();
    let most = rows.iter().map(|r| r.registers).max().unwrap_or(0);
    format!("{jobs} compilations, {} kernels, {spilling} of them spill, at most {most} registers", rows.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn goldens_that_warn_or_leave_their_registers_are_faulty() {
        let with = |log: &str, report: Report| {
            let reports = vec![Report::default(), report];
            fault(&Compiled { image: Vec::new(), log: log.to_owned(), reports })
        };
        let few = Report { stack: 64, spill_stores: 64, spill_loads: 64, ..Report::default() };
        assert_eq!(with("ptxas info", few.clone()), None);
        assert_eq!(with("x.cu(3): warning: unused", few.clone()).as_deref(), Some("x.cu(3): warning: unused"));
        let more: [fn(&mut Report); 3] = [|r| r.stack = 72, |r| r.spill_stores = 68, |r| r.spill_loads = 68];
        for more in more {
            let mut report = few.clone();
            more(&mut report);
            let said = with("", report).expect("a fault");
            assert!(said.starts_with("more than 64 bytes are not in registers"), "{said}");
        }
    }
}
