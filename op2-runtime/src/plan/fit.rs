//! Which scheme a loop can follow.

use super::Scheme;
use crate::inspect::{LoopShape, Touch};

/// Why a loop does not follow the scheme that was asked for.
const TURNS: &str = "coloured instead: elements that write through maps must take turns";
const TWICE: &str = "tiles instead: elements at the borders would do twice what is not added through maps";

/// The scheme that comes closest to `scheme` of those that the loop can follow, and why it is another one. `reduces`
/// says whether the loop reduces into globals.
pub(crate) fn fit(shape: &LoopShape<'_>, scheme: Scheme, reduces: bool) -> (Scheme, Option<&'static str>) {
    let size = scheme.size();
    if !scheme.redirects() || !shape.touches.iter().any(|t| racing(shape, t)) {
        return (scheme, None);
    }
    if obstacle(shape, Scheme::Tiles { size }).is_some() {
        return (Scheme::Blocks { size }, Some(TURNS));
    }
    let owner = matches!(scheme, Scheme::Owner { .. });
    if owner && (reduces || obstacle(shape, scheme).is_some()) {
        return (Scheme::Tiles { size }, Some(TWICE));
    }
    (scheme, None)
}

/// The first argument that keeps a loop from a scheme that redirects contributions.
pub(super) fn obstacle(shape: &LoopShape<'_>, scheme: Scheme) -> Option<usize> {
    let owner = matches!(scheme, Scheme::Owner { .. });
    let stands = |t: &&Touch<'_>| match racing(shape, t) {
        // An element that several blocks run adds once, because the plan says which block does. What it changes of its
        // own it would change in each of them.
        false => owner && t.access.modifies(),
        true => !t.access.combines(),
    };
    shape.touches.iter().find(stands).map(|t| t.arg)
}

/// Whether an argument modifies a dat on which elements can meet.
fn racing(shape: &LoopShape<'_>, touch: &Touch<'_>) -> bool {
    touch.access.modifies() && shape.touches.iter().any(|t| t.dat == touch.dat && t.through.is_some())
}
