//! Time to build the plan of airfoil's `res_calc`, next to the time of executing the loop: 720,000 cells, in order and
//! numbered at random, double precision.
//!
//! `cargo bench -p op2-benches --bench plan`, with `-- --quick` for fewer rounds.
//!
//! `cargo xtask figures` runs this bench and writes its findings, with the machine and the goals of `benches/src/goals.rs`, to the newest
//! file in `benches/results`.

use std::time::Instant;

use airfoil::mesh::Mesh;
use airfoil::solver::{Airfoil, Settings};
use op2_apps::flags::Backend;
use op2_benches::{Outcome, Samples, figure, quick, smoke};

fn main() -> Outcome {
    let mesh = if smoke() { Mesh::naca0012(20, 30)? } else { Mesh::naca0012(400, 600)? };
    println!("{:<24} {:<9} | {:<26} | {:<26} | plan / execution", "", "", "plan, ms", "execution, ms");
    let spread = format!("{:>8} {:>8} {:>8}", "min", "median", "max");
    println!("{:<24} {:<9} | {spread} | {spread} | {spread}", "mesh", "threads");
    for (name, mesh) in [("in order", &mesh), ("random", &mesh.shuffled(1).0)] {
        for threads in [1, 2] {
            row(name, mesh, threads)?;
        }
    }
    Ok(())
}

fn row(name: &str, mesh: &Mesh, threads: usize) -> Outcome {
    let (mut plans, mut executions) = (Samples::default(), Samples::default());
    for _ in 0..if quick() { 3 } else { 15 } {
        let backend = Backend::Threads;
        // A new declaration each time, because plans are cached.
        let mut airfoil =
            Airfoil::<f64>::new(mesh, &Settings { backend, threads, iterations: 0, ..Settings::default() })?;
        airfoil.save_soln()?;
        airfoil.adt_calc()?;
        plans.push(milliseconds(|| airfoil.res_calc_plan().map(drop))?);
        // The first execution warms up.
        airfoil.res_calc()?;
        executions.push(milliseconds(|| airfoil.res_calc())?);
    }
    let ratio = &plans / &executions;
    figure(&format!("plan/{name}/{threads} threads/ms"), &plans);
    figure(&format!("plan/{name}/{threads} threads/over execution"), &ratio);
    println!("{name:<24} {threads:<9} | {plans} | {executions} | {ratio}");
    Ok(())
}

fn milliseconds(run: impl FnOnce() -> op2::Result<()>) -> op2::Result<f64> {
    let start = Instant::now();
    run()?;
    Ok(start.elapsed().as_secs_f64() * 1e3)
}
