//! Predicts how a loop resolves races on a device, in which form, and the size of blocks: the variant with the least
//! [estimate](op2_device::least).

use super::DeviceState;
use super::choice::{Choice, choose, is_in_blocks};
use super::planned::{ELEMENTS, MOST_THREADS};
use super::task::Task;
use super::work::{Division, Variant, works};
use crate::desc::FormDesc;
use crate::plan::fit;
use crate::strategy::{Reads, Resolution, Scheme};
use op2_core::{EntryPoint, Wrapper};
use op2_device::{Module, Resources, Result, Work};

/// Elements of a block.
pub(crate) const SIZES: [usize; 5] = [64, ELEMENTS, 192, 256, 512];
/// Elements of a block that stages nothing.
const UNSTAGED: [usize; 2] = [ELEMENTS, 256];
/// Threads of a block where each has a target.
const PER_TARGET: [usize; 3] = [64, ELEMENTS, 256];
/// Registers of a thread for addresses and counters.
const ADDRESSES: u32 = 16;
/// The most registers that a thread can have.
const MOST_REGISTERS: u32 = 255;

/// A variant of a loop.
pub(crate) struct Candidate {
    pub(crate) scheme: Scheme,
    pub(crate) form: Option<&'static FormDesc>,
    pub(crate) wrapper: Wrapper,
    /// How its blocks read targets of maps; of kernels without blocks it says nothing.
    pub(crate) reads: Reads,
    /// The work of the kernels that it launches; the first runs the elements.
    pub(crate) works: Vec<Work>,
}

impl Candidate {
    /// Whether it stays unless another is clearly better.
    pub(crate) fn is_usual(&self, task: &Task<'_>) -> bool {
        let reads = if task.may_gather() { Reads::Gathered } else { Reads::Staged };
        self.scheme == Scheme::blocks(ELEMENTS).reading(reads)
    }
}

/// The strategy with the least estimate among those whose results repeat to the last bit. None if the performance of the device is
/// unknown, if the loop needs no blocks or cannot have them, or if no block fits.
///
/// # Errors
/// Those of the compiler.
pub(crate) fn best(state: &DeviceState, task: &Task<'_>) -> Result<Option<Scheme>> {
    let info = state.device.info();
    let Some(performance) = info.performance.as_ref().filter(|_| task.stages_data()) else { return Ok(None) };
    let mut all = candidates(task, info.shared_per_block, Resolution::is_deterministic);
    // A block for which registers would hardly suffice is no candidate, even where nothing is compiled: its values would lie in memory.
    let guess = guessed(task);
    let suffice = |candidate: &Candidate| performance.limits.resident(&guess, candidate.works[0].threads, 0) > 0;
    if all.iter().any(suffice) {
        all.retain(suffice);
    }
    let works: Vec<&[Work]> = all.iter().map(|candidate| &candidate.works[..]).collect();
    let usual = all.iter().position(|candidate| candidate.is_usual(task));
    let best = op2_device::least(&works, usual, performance, |n| {
        let Candidate { form, wrapper, reads, works, .. } = &all[n];
        let function = task.kernel(*form, EntryPoint::Loop(*wrapper))?;
        let source = task.source_in(*form, works[0].threads, (*wrapper, *reads));
        let reported = state.device.resources_of(&source, function)?;
        Ok(Some(reported.unwrap_or(guess)))
    })?;
    Ok(best.map(|n| all[n].scheme))
}

/// The form in coloured stages with the least estimate, without regard to registers; none if no form fits.
pub(crate) fn in_stages(state: &DeviceState, task: &Task<'_>) -> Option<Scheme> {
    let info = state.device.info();
    let performance = info.performance.as_ref().filter(|_| task.stages_data())?;
    candidates(task, info.shared_per_block, |resolution| resolution == Resolution::Blocks)
        .iter()
        .filter(|candidate| candidate.form.is_some())
        .filter_map(|candidate| Some((op2_device::seconds(&candidate.works, performance, None)?, candidate.scheme)))
        .min_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, scheme)| scheme)
}

/// All variants that resolve races in a way for which `which` holds, in all sizes that leave room for a block in `limit` bytes of shared
/// memory.
pub(crate) fn candidates(task: &Task<'_>, limit: u32, which: impl Fn(Resolution) -> bool) -> Vec<Candidate> {
    let divisions = SIZES.map(|size| Division::new(task, size));
    let owns = which(Resolution::Owner) && follows(task, Scheme::owner(ELEMENTS));
    let owners: Vec<Division> = match owns {
        true => SIZES.into_iter().filter_map(|size| Division::of_owners(task, size)).collect(),
        false => Vec::new(),
    };
    let targets: Vec<Division> = match which(Resolution::Targets) {
        true => Division::of_targets(task, &PER_TARGET),
        false => Vec::new(),
    };
    let mut all = Vec::new();
    for resolution in Resolution::ALL.into_iter().filter(|resolution| which(*resolution)) {
        for form in std::iter::once(None).chain(task.device.forms.iter().map(Some)) {
            let divisions = match resolution {
                Resolution::Owner => &owners[..],
                Resolution::Targets => &targets[..],
                _ => &divisions[..],
            };
            let read_by = |division| Reads::ALL.map(|reads| candidate(task, limit, resolution, form, division, reads));
            all.extend(divisions.iter().flat_map(read_by).flatten());
        }
    }
    all
}

/// How the blocks of a pinned scheme read targets of maps: as it says, else in the way with the lower estimate, as far as the loop can
/// follow. Registers are guessed: compiling both ways would take longer than most loops gain.
pub(super) fn reads(state: &DeviceState, task: &Task<'_>, form: Option<&'static FormDesc>) -> Reads {
    let Some(scheme) = task.strategy.scheme().filter(|_| task.may_gather()) else { return Reads::Staged };
    if let Some(reads) = scheme.reads {
        return reads;
    }
    if task.desc.by_rows || !task.has_entries {
        return Reads::Staged;
    }
    // Without blocks, all threads gather.
    if form.is_none() && !is_in_blocks(scheme.resolution) {
        return Reads::Gathered;
    }
    let info = state.device.info();
    let Some(performance) = info.performance.as_ref() else { return Reads::Gathered };
    let Some(division) = Division::by(task, Some(scheme.resolution), scheme.size) else { return Reads::Gathered };
    let guess = guessed(task);
    let [staged, gathered] = Reads::ALL.map(|reads| {
        let candidate = candidate(task, info.shared_per_block, scheme.resolution, form, &division, reads)?;
        op2_device::seconds(&candidate.works, performance, Some(&guess))
    });
    match (staged, gathered) {
        (Some(staged), Some(gathered)) if staged < gathered => Reads::Staged,
        (Some(_), None) => Reads::Staged,
        _ => Reads::Gathered,
    }
}

/// A variant, if the loop can follow it.
fn candidate(
    task: &Task<'_>,
    limit: u32,
    resolution: Resolution,
    form: Option<&'static FormDesc>,
    division: &Division,
    reads: Reads,
) -> Option<Candidate> {
    let whole = Scheme::new(resolution, division.size);
    if !follows(task, whole) || division.threads() > MOST_THREADS as u32 {
        return None;
    }
    let facts = task.facts(division.shared(task, form, reads), form, limit);
    let choice = choose(Some(resolution), &facts);
    let wrapper = choice.wrapper();
    let as_asked = choice.note.is_none() && choice.resolution == Some(resolution);
    let staged_size = wrapper.is_staged() || resolution == Resolution::Targets || UNSTAGED.contains(&division.size);
    // Element by element there is nothing that a colouring of all elements would gain.
    if !as_asked || !staged_size || resolution == Resolution::Colours || (form.is_some() && !wrapper.has_stages()) {
        return None;
    }
    let whole = match wrapper.is_staged() {
        true if reads == Reads::Staged || task.may_gather() => whole.reading(reads),
        false if reads == Reads::Gathered => whole,
        _ => return None,
    };
    let colours = task.plan.colours();
    let variant = Variant { resolution: Some(resolution), wrapper, form, division, reads, colours };
    let scheme = form.map_or(whole, |form| whole.in_stages(form.stages.len()));
    Some(Candidate { scheme, form, wrapper, reads, works: works(task, &variant) })
}

/// Whether the loop can follow a scheme that redirects contributions.
fn follows(task: &Task<'_>, scheme: Scheme) -> bool {
    fit(task.shape, scheme, !task.reductions().is_empty()).0 == scheme
}

/// The seconds that a loop takes which was prepared so, in blocks of `size` elements, and `colours` launches. None if the performance of
/// the device is unknown, and for loops that the model does not know.
pub(super) fn estimated(
    state: &DeviceState,
    task: &Task<'_>,
    choice: &Choice,
    (form, reads): (Option<&'static FormDesc>, Reads),
    (size, colours): (usize, usize),
    module: &Module,
) -> Option<f64> {
    let performance = state.device.info().performance.as_ref()?;
    if task.desc.by_rows || !task.has_entries {
        return None;
    }
    let division = Division::by(task, choice.resolution, size)?;
    let wrapper = choice.wrapper();
    let variant = Variant { resolution: choice.resolution, wrapper, form, division: &division, reads, colours };
    let kernel = task.kernel(form, EntryPoint::Loop(wrapper)).ok()?;
    let taken = state.device.resources(module, kernel).unwrap_or_else(|| guessed(task));
    op2_device::seconds(&works(task, &variant), performance, Some(&taken))
}

/// The resources that a compiler would need, where none tells: each scalar that the kernel takes or gives lives in registers of 4 bytes for
/// a while, and so do addresses. NVRTC (13.0, `sm_90`) needs 0.65 to 0.95 times as many for airfoil's and hydra's heavy loops.
pub(super) fn guessed(task: &Task<'_>) -> Resources {
    let dats = task.inputs.dats().iter();
    let bytes: usize =
        dats.map(|b| task.inputs.dat(b).bytes * b.through.as_ref().map_or(1, |through| through.1.len())).sum();
    let registers = (ADDRESSES as usize + bytes.div_ceil(size_of::<u32>())).min(MOST_REGISTERS as usize) as u32;
    Resources { registers, ..Resources::default() }
}
