//! The plan of a strategy on a device. A block of elements runs as one thread block, which limits its size.

use crate::inspect::LoopShape;
use crate::plan::{Plan, Race, TURNS, fit};
use crate::strategy::{Resolution, Scheme, Strategy};

/// Elements of a block unless the strategy or an estimate states otherwise.
pub(crate) const ELEMENTS: usize = 128;
/// The most threads that a block can have.
pub(crate) const MOST_THREADS: usize = 1024;

/// A plan, and the strategy that it serves.
pub(crate) struct Planned {
    pub(crate) strategy: Strategy,
    pub(crate) plan: Plan,
    /// Why the strategy is not the one that was asked for; `None` if it is.
    pub(crate) note: Option<String>,
}

/// The plan of the strategy closest to `wanted` that the loop can follow. `turns` says whether elements that share a target must take
/// turns. All kernels need the plan's answer on races; those with staged data also run by its blocks.
///
/// # Errors
/// Those of `plan_of`, which builds plans.
pub(crate) fn planned(
    wanted: Strategy,
    shape: &LoopShape<'_>,
    reduces: bool,
    turns: bool,
    plan_of: &dyn Fn(Scheme) -> crate::Result<Plan>,
) -> crate::Result<Planned> {
    let (strategy, why) = fitted(wanted, shape, reduces, turns);
    let mut planned = match strategy {
        Strategy::Pinned(Scheme { resolution: Resolution::Owner, .. }) => owners(strategy, plan_of)?,
        _ => Planned { strategy, plan: plan_of(scheme(strategy))?, note: None },
    };
    let too_large = size(wanted) > MOST_THREADS;
    let cut = || format!("blocks of {MOST_THREADS}: a thread block has no more threads");
    // Where no two elements share a target, no strategy was refused.
    let why = why.filter(|_| planned.plan.race() == Race::Coloured).map(str::to_owned);
    planned.note = why.or(planned.note).or_else(|| too_large.then(cut));
    Ok(planned)
}

/// Replaces tiles and owners where the rule for all executors does. `choice` replaces other strategies later, because it knows more of
/// the device.
fn fitted(wanted: Strategy, shape: &LoopShape<'_>, reduces: bool, turns: bool) -> (Strategy, Option<&'static str>) {
    match wanted.scheme().map(|scheme| scheme.resolution) {
        Some(Resolution::Tiles | Resolution::Owner) if turns => (Strategy::blocks(size(wanted)), Some(TURNS)),
        Some(Resolution::Tiles | Resolution::Owner) => {
            let (fitting, why) = fit(shape, scheme(wanted), reduces);
            let reads = wanted.scheme().and_then(|scheme| scheme.reads);
            (Strategy::Pinned(Scheme { reads, ..fitting }), why)
        }
        _ => (wanted, None),
    }
}

/// A plan of owners, or of tiles if the elements of one target do not fit into a thread block.
fn owners(wanted: Strategy, plan_of: &dyn Fn(Scheme) -> crate::Result<Plan>) -> crate::Result<Planned> {
    let plan = plan_of(scheme(wanted))?;
    if longest(plan.offsets()) <= MOST_THREADS {
        return Ok(Planned { strategy: wanted, plan, note: None });
    }
    let note = format!("tiles instead: one target gets contributions of more than {MOST_THREADS} elements");
    let tiles = Scheme { resolution: Resolution::Tiles, ..wanted.scheme().unwrap_or(Scheme::tiles(ELEMENTS)) };
    let plan = plan_of(scheme(Strategy::Pinned(tiles)))?;
    Ok(Planned { strategy: Strategy::Pinned(tiles), plan, note: Some(note) })
}

/// Positions of the longest block.
pub(crate) fn longest(offsets: &[u32]) -> usize {
    offsets.windows(2).map(|b| (b[1] - b[0]) as usize).max().unwrap_or(0)
}

/// The scheme of the plan that serves a strategy.
fn scheme(strategy: Strategy) -> Scheme {
    let resolution = match strategy.scheme().map(|scheme| scheme.resolution.plan()) {
        // Scatter needs no blocks; the plan only says whether there are races.
        None | Some(Resolution::Scatter) => Resolution::Blocks,
        Some(resolution) => resolution,
    };
    Scheme::new(resolution, size(strategy).min(MOST_THREADS))
}

/// Elements of a block.
fn size(strategy: Strategy) -> usize {
    strategy.scheme().map_or(ELEMENTS, |scheme| scheme.size)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::inspect::{Elements, Through, Touch};
    use op2_core::Access;

    /// A loop over `ends.len() / 2` edges that modifies a dat on the nodes through both ends, and one of its own if `own`
    /// says so.
    fn shape(ends: &[u32], access: Access, own: bool) -> LoopShape<'_> {
        let through = |i| Some(Through { map: 0, entries: ends, arity: 2, offsets: None, used: i..i + 1 });
        let touch = |arg, through| Touch { arg, dat: 0, targets: ends.len(), bytes: 8, access, through, own: false };
        let direct = Touch { dat: 1, targets: ends.len() / 2, ..touch(2, None) };
        let mut touches = vec![touch(0, through(0)), touch(1, through(1))];
        touches.extend(own.then_some(direct));
        LoopShape { elements: Elements::All(ends.len() / 2), touches }
    }

    fn planned_for(wanted: Strategy, shape: &LoopShape<'_>, reduces: bool) -> (Strategy, Option<String>) {
        let plan_of = |scheme| Ok(Plan::build(shape, scheme).expect("a loop that can follow its scheme"));
        let Planned { strategy, plan, note } = planned(wanted, shape, reduces, false, &plan_of).expect("a plan");
        assert!(longest(plan.offsets()) <= MOST_THREADS);
        (strategy, note)
    }

    const TILES: Strategy = Strategy::tiles(64);
    const OWNER: Strategy = Strategy::owner(64);

    #[test]
    fn strategies_that_cannot_be_followed_come_with_a_reason() {
        let ring: Vec<u32> = (0..500).flat_map(|e| [e, (e + 1) % 500]).collect();
        let plain = shape(&ring, Access::Inc, false);
        assert_eq!([TILES, OWNER].map(|s| planned_for(s, &plain, false)), [(TILES, None), (OWNER, None)]);
        assert_eq!(planned_for(TILES, &plain, true), (TILES, None));
        let says = |found: (Strategy, Option<String>), start: &str| {
            let (strategy, note) = found;
            assert!(note.as_ref().is_some_and(|n| n.starts_with(start)), "{note:?}");
            strategy
        };
        assert_eq!(says(planned_for(OWNER, &plain, true), "tiles instead: "), TILES);
        assert_eq!(says(planned_for(OWNER, &shape(&ring, Access::Inc, true), false), "tiles instead: "), TILES);
        // Both ends of an edge are different nodes: elements may change them in turn.
        let turns = shape(&ring, Access::Rw, false);
        for wanted in [TILES, OWNER] {
            assert_eq!(says(planned_for(wanted, &turns, false), "coloured instead: "), Strategy::blocks(64));
        }
        let large = Strategy::tiles(5000);
        assert_eq!(says(planned_for(large, &plain, false), "blocks of 1024: "), Strategy::tiles(1024));
    }

    #[test]
    fn where_nobody_meets_nothing_is_in_the_way() {
        let disjoint: Vec<u32> = (0..1000).collect();
        let shape = shape(&disjoint, Access::Inc, true);
        assert_eq!(planned_for(OWNER, &shape, true).1, None);
    }

    #[test]
    fn owners_have_room_in_a_thread_block() {
        let far: Vec<u32> = (0..2000).flat_map(|e| [e, (e * 997 + 3) % 2000]).collect();
        let far = shape(&far, Access::Inc, false);
        assert_eq!(planned_for(Strategy::owner(800), &far, false), (Strategy::owner(800), None));
        let star: Vec<u32> = (0..1100).flat_map(|e| [0, e]).collect();
        let (strategy, note) = planned_for(OWNER, &shape(&star, Access::Inc, false), false);
        assert_eq!(strategy, TILES);
        assert!(note.as_ref().is_some_and(|n| n.starts_with("tiles instead: one target")), "{note:?}");
    }
}
