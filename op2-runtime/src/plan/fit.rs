//! Finds a scheme that a loop can follow.

use super::{Resolution, Scheme};
use crate::inspect::{LoopShape, Touch};

/// Reasons why a loop does not follow the requested scheme.
pub(crate) const TURNS: &str = "coloured instead: elements that write through maps must take turns";
const TWICE: &str = "tiles instead: elements at the borders would do twice what is not added through maps";

/// The scheme closest to `scheme` that the loop can follow, and the reason if it is another one. `reduces` tells
/// whether the loop reduces into globals.
pub(crate) fn fit(shape: &LoopShape<'_>, scheme: Scheme, reduces: bool) -> (Scheme, Option<&'static str>) {
    let size = scheme.size;
    if !scheme.resolution.redirects() || !shape.touches.iter().any(|t| contested(shape, t.dat)) {
        return (scheme, None);
    }
    if obstacle(shape, Scheme::tiles(size)).is_some() {
        return (Scheme::blocks(size), Some(TURNS));
    }
    let owner = scheme.resolution == Resolution::Owner;
    if owner && (reduces || obstacle(shape, scheme).is_some()) {
        return (Scheme::tiles(size), Some(TWICE));
    }
    (scheme, None)
}

/// The first argument that prevents a loop from following a scheme that redirects contributions.
pub(super) fn obstacle(shape: &LoopShape<'_>, scheme: Scheme) -> Option<usize> {
    let owner = scheme.resolution == Resolution::Owner;
    let stands = |t: &&Touch<'_>| match contested(shape, t.dat) {
        // Several blocks may run an element. The plan tells which of them adds its contributions, but each would repeat
        // its direct modifications.
        false => owner && t.access.modifies(),
        true => !t.access.combines() || shape.touches.iter().any(|o| o.dat == t.dat && o.access != t.access),
    };
    shape.touches.iter().find(stands).map(|t| t.arg)
}

/// Whether elements can meet on a dat that the loop modifies.
fn contested(shape: &LoopShape<'_>, dat: u32) -> bool {
    let of_dat = || shape.touches.iter().filter(|t| t.dat == dat);
    of_dat().any(|t| t.access.modifies()) && of_dat().any(Touch::is_shared)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::inspect::{Elements, Through};
    use op2_core::Access;

    const RING: [u32; 6] = [0, 1, 1, 2, 2, 0];

    /// Arguments as (dat, access, through the map).
    fn shape(args: &[(u32, Access, bool)]) -> LoopShape<'static> {
        let touch = |(arg, &(dat, access, mapped)): (usize, &(u32, Access, bool))| {
            let through = mapped.then_some(Through { map: 0, entries: &RING, arity: 2, offsets: None, used: 0..2 });
            Touch { arg, dat, targets: 3, bytes: 8, access, through, own: false }
        };
        LoopShape { elements: Elements::All(3), touches: args.iter().enumerate().map(touch).collect() }
    }

    const SIZE: usize = 8;
    const OWNER: Scheme = Scheme::owner(SIZE);
    const TILES: Scheme = Scheme::tiles(SIZE);
    const SCATTER: Scheme = Scheme::scatter(SIZE);
    const BLOCKS: Scheme = Scheme::blocks(SIZE);

    #[test]
    fn increments_through_maps_follow_every_scheme() {
        use Access::{Inc, Min, Read};
        for loops in [&[(0, Inc, true)][..], &[(0, Inc, true), (0, Inc, false), (1, Read, true), (2, Min, true)]] {
            for scheme in [OWNER, TILES, SCATTER, BLOCKS, Scheme::colours(3)] {
                assert_eq!(fit(&shape(loops), scheme, false), (scheme, None), "{loops:?}");
            }
        }
    }

    #[test]
    fn what_an_element_must_not_do_twice_keeps_it_in_one_tile() {
        use Access::{Inc, Write};
        assert_eq!(fit(&shape(&[(0, Inc, true)]), OWNER, true), (TILES, Some(TWICE)));
        let writes = shape(&[(0, Inc, true), (1, Write, false)]);
        assert_eq!(fit(&writes, OWNER, false), (TILES, Some(TWICE)));
        assert_eq!(fit(&writes, TILES, true), (TILES, None));
    }

    #[test]
    fn elements_that_write_through_maps_take_turns() {
        use Access::{Inc, Max, Read, Rw};
        for loops in [&[(0, Rw, true)][..], &[(0, Inc, true), (1, Rw, true)], &[(0, Read, true), (0, Inc, true)]] {
            for scheme in [OWNER, TILES, SCATTER] {
                assert_eq!(fit(&shape(loops), scheme, false), (BLOCKS, Some(TURNS)), "{loops:?}");
            }
        }
        let two_ways = shape(&[(0, Inc, true), (0, Max, true)]);
        assert_eq!(fit(&two_ways, TILES, false), (BLOCKS, Some(TURNS)));
        assert_eq!(fit(&shape(&[(0, Rw, false), (1, Read, true)]), TILES, true), (TILES, None));
    }
}
