//! Rows of several words, which neighbouring threads of a device store together: where all elements lie side by side, and where the last
//! ones are fewer than a wave.

use crate::support::{Edges, Nodes, on_every_backend, samples};
use op2::op_par_loop;

#[op2::kernel]
fn spread(ends: [&f64; 2], two: [&mut [f64; 4]; 2], three: [&mut [f64; 6]; 2]) {
    for n in 0..2 {
        for i in 0..4 {
            two[n][i] += *ends[1 - n] * (i + n) as f64;
        }
        for i in 0..6 {
            three[n][i] += *ends[n] - (i + 2 * n) as f64;
        }
    }
}

#[op2::kernel]
fn own(value: &f64, two: &mut [f64; 4], three: &mut [f64; 6], nine: &mut [[f64; 3]; 6]) {
    for i in 0..4 {
        two[i] = 2.0 * two[3 - i] - *value;
    }
    for i in 0..6 {
        three[i] += *value * i as f64;
        for d in 0..3 {
            nine[i][d] = *value + (3 * i + d) as f64;
        }
    }
}

/// Both arguments are the same dat.
#[op2::kernel]
fn twice(value: &f64, first: &mut [f64; 4], second: &mut [f64; 4]) {
    for i in 0..4 {
        first[i] += *value * i as f64;
        second[3 - i] += *value;
    }
}

/// A ring: every node is the target of two links.
#[test]
fn rows_of_words_are_stored_whole() {
    let ring = |n: &usize| -> Vec<[u32; 2]> { (0..*n).map(|e| [e as u32, ((e + 1) % n) as u32]).collect() };
    let expected = |n: &usize| {
        let value: Vec<f64> = samples(*n, 3);
        let (mut two, mut three, mut nine) = (vec![[1.0; 4]; *n], vec![[2.0; 6]; *n], vec![[[0.0; 3]; 6]; *n]);
        for link in ring(n) {
            let [a, b] = link.map(|end| end as usize);
            let (mut of_two, mut of_three) = ([[0.0; 4]; 2], [[0.0; 6]; 2]);
            let ([a2, b2], [a3, b3]) = (&mut of_two, &mut of_three);
            spread([&value[a], &value[b]], [a2, b2], [a3, b3]);
            for (at, of_two, of_three) in [(a, of_two[0], of_three[0]), (b, of_two[1], of_three[1])] {
                two[at].iter_mut().zip(of_two).for_each(|(sum, of)| *sum += of);
                three[at].iter_mut().zip(of_three).for_each(|(sum, of)| *sum += of);
            }
        }
        for e in 0..*n {
            let mut of_three = [0.0; 6];
            let mut before = two[e];
            own(&value[e], &mut before, &mut of_three, &mut nine[e]);
            let (mut first, mut second) = ([0.0; 4], [0.0; 4]);
            twice(&value[e], &mut first, &mut second);
            (0..4).for_each(|i| two[e][i] = before[i] + first[i] + second[i]);
            three[e].iter_mut().zip(of_three).for_each(|(sum, of)| *sum += of);
        }
        (two, three, nine)
    };
    on_every_backend(&[1, 301, 33, 64, 302, 0], expected, |op, n| {
        let (nodes, links) = (op.decl_set::<Nodes>("nodes", *n)?, op.decl_set::<Edges>("links", *n)?);
        let ends = op.decl_map("ends", links, nodes, &ring(n))?;
        let value = op.decl_dat("value", nodes, &samples::<f64>(*n, 3))?;
        let two = op.decl_dat_filled("two", nodes, [1.0; 4])?;
        let three = op.decl_dat_filled("three", nodes, [2.0; 6])?;
        let nine = op.decl_dat_filled("nine", nodes, [[0.0; 3]; 6])?;
        op_par_loop!(op, spread, links, read(value, ends[..]), inc(two, ends[..]), inc(three, ends[..]))?;
        op_par_loop!(op, own, nodes, read(value), rw(two), inc(three), write(nine))?;
        op_par_loop!(op, twice, nodes, read(value), inc(two), inc(two))?;
        Ok((op.fetch(two)?, op.fetch(three)?, op.fetch(nine)?))
    });
}
