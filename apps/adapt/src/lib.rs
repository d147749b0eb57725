//! Adaptivity of triangulations: edges take the length that a metric asks for.
//!
//! Short edges collapse, long ones are divided by red-green subdivision, as par loops of op2. After a thesis on mesh
//! adaptivity on GPUs, which the modules call *the thesis*.
//!
//! ```sh
//! cargo run --release -p adapt                                                   # a mesh in memory follows a shock front
//! cargo run --release -p adapt -- --phase coarsen --metric uniform:0.35 --check  # fewer facets, checked by plain loops
//! cargo run --release -p adapt -- --metric moving --steps 20 --series ring.pvd   # a ring grows, a mesh for each of 20 times
//! cargo run --release -p adapt -- --mesh in.txt --metric m.txt --dump-mesh out.txt --report r.json
//! ```
//!
//! An edge from a to b has the length √(eᵀ ½(Ma + Mb) e), e = b - a, in the metric M at its ends. It is short below √2/2 and long above
//! √2. A *phase* coarsens or refines; `--phase loop` does both in turn until neither has anything to do, or `--max-rounds`.
//!
//! A mesh is text: a line `vertices facets`, then x y of each vertex, then the three vertices of each facet, counted from 0,
//! counter-clockwise. So is a metric: a line `nx ny`, then m00 m01 m11 of each node of a regular grid over the mesh, x fastest.
//!
//! | of a mesh, after any phase | |
//! | --- | --- |
//! | stays | area and length of the boundary but for rounding, Euler's characteristic, corners of the boundary |
//! | coarsening leaves | 2 facets and a vertex less for each collapse; no new edge above √2; no short edge that a valid collapse could remove |
//! | refinement leaves | 3 facets more for each one divided into four and 1 for each into two, less merged pairs; a vertex more for each split edge |
//! | fields | stay between their bounds; [`field`] tells when integrals stay |
//!
//! Results have the same bits on every backend, number of threads and order inside. `--check` compares each phase with all of this, by
//! [`verify`].
//!
//! | module | what it holds |
//! | --- | --- |
//! | [`mesh`] | triangulations: places of vertices, vertices of facets |
//! | [`metric`] | tensors on a regular grid, lengths of edges |
//! | [`kernels`] | what happens to one facet or vertex |
//! | [`loops`] | the phases |
//! | [`outcome`] | what comes of a run |
//! | [`field`] | values at vertices that follow the mesh |
//! | [`quality`] | angles, quality of facets and lengths of edges in a metric |
//! | [`verify`] | independent checks of an adapted mesh |
//! | [`task`] | a mesh, a metric and a field, made or read |
//! | [`mod@run`] | phases in turn, at each time of a metric |
//! | [`output`] | report, picture, VTK files |
//! | [`cli`], [`app`] | the command line, and the program behind it |

pub mod app;
pub mod cli;
mod error;
pub mod field;
pub mod kernels;
pub mod loops;
pub mod mesh;
pub mod metric;
pub mod outcome;
pub mod output;
pub mod quality;
pub mod run;
pub mod task;
pub mod verify;

pub use error::{Error, Fault, Result};
