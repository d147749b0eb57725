//! The task of a run: a mesh with u_h on it, the points and the kernel.

use std::fmt;
use std::path::Path;

use clap::ValueEnum;
use op2_apps::flaw::expect_some;

use crate::Result;
use crate::input::{self, Input};
use crate::mesh::{Boundary, Kind, Mesh, longest_edge};
use crate::projection::{Corners, Errors, Solution};
use crate::quadrature::{evaluation_points, points_of};

/// Functions whose projection is filtered. Both are periodic.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Function {
    /// sin 2πx · sin 2πy
    Sines,
    /// exp(sin 2πx) · cos 4πy
    Exp,
}

impl Function {
    /// The value at a point.
    pub fn at(self, x: f64, y: f64) -> f64 {
        use std::f64::consts::TAU;
        match self {
            Self::Sines => (TAU * x).sin() * (TAU * y).sin(),
            Self::Exp => (TAU * x).sin().exp() * (2.0 * TAU * y).cos(),
        }
    }
}

impl fmt::Display for Function {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Sines => "sin 2πx · sin 2πy",
            Self::Exp => "exp(sin 2πx) · cos 4πy",
        })
    }
}

/// All that the filter takes.
#[derive(Clone, Debug)]
pub struct Task {
    /// The mesh.
    pub mesh: Mesh,
    /// The corners of its triangles.
    pub corners: Vec<Corners>,
    /// P.
    pub degree: usize,
    /// u_h.
    pub solution: Solution,
    /// Where the filter is evaluated.
    pub points: Vec<[f64; 2]>,
    /// How many points each triangle has, if they are those of a rule of quadrature.
    pub per_triangle: Option<usize>,
    /// The scale of the kernel.
    pub h: f64,
    /// The boundary of the domain.
    pub boundary: Boundary,
    /// The function whose projection u_h is, where it is known.
    pub function: Option<Function>,
}

/// A task in memory, as a command line states it.
#[derive(Clone, Copy, Debug)]
pub struct Made {
    /// The kind of the mesh.
    pub kind: Kind,
    /// The number of triangles to come near to.
    pub triangles: usize,
    /// Decides where vertices are moved.
    pub seed: u64,
    /// P.
    pub degree: usize,
    /// The degree of u_h.
    pub solution_degree: usize,
    /// Points of each triangle, 3 or 6.
    pub points: usize,
    /// The scale of the kernel; without it the longest edge.
    pub h: Option<f64>,
    /// The boundary of the domain.
    pub boundary: Boundary,
    /// The function that is projected.
    pub function: Function,
}

impl Task {
    /// Makes the mesh and projects the function. `stage` hears of each step before it begins.
    ///
    /// # Errors
    /// [`Error::Mesh`](crate::Error::Mesh) for a number of triangles that no mesh has.
    pub fn made(made: &Made, stage: &mut dyn FnMut(&'static str)) -> Result<Self> {
        let Made { kind, triangles, seed, degree, solution_degree, points, h, boundary, function } = *made;
        stage("mesh");
        let mesh = kind.mesh(triangles, seed)?;
        let corners = mesh.corners();
        stage("projection");
        let solution = Solution::projected(&corners, solution_degree, |x, y| function.at(x, y));
        Ok(Task {
            points: points_of(&corners, points),
            per_triangle: Some(points),
            h: h.unwrap_or_else(|| longest_edge(&corners)),
            mesh,
            corners,
            degree,
            solution,
            boundary,
            function: Some(function),
        })
    }

    /// Reads the file at `path`; `h` takes the place of the file's.
    ///
    /// # Errors
    /// As [`input::read`].
    pub fn read(path: &Path, boundary: Boundary, h: Option<f64>, function: Option<Function>) -> Result<Self> {
        let Input { mesh, degree, solution, points, h: stated } = input::read(path, boundary)?;
        expect_some("points", points.len())?;
        let corners = mesh.corners();
        let per_triangle = [3, 6].into_iter().find(|n| points == points_of(&corners, *n));
        let h = h.or(stated).unwrap_or_else(|| longest_edge(&corners));
        Ok(Task { mesh, corners, degree, solution, points, per_triangle, h, boundary, function })
    }

    /// The same as a file states it, with `h` if it is not the longest edge.
    pub fn to_input(&self, h: Option<f64>) -> Input {
        let Task { mesh, degree, solution, points, .. } = self.clone();
        Input { mesh, degree, solution, points, h }
    }

    /// The values of u_h at the points, if they are those of a rule.
    pub fn before(&self) -> Option<Vec<f64>> {
        self.per_triangle.map(|n| self.solution.values(&evaluation_points(n)))
    }

    /// The errors of u_h and those of `values` at the points, where the function is known and the points are those of a rule.
    pub fn errors(&self, values: &[f64]) -> Option<[Errors; 2]> {
        let (function, points) = (self.function?, self.per_triangle?);
        let f = |x: f64, y: f64| function.at(x, y);
        let after = Errors::at_points(&self.corners, points, values, f);
        Some([self.solution.errors(&self.corners, f), after])
    }
}
