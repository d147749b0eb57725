//! The airfoil mini-app of OP2: the two-dimensional Euler equations around a NACA0012 profile, discretised by
//! cell-centred finite volumes on an unstructured mesh of quadrilaterals.
//!
//! The case, its mesh and its published residuals come from OP2 (G. R. Mudalige, M. B. Giles, I. Reguly,
//! C. Bertolli, P. H. J. Kelly: *OP2: an active library framework for solving unstructured mesh-based applications
//! on multi-core and many-core architectures*, InPar 2012).
//!
//! | module | what it holds |
//! | --- | --- |
//! | [`mesh`] | the mesh, its generator, its text file, random renumbering |
//! | [`physics`] | the constants of the flow and the far-field state |
//! | [`kernels`] | the five kernels |
//! | [`solver`] | settings and results of a run, the loops, and the run itself |
//! | [`plain`] | the same solver as plain loops, the independent reference |
//! | [`output`] | report, residual plot, VTK file, dump of the solution |
//! | [`cli`], [`app`] | the command line, and the program behind it |

pub mod app;
pub mod cli;
pub mod kernels;
pub mod mesh;
pub mod output;
pub mod physics;
pub mod plain;
pub mod solver;

/// The errors of a run: the app has no faults of its own.
pub type Error = op2_apps::error::Error;

/// The result of the app's fallible functions.
pub type Result<T, E = Error> = std::result::Result<T, E>;
