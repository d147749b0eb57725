//! Which strategies are worth a trial: a pure function of the loop, its maps and its plans.

use crate::inspect::LoopShape;
use crate::plan::{self, Plan};
use crate::strategy::{Resolution, Scheme, Strategy};

/// Tiles and blocks of owners are this fraction of the loop: large blocks share little, and a dozen of them keep a
/// dozen cores busy.
const LARGE: usize = 12;
/// Blocks that are tried are this many times larger or smaller than those of the prediction.
const STEP: usize = 4;
/// The smallest block that is tried.
const SMALLEST: usize = 64;
/// The least number of blocks.
const FEWEST: usize = 8;
/// With more targets than this per element, the loop does not reach most of them.
const SPARSE: usize = 2;
/// With more bytes than this, global colouring streams the data through memory once per colour, so it is not tried.
const CACHED: u64 = 2 << 20;
/// With fewer blocks per colour and thread than this, some threads idle much of the time.
const BLOCKS_PER_THREAD: usize = 2;
/// With more positions per element than this, owners compute too many elements twice.
const MOST_POSITIONS: f64 = 1.4;
/// With more copies per target than this, tiles share nearly everything.
const MOST_COPIES: f64 = 0.5;

/// The strategies to try on a loop with races: the predicted one first, then the others by how often they win.
/// `reduces` says whether the loop reduces into globals.
pub(crate) fn candidates(shape: &LoopShape<'_>, predicted: &Plan, reduces: bool) -> Vec<Strategy> {
    let (n, bytes) = (shape.elements.len(), predicted.traffic().useful_bytes());
    let large = (n / LARGE).max(SMALLEST);
    let first = predicted.scheme();
    let size = first.size;
    let mut schemes = Vec::new();
    if n / (size * STEP) >= FEWEST {
        schemes.push(Scheme::blocks(size * STEP));
    }
    // Redirecting plans visit all targets, which takes too long for a loop that reaches few of them.
    let dense = shape.touches.iter().all(|t| !t.access.modifies() || t.through.is_none() || t.targets <= n * SPARSE);
    if dense {
        schemes.extend([Scheme::tiles(large), Scheme::owner(large)]);
    }
    if size / STEP >= SMALLEST {
        schemes.push(Scheme::blocks(size / STEP));
    }
    if dense {
        schemes.push(Scheme::scatter(size));
    }
    if bytes <= CACHED {
        schemes.push(Scheme::colours(size));
    }
    let same_kind =
        |s: &Scheme| (s.resolution == Resolution::Colours && first.resolution == s.resolution) || *s == first;
    let follows = |s: &Scheme| plan::fit(shape, *s, reduces).1.is_none();
    let others = schemes.into_iter().filter(|s| follows(s) && !same_kind(s));
    std::iter::once(first).chain(others).map(Strategy::from).collect()
}

/// Why a plan is not worth an execution on this many threads; `None` if it is.
pub(crate) fn objection(plan: &Plan, threads: usize) -> Option<String> {
    let part = |some: usize, whole: usize| some as f64 / whole.max(1) as f64;
    match plan.scheme().resolution {
        Resolution::Owner => {
            let positions = part(plan.positions(), plan.len());
            let twice = 100.0 * (positions - 1.0);
            (positions > MOST_POSITIONS).then(|| format!("{twice:.0} % of the elements would run twice"))
        }
        Resolution::Tiles => {
            let parts = plan.redirect().map_or(&[][..], |redirect| redirect.parts());
            let sum = |of: fn(&plan::Part) -> usize| parts.iter().map(of).sum::<usize>();
            let copies = part(sum(|p| p.copies), sum(|p| p.targets));
            (copies > MOST_COPIES).then(|| format!("{copies:.2} copies for each target"))
        }
        Resolution::Blocks => {
            let (blocks, colours) = (plan.blocks(), plan.colours());
            let few = blocks < BLOCKS_PER_THREAD * threads * colours;
            few.then(|| format!("{blocks} blocks have {colours} colours"))
        }
        Resolution::Colours | Resolution::Scatter | Resolution::Targets => None,
        Resolution::Atomics | Resolution::BlockAtomics => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::inspect::{Elements, Through, Touch};
    use op2_core::Access;

    const EDGES: usize = 20_000;

    /// A loop over edges that modifies both ends of each.
    fn shape(access: Access, entries: &[u32]) -> LoopShape<'_> {
        let through = Some(Through { map: 0, entries, arity: 2, offsets: None, used: 0..2 });
        let touch = Touch { arg: 0, dat: 0, targets: EDGES, bytes: 8, access, through, own: false };
        LoopShape { elements: Elements::All(EDGES), touches: vec![touch] }
    }

    fn ring() -> Vec<u32> {
        (0..EDGES as u32).flat_map(|e| [e, (e + 1) % EDGES as u32]).collect()
    }

    /// Ends far from each other, so that a block shares all of its targets.
    fn scattered() -> Vec<u32> {
        let mixed =
            |k: u64| k.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ k.wrapping_mul(k).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        (1..=2 * EDGES as u64).map(|k| ((mixed(k) >> 33) % EDGES as u64) as u32).collect()
    }

    fn names(shape: &LoopShape<'_>, reduces: bool) -> Vec<String> {
        let predicted = Plan::build(shape, Scheme::blocks(512)).unwrap();
        candidates(shape, &predicted, reduces).iter().map(Strategy::to_string).collect()
    }

    #[test]
    fn only_what_the_loop_can_follow_is_tried() {
        let entries = ring();
        let all = ["blocks:512", "blocks:2048", "tiles:1666", "owner:1666", "blocks:128", "scatter:512", "colours:512"];
        assert_eq!(names(&shape(Access::Inc, &entries), false), all);
        let reducing = [all[0], all[1], all[2], all[4], all[5], all[6]];
        assert_eq!(names(&shape(Access::Inc, &entries), true), reducing, "it reduces");
        assert_eq!(names(&shape(Access::Rw, &entries), false), [all[0], all[1], all[4], all[6]], "elements take turns");
    }

    #[test]
    fn what_is_much_the_same_is_tried_once() {
        let entries = ring();
        let shape = shape(Access::Inc, &entries);
        for scheme in [Scheme::owner(1666), Scheme::scatter(512), Scheme::colours(512)] {
            let predicted = Plan::build(&shape, scheme).unwrap();
            let found = candidates(&shape, &predicted, false);
            assert_eq!(found[0], Strategy::from(scheme));
            assert!(found[1..].iter().all(|s| *s != found[0]), "{found:?}");
        }
    }

    #[test]
    fn plans_of_a_scattered_mesh_are_objected_to() {
        let (ordered, scattered) = (ring(), scattered());
        let schemes = [Scheme::owner(256), Scheme::tiles(256), Scheme::blocks(256)];
        let about = |entries, scheme| objection(&Plan::build(&shape(Access::Inc, entries), scheme).unwrap(), 4);
        for (scheme, reason) in schemes.into_iter().zip(["run twice", "copies for each target", "colours"]) {
            assert_eq!(about(&ordered, scheme), None);
            let found = about(&scattered, scheme).expect("an objection");
            assert!(found.contains(reason), "{scheme}: {found}");
        }
        assert_eq!(about(&scattered, Scheme::scatter(256)), None);
        assert_eq!(about(&scattered, Scheme::colours(256)), None);
        let plan = Plan::build(&shape(Access::Inc, &ordered), Scheme::blocks(2500)).unwrap();
        assert_eq!((plan.blocks(), plan.colours()), (8, 2));
        assert_eq!(objection(&plan, 2), None);
        assert_eq!(objection(&plan, 3).as_deref(), Some("8 blocks have 2 colours"));
    }

    #[test]
    fn loops_without_maps_cannot_race() {
        let entries = ring();
        assert!(!shape(Access::Inc, &entries).is_free());
        assert!(shape(Access::Read, &entries).is_free());
        let mut both = shape(Access::Read, &entries);
        let own = Touch { arg: 1, dat: 1, targets: EDGES, bytes: 8, access: Access::Write, through: None, own: false };
        both.touches.push(own);
        assert!(both.is_free());
    }

    /// The boundary of a mesh: few elements, all cells as targets.
    #[test]
    fn loops_over_a_boundary_are_coloured() {
        let entries: Vec<u32> = (0..2000).map(|i| i * 9 % 20_000).collect();
        let mut boundary = shape(Access::Inc, &entries);
        boundary.elements = Elements::All(1000);
        assert!(names(&boundary, false).iter().all(|s| s.starts_with("blocks") || s.starts_with("colours")));
    }

    #[test]
    fn sizes_follow_the_prediction_and_the_loop() {
        let entries = ring();
        let names = |size| {
            let predicted = Plan::build(&shape(Access::Inc, &entries), Scheme::blocks(size)).unwrap();
            candidates(&shape(Access::Inc, &entries), &predicted, true)
                .iter()
                .map(Strategy::to_string)
                .collect::<Vec<_>>()
        };
        assert_eq!(
            names(200),
            ["blocks:200", "blocks:800", "tiles:1666", "scatter:200", "colours:200"],
            "none too small"
        );
        assert_eq!(names(5000)[1..3], ["tiles:1666", "blocks:1250"], "none too large");
    }
}
