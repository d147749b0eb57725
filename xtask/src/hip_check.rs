//! `cargo xtask hip-check`.

mod clang;
mod metadata;

use crate::apps::Text;
use crate::goldens::{is_golden, is_in_further_layout};
use crate::jobs::on_all_cores;
use crate::table::written;
use crate::{Error, Result, check_output, texts, write_rows};
use clang::Clang;
use metadata::Report;
use op2_apps::file;
use op2_apps::terminal::{complain, say};
use op2_device::hip::Options;
use op2_device::occupancy;
use serde::Serialize;
use std::path::PathBuf;

/// Threads per block for the stated occupancy: the default of the run time.
const THREADS: u32 = 128;

/// The most bytes of a golden's thread that may be in memory instead of registers.
const KEPT_OUT: u32 = 64;

const HEADINGS: [&str; 9] = ["from", "kernel", "arch", "VGPRs", "AGPRs", "SGPRs", "scratch", "LDS", "occupancy"];

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Architectures to compile for
    #[arg(long, value_delimiter = ',', default_values = ["gfx90a", "gfx942", "gfx1100"], value_name = "LIST")]
    arch: Vec<String>,

    /// Print every kernel of the goldens too; without it they are only compiled
    #[arg(long)]
    all: bool,

    /// Write the table as JSON
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
}

/// Resources that one kernel takes.
#[derive(Debug, Clone, Serialize)]
struct Row {
    /// The origin of the text.
    from: String,
    kernel: String,
    arch: String,
    /// Vector registers of a thread, those for accumulation included.
    vector: u32,
    accumulation: u32,
    /// Scalar registers of a wave.
    scalar: u32,
    /// Bytes of a thread that are in memory.
    scratch: u32,
    /// Bytes of static shared memory of a block.
    shared: u32,
    /// Whether it calls functions of ROCm's libraries.
    calls: bool,
    /// The part of a compute unit's waves that run at once in blocks of 128, as far as registers limit it.
    occupancy: Option<f32>,
}

pub(crate) fn run(args: &Args) -> Result<()> {
    check_output(args.json.as_deref())?;
    let clang = match Clang::find() {
        Ok(clang) => clang,
        // In CI a missing compiler is an error; elsewhere it is not.
        Err(reason) if std::env::var_os("CI").is_none() => return Ok(say(&format!("skipped: {reason}"))?),
        Err(reason) => return Err(reason.into()),
    };
    say(&clang.version)?;
    let texts = texts::all()?;
    let jobs = jobs(&texts, &args.arch);
    let compile = |(text, arch, options): &(&Text, &str, Options)| {
        let (assembly, log) = clang.compile(&text.from, &text.text, arch, *options)?;
        Ok::<_, op2_device::Error>((metadata::read(&assembly), undefined(&assembly), log))
    };
    let mut rows = Vec::new();
    let mut failed = 0;
    for ((text, arch, options), outcome) in jobs.iter().zip(on_all_cores(&jobs, compile)) {
        let fault = match &outcome {
            Ok((_, Some(undefined), _)) => Some(undefined.clone()),
            Ok((reports, None, log)) => fault(reports, log, is_golden(&text.from) && !options.kernel_checks),
            Err(error) => Some(error.to_string()),
        };
        if let Some(fault) = fault {
            failed += 1;
            let checks = if options.kernel_checks { ", with checks of kernels" } else { "" };
            complain(&format!("{}, {arch}{checks}: {fault}", text.from));
        }
        let reports = outcome.into_iter().filter(|_| !options.kernel_checks).flat_map(|(reports, ..)| reports);
        rows.extend(reports.map(|report| row(&text.from, arch, report)));
    }
    let shown = rows.iter().filter(|r| args.all || !is_golden(&r.from));
    let said = say(&format!("{}\n{}", written(HEADINGS, 3, shown.map(cells)), summary(&rows, jobs.len())));
    file::all([said, write_rows(args.json.as_deref(), &rows)])?;
    if failed > 0 { Err(Error::Refused { failed, all: jobs.len() }) } else { Ok(()) }
}

/// Every text for every architecture, except that goldens in further layouts go to the first one only; so do those with checks of kernels, which
/// are in the headers.
fn jobs<'a>(texts: &'a [Text], archs: &'a [String]) -> Vec<(&'a Text, &'a str, Options)> {
    let of = |text: &Text| if is_in_further_layout(text) { &archs[..1] } else { archs };
    let plain =
        texts.iter().flat_map(|text| of(text).iter().map(move |arch| (text, arch.as_str(), Options::default())));
    let checked = Options { kernel_checks: true, ..Options::default() };
    let goldens = texts.iter().filter(|text| is_golden(&text.from) && !is_in_further_layout(text));
    plain.chain(goldens.map(|text| (text, archs[0].as_str(), checked))).collect()
}

/// The fault of an assembly that does not define all that it refers to. ROCm's libraries have the mathematical functions.
fn undefined(assembly: &str) -> Option<String> {
    let name = metadata::open(assembly).into_iter().find(|name| !name.starts_with("__ocml_"))?;
    Some(format!("nothing defines `{name}`"))
}

/// The fault of a text that compiles.
fn fault(reports: &[Report], log: &str, keeps_registers: bool) -> Option<String> {
    if log.contains("warning") {
        return Some(log.to_owned());
    }
    if reports.is_empty() {
        return Some("the compiler says nothing of its kernels; this is a bug of op2".to_owned());
    }
    let most = |report: &&Report| keeps_registers && report.scratch > KEPT_OUT;
    reports.iter().find(most).map(|report| format!("more than {KEPT_OUT} bytes are not in registers: {report:?}"))
}

fn row(from: &str, arch: &str, report: Report) -> Row {
    Row {
        from: from.to_owned(),
        arch: arch.to_owned(),
        occupancy: occupancy(&report.resources(), THREADS, 0, arch),
        kernel: report.kernel,
        vector: report.vector,
        accumulation: report.accumulation,
        scalar: report.scalar,
        scratch: report.scratch,
        shared: report.shared,
        calls: report.calls,
    }
}

/// A row of the table.
fn cells(row: &Row) -> [String; 9] {
    let occupancy = row.occupancy.map_or_else(|| "-".to_owned(), |part| format!("{:.0} %", part * 100.0));
    let guess = if row.calls { "*" } else { "" };
    [
        row.from.clone(),
        row.kernel.clone(),
        row.arch.clone(),
        format!("{}{guess}", row.vector),
        row.accumulation.to_string(),
        row.scalar.to_string(),
        row.scratch.to_string(),
        row.shared.to_string(),
        occupancy,
    ]
}

fn summary(rows: &[Row], jobs: usize) -> String {
    let in_memory = rows.iter().filter(|row| row.scratch > 0).count();
    let most = rows.iter().map(|row| row.vector).max().unwrap_or(0);
    let open = rows.iter().filter(|row| row.calls).count();
    format!(
        "{jobs} compilations, {} kernels, {in_memory} of them keep something in memory, at most {most} registers; {open} (*) call \
         functions of ROCm's libraries, which are not linked",
        rows.len()
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn goldens_that_warn_or_leave_their_registers_are_faulty() {
        let of = |scratch| [Report { scratch, ..Report::default() }];
        assert_eq!(fault(&of(64), "", true), None);
        let said = fault(&of(68), "", true).expect("a fault");
        assert!(said.starts_with("more than 64 bytes are not in registers"), "{said}");
        assert_eq!(fault(&of(68), "", false), None);
        assert_eq!(fault(&of(0), "x.hip:3: warning: unused", false).as_deref(), Some("x.hip:3: warning: unused"));
        assert!(fault(&[], "", false).is_some());
        assert_eq!(undefined("\ts_add_u32 s4, s4, __ocml_pow_f64@rel32@lo+4\n"), None);
        assert!(undefined("\ts_add_u32 s4, s4, op2_sizes@rel32@lo+4\n").is_some());
    }

    #[test]
    fn every_text_is_compiled_and_goldens_with_checks_as_well() {
        let texts = ["golden a/cuda aos", "golden a/cuda soa", "jac f64"]
            .map(|from| Text { from: from.to_owned(), text: String::new() });
        let archs = ["gfx90a", "gfx942"].map(str::to_owned);
        let of =
            |(text, arch, options): (&Text, &str, Options)| (text.from.clone(), arch.to_owned(), options.kernel_checks);
        let found: Vec<_> = jobs(&texts, &archs).into_iter().map(of).collect();
        let expected = [
            ("golden a/cuda aos", "gfx90a", false),
            ("golden a/cuda aos", "gfx942", false),
            ("golden a/cuda soa", "gfx90a", false),
            ("jac f64", "gfx90a", false),
            ("jac f64", "gfx942", false),
            ("golden a/cuda aos", "gfx90a", true),
        ];
        assert_eq!(found, expected.map(|(from, arch, checked)| (from.to_owned(), arch.to_owned(), checked)));
    }
}
