//! hydra's four heavy loops on a GPU: unsplit and in stages, by colours and by atomics, in several block sizes and both
//! layouts; then op2's own choice next to the best of these.
//!
//! `cargo bench -p op2-benches --bench hydra_gpu`, with `-- --json FILE` for programs, `-- --quick` for two block
//! sizes of one layout, `-- --reorder ORDERING` for another numbering (`metis:256`, as on hydra's command line), `-- --tiny` for a tiny
//! mesh, and `-- --emulator` to try the bench itself on that where there is no GPU (its times are meaningless).
//! Without a GPU it says so and ends, with an error if `OP2_TEST_GPU` is set.
//!
//! # Comparisons
//!
//! Times are the device's own: the median of seven executions after two that do not count, for all launches of a loop
//! together. *The floor* is the time in which a copy would move the bytes that the loop must move at least, each of
//! them once: of every dat the distinct nodes or edges that it reaches, twice if they are added to, and four bytes for
//! every entry of a map (`op2::plan::Traffic`): `bytes / copied bytes per second`. *Of the floor* is that time as a
//! share of the loop's.
//!
//! *Untuned* is a strategy with blocks of 128 elements, *tuned* with the block size that suits it best. The gain by
//! splitting is the time of the best unsplit strategy over that of the best one in stages.
//!
//! The goals, on an H200 and the default mesh of 2,519,850 edges: the best strategy of each loop at 60 % of the floor or more, and
//! `auto` at most 2 % slower than the best strategy, compared within rounds. `scripts/gpu-validate` brings this bench to a machine with a
//! GPU; its results belong into `benches/results/`.

mod measure;
mod table;

use hydra::mesh::{Passage, Shape};
use hydra::solver::{Flow, Settings};
use measure::{Extent, measure};
use op2::{Ordering, devices};
use op2_apps::file::write_atomically;
use op2_apps::flags::{Backend, Layout};
use op2_benches::{Outcome, quick};

/// The default mesh of the app, and one on which the emulator runs the whole bench.
const SIZE: [usize; 3] = [150, 74, 74];
const TINY_SIZE: [usize; 3] = [9, 4, 4];

fn main() -> Outcome {
    let emulated = flag("--emulator");
    let backend = if emulated { Backend::CudaEmu } else { Backend::Cuda };
    let ordering = value("--reorder").map_or(Ok(Ordering::None), |text| text.parse())?;
    let emulator = devices::Options { checks: false, ..Default::default() };
    let settings = Settings { backend, emulator, ordering, ..Settings::default() };
    let passage = |bricks| Passage::default().mesh(Shape::Hexahedra, bricks);
    if let Err(reason) = Flow::<f64>::new(&passage(TINY_SIZE)?, &settings) {
        if std::env::var_os("OP2_TEST_GPU").is_some() {
            return Err(reason.into());
        }
        println!("skipped: {reason}");
        return Ok(());
    }
    let extent = match quick() {
        true => Extent { layouts: vec![Layout::Aos], blocks: vec![128, 256], stages: 3, samples: 5 },
        false => {
            Extent { layouts: vec![Layout::Aos, Layout::Soa], blocks: vec![64, 128, 256, 512], stages: 3, samples: 7 }
        }
    };
    let mesh = passage(if emulated || flag("--tiny") { TINY_SIZE } else { SIZE })?;
    let results = measure(&mesh, &settings, &extent)?;
    print!("{results}");
    if let Some(path) = value("--json") {
        write_atomically(path.as_ref(), |out| Ok(serde_json::to_writer_pretty(out, &results)?))?;
    }
    Ok(())
}

fn flag(name: &str) -> bool {
    std::env::args().any(|arg| arg == name)
}

/// The value behind a flag.
fn value(name: &str) -> Option<String> {
    std::env::args().skip_while(|arg| arg != name).nth(1)
}
