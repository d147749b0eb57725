//! Time to build and to shuffle meshes of the sizes that benches use. `cargo bench -p op2-benches --bench meshes`

use op2_meshes::{plane, space};
use std::time::Instant;

fn timed<M>(what: &str, make: impl FnOnce() -> M) -> M {
    let start = Instant::now();
    let made = make();
    println!("{what:<30} {:>6.0} ms", start.elapsed().as_secs_f64() * 1e3);
    made
}

fn main() -> Result<(), op2_meshes::Error> {
    let quads = timed("720,000 quads", || plane::quads(1200, 600).build())?;
    timed("720,000 quads, shuffled", || quads.shuffled(1));
    timed("720,000 triangles", || plane::triangles(600, 600).build())?;
    timed("1,000,000 hexahedra", || space::hexahedra(100, 100, 100).build())?;
    let tetrahedra = timed("1,016,064 tetrahedra", || space::tetrahedra(56, 56, 54).build())?;
    timed("1,016,064 tetrahedra, shuffled", || tetrahedra.shuffled(1));
    Ok(())
}
