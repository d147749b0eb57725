//! Predicts form and size of blocks of a loop: those with the least [estimate](op2_device::least).

use super::DeviceState;
use super::planned::ELEMENTS;
use super::task::Task;
use super::work::{Division, work};
use crate::desc::FormDesc;
use crate::strategy::Scheme;
use op2_core::{EntryPoint, Wrapper};
use op2_device::{Result, Work};

/// The scheme that stays unless another is clearly better.
pub(crate) const USUAL: Scheme = Scheme::blocks(ELEMENTS);
/// Elements of a block.
pub(crate) const SIZES: [usize; 4] = [64, ELEMENTS, 256, 512];

/// A form of a loop in blocks of a size.
struct Candidate {
    scheme: Scheme,
    form: Option<&'static FormDesc>,
    work: Work,
}

/// The strategy with the least estimate. None if the performance of the device is unknown, if the loop needs no blocks or cannot have
/// them, or if no block fits.
///
/// # Errors
/// Those of the compiler.
pub(crate) fn best(state: &DeviceState, task: &Task<'_>) -> Result<Option<Scheme>> {
    let info = state.device.info();
    let Some(performance) = info.performance.as_ref().filter(|_| task.stages_data()) else { return Ok(None) };
    let all = candidates(task, info.shared_per_block);
    let works: Vec<Work> = all.iter().map(|candidate| candidate.work).collect();
    let usual = all.iter().position(|candidate| candidate.scheme == USUAL);
    let best = op2_device::least(&works, usual, performance, |n| {
        // The emulator's compiler reports no registers.
        if info.emulated {
            return Ok(None);
        }
        let module = state.load(&task.source(all[n].form, works[n].threads))?;
        let function = task.kernel(all[n].form, EntryPoint::Loop(Wrapper::Staged))?;
        Ok(state.device.resources(&module, function))
    })?;
    Ok(best.map(|n| all[n].scheme))
}

/// The form in stages with the least estimate, without regard to registers; none if no form fits.
pub(crate) fn in_stages(state: &DeviceState, task: &Task<'_>) -> Option<Scheme> {
    let info = state.device.info();
    let performance = info.performance.as_ref().filter(|_| task.stages_data())?;
    candidates(task, info.shared_per_block)
        .iter()
        .filter(|candidate| candidate.form.is_some())
        .filter_map(|candidate| Some((candidate.work.estimate(performance, None)?.seconds(), candidate.scheme)))
        .min_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, scheme)| scheme)
}

/// All forms in all sizes that leave room for a block in `limit` bytes of shared memory.
fn candidates(task: &Task<'_>, limit: u32) -> Vec<Candidate> {
    let divisions = SIZES.map(|size| Division::new(task, size));
    let mut all = Vec::new();
    for form in std::iter::once(None).chain(task.device.forms.iter().map(Some)) {
        for division in &divisions {
            let size = division.size;
            let whole = Scheme::blocks(size);
            let scheme = form.map_or(whole, |form| whole.in_stages(form.stages.len()));
            all.push(Candidate { scheme, form, work: work(task, form, division, task.plan.colours()) });
        }
    }
    all.retain(|candidate| candidate.work.shared <= limit);
    all
}
