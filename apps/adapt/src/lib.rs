//! Adaptivity of triangulations: edges take the length that a metric asks for.
//!
//! Short edges collapse, long ones are divided by red-green subdivision, as par loops of op2. After a thesis on mesh
//! adaptivity on GPUs, which the modules call *the thesis*.
//!
//! | module | what it holds |
//! | --- | --- |
//! | [`kernels`] | what happens to one facet or vertex |
//! | [`loops`] | the phases |
//! | [`mesh`] | triangulations: places of vertices, vertices of facets |
//! | [`metric`] | tensors on a regular grid, lengths of edges |
//! | [`outcome`] | what comes of a run |
//! | [`quality`] | angles, quality of facets and lengths of edges in a metric |
//! | [`verify`] | independent checks of an adapted mesh |

pub mod kernels;
pub mod loops;
pub mod mesh;
pub mod metric;
pub mod outcome;
pub mod quality;
pub mod verify;
