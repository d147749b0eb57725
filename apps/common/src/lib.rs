//! Parts around a solver that the applications of op2 share.
//!
//! | module | what it holds |
//! | --- | --- |
//! | [`file`](mod@file) | output files that are there completely or not at all, and checks before a run |
//! | [`text`] | reading meshes as text, with the line of whatever is wrong |
//! | [`flaw`] | what is wrong with a mesh, and where |
//! | [`plot`] | the history of residuals as a picture |
//! | [`vtk`] | unstructured grids with data for ParaView |
//! | [`flags`] | backend, layout and precision as command lines state them |
//! | [`options`] | options that command lines share |
//! | [`settings`] | what they ask for, and the same as op2 takes it |
//! | [`run`] | the time loop of a solver, its results, and their files |
//! | [`error`](mod@error) | what can go wrong in a run, with the exit status |
//! | [`terminal`] | lines on standard output, a progress bar, and how a program ends |

pub mod error;
pub mod file;
pub mod flags;
pub mod flaw;
pub mod options;
pub mod plot;
pub mod run;
pub mod settings;
pub mod terminal;
pub mod text;
pub mod vtk;
