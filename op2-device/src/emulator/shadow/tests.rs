//! Compares the shadow with a list of all accesses.

use super::*;
use fastrand::Rng;

const BYTES: usize = 24;

/// Everything that happened to a byte.
#[derive(Default, Clone)]
struct Byte {
    accesses: Vec<(Who, Access)>,
    written: bool,
}

/// Whether an access is wrong, by comparison with all earlier ones.
fn is_wrong(byte: &Byte, access: Access, who: Who) -> bool {
    let unordered =
        |other: Who| other.block != who.block || (other.thread() != who.thread() && other.barriers() == who.barriers());
    let conflict = |theirs: Access| match (access, theirs) {
        (Access::Read | Access::VolatileRead, Access::Read | Access::VolatileRead) => false,
        (Access::Atomic | Access::VolatileRead, Access::Atomic) => false,
        // The shadow does not remember volatile reads.
        (_, Access::VolatileRead) => false,
        _ => true,
    };
    let race = byte.accesses.iter().any(|&(other, theirs)| unordered(other) && conflict(theirs));
    race || (access != Access::Write && !byte.written)
}

/// Makes the accesses of one launch, block after block, until the first wrong one. Returns the number of allowed ones.
fn compare(random: &mut Rng, granule: usize) -> usize {
    let mut shadow = Shadow::new(BYTES, granule);
    let mut bytes = vec![Byte::default(); BYTES];
    let known = if random.u32(..4) == 0 { random.usize(..BYTES) } else { BYTES };
    shadow.mark_written(0..known);
    bytes[..known].iter_mut().for_each(|byte| byte.written = true);
    let mut allowed = 0;
    for _ in 0..3 {
        shadow.begin();
        bytes.iter_mut().for_each(|byte| byte.accesses.clear());
        // Mostly one kind, so that there are many of it before the first fault.
        let usual = [Access::Read, Access::Atomic][random.usize(..2)];
        let kinds = [usual, usual, usual, usual, Access::Read, Access::Write, Access::Atomic, Access::VolatileRead];
        for block in 0..3 {
            for barriers in 0..3 {
                for _ in 0..random.usize(..6) {
                    let access = kinds[random.usize(..kinds.len())];
                    let who = Who::new(block, random.u32(..3), barriers, random.u32(..100));
                    let size = 1 << random.usize(..4);
                    let start = random.usize(..BYTES / size) * size;
                    let range = start..start + size;
                    let expected = bytes[range.clone()].iter().any(|byte| is_wrong(byte, access, who));
                    let found = shadow.access(range.clone(), access, who, &Fences::default());
                    assert_eq!(found.is_err(), expected, "{range:?} {access:?} {who:?} {found:?}");
                    if expected {
                        return allowed;
                    }
                    allowed += 1;
                    for byte in &mut bytes[range] {
                        byte.accesses.push((who, access));
                        byte.written |= access == Access::Write;
                    }
                }
            }
        }
    }
    allowed
}

#[test]
fn the_shadow_finds_what_a_list_of_all_accesses_finds() {
    let mut random = Rng::with_seed(1);
    for granule in [1, 2, 4, 8] {
        let allowed: usize = (0..20_000).map(|_| compare(&mut random, granule)).sum();
        assert!(allowed > 50_000, "only {allowed} accesses were compared");
    }
}

#[test]
fn the_first_bad_byte_is_named() {
    let mut shadow = Shadow::new(200, 8);
    shadow.begin();
    let reader = Who::new(0, 1, 0, 10);
    shadow.mark_written(0..130);
    assert_eq!(shadow.access(0..200, Access::Read, reader, &Fences::default()), Err((130, Wrong::Unwritten)));
    let race = shadow.access(166..170, Access::Write, Who::new(1, 1, 0, 20), &Fences::default());
    assert_eq!(race, Err((166, Wrong::Race(reader, Access::Read))));
}

#[test]
fn there_is_room_for_little_and_none_for_everything() {
    assert!(Shadow::has_room(1 << 10, 8) && Shadow::has_room(0, 0));
    assert!(!Shadow::has_room(usize::MAX, 1) && !Shadow::has_room(usize::MAX / 4, 8));
}
