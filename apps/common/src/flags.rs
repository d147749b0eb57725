//! Choices that command lines offer.

use clap::ValueEnum;
use op2::Isa;
use serde::Serialize;

/// The largest accepted number of threads.
pub const MAX_THREADS: u64 = 1024;

/// The largest accepted number of iterations; their residuals still fit into memory.
pub const MAX_ITERATIONS: u64 = 100_000_000;

/// The backend that executes the loops.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Backend {
    /// One element after the other, on one thread
    Seq,
    /// Coloured blocks of elements, on several threads
    Threads,
    /// CUDA code on the first NVIDIA GPU; needs its driver and NVRTC
    Cuda,
    /// The same code on the first AMD GPU; needs ROCm
    Hip,
    /// The same CUDA code on the CPU, checked access by access; slow, needs a C++ compiler
    CudaEmu,
}

/// Layout of data with several components per element.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Layout {
    /// Array of structures
    Aos,
    /// Structure of arrays
    Soa,
}

/// Arithmetic of the solver.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Precision {
    /// Single precision
    F32,
    /// Double precision
    F64,
}

impl Backend {
    /// As it is written on the command line.
    pub fn name(self) -> String {
        self.to_possible_value().map_or_else(String::new, |v| v.get_name().to_owned())
    }

    /// The number of threads, given the number on the command line, if any.
    ///
    /// # Errors
    ///
    /// More than one thread for a backend that has only one; the text is meant for the user.
    pub fn threads(self, asked: Option<usize>) -> Result<usize, String> {
        match (self, asked) {
            (Self::Threads, Some(n)) => Ok(n),
            (Self::Threads, None) => Ok(std::thread::available_parallelism().map_or(1, usize::from)),
            (_, None | Some(1)) => Ok(1),
            (_, Some(n)) => {
                let backend = self.name();
                Err(format!("`--backend {backend}` runs on 1 thread, found `--threads {n}`: use `--backend threads`"))
            }
        }
    }

    /// Fails if checks of the emulator are switched off for another backend.
    ///
    /// # Errors
    ///
    /// The text is meant for the user.
    pub fn allows_unchecked(self, unchecked: bool) -> Result<(), String> {
        if unchecked && self != Self::CudaEmu {
            let backend = self.name();
            return Err(format!(
                "`--unchecked` is for `--backend cuda-emu`, found `--backend {backend}`: leave it out"
            ));
        }
        Ok(())
    }

    /// Fails if instructions of the host are chosen for a backend that runs elsewhere.
    ///
    /// # Errors
    ///
    /// The text is meant for the user.
    pub fn allows_isa(self, isa: Option<Isa>) -> Result<(), String> {
        match (self, isa) {
            (Self::Cuda | Self::Hip | Self::CudaEmu, Some(isa)) => {
                let backend = self.name();
                Err(format!(
                    "`--isa {isa}` is for `--backend threads` and `--backend seq`, found `--backend {backend}`: leave it out"
                ))
            }
            _ => Ok(()),
        }
    }

    /// The words for where a run with `threads` threads executes, for the introduction of an app.
    pub fn place(self, threads: usize) -> String {
        match self {
            Self::Seq | Self::Threads => format!("{threads} thread(s)"),
            device => device.name(),
        }
    }

    /// The same as op2 takes it, with `threads` threads.
    pub fn to_op2(self, threads: usize) -> op2::Backend {
        match self {
            Self::Seq => op2::Backend::Seq,
            Self::Threads => op2::Backend::Threads(threads),
            Self::Cuda => op2::Backend::Cuda(0),
            Self::Hip => op2::Backend::Hip(0),
            Self::CudaEmu => op2::Backend::CudaEmu,
        }
    }
}

impl Layout {
    /// The same as op2 takes it.
    pub fn to_op2(self) -> op2::Layout {
        match self {
            Self::Aos => op2::Layout::Aos,
            Self::Soa => op2::Layout::Soa,
        }
    }
}
