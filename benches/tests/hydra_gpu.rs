//! The bench of the heavy loops runs through in the emulator: all strategies that it asks for exist, and it notices those that
//! do not fit.

#[path = "../benches/hydra_gpu/measure.rs"]
mod measure;
#[path = "../benches/hydra_gpu/table.rs"]
mod table;

use hydra::mesh::{Passage, Shape};
use hydra::solver::Settings;
use measure::{Extent, Family, LOOPS, UNTUNED, measure};
use op2_apps::flags::{Backend, Layout};

#[test]
fn the_bench_for_gpus_goes_through() {
    let Some(backend) = op2_test_support::device(Backend::Cuda, Backend::CudaEmu) else { return };
    let settings = Settings { backend, ..Settings::default() };
    let extent = Extent { layouts: vec![Layout::Aos], blocks: vec![UNTUNED], stages: 3, samples: 1 };
    let mesh = Passage::default().mesh(Shape::Hexahedra, [9, 4, 4]).unwrap();
    let results = measure(&mesh, &settings, &extent).unwrap();
    let ran = |name: &str, family: Family| {
        let row = results.rows.iter().find(|row| (row.name, row.family) == (name, family)).unwrap();
        assert_eq!(row.milliseconds.is_some(), row.note.is_none(), "{row:?}");
        (row.ran.as_str(), row.note.as_deref())
    };
    for (name, _) in LOOPS {
        assert_eq!(ran(name, Family::Atomics), ("atomics, 128 a block", None));
        // How blocks read is predicted.
        let in_stages = |family: Family, expected: &str| {
            let (ran, note) = ran(name, family);
            assert_eq!((ran.split_once(", ").map(|(_, how)| how), note), (Some(expected), None), "{ran}");
        };
        in_stages(Family::Split(2), "coloured blocks, 2 stages and updates, 128 a block");
        in_stages(Family::SplitAtomics(1), "atomics, 1 stage, 128 a block");
        let third = ran(name, Family::SplitBlockAtomics(3));
        let has_three = ["vflux", "iflux"].contains(&name);
        assert_eq!(third.1.is_none(), has_three, "{name}: {third:?}");
        let bytes = results.least_bytes.iter().find(|(known, _)| *known == name).unwrap().1;
        assert!(bytes > 0);
    }
    let chosen: Vec<_> = results.chosen.iter().map(|c| (c.name, c.asked.as_str())).collect();
    let expected = LOOPS.iter().flat_map(|(name, _)| [(*name, "predicted"), (*name, "auto")]);
    assert!(chosen.iter().copied().eq(expected), "{chosen:?}");
    assert!(results.chosen.iter().all(|c| c.to_best > 0.0 && c.milliseconds > 0.0));
    let text = results.to_string();
    for said in ["| split-atomics:2 | Aos |", "left out: `split:128:3` in Aos: in 2 stages: ", "no goal is compared"] {
        assert!(text.contains(said), "{said}: {text}");
    }
    assert_eq!(text.matches("splitting, time all at once over time in stages: untuned ").count(), LOOPS.len());
}
