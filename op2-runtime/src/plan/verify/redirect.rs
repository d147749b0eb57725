//! The check of plans that redirect contributions: each contribution arrives at its target once, and no two blocks
//! write to the same destination.

use super::{Violation, element_at, raced_dats};
use crate::inspect::{LoopShape, Touch};
use crate::plan::{Destination, Part, Plan, Redirect, RunKind};
use rustc_hash::FxHashMap;

/// Checks the redirected contributions of `plan`.
pub(super) fn verify(plan: &Plan, redirect: &Redirect, shape: &LoopShape<'_>) -> Result<(), Violation> {
    for dat in raced_dats(shape) {
        let touches: Vec<&Touch<'_>> = shape.touches.iter().filter(|t| t.dat == dat && t.access.modifies()).collect();
        contributions(plan, redirect, &touches)?;
    }
    redirect.parts().iter().try_for_each(sums)?;
    (0..plan.blocks()).try_for_each(|block| runs(plan, redirect, block))
}

/// The writer of a destination: a block, with the target that the contribution is for.
type Writer = (usize, usize);

fn contributions(plan: &Plan, redirect: &Redirect, touches: &[&Touch<'_>]) -> Result<(), Violation> {
    let mut writers: FxHashMap<Destination, Writer> = FxHashMap::default();
    let mut arrived: FxHashMap<(usize, usize, usize), usize> = FxHashMap::default();
    for block in 0..plan.blocks() {
        for position in plan.block(block) {
            let element = element_at(plan, position);
            for touch in touches {
                let arg = touch.arg;
                let Some((part, first)) = redirect.part_of(arg) else {
                    return Err(Violation::NotRedirected { arg });
                };
                let part = &redirect.parts()[part];
                for (entry, target) in touch.targets_of(element).map(|(entry, t)| (entry, t as usize)) {
                    let destination = part.destination(position, first + entry);
                    *arrived.entry((element, arg, entry)).or_default() +=
                        usize::from(destination != Destination::Nowhere);
                    arrives(part, destination, block, target, &mut writers)?;
                }
            }
        }
    }
    // Where contributions have copies of their own, those of missing entries hold no value.
    let part = touches.first().and_then(|touch| redirect.part_of(touch.arg)).map(|(part, _)| &redirect.parts()[part]);
    let mut added = part.into_iter().flat_map(|part| &part.sums.list).map(|&copy| copy as usize);
    if let Some(copy) = added.find(|&copy| !writers.contains_key(&Destination::Copy(copy))) {
        return Err(Violation::Sums { what: format!("copy {copy} is added, but nothing goes there") });
    }
    // The smallest, so that every run reports the same one.
    match arrived.into_iter().filter(|&(_, times)| times != 1).min() {
        Some(((element, arg, entry), times)) => Err(Violation::Contribution { element, arg, entry, times }),
        None => Ok(()),
    }
}

/// Checks that a destination belongs to one block and one target, and that a copy is summed to this target.
fn arrives(
    part: &Part,
    destination: Destination,
    block: usize,
    target: usize,
    writers: &mut FxHashMap<Destination, Writer>,
) -> Result<(), Violation> {
    let wrong = |what: String| Err(Violation::Destination { block, target, what });
    match destination {
        Destination::Nowhere => return Ok(()),
        Destination::Target(t) if t != target => return wrong(format!("goes to target {t}")),
        Destination::Target(_) => {}
        Destination::Copy(copy) => {
            let own = part.block_copies[block] as usize..part.block_copies[block + 1] as usize;
            if !own.contains(&copy) {
                return wrong(format!("goes to copy {copy}, expected one of its own, {own:?}"));
            }
            let sums = &part.sums;
            let at = sums.targets.binary_search(&(target as u32)).ok();
            let list = at.map_or(&[][..], |i| &sums.list[sums.offsets[i] as usize..sums.offsets[i + 1] as usize]);
            if list.iter().filter(|&&c| c as usize == copy).count() != 1 {
                return wrong(format!("goes to copy {copy}, which is not added to that target once"));
            }
        }
    }
    let &mut (other, means) = writers.entry(destination).or_insert((block, target));
    match (other == block, means == target) {
        (true, true) => Ok(()),
        (false, _) => wrong(format!("goes where block {other} adds too")),
        (true, false) => wrong(format!("goes where contributions to target {means} go")),
    }
}

/// Checks that no copy is added twice, and that targets differ, so that they can be summed at once.
fn sums(part: &Part) -> Result<(), Violation> {
    let sums = &part.sums;
    if let Some(w) = sums.targets.windows(2).find(|w| w[0] >= w[1]) {
        return Err(Violation::Sums { what: format!("target {} comes behind target {}", w[1], w[0]) });
    }
    let mut times = vec![0_usize; part.copies];
    for &copy in &sums.list {
        times[copy as usize] += 1;
    }
    match times.iter().position(|&t| t > 1) {
        Some(copy) => Err(Violation::Sums { what: format!("copy {copy} is added {} times, expected 1", times[copy]) }),
        None => Ok(()),
    }
}

/// Checks that runs cover their block, and that straight ones have nothing to redirect.
fn runs(plan: &Plan, redirect: &Redirect, block: usize) -> Result<(), Violation> {
    let mut next = plan.block(block).start;
    for run in redirect.runs_of(block) {
        let (start, end) = (run.start as usize, run.end as usize);
        let straight = |p: usize| {
            let straight =
                |part: &Part| (0..part.width).all(|k| matches!(part.destination(p, k), Destination::Target(_)));
            redirect.parts().iter().all(straight)
        };
        let sound = match run.kind {
            RunKind::Redirected => true,
            RunKind::Straight { element } => {
                (start..end).all(|p| straight(p) && element_at(plan, p) == element as usize + (p - start))
            }
        };
        if start != next || end <= start || !sound {
            return Err(Violation::Run { block, start, end });
        }
        next = end;
    }
    let end = plan.block(block).end;
    if next == end { Ok(()) } else { Err(Violation::Run { block, start: next, end }) }
}
