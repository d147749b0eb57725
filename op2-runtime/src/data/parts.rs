//! Fills arrays by the threads of the current rayon pool, each of which writes a part of its own. The results do not depend on
//! the number of threads.

use super::tasks;

/// The fewest elements of a part. To share fewer among threads costs more than it saves.
const LEAST: usize = 1 << 14;
/// The most parts. Every part of a scatter reads all places, so that more parts would only wait for memory.
const MOST: usize = 16;

/// Lists of values, one for each key: `values[offsets[key]..offsets[key + 1]]`.
pub(crate) struct Lists {
    pub(crate) offsets: Vec<u32>,
    pub(crate) values: Vec<u32>,
}

/// Pairs of a key and a value.
pub(crate) trait Pairs: Sync {
    /// Visits all pairs, in the same order at every call.
    fn visit(&self, f: impl FnMut(u32, u32));

    /// The number of pairs.
    fn count(&self) -> usize {
        let mut count = 0;
        self.visit(|_, _| count += 1);
        count
    }
}

impl Lists {
    /// The values of each key, in the order in which `pairs` are visited. All keys are below `keys`, and there are fewer than 2³² pairs.
    pub(crate) fn of(keys: usize, pairs: &impl Pairs) -> Lists {
        let len = part_len(keys);
        let mut offsets = vec![0_u32; keys + 1];
        for_each(&mut offsets[1..], len, |part, counts| {
            pairs.visit(|key, _| {
                if let Some(count) = counts.get_mut((key as usize).wrapping_sub(part * len)) {
                    *count += 1;
                }
            });
        });
        for key in 0..keys {
            offsets[key + 1] += offsets[key];
        }
        debug_assert!(pairs.count() == offsets[keys] as usize, "a key is not below {keys}");
        let mut values = vec![0; offsets[keys] as usize];
        let parts = offsets[..keys].chunks(len).zip(cut_lists(&mut values, &offsets, len));
        tasks::for_each_of(parts, |part, (starts, values)| {
            let mut next: Vec<u32> = starts.iter().map(|start| start - starts[0]).collect();
            pairs.visit(|key, value| {
                if let Some(place) = next.get_mut((key as usize).wrapping_sub(part * len)) {
                    values[*place as usize] = value;
                    *place += 1;
                }
            });
        });
        Lists { offsets, values }
    }

    #[inline]
    pub(crate) fn list(&self, key: usize) -> &[u32] {
        &self.values[self.offsets[key] as usize..self.offsets[key + 1] as usize]
    }
}

/// The elements of each part of an array of `len`; the last part may have fewer.
pub(crate) fn part_len(len: usize) -> usize {
    if len <= LEAST {
        return LEAST;
    }
    len.div_ceil(rayon_core::current_num_threads().min(MOST)).max(LEAST)
}

/// Calls `f` with every part of `len` values of an array, and its number.
pub(crate) fn for_each<T: Send>(all: &mut [T], len: usize, f: impl Fn(usize, &mut [T]) + Sync) {
    match all.len() {
        0 => {}
        // A single part needs no pool.
        size if size <= len => f(0, all),
        _ => tasks::for_each_of(all.chunks_mut(len), f),
    }
}

/// Calls `f` with the number of every list of an array of lists with these offsets, and the list.
pub(crate) fn for_each_list<T: Send>(values: &mut [T], offsets: &[u32], f: impl Fn(usize, &mut [T]) + Sync) {
    let keys = offsets.len() - 1;
    let len = part_len(keys);
    let parts = cut_lists(values, offsets, len).into_iter().zip(offsets[..keys].chunks(len));
    tasks::for_each_of(parts, |part, (values, starts)| {
        let ends = starts[1..].iter().map(|start| (start - starts[0]) as usize).chain([values.len()]);
        let mut first = 0;
        for (n, end) in ends.enumerate() {
            f(part * len + n, &mut values[first..end]);
            first = end;
        }
    });
}

/// Cuts an array of lists with these offsets into pieces of `len` lists each.
fn cut_lists<'a, T>(mut values: &'a mut [T], offsets: &[u32], len: usize) -> Vec<&'a mut [T]> {
    let keys = offsets.len() - 1;
    let mut pieces = Vec::with_capacity(keys.div_ceil(len));
    for first in (0..keys).step_by(len) {
        let size = offsets[(first + len).min(keys)] - offsets[first];
        pieces.push(values.split_off_mut(..size as usize).expect("the last offset is the number of values"));
    }
    pieces
}

/// Calls `put` with every `i` and the row `places[i]` of `out`, whose rows have `width` values. All places are rows of `out`. A row
/// that several lead to gets them in ascending order.
pub(crate) fn scatter<T: Send>(places: &[u32], width: usize, out: &mut [T], put: impl Fn(usize, &mut [T]) + Sync) {
    if width == 0 {
        return;
    }
    debug_assert!(places.iter().all(|&place| (place as usize) < out.len() / width), "a place is no row");
    let len = part_len(out.len() / width);
    for_each(out, len * width, |part, rows| {
        let here = rows.len() / width;
        for (i, &place) in places.iter().enumerate() {
            let place = (place as usize).wrapping_sub(part * len);
            if place < here {
                put(i, &mut rows[place * width..][..width]);
            }
        }
    });
}

/// Whether a value is among those of an array.
pub(crate) fn contain<T: Copy + PartialEq + Sync>(all: &[T], value: T) -> bool {
    let len = part_len(all.len());
    let of = |part: usize| &all[part * len..all.len().min((part + 1) * len)];
    tasks::map(all.len().div_ceil(len), |part| of(part).contains(&value)).contains(&true)
}

/// Copies an array.
pub(crate) fn copy<T: Copy + Send + Sync>(from: &[T], to: &mut [T]) {
    let len = part_len(to.len());
    for_each(to, len, |part, to| to.copy_from_slice(&from[part * len..][..to.len()]));
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `count` pairs, whose keys repeat in no simple pattern.
    struct Mixed {
        keys: usize,
        count: usize,
    }

    impl Pairs for Mixed {
        fn visit(&self, mut f: impl FnMut(u32, u32)) {
            (0..self.count).for_each(|i| f((i * i % self.keys) as u32, i as u32));
        }
    }

    /// Calls `run` in pools of several sizes.
    fn in_pools(run: impl Fn() + Sync) {
        for threads in [1, 2, 5, 40] {
            let pool = rayon_core::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads for a test");
            pool.install(&run);
        }
    }

    #[test]
    fn lists_keep_the_order_of_pairs() {
        for (keys, count) in [(1, 0), (3, 10), (LEAST + 1, 7), (3 * LEAST + 5, 4 * LEAST)] {
            let pairs = Mixed { keys, count };
            let mut expected = vec![Vec::new(); keys];
            pairs.visit(|key, value| expected[key as usize].push(value));
            in_pools(|| {
                let lists = Lists::of(keys, &pairs);
                (0..keys).for_each(|key| assert_eq!(lists.list(key), expected[key], "{key} of {keys}"));
                let mut reversed = lists.values.clone();
                for_each_list(&mut reversed, &lists.offsets, |_, list| list.reverse());
                let all = expected.iter().flat_map(|list| list.iter().rev().copied());
                assert!(reversed.iter().copied().eq(all), "{keys} keys");
            });
        }
        let none = Lists::of(0, &Mixed { keys: 1, count: 0 });
        assert_eq!((none.offsets, none.values), (vec![0], vec![]));
    }

    #[test]
    fn rows_are_scattered_to_their_places() {
        for (n, width) in [(0, 2), (10, 0), (10, 3), (5 * LEAST + 3, 2)] {
            let places: Vec<u32> = (0..n as u32).rev().collect();
            in_pools(|| {
                let mut out = vec![0; n * width];
                scatter(&places, width, &mut out, |i, row| row.fill(i));
                let expected: Vec<usize> = (0..n * width).map(|at| n - 1 - at / width).collect();
                assert_eq!(out, expected);
                let mut copied = vec![0; out.len()];
                copy(&out, &mut copied);
                assert_eq!(copied, out);
            });
        }
    }
}
