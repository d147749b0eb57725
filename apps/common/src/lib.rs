//! What the applications of op2 share around their solvers.
//!
//! | module | what it holds |
//! | --- | --- |
//! | [`file`](mod@file) | output files that are there completely or not at all, and checks before a run |
//! | [`plot`] | the history of residuals as a picture |
//! | [`vtk`] | unstructured grids with data for ParaView |
//! | [`flags`] | backend, layout and threads as command lines state them |
//! | [`terminal`] | lines on standard output, and a progress bar |

pub mod file;
pub mod flags;
pub mod plot;
pub mod terminal;
pub mod vtk;
