//! Smoothness-increasing accuracy-conserving (SIAC) filters over triangulations of the unit square.
//!
//! A discontinuous polynomial on each triangle, u_h, is convolved with a kernel of B-splines: u* is smoother than u_h
//! and, for solutions of the discontinuous Galerkin method, converges faster. After J. King and R. M. Kirby, *A
//! Scalable, Efficient Scheme for Evaluation of Stencil Computations over Unstructured Meshes* (SC'13), which the
//! modules call *the paper*.
//!
//! | module | what it holds |
//! | --- | --- |
//! | [`mesh`] | periodic meshes of the unit square, made or checked |
//! | [`spline`] | the kernel of the filter in one dimension, exact |
//! | [`quadrature`] | rules on the triangle, evaluation points |
//! | [`projection`] | functions as polynomials on triangles, their errors |
//! | [`stencil`] | the stencils of points, which may be one-sided |
//! | [`input`] | meshes, polynomials and points as JSON, and values as text |
//! | [`kernels`] | the contribution of a triangle to a point, for loops |
//! | [`loops`] | the filter as loops of op2 over pairs |
//! | [`mod@reference`] | the same by plain loops |
//! | [`task`] | a mesh, u_h, points and a kernel, made or read |
//! | [`filter`] | both kinds of loops for degrees that are known when the program runs |
//! | [`mod@run`] | a run of the filter, and its comparison with plain loops |
//! | [`convergence`] | errors on finer and finer meshes |
//! | [`output`] | report, picture of errors, VTK file |
//! | [`cli`], [`app`] | the command line, and the program behind it |

pub mod app;
pub mod cli;
pub mod convergence;
mod error;
pub mod filter;
pub mod input;
pub mod kernels;
pub mod loops;
pub mod mesh;
pub mod output;
pub mod projection;
pub mod quadrature;
pub mod reference;
pub mod run;
pub mod spline;
pub mod stencil;
pub mod task;

pub use error::{Error, Fault, Result};
