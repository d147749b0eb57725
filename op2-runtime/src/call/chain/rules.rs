//! Which loops run in one pass, and what that saves.

use super::member::Member;
use crate::call::host::Scheduled;
use crate::data::few;
use crate::mesh::Mesh;
use crate::mesh::bindings::BoundDat;
use crate::report::passes::Obstacle;
use op2_core::Access;

/// The obstacle that makes a loop run alone, whatever the others are; `None` if there is none.
pub(super) fn alone(scheduled: &Scheduled, writes_maps: bool) -> Option<Obstacle> {
    if writes_maps {
        return Some(Obstacle::Entries);
    }
    let turns = scheduled.inspected.plan.as_ref().is_some_and(|p| p.colours() > 1 || p.redirect().is_some());
    match scheduled.attempt {
        Some(_) => Some(Obstacle::Measured),
        None => turns.then_some(Obstacle::Turns),
    }
}

/// The obstacle to running a loop with the others; `None` if there is none.
///
/// An element of one loop may meet other elements of another one only through a map. So it suffices that neither loop
/// reaches a dat through a map that one of them modifies. Data that several loops touch directly are touched in the
/// order of the loops, element by element.
pub(super) fn obstacle(members: &[Member], next: &Member) -> Option<Obstacle> {
    let first = members.first()?;
    if first.iterates != next.iterates {
        return Some(Obstacle::Elements);
    }
    // Plans of one colour over the same elements differ in their blocks alone.
    if first.plan().map(|p| p.offsets()) != next.plan().map(|p| p.offsets()) {
        return Some(Obstacle::Blocks);
    }
    let elsewhere = |bound: &BoundDat| bound.through.is_some() || bound.whole;
    let meet = |a: &BoundDat, b: &BoundDat| {
        a.dat == b.dat && (a.access.modifies() || b.access.modifies()) && (elsewhere(a) || elsewhere(b))
    };
    let mut pairs =
        members.iter().flat_map(|m| &m.bound.dats).flat_map(|a| next.bound.dats.iter().map(move |b| (a, b)));
    pairs.find(|(a, b)| meet(a, b)).map(|(a, _)| Obstacle::Dat { dat: a.dat })
}

/// The bytes that stay in the cache for `next`, as [`Op2::chain`](crate::Op2::chain) counts them.
pub(super) fn saved_bytes(mesh: &Mesh, members: &[Member], next: &Member) -> u64 {
    let direct = |m: &Member, dat: usize, wanted: fn(Access) -> bool| {
        m.bound.dats.iter().any(|b| b.dat == dat && b.through.is_none() && !b.whole && wanted(b.access))
    };
    let before = |dat: usize, wanted: fn(Access) -> bool| members.iter().any(|m| direct(m, dat, wanted));
    let dats = few::distinct(next.bound.dats.iter().map(|b| b.dat));
    let rows = |dat: usize| {
        let read = direct(next, dat, |a| a != Access::Write) && before(dat, |_| true);
        let left = direct(next, dat, Access::modifies) && before(dat, Access::modifies);
        mesh.dats[dat].bytes * (usize::from(read) + usize::from(left))
    };
    (dats.into_iter().map(rows).sum::<usize>() * next.elements) as u64
}

/// Turns off non-temporal stores to dats that another loop of the group touches.
pub(super) fn keep_in_cache(members: &mut [Member]) {
    let touched: Vec<Vec<usize>> = members.iter().map(|m| m.bound.dats.iter().map(|b| b.dat).collect()).collect();
    for (n, member) in members.iter_mut().enumerate() {
        let elsewhere = |dat: usize| touched.iter().enumerate().any(|(other, dats)| other != n && dats.contains(&dat));
        for bound in member.bound.dats.iter().filter(|b| elsewhere(b.dat)) {
            member.scheduled.streams &= !1u64.checked_shl(bound.arg as u32).unwrap_or(0);
        }
    }
}

/// About the bytes that an element touches in all loops together. Targets through a map, and the rows of the map, count
/// as if only one element reached them.
pub(super) fn bytes_per_element(mesh: &Mesh, members: &[Member]) -> usize {
    // Each of these is counted once: a dat, whole maps that dats are reached by, and dats behind an entry.
    let (mut direct, mut entries, mut behind) = (Vec::new(), Vec::new(), Vec::new());
    for bound in members.iter().flat_map(|m| &m.bound.dats).filter(|bound| !bound.whole) {
        match &bound.through {
            None => few::insert(&mut direct, bound.dat),
            Some((map, used)) => used.clone().for_each(|entry| {
                few::insert(&mut entries, (*map, entry));
                few::insert(&mut behind, (bound.dat, *map, entry));
            }),
        }
    }
    let dats = direct.into_iter().chain(behind.into_iter().map(|(dat, ..)| dat));
    dats.map(|dat| mesh.dats[dat].bytes).sum::<usize>() + entries.len() * size_of::<u32>()
}
