//! The kernels: plain functions of one element, as the loops of [`solver`](crate::solver) run them.
//!
//! Per-node data have these shapes everywhere:
//!
//! | name | holds |
//! | --- | --- |
//! | `q[6]` | density, momentum, energy, density times the turbulence variable |
//! | `aux` | [`Aux`]: pressure, temperature, speed of sound, viscosities, distance from the wall, volume |
//! | `slopes[6][3]` | least-squares gradients of temperature, velocity, pressure, turbulence variable |
//! | `lsq[6]` | the symmetric matrix of the least squares: xx xy xz yy yz zz |
//! | `radius` | [`Radii`]: sums of inviscid and viscous spectral radii over the node's edges |
//! | `grad[6][3]` | gradients of `q` |
//! | `lap[6]` | pseudo-Laplacians of `q` |
//! | `sensor` | [`Sensors`]: 0 where pressure, and turbulence variable, are smooth, up to 1 at a shock or front |
//! | `source` | [`Source`] of the turbulence variable, and its decay |
//! | `metric` | [`Metric`]: coefficients of gradients and pseudo-Laplacians |
//! | `flag` | [`ON_WALL`](crate::physics::ON_WALL) or 0 |

mod border;
mod data;
mod gas;
mod gradients;
mod inviscid;
mod metric;
mod node;
mod slopes;
mod turbulence;
mod viscous;

pub use border::{boundary, boundary_radius};
pub use data::{Aux, Metric, Radii, Sensors, Source};
pub use gradients::edgecon;
pub use inviscid::iflux;
pub use metric::{geometry, invert};
pub use node::{blend, clear_edgecon, measure, primitives, save, solve_gradients, solve_slopes, stage};
pub use slopes::accu;
pub use turbulence::sources;
pub use viscous::vflux;
