//! What the applications of op2 share around their solvers.
//!
//! | module | what it holds |
//! | --- | --- |
//! | [`file`](mod@file) | output files that are there completely or not at all, and checks before a run |
//! | [`text`] | reading meshes as text, with the line of whatever is wrong |
//! | [`flaw`] | what is wrong with a mesh, and where |
//! | [`plot`] | the history of residuals as a picture |
//! | [`vtk`] | unstructured grids with data for ParaView |
//! | [`flags`] | backend, layout and threads as command lines state them |
//! | [`terminal`] | lines on standard output, a progress bar, and how a program ends |

pub mod file;
pub mod flags;
pub mod flaw;
pub mod plot;
pub mod terminal;
pub mod text;
pub mod vtk;
