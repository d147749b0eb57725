//! The parts that the applications of op2 share around their solvers.
//!
//! | module | what it holds |
//! | --- | --- |
//! | [`file`](mod@file) | output files that are written completely or not at all, and checks before a run |
//! | [`text`] | reading meshes as text, with the line of each fault |
//! | [`flaw`] | a fault of a mesh, and the element that has it |
//! | [`plot`] | the history of residuals as a picture |
//! | [`panels`] | values on triangles as two pictures side by side |
//! | [`vtk`] | unstructured grids with data for ParaView |
//! | [`flags`] | backend, layout and precision as command lines state them |
//! | [`options`] | options that command lines share |
//! | [`settings`] | settings of a run, and the same as op2's configuration |
//! | [`run`] | the time loop of a solver, its results, and their files |
//! | [`logger`] | op2's log as lines on standard error |
//! | [`error`](mod@error) | errors of a run, with the exit status |
//! | [`terminal`] | lines on standard output, a progress bar, and how a program ends |

pub mod error;
pub mod file;
pub mod flags;
pub mod flaw;
pub mod logger;
pub mod options;
pub mod panels;
pub mod plot;
pub mod run;
pub mod settings;
pub mod terminal;
pub mod text;
pub mod vtk;
