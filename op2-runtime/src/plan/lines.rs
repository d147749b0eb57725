//! The cache lines that an element reaches through maps, by the layouts of the dats.

use super::key::Inputs;
use crate::data::memory::LINE;

/// Lines that an element reaches through maps.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Lines {
    /// With the dats as they are.
    now: usize,
    /// With AoS.
    by_aos: usize,
}

/// The report has a note on a loop with more than this number of lines for each by AoS.
///
/// Measured on 2 cores of an AMD EPYC (AVX2), 2026-11-24, in meshes of a tenth of the usual size: with 2.8 times as many lines
/// airfoil's `res_calc` takes 1.6 times as long by SoA as by AoS, with 4.2 to 5.5 hydra's loops 1.6 to 2.6 times and MG-CFD's flux 1.3
/// times; with 2, airfoil's `adt_calc` takes 1.1 times as long.
const MANY: f64 = 2.5;

impl Lines {
    /// Those of a loop.
    pub(crate) fn of(inputs: Inputs<'_>) -> Lines {
        let mut lines = Lines::default();
        for bound in inputs.dats() {
            let Some((_, used)) = &bound.through else { continue };
            let dat = inputs.dat(bound);
            lines.now += used.len() * dat.lines();
            lines.by_aos += used.len() * dat.bytes.div_ceil(LINE);
        }
        lines
    }

    /// The note for a loop on the CPU whose layouts cost much.
    pub(crate) fn note(self) -> Option<String> {
        let Lines { now, by_aos } = self;
        (now as f64 > MANY * by_aos as f64).then(|| {
            format!(
                "an element reaches {now} cache lines through maps, and {by_aos} if all dats are AoS, which is faster on CPUs"
            )
        })
    }
}
