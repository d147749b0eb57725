use super::{Check, elems, on_all_widths};
use crate::data::view::MapView;
use crate::lanes::{Leads, Width};

#[test]
fn packs_take_all_elements_once_in_order() {
    struct Packs;
    impl Check for Packs {
        fn check<W: Width>(&self, w: W) {
            for positions in 0..3 * W::LANES + 3 {
                let list: Vec<u32> = (0..positions as u32).map(|i| if i < 5 { i } else { i * 7 % 97 }).collect();
                for list in [None, Some(&list[..])] {
                    let mut elems = elems(positions, list);
                    let mut expected = elems.clone();
                    while let Some(pack) = elems.pack(w) {
                        assert!((1..=W::LANES).contains(&pack.len()));
                        let found = pack.direct().elements(w);
                        let found = found.as_ref();
                        assert!((0..W::LANES).all(|lane| pack.direct().element(lane) == found[lane]));
                        for (lane, &element) in found[..pack.len()].iter().enumerate() {
                            assert_eq!(expected.next(), Some((pack.position(lane), element)));
                        }
                        let last = found[pack.len() - 1];
                        assert!(found[pack.len()..].iter().all(|element| *element == last));
                        let row = found.windows(2).all(|pair| pair[0] + 1 == pair[1]);
                        assert_eq!(pack.direct().row(), (pack.len() == W::LANES && row).then_some(found[0]));
                    }
                    assert_eq!(expected.next(), None);
                }
            }
        }
    }
    on_all_widths(&Packs);
}

#[test]
fn maps_lead_every_lane_to_its_targets() {
    struct Maps;
    impl Check for Maps {
        fn check<W: Width>(&self, w: W) {
            // The last pack has three elements.
            let size = 2 * W::LANES + 3;
            let backwards: Vec<u32> = (0..size as u32).rev().collect();
            let entries: Vec<u32> = (0..3 * size as u32).map(|i| i * 5 % 17).collect();
            let map = MapView::<(), 3>::new(Some((0, entries.as_ptr())));
            for list in [None, Some(backwards.as_slice())] {
                let mut elems = elems(size, list);
                while let Some(pack) = elems.pack(w) {
                    let mut memory = map.entries_of(w);
                    // SAFETY: the map has entries for all elements.
                    let targets = unsafe { map.targets_of(&pack, &mut memory) };
                    for (index, targets) in targets.iter().enumerate() {
                        for (lane, &element) in pack.direct().elements(w).as_ref().iter().enumerate() {
                            assert_eq!(targets.element(lane), entries[element * 3 + index] as usize);
                            assert_eq!(targets.elements(w).as_ref()[lane], targets.element(lane));
                        }
                    }
                }
            }
        }
    }
    on_all_widths(&Maps);
}
