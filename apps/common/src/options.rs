//! Options that the command lines of apps share, to be flattened into them.
//!
//! They come in groups, so that an app can put its own options between them in its help. A help text that depends on
//! the app has words in braces, which the app replaces: see [`worded`].

use std::path::{Path, PathBuf};

use clap::builder::RangedU64ValueParser;
use clap::{Arg, ArgAction, Args};
use op2::{Isa, Ordering, Strategies};

use crate::flags::{Backend, Layout, MAX_THREADS, Precision};
use crate::logger;

/// The backend that executes the loops, and its threads.
#[derive(Args, Clone, Debug)]
pub struct Executor {
    /// Backend that executes the loops
    #[arg(long, value_enum, default_value_t = Backend::Threads)]
    pub backend: Backend,

    /// Number of threads [default: as many as the machine has cores]
    #[arg(long, value_name = "N", allow_negative_numbers = true,
          value_parser = RangedU64ValueParser::<usize>::new().range(1..=MAX_THREADS))]
    pub threads: Option<usize>,
}

/// The arithmetic of a solver that has a choice.
#[derive(Args, Clone, Debug)]
pub struct Arithmetic {
    /// Arithmetic of the solver
    #[arg(long, value_enum, default_value_t = Precision::F64)]
    pub precision: Precision,
}

/// How a solver's loops run.
#[derive(Args, Clone, Debug)]
pub struct Loops {
    /// Layout of data with several components: all of {an element} together, or all of a component
    #[arg(long, value_enum, default_value_t = Layout::Aos)]
    pub layout: Layout,

    /// Renumber the mesh inside op2, for locality: `predicted` where it pays, `none`, `rcm`, `gps`, `runs`, `hilbert` or `metis:N`
    /// for blocks of N edges. What is read and written keeps its numbering
    #[arg(long, default_value = "predicted", value_name = "ORDERING")]
    pub reorder: Ordering,

    /// How races between elements are resolved: `predicted`, `auto` (measured, then remembered), or `blocks:N`, `colours:N`,
    /// `scatter:N`, `tiles:N`, `owner:N` or `split:N:S`, and on GPUs `atomics:N`, `block-atomics:N`, `split-atomics:N:S` or
    /// `split-block-atomics:N:S`, with blocks of N elements and S stages; on GPUs, `:staged` or `:gathered` may follow, how blocks read
    /// through maps; for single loops as in `{loop}=tiles:4096,auto` [default: what `OP2_STRATEGY` says, or predicted]
    #[arg(long, value_name = "[LOOP=]STRATEGY,…")]
    pub strategy: Option<Strategies>,

    /// The instructions by which loops take several elements at once on the CPU: `baseline`, `avx2` or `avx512`, or `scalar` for one
    /// element at a time [default: what `OP2_ISA` says, or for each loop on threads what is predicted, and `scalar` with `--backend seq`]
    #[arg(long, value_name = "ISA")]
    pub isa: Option<Isa>,

    /// Let `--backend cuda-emu` run without checking every access, some three times as fast
    #[arg(long)]
    pub unchecked: bool,
}

/// Files with the results of a solver.
#[derive(Args, Clone, Debug)]
pub struct Outputs {
    /// Write times, residuals and the loop report
    #[arg(long, value_name = "FILE.json")]
    pub report: Option<PathBuf>,

    /// Write the solution, one {element} per line with 17 significant digits, in the numbering of the input
    #[arg(long, value_name = "FILE")]
    pub dump_q: Option<PathBuf>,

    /// Draw the history of the residual
    #[arg(long, value_name = "FILE.svg")]
    pub plot: Option<PathBuf>,

    /// Draw what each loop took and which share of the machine's bandwidth it had
    #[arg(long, value_name = "FILE.svg")]
    pub loops: Option<PathBuf>,

    /// Write the solution for ParaView: {quantities}, in the numbering of the input
    #[arg(long, value_name = "FILE.vtu")]
    pub vtk: Option<PathBuf>,
}

/// The log of a run.
#[derive(Args, Clone, Debug)]
pub struct Verbosity {
    /// Tell on standard error how the mesh is ordered and which strategy each loop follows, and why; twice (`-vv`), also of plans
    /// and compiled loops [default: the level that `OP2_LOG` names (`off`, `error`, `warn`, `info`, `debug`, `trace`), or warnings]
    #[arg(short, long, action = ArgAction::Count)]
    pub verbose: u8,
}

impl Verbosity {
    /// Starts the log of this process.
    ///
    /// # Errors
    ///
    /// As [`logger::start`].
    pub fn start(&self) -> Result<(), String> {
        logger::start(self.verbose)
    }
}

impl Executor {
    /// How many threads there are to be.
    ///
    /// # Errors
    ///
    /// As [`Backend::threads`].
    pub fn threads(&self) -> Result<usize, String> {
        self.backend.threads(self.threads)
    }
}

impl Outputs {
    /// The files that are asked for, each with its option.
    pub fn files(&self) -> impl Iterator<Item = (&'static str, &Path)> {
        let files = [
            ("--report", &self.report),
            ("--dump-q", &self.dump_q),
            ("--plot", &self.plot),
            ("--loops", &self.loops),
            ("--vtk", &self.vtk),
        ];
        files.into_iter().filter_map(|(option, path)| Some((option, path.as_deref()?)))
    }
}

/// The option with an app's words in its help: each stands there for the text in braces beside it.
pub fn worded(option: Arg, words: &[(&str, &str)]) -> Arg {
    let Some(help) = option.get_help() else { return option };
    let help = words.iter().fold(help.to_string(), |help, (general, own)| help.replace(&format!("{{{general}}}"), own));
    option.help(help)
}
