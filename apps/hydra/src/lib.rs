//! Turbulent flow through a blade passage, in the shape of Rolls-Royce's HYDRA: the Reynolds-averaged Navier–Stokes
//! equations with the turbulence model of Spalart and Allmaras, in three dimensions, by finite volumes round the
//! nodes of hexahedra or tetrahedra.
//!
//! The app is here for its four heavy loops over the edges, which move as many bytes per edge as those that R. Tohid
//! et al. publish of HYDRA (*Effective resource-driven loop splitting for large unstructured mesh applications on
//! GPUs*, section 5):
//!
//! | loop | what it does | through maps | direct | of these incremented |
//! | --- | --- | --- | --- | --- |
//! | [`accu`](kernels::accu) | sums for gradients and time steps | 680 | 0 | 416 |
//! | [`edgecon`](kernels::edgecon) | sums for gradients and pseudo-Laplacians | 528 | 24 | 384 |
//! | [`vflux`](kernels::vflux) | viscous and smoothing fluxes | 808 | 24 | 96 |
//! | [`iflux`](kernels::iflux) | inviscid fluxes | 328 | 24 | 96 |
//!
//! These are bytes in double precision, as the published ones; with `--precision f32` floats take half of them. The solver is
//! generic over its floats, while meshes, files and conditions of the flow are doubles, rounded as they are declared to op2.
//!
//! The shared memory that the loops need on a GPU, unsplit and in stages: bytes per edge of the widest stage if no two
//! edges of a block share a node, and edges of the largest block of whole warps, up to 1024, that fits in 48 KB; in
//! parentheses the block that fits if edges share nodes as in the passage (`cargo xtask splits --app hydra` also prints
//! registers, spills and predicted times):
//!
//! | loop | at once | in 1 | 2 | 3 stages | block at once | in 1 | 2 | 3 stages |
//! | --- | --- | --- | --- | --- | --- | --- | --- | --- |
//! | `accu` | 680 | 288 | 288 | | 64 (160) | 160 (416) | 160 (416) | |
//! | `edgecon` | 528 | 288 | 288 | | 64 (192) | 160 (416) | 160 (416) | |
//! | `vflux` | 808 | 712 | 632 | 536 | 32 (128) | 64 (128) | 64 (160) | 64 (192) |
//! | `iflux` | 328 | 232 | 136 | 96 | 128 (352) | 192 (544) | 352 (1024) | 512 (1024) |
//!
//! The formulae of HYDRA are not published in detail; those here are from the open literature, named at each kernel.
//! The scheme follows P. Moinier, J.-D. Müller, M. B. Giles: *Edge-based multigrid and preconditioning for hybrid
//! grids*, AIAA Journal 40, 2002: one loop over the edges for gradients and pseudo-Laplacians, one for Roe's flux with
//! second and fourth differences blended, and a Runge–Kutta smoother of five stages.
//!
//! The app leaves out real periodicity (the passage has sides without friction up- and downstream of the blades),
//! rotation, multigrid, preconditioning, and a mesh that resolves the layers next to the walls. Results are not to be
//! compared with a rotor's.
//!
//! | module | what it holds |
//! | --- | --- |
//! | [`mesh`] | the mesh as a node-centred scheme sees it, the passage, its text file, random renumbering |
//! | [`physics`] | constants of gas, turbulence model and scheme; states |
//! | [`kernels`] | the kernels |
//! | [`solver`] | settings and results of a run, the loops, and the run itself |
//! | [`output`] | report, residual plot, VTK file, dump of the solution |
//! | [`cli`], [`app`] | the command line, and the program behind it |

pub mod app;
pub mod cli;
mod error;
pub mod kernels;
pub mod mesh;
pub mod output;
pub mod physics;
pub mod solver;

pub use error::{Error, Fault, Result};
