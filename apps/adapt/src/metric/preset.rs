//! Metrics that are made: sizes of edges across and along a feature of a solution, as tensors.

use std::f64::consts::TAU;
use std::fmt;
use std::str::FromStr;

use super::{Metric, Tensor, size};
use crate::mesh::Mesh;

/// How many times shorter edges across a front are than those along it.
const FRONT: f64 = 20.0;
/// How far from a front edges have half of that ratio, as a part of the domain.
const FRONT_WIDTH: f64 = 0.04;
/// How many times shorter edges across the boundary layer are at the wall than those along it.
const LAYER: f64 = 50.0;
/// Where the boundary layer ends, as a part of the domain.
const LAYER_WIDTH: f64 = 0.2;

/// The kinds of metrics. The domain is that of the box around the mesh, as the unit square.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The same everywhere and in every direction.
    Uniform,
    /// A shock front from the lower to the upper side, x = ½ + 0.15·sin 2πy.
    Shock,
    /// A boundary layer on the lower side.
    Layer,
    /// A ring around the middle, as of a blast wave, whose radius grows from 0.1 to 0.45 as time goes from 0 to 1.
    Moving,
}

impl Kind {
    /// All kinds.
    pub const ALL: [Self; 4] = [Self::Uniform, Self::Shock, Self::Layer, Self::Moving];

    /// The kind as command lines name it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Uniform => "uniform",
            Self::Shock => "shock",
            Self::Layer => "layer",
            Self::Moving => "moving",
        }
    }

    /// Where edges are short: the direction across, and the length across over that along.
    fn feature(self, [x, y]: [f64; 2], time: f64) -> ([f64; 2], f64) {
        let front = |distance: f64| {
            let near = (-(distance / FRONT_WIDTH).powi(2)).exp();
            FRONT.powf(-near)
        };
        match self {
            Self::Uniform => ([1.0, 0.0], 1.0),
            Self::Shock => {
                let slope = 0.15 * TAU * (TAU * y).cos();
                let long = slope.hypot(1.0);
                ([1.0 / long, -slope / long], front((x - 0.5 - 0.15 * (TAU * y).sin()) / long))
            }
            Self::Layer => ([0.0, 1.0], (1.0 / LAYER + y / LAYER_WIDTH).min(1.0)),
            Self::Moving => {
                let [x, y] = [x - 0.5, y - 0.5];
                let from_middle = x.hypot(y);
                let across = if from_middle > 0.0 { [x / from_middle, y / from_middle] } else { [1.0, 0.0] };
                (across, front(from_middle - (0.1 + 0.35 * time)))
            }
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A kind of metric and its scale.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Preset {
    /// The kind.
    pub kind: Kind,
    /// S: the metric asks for about S² times as many facets as the mesh has, so S < 1 asks for coarser ones, S > 1 for
    /// finer ones.
    pub scale: f64,
}

/// All that a preset takes from a mesh.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Frame {
    /// The box around the mesh.
    pub bounds: [[f64; 2]; 2],
    /// Its size h, as of [`size`].
    pub size: f64,
    /// The nodes of the grid in x and y, for metrics that vary.
    pub nodes: [usize; 2],
}

impl Frame {
    /// The box and the size of a mesh, and nodes about as far apart as its vertices: 257 to 1025 in x and y.
    pub fn of(mesh: &Mesh) -> Self {
        let bounds = mesh.bounds();
        let size = size(mesh);
        let nodes = [0, 1].map(|k| (((bounds[1][k] - bounds[0][k]) / size) as usize + 1).clamp(257, 1025));
        Self { bounds, size, nodes }
    }
}

impl Preset {
    /// The metric for a mesh with this frame, at a time from 0 to 1.
    ///
    /// A tensor is k·R·diag(1/a², 1)·Rᵀ, where R turns the x axis across the feature and a is the length across over that
    /// along. The factor k is the same everywhere, such that the mean of √det M over the nodes is (S/h)²: the density of
    /// facets that `uniform:S` asks for, M = (S/h)²·I.
    pub fn metric(&self, frame: &Frame, time: f64) -> Metric {
        let [least, greatest] = frame.bounds;
        let extent = [0, 1].map(|k| greatest[k] - least[k]);
        let nodes = if self.kind == Kind::Uniform { [2, 2] } else { frame.nodes };
        let unscaled = |point: [f64; 2]| -> Tensor {
            let (across, a) = self.kind.feature([0, 1].map(|k| (point[k] - least[k]) / extent[k]), time);
            // A gradient, so that it stays normal to the feature in a box that is no square.
            let [c, s] = [0, 1].map(|k| across[k] / extent[k]);
            let [c, s] = [c, s].map(|entry| entry / c.hypot(s));
            let across = 1.0 / (a * a);
            [across * c * c + s * s, (across - 1.0) * c * s, across * s * s + c * c]
        };
        let mut metric = Metric::on(frame.bounds, nodes, unscaled);
        let density = (self.scale / frame.size).powi(2) / mean_density(&metric);
        metric.values.iter_mut().flatten().for_each(|entry| *entry *= density);
        metric
    }
}

/// The mean of √det M, by the trapezoidal rule over the grid.
pub(super) fn mean_density(metric: &Metric) -> f64 {
    let weight = |k: usize, of: usize| if k == 0 || k + 1 == of { 0.5 } else { 1.0 };
    let [nx, ny] = metric.nodes;
    let sum: f64 = metric
        .values
        .iter()
        .enumerate()
        .map(|(n, [a, b, c])| weight(n % nx, nx) * weight(n / nx, ny) * (a * c - b * b).sqrt())
        .sum();
    sum / ((nx - 1) * (ny - 1)) as f64
}

impl FromStr for Preset {
    type Err = String;

    /// `KIND` or `KIND:S`; without S it is 1.
    fn from_str(text: &str) -> Result<Self, String> {
        let (name, scale) = text.split_once(':').map_or((text, None), |(name, scale)| (name, Some(scale)));
        let Some(kind) = Kind::ALL.into_iter().find(|kind| kind.name() == name) else {
            let all: Vec<String> = Kind::ALL.iter().map(|kind| format!("`{kind}`")).collect();
            return Err(format!("`{name}` is no preset, expected one of {}", all.join(", ")));
        };
        let Some(word) = scale else { return Ok(Self { kind, scale: 1.0 }) };
        match word.parse::<f64>() {
            Ok(scale) if (1e-3..=1e3).contains(&scale) => Ok(Self { kind, scale }),
            _ => Err(format!("`{kind}` has the scale `{word}`, expected a number from 0.001 to 1000")),
        }
    }
}

impl fmt::Display for Preset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.kind, self.scale)
    }
}
