//! Which contributions of an element blocks store: of those that repeat each other, one.

use crate::emit::device::Stored;
use crate::lower::Lowered;
use crate::model::{Sign, Slot};

use super::shape::{Cover, Target, View};

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

/// Finds contributions through the entries of each cover that repeat each other in all views which are collected through it.
pub(super) fn share(lowered: &Lowered, targets: &[Target], covers: &mut [Cover], views: &mut [View]) {
    for (c, cover) in covers.iter_mut().enumerate() {
        let collected: Vec<&mut View> =
            views.iter_mut().filter(|view| view.cover == Some(c) && view.access.combines()).collect();
        let slots: Option<Vec<Vec<Slot>>> = collected.iter().map(|view| slots(lowered, targets, cover, view)).collect();
        let Some((stored, places)) = slots.and_then(|slots| shared(&|a, b| lowered.repeats.sign(a, b), &slots)) else {
            continue;
        };
        cover.stored = stored;
        collected.into_iter().zip(places).for_each(|(view, places)| view.places = places);
    }
}

/// The kernel's slots for the entries of a cover; `None` if their number is unknown, or if several arguments contribute through one.
fn slots(lowered: &Lowered, targets: &[Target], cover: &Cover, view: &View) -> Option<Vec<Slot>> {
    let mut all = Vec::new();
    for (t, _) in &cover.targets {
        let mut args = view.args.iter().filter(|n| lowered.args[**n].target() == Some(*t));
        let (&param, None) = (args.next()?, args.next()) else { return None };
        let entries = if targets[*t].entry.is_some() { 1 } else { targets[*t].len.parse().ok()? };
        all.extend((0..entries).map(|entry| Slot { param, entry }));
    }
    Some(all)
}

/// Where contributions through each entry are stored, and how each view reads their places, if some repeat others in all views. `slots` has
/// those of each view.
fn shared(sign: &dyn Fn(Slot, Slot) -> Option<Sign>, slots: &[Vec<Slot>]) -> Option<(Vec<Stored>, Vec<Places>)> {
    let entries = slots.first()?.len();
    let mut stored: Vec<Stored> = Vec::new();
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

    /// Stored contributions of views, whose signs are given for each entry: `0` where it repeats nothing.
    fn of(views: &[&[i32]]) -> Option<(Vec<(usize, bool)>, Vec<Places>)> {
        let slots: Vec<Vec<Slot>> =
            (0..views.len()).map(|param| (0..views[0].len()).map(|entry| Slot { param, entry }).collect()).collect();
        let sign = |a: Slot, b: Slot| match views[a.param][a.entry] * views[b.param][b.entry] {
            0 => None,
            product => Some(if product > 0 { Sign::Same } else { Sign::Opposite }),
        };
        let (stored, places) = shared(&sign, &slots)?;
        Some((stored.iter().map(|of| (of.at, of.turned)).collect(), places))
    }

    #[test]
    fn one_of_those_that_repeat_each_other_is_stored() {
        let plain = |stored: &[(usize, bool)]| Some((stored.to_vec(), vec![Places::Plain]));
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
