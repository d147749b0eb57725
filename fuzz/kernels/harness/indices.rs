/// Data of maps: entries of any set, the same ones for op2 as numbers and for the plain loops as indices.
pub(crate) trait Entry: Copy {
    fn any(random: &mut Random, size: usize) -> Self;
}

impl Entry for u32 {
    fn any(random: &mut Random, size: usize) -> u32 {
        random.below(size) as u32
    }
}

impl Entry for Option<u32> {
    fn any(random: &mut Random, size: usize) -> Option<u32> {
        let there = random.below(3) > 0 && size > 0;
        there.then(|| random.below(size) as u32)
    }
}

impl<S> Entry for Idx<S> {
    fn any(random: &mut Random, size: usize) -> Self {
        Idx::of(Entry::any(random, size))
    }
}

impl<S> Entry for Option<Idx<S>> {
    fn any(random: &mut Random, size: usize) -> Self {
        <Option<u32> as Entry>::any(random, size).map(Idx::of)
    }
}

impl<E: Entry, const N: usize> Entry for [E; N] {
    fn any(random: &mut Random, size: usize) -> Self {
        std::array::from_fn(|_| E::any(random, size))
    }
}

/// The entries of a map from a set of this size to one of that size; each salt gives different ones.
pub(crate) fn entries<E: Entry>(from: usize, to: usize, salt: u64) -> Vec<E> {
    let mut random = Random(salt.wrapping_mul(0xe1d) + 5);
    (0..from).map(|_| E::any(&mut random, to)).collect()
}

/// The user's number of an element in a plain loop.
pub(crate) fn number<S>(index: Idx<S>) -> u32 {
    let (_, most) = SIZES[SIZES.len() - 1];
    Table::<S, bool>::of(&vec![false; most]).number(index)
}

/// Entries of maps in results, as numbers. They are never combined.
macro_rules! held_entries {
    ($([$($kind:ident)?] $ty:ty, $number:expr;)*) => {$(
        impl$(<$kind>)? Held for $ty {
            const DIM: usize = 1;
            fn draw(_random: &mut Random) -> Self { unreachable!("entries come from `entries`") }
            fn see(&self, to: &mut Vec<Seen>) {
                let number: fn(&Self) -> Option<u32> = $number;
                to.push(number(self).map_or(Seen::Nothing, |number| Seen::Exact(number.into())));
            }
            fn start(_by: By) -> Self { unreachable!("indices are not combined") }
            fn take(&mut self, _by: By, _other: &Self) { unreachable!("indices are not combined") }
            fn sizes(&self, to: &mut Vec<f64>) { to.push(0.0); }
            fn quartered(self) -> Self { self }
        }
    )*};
}
held_entries! {
    [] Option<u32>, |entry| *entry;
    [S] Idx<S>, |index| Some(number(*index));
    [S] Option<Idx<S>>, |index| index.map(number);
}
