//! Finds elements that reach one target twice and would leave an undefined value.

use super::traffic::Traffic;
use crate::error::plan::PlanError;
use crate::inspect::{LoopShape, Touch};

/// Whether an element of the loop could reach one target of a dat twice where one of the arguments is `write` or `rw`.
/// Otherwise [`check`] only counts bytes. Depends on the arguments, not on the maps.
pub fn needs_inspection(shape: &LoopShape<'_>) -> bool {
    shape.touches.iter().any(|touch| collides(touch) && entries_of(shape, touch.dat) > 1)
}

/// Checks `shape` before any executor runs it, the sequential one included: rows and targets exist, and no element
/// reaches a target twice through modifying arguments of which one is `write` or `rw`. Several `inc`, `min`, `max` or `or` of
/// one target are allowed. Returns the loop's traffic.
///
/// # Errors
/// [`PlanError::Collision`], or the errors of [`Traffic::of`].
pub fn check(shape: &LoopShape<'_>) -> Result<Traffic, PlanError> {
    // `Traffic` marks each target, for one dat after the other.
    super::has_room(shape.touches.iter().map(|t| t.targets as u128).max().unwrap_or(0))?;
    let traffic = Traffic::of(shape)?;
    for (i, touch) in shape.touches.iter().enumerate() {
        let first = shape.touches[..i].iter().all(|t| t.dat != touch.dat || !collides(t));
        if first && collides(touch) && entries_of(shape, touch.dat) > 1 {
            check_dat(shape, touch.dat)?;
        }
    }
    Ok(traffic)
}

/// Whether the value is lost if the same element modifies the same target twice.
fn collides(touch: &Touch<'_>) -> bool {
    touch.access.modifies() && !touch.access.combines() && !touch.own
}

/// The number of targets of `dat` that one element modifies.
fn entries_of(shape: &LoopShape<'_>, dat: u32) -> usize {
    let modified = shape.touches.iter().filter(|t| t.dat == dat && t.access.modifies());
    modified.map(Touch::width).sum()
}

fn check_dat(shape: &LoopShape<'_>, dat: u32) -> Result<(), PlanError> {
    let touches: Vec<&Touch<'_>> = shape.touches.iter().filter(|t| t.dat == dat && t.access.modifies()).collect();
    let mut reached: Vec<(u32, &Touch<'_>)> = Vec::with_capacity(8);
    for element in (0..shape.elements.len()).map(|k| shape.elements.get(k)) {
        reached.clear();
        for &touch in &touches {
            for (_, target) in touch.targets_of(element) {
                let twice = reached.iter().find(|(t, other)| *t == target && (collides(other) || collides(touch)));
                if let Some((_, other)) = twice {
                    return Err(PlanError::Collision {
                        element,
                        target: target as usize,
                        first: other.arg,
                        second: touch.arg,
                    });
                }
                reached.push((target, touch));
            }
        }
    }
    Ok(())
}
