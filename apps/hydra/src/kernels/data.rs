//! Data of a node whose numbers have names.

/// Quantities derived from the unknowns, and two of the mesh.
#[op2::record]
pub struct Aux<F> {
    /// Static pressure.
    pub pressure: F,
    /// Temperature.
    pub temperature: F,
    /// Speed of sound.
    pub sound: F,
    /// Laminar viscosity.
    pub laminar: F,
    /// Eddy viscosity.
    pub eddy: F,
    /// Distance from the wall.
    pub distance: F,
    /// Volume of the dual cell.
    pub volume: F,
}

/// Sums of spectral radii over the node's edges, times the areas of their faces.
#[op2::record]
pub struct Radii<F> {
    /// Of the inviscid flux.
    pub inviscid: F,
    /// Of the viscous flux.
    pub viscous: F,
}

/// Where the flow is smooth, 0; up to 1 where it is not.
#[op2::record]
pub struct Sensors<F> {
    /// Of the pressure, for all unknowns but the last.
    pub shock: F,
    /// Of the turbulence variable.
    pub front: F,
}

/// The source of turbulence.
#[op2::record]
pub struct Source<F> {
    /// Source of density times turbulence variable, per volume.
    pub strength: F,
    /// How fast the variable decays by its destruction.
    pub decay: F,
}

/// Coefficients that turn the sums of `edgecon` into gradients and pseudo-Laplacians; `geometry` gathers sums for them in the
/// same places.
#[op2::record]
pub struct Metric<F> {
    /// The inverse of the transposed sum of half Δx times the dual face; before, that sum.
    pub matrix: [[F; 3]; 3],
    /// The sum of the weights 1/|Δx|.
    pub weight: F,
    /// The weighted mean of Δx; before, its weighted sum.
    pub mean: [F; 3],
}
