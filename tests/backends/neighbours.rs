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

/// Words of 8 and of 4 bytes.
#[op2::kernel]
fn narrow(ends: [&f64; 2], seven: [&mut [f64; 7]; 2], three: [&mut [i32; 3]; 2]) {
    for n in 0..2 {
        for i in 0..7 {
            seven[n][i] += *ends[1 - n] * (i + n) as f64;
        }
        for i in 0..3 {
            three[n][i] += (i + 4 * n) as i32;
        }
    }
}

#[op2::kernel]
fn own_narrow(value: &f64, seven: &mut [f64; 7], three: &mut [i32; 3], eleven: &mut [f32; 11]) {
    for i in 0..7 {
        seven[i] = 2.0 * seven[6 - i] - *value;
    }
    for i in 0..3 {
        three[i] += 5 - i as i32;
    }
    for i in 0..11 {
        eleven[i] = *value as f32 + i as f32;
    }
}

/// Every node is the target of two links.
fn ring(n: &usize) -> Vec<[u32; 2]> {
    (0..*n).map(|e| [e as u32, ((e + 1) % n) as u32]).collect()
}

#[test]
fn rows_of_words_are_stored_whole() {
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

#[test]
fn rows_of_narrow_words_are_stored_whole() {
    let expected = |n: &usize| {
        let value: Vec<f64> = samples(*n, 5);
        let (mut seven, mut three, mut eleven) = (vec![[1.0; 7]; *n], vec![[2; 3]; *n], vec![[0.0; 11]; *n]);
        for link in ring(n) {
            let [a, b] = link.map(|end| end as usize);
            let (mut of_seven, mut of_three) = ([[0.0; 7]; 2], [[0; 3]; 2]);
            let ([a7, b7], [a3, b3]) = (&mut of_seven, &mut of_three);
            narrow([&value[a], &value[b]], [a7, b7], [a3, b3]);
            for (at, of_seven, of_three) in [(a, of_seven[0], of_three[0]), (b, of_seven[1], of_three[1])] {
                seven[at].iter_mut().zip(of_seven).for_each(|(sum, of)| *sum += of);
                three[at].iter_mut().zip(of_three).for_each(|(sum, of)| *sum += of);
            }
        }
        for e in 0..*n {
            let mut of_three = [0; 3];
            own_narrow(&value[e], &mut seven[e], &mut of_three, &mut eleven[e]);
            three[e].iter_mut().zip(of_three).for_each(|(sum, of)| *sum += of);
        }
        (seven, three, eleven)
    };
    on_every_backend(&[1, 301, 33, 64, 302, 0], expected, |op, n| {
        let (nodes, links) = (op.decl_set::<Nodes>("nodes", *n)?, op.decl_set::<Edges>("links", *n)?);
        let ends = op.decl_map("ends", links, nodes, &ring(n))?;
        let value = op.decl_dat("value", nodes, &samples::<f64>(*n, 5))?;
        let seven = op.decl_dat_filled("seven", nodes, [1.0; 7])?;
        let three = op.decl_dat_filled("three", nodes, [2; 3])?;
        let eleven = op.decl_dat_filled("eleven", nodes, [0.0_f32; 11])?;
        op_par_loop!(op, narrow, links, read(value, ends[..]), inc(seven, ends[..]), inc(three, ends[..]))?;
        op_par_loop!(op, own_narrow, nodes, read(value), rw(seven), inc(three), write(eleven))?;
        Ok((op.fetch(seven)?, op.fetch(three)?, op.fetch(eleven)?))
    });
}
