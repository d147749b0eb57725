//! Decides which contributions of an element blocks store: one of those that repeat each other.

use crate::emit::device::Stored;
use crate::model::{Sign, Slot};

/// How a view reads places of contributions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Places {
    /// They are places.
    Plain,
    /// Some have a mark, which says nothing about this view.
    Marked,
    /// At those with a mark is the opposite of the contribution.
    Turned,
}

impl Places {
    /// The header's class, behind a comma; nothing for the usual one.
    pub(super) fn class(self) -> &'static str {
        match self {
            Places::Plain => "",
            Places::Marked => ", op2::Marked",
            Places::Turned => ", op2::Turned",
        }
    }
}

/// Where contributions through each entry are stored, and how each view reads their places, if some repeat others in all views. `slots` has
/// those of each view.
pub(super) fn stored(
    sign: &dyn Fn(Slot, Slot) -> Option<Sign>,
    slots: &[Vec<Slot>],
) -> Option<(Vec<Stored>, Vec<Places>)> {
    let entries = slots.first()?.len();
    let mut stored: Vec<Stored> = Vec::with_capacity(entries);
    let mut firsts: Vec<usize> = Vec::new();
    // The signs of the entries that repeat others, in each view.
    let mut signs: Vec<(usize, Vec<Sign>)> = Vec::new();
    for k in 0..entries {
        let repeated = |&first: &usize| slots.iter().map(|of| sign(of[first], of[k])).collect::<Option<Vec<Sign>>>();
        match firsts.iter().enumerate().find_map(|(at, first)| Some((at, repeated(first)?))) {
            Some((at, of_views)) => {
                stored.push(Stored { at, turned: of_views.contains(&Sign::Opposite) });
                signs.push((k, of_views));
            }
            None => {
                stored.push(Stored { at: firsts.len(), turned: false });
                firsts.push(k);
            }
        }
    }
    let is_marked = stored.iter().any(|of| of.turned);
    let places = |view: usize| {
        let turned = |k: usize, sign: Sign| (sign == Sign::Opposite) == stored[k].turned;
        match is_marked {
            false => Some(Places::Plain),
            true if signs.iter().all(|(k, of)| turned(*k, of[view])) => Some(Places::Turned),
            true if signs.iter().all(|(_, of)| of[view] == Sign::Same) => Some(Places::Marked),
            true => None,
        }
    };
    let places = (0..slots.len()).map(places).collect::<Option<Vec<Places>>>()?;
    (!signs.is_empty()).then_some((stored, places))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A place, and whether it may have the opposite.
    type Place = (usize, bool);

    /// Stored contributions of views, whose signs are given for each entry: `0` where it repeats nothing.
    fn of(views: &[&[i32]]) -> Option<(Vec<Place>, Vec<Places>)> {
        let of_view = |param: usize| (0..views[param].len()).map(|entry| Slot { param, entry }).collect();
        let slots: Vec<Vec<Slot>> = (0..views.len()).map(of_view).collect();
        let sign = |a: Slot, b: Slot| match views[a.param][a.entry] * views[b.param][b.entry] {
            0 => None,
            product => Some(if product > 0 { Sign::Same } else { Sign::Opposite }),
        };
        let (stored, places) = stored(&sign, &slots)?;
        Some((stored.iter().map(|of| (of.at, of.turned)).collect(), places))
    }

    #[test]
    fn one_of_those_that_repeat_each_other_is_stored() {
        let plain = |stored: &[Place]| Some((stored.to_vec(), vec![Places::Plain]));
        assert_eq!(of(&[&[1, 1]]), plain(&[(0, false), (0, false)]));
        assert_eq!(of(&[&[1, 0, 1]]), plain(&[(0, false), (1, false), (0, false)]));
        assert_eq!(of(&[&[1, -1]]), Some((vec![(0, false), (0, true)], vec![Places::Turned])));
        let hourglass = vec![(0, false), (0, true), (0, false), (0, true)];
        assert_eq!(of(&[&[1, -1, 1, -1], &[1, 1, 1, 1]]), Some((hourglass, vec![Places::Turned, Places::Marked])));
    }

    #[test]
    fn views_must_agree() {
        assert_eq!(of(&[&[0, 1]]), None);
        assert_eq!(of(&[&[1, 1], &[0, 1]]), None, "through one of them all contributions differ");
        assert_eq!(of(&[&[1, -1, 1], &[1, 1, -1]]), None, "marks say one thing");
        assert_eq!(of(&[]), None, "nothing is collected");
    }
}
