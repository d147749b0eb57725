use super::rows::Guarded;
use super::{Check, elems, on_all_widths};
use crate::data::layout::Layout;
use crate::data::value::{Elem, Value};
use crate::data::view::{MapView, View};
use crate::lanes::{Ends, Lane, Rows, Width, all_differ, each};
use op2_core::Combine;
use std::marker::PhantomData;

/// Scalars whose sum, for floats, depends on the order of additions.
trait Uneven: Elem + Lane {
    /// How they are combined.
    const WAYS: &[Combine];
    fn uneven(number: usize) -> Self;
}

macro_rules! uneven {
    ($($ty:ident: $large:literal [$($way:ident)*];)*) => {$(
        impl Uneven for $ty {
            const WAYS: &[Combine] = &[$(Combine::$way),*];
            fn uneven(number: usize) -> $ty {
                let small = (number * 7 % 11) as $ty + 1 as $ty;
                let large = $large as $ty;
                match number.wrapping_mul(2_654_435_761) >> 13 & 3 {
                    0 => large - small,
                    1 => <$ty as Lane>::minus(small, large),
                    _ => small,
                }
            }
        }
    )*};
}
uneven! {
    f32: 1e9 [Inc Min Max];
    f64: 1e18 [Inc Min Max];
    i32: 0x7fff_0000 [Inc Min Max Or];
    u64: 0xffff_ffff_0000_0000 [Inc Min Max Or];
}

struct SumsOf<T>(PhantomData<fn() -> T>);

macro_rules! check_sums {
    ($([$in_single:literal] $($ty:ty),*;)*) => {$($(
        impl Check for SumsOf<$ty> {
            const IN_SINGLE: bool = $in_single;
            fn check<W: Width>(&self, w: W) {
                for &how in <<$ty as Value>::Elem as Uneven>::WAYS {
                    check_sum::<W, $ty>(w, how, false);
                }
                check_sum::<W, $ty>(w, Combine::Inc, true);
            }
        }
    )*)*
        #[test]
        fn targets_get_contributions_in_the_order_of_elements_and_arguments() {
            $($(on_all_widths(&SumsOf::<$ty>(PhantomData));)*)*
        }
    };
}
check_sums! {
    [false] f64, [f64; 4], [f64; 7], [[f64; 3]; 2];
    [true] [f32; 9], i32, [u64; 5];
}

const TARGETS: usize = 128;

/// Two arguments, one of them through two entries of a map.
fn check_sum<W: Width, T: Rows<W> + Value<Elem: Uneven>>(w: W, how: Combine, turned: bool) {
    let elements = 3 * W::LANES as u32;
    let check = |row: fn(u32) -> [u32; 3]| check_map::<W, T>(w, (0..elements).map(row).collect(), how, turned);
    // Targets coincide within a pack and between packs.
    check(|i| [i % 5, (i * i + 1) % 5, (i * i + 1) % 5]);
    // Consecutive targets in every pack, which the entries reach by the same lane, by earlier ones or by later ones.
    check(|i| [i, i, i]);
    check(|i| [i, i + 1, i + 2]);
    check(|i| [i + 3, i + 1, i]);
    check(|i| [i + 1, i + 1, i]);
    check(|i| [i, i + 1, i + 1]);
    check(|i| [i + 1, i, i + 1]);
    check(|i| [i, i + 64, i + 1]);
    // Not all entries are consecutive, or one begins and ends so.
    check(|i| [i, i + 1, 7 * i % 32]);
    check(|i| [i + 2, i + 1, if i % 4 == 1 { i - 1 } else { i }]);
}

/// The second entry and the second argument have their sign turned if `turned`.
fn check_map<W: Width, T: Rows<W> + Value<Elem: Uneven>>(w: W, map: Vec<[u32; 3]>, how: Combine, turned: bool) {
    let start: Vec<T> = (0..TARGETS).map(row).collect();
    let expected = expected(&map, start.clone(), how);
    for layout in [Layout::Aos, Layout::Soa] {
        let mut dat = Guarded::new(&start, layout);
        let view: View<T> = dat.view();
        // SAFETY: the targets of the map are elements of the dat.
        unsafe {
            match layout {
                Layout::Soa => sum_packs(w, view.in_layout::<true>(), &map, how, turned),
                _ => sum_packs(w, view, &map, how, turned),
            }
        }
        let about = || format!("{how}, {layout:?}, {} components, {} lanes, {turned}: {map:?}", T::DIM, W::LANES);
        assert_eq!(dat.rows(), expected, "{}", about());
        dat.guards_are_whole();
    }
}

fn row<T: Value<Elem: Uneven>>(number: usize) -> T {
    let mut row = T::splat(T::Elem::default());
    // SAFETY: any numbers are a row.
    let components = unsafe { row.components_mut() };
    components.iter_mut().enumerate().for_each(|(c, slot)| *slot = T::Elem::uneven(number * T::DIM + c));
    row
}

fn contribution<T: Value<Elem: Uneven>>(position: usize, end: usize) -> T {
    row(TARGETS + position * 3 + end)
}

fn expected<T: Value<Elem: Uneven>>(map: &[[u32; 3]], mut sums: Vec<T>, how: Combine) -> Vec<T> {
    for (position, row) in map.iter().enumerate() {
        for (end, &target) in row.iter().enumerate() {
            let new = contribution::<T>(position, end);
            // SAFETY: as above.
            let sum = unsafe { sums[target as usize].components_mut() };
            for (old, new) in sum.iter_mut().zip(new.components()) {
                *old = <T::Elem as Elem>::combined(how, *old, *new);
            }
        }
    }
    sums
}

/// # Safety
/// The targets of the map are elements of the view.
unsafe fn sum_packs<W: Width, T: Rows<W> + Value<Elem: Uneven>, const SOA: bool>(
    w: W,
    view: View<T, SOA>,
    map: &[[u32; 3]],
    how: Combine,
    turned: bool,
) {
    let view_of_map = MapView::<(), 3>::of_rows(map);
    let mut elems = elems(map.len(), None);
    while let Some(pack) = elems.pack(w) {
        let lanes = |end: usize| each::<W, T>(w, |lane| contribution(pack.position(lane), end));
        let (mut entries, mut others) = (view_of_map.entries_of(w), view_of_map.entries_of(w));
        // SAFETY: the map has so many elements; otherwise passed on to the caller.
        unsafe {
            let [first, second, _] = view_of_map.targets_of(&pack, &mut entries);
            let (both, third) = ([first, second], [view_of_map.target_of(&pack, 2, &mut others)]);
            let (of_both, of_third) = ([lanes(0), lanes(1)], [lanes(2)]);
            let both = Ends::new(how, &both, &of_both).turned([false, turned]);
            let third = Ends::new(how, &third, &of_third).turned([turned]);
            view.combine_pack(w, (both, (third, ())));
        }
    }
}

#[test]
fn addresses_of_one_dat_are_found() {
    assert!(all_differ([]) && all_differ([7]) && all_differ([7, 8, 0, 0]));
    assert!(!all_differ([7, 8, 7]) && !all_differ([0, 8, 8]));
}
