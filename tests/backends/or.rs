//! `or`: flags and bits.

use crate::support::{Configuration, Mesh, Subject, on_backends_with, on_every_backend, samples};
use op2::op_par_loop;

#[op2::kernel]
fn flag(big: &[i32; 2], near: &mut bool, far: &mut [bool; 2], bits: &mut u32, wide: &mut [i64; 2]) {
    *near |= big[0] > 500;
    far[0] = far[0] || big[0] < -500;
    far[1] = (big[1] > 0) | far[1] | (big[0] == 7);
    *bits |= (big[0] as u32) & 0xf0f0_f0f0;
    wide[0] |= (big[1] as i64) << 20;
    if big[1] < 0 {
        wide[1] |= 1 << (big[0] & 63) as u32;
    }
}

type Found = (Vec<bool>, Vec<[bool; 2]>, Vec<u32>, Vec<[i64; 2]>);

/// Contributions of one value, combined with what is there.
fn combined(big: [i32; 2], (near, far, bits, wide): (&mut bool, &mut [bool; 2], &mut u32, &mut [i64; 2])) {
    *near |= big[0] > 500;
    far[0] |= big[0] < -500;
    far[1] |= big[1] > 0 || big[0] == 7;
    *bits |= (big[0] as u32) & 0xf0f0_f0f0;
    wide[0] |= i64::from(big[1]) << 20;
    wide[1] |= if big[1] < 0 { 1 << (big[0] & 63) } else { 0 };
}

fn start(n: usize) -> Found {
    (samples::<i32>(n, 5).iter().map(|x| x % 17 == 0).collect(), vec![[false; 2]; n], samples(n, 2), samples(n, 3))
}

fn at((near, far, bits, wide): &mut Found, n: usize) -> (&mut bool, &mut [bool; 2], &mut u32, &mut [i64; 2]) {
    (&mut near[n], &mut far[n], &mut bits[n], &mut wide[n])
}

/// Through one entry of a map, in repeated and missing targets.
#[test]
fn flags_and_bits_through_maps() {
    let expected = |m: &Mesh| {
        let (big, mut found): (Vec<[i32; 2]>, _) = (samples(m.edges, 1), start(m.nodes));
        for ([a, _], big) in m.rows::<2>(1).into_iter().zip(big) {
            combined(big, at(&mut found, a as usize));
        }
        found
    };
    let body = |op: &mut Subject, m: &Mesh| {
        let set = m.declare(op)?;
        let map = op.decl_map("map", set.edges, set.nodes, &m.rows::<2>(1))?;
        let big = op.decl_dat("big", set.edges, &samples::<[i32; 2]>(m.edges, 1))?;
        let (near, far, bits, wide) = start(m.nodes);
        let (near, far) = (op.decl_dat("near", set.nodes, &near)?, op.decl_dat("far", set.nodes, &far)?);
        let (bits, wide) = (op.decl_dat("bits", set.nodes, &bits)?, op.decl_dat("wide", set.nodes, &wide)?);
        op_par_loop!(
            op,
            flag,
            set.edges,
            read(big),
            or(near, map[0]),
            or(far, map[0]),
            or(bits, map[0]),
            or(wide, map[0])
        )?;
        Ok((op.fetch(near)?, op.fetch(far)?, op.fetch(bits)?, op.fetch(wide)?))
    };
    on_every_backend(&Mesh::all(), expected, body);
    on_backends_with(Configuration::is_predicted, &Mesh::large(), expected, body);
}

/// On the elements themselves, and into globals, whose own values take part.
#[test]
fn flags_and_bits_directly_and_into_globals() {
    let expected = |m: &Mesh| {
        let (big, mut found): (Vec<[i32; 2]>, _) = (samples(m.nodes, 1), start(m.nodes));
        let (mut near, mut far, mut bits, mut wide) = (false, [false, true], 0b1000, [0, 1 << 40]);
        for (n, big) in big.into_iter().enumerate() {
            combined(big, at(&mut found, n));
            combined(big, (&mut near, &mut far, &mut bits, &mut wide));
        }
        (found, (near, far, bits, wide))
    };
    on_every_backend(&Mesh::all(), expected, |op, m| {
        let nodes = m.declare(op)?.nodes;
        let big = op.decl_dat("big", nodes, &samples::<[i32; 2]>(m.nodes, 1))?;
        let (near, far, bits, wide) = start(m.nodes);
        let (near, far) = (op.decl_dat("near", nodes, &near)?, op.decl_dat("far", nodes, &far)?);
        let (bits, wide) = (op.decl_dat("bits", nodes, &bits)?, op.decl_dat("wide", nodes, &wide)?);
        op_par_loop!(op, flag, nodes, read(big), or(near), or(far), or(bits), or(wide))?;
        let any = (op.decl_global("near", false), op.decl_global("far", [false, true]));
        let all = (op.decl_global("bits", 0b1000u32), op.decl_global("wide", [0i64, 1 << 40]));
        op_par_loop!(op, flag, nodes, read(big), gbl_or(any.0), gbl_or(any.1), gbl_or(all.0), gbl_or(all.1))?;
        let found = (op.fetch(near)?, op.fetch(far)?, op.fetch(bits)?, op.fetch(wide)?);
        Ok((found, (op.get(any.0)?, op.get(any.1)?, op.get(all.0)?, op.get(all.1)?)))
    });
}

#[op2::kernel]
fn visited(key: &u32, ends: [&mut bool; 2], keys: [&mut u64; 2], late: Option<&mut [bool; 3]>) {
    *ends[0] |= *key > 3;
    *ends[1] |= *key > 900;
    *keys[0] |= 1 << (*key % 64);
    *keys[1] |= 1 << ((*key + 1) % 64);
    if let Some(late) = late {
        late[(*key % 3) as usize] |= true;
    }
}

/// Through all entries of a map, and by an optional argument that is there or not.
#[test]
fn all_entries_and_optional_arguments() {
    for there in [false, true] {
        let expected = |m: &Mesh| {
            let key: Vec<u32> = samples(m.edges, 1);
            let (mut ends, mut keys, mut late) = (vec![false; m.nodes], vec![0u64; m.nodes], vec![[false; 3]; m.nodes]);
            for ([a, b], key) in m.rows::<2>(1).into_iter().zip(key) {
                let (a, b) = (a as usize, b as usize);
                ends[a] |= key > 3;
                ends[b] |= key > 900;
                keys[a] |= 1 << (key % 64);
                keys[b] |= 1 << ((key + 1) % 64);
                late[b][key as usize % 3] |= there;
            }
            (ends, keys, late)
        };
        on_every_backend(&Mesh::all(), expected, |op, m| {
            let set = m.declare(op)?;
            let map = op.decl_map("map", set.edges, set.nodes, &m.rows::<2>(1))?;
            let key = op.decl_dat("key", set.edges, &samples::<u32>(m.edges, 1))?;
            let ends = op.decl_dat_filled("ends", set.nodes, false)?;
            let keys = op.decl_dat_filled("keys", set.nodes, 0u64)?;
            let late = op.decl_dat_filled("late", set.nodes, [false; 3])?;
            op_par_loop!(
                op,
                visited,
                set.edges,
                read(key),
                or(ends, map[..]),
                or(keys, map[..]),
                opt(there, or(late, map[1]))
            )?;
            Ok((op.fetch(ends)?, op.fetch(keys)?, op.fetch(late)?))
        });
    }
}
