//! The passage between two blades of a stator, with the annulus before and behind it.

use std::f64::consts::{PI, TAU};

use super::{FAR_FROM_WALLS, Image, Mesh, Shape};
use crate::Result;
use crate::physics::kind::{INFLOW, OUTFLOW, SLIP, WALL};

/// A sector of an annulus, one blade pitch wide and three chords long, with the blades in the middle third.
///
/// In the unit cube, the first direction goes along the axis (x), the second one round it, the third one from the hub
/// to the casing. Lengths are in chords. The flow comes along the axis and is turned by the camber of the blades.
/// Between the blades all sides are walls, and before and behind them none has friction, where a real sector would be
/// periodic round the axis.
#[derive(Clone, Debug, PartialEq)]
pub struct Passage {
    /// Radii of hub and casing.
    pub radii: [f64; 2],
    /// Number of blades of the whole row.
    pub blades: u32,
    /// Half the greatest thickness of a blade.
    pub half_thickness: f64,
    /// Slope of the camber line behind the blades, measured at the hub.
    pub turning: f64,
    /// How much nodes are drawn towards walls: 0 not at all; the spacing in the middle is cosh² of it times that at
    /// the wall.
    pub stretching: f64,
}

/// Pieces of a blade's side between which the distance is measured.
const PIECES: usize = 64;

impl Default for Passage {
    fn default() -> Self {
        Self { radii: [2.0, 2.6], blades: 24, half_thickness: 0.05, turning: 0.35, stretching: 1.5 }
    }
}

impl Passage {
    /// The mesh with `bricks` along the axis, round it, and from the hub to the casing.
    ///
    /// # Errors
    ///
    /// As [`Mesh::of_cube`].
    pub fn mesh(&self, shape: Shape, bricks: [usize; 3]) -> Result<Mesh> {
        let sides = [0.0, 1.0]
            .map(|side| (0..=PIECES).map(|k| k as f64 / PIECES as f64).map(|x| [x, self.angle(x, side)]).collect());
        Mesh::of_cube(shape, bricks, &Walled { passage: self, sides })
    }

    /// The angle round the axis at `x`, on the way from one blade, 0, to the next one, 1.
    fn angle(&self, x: f64, way: f64) -> f64 {
        let along = x.clamp(0.0, 1.0);
        // Straight before and behind the blades, with a steady slope.
        let camber = self.turning * (0.5 * along * along + (x - along).max(0.0));
        let half_thickness = self.half_thickness * (PI * along).sin().powi(2);
        let free = TAU / f64::from(self.blades) - 2.0 * half_thickness / self.radii[0];
        camber / self.radii[0] + (way - 0.5) * free
    }

    /// The part of the way that `unit` is of its own, drawn towards both ends.
    fn stretched(&self, unit: f64) -> f64 {
        if self.stretching == 0.0 {
            return unit;
        }
        0.5 * (1.0 + (self.stretching * (2.0 * unit - 1.0)).tanh() / self.stretching.tanh())
    }

    fn radius(&self, unit: f64) -> f64 {
        self.radii[0] + (self.radii[1] - self.radii[0]) * self.stretched(unit)
    }
}

/// A passage with the sides of its blades as lines of x and angle.
struct Walled<'a> {
    passage: &'a Passage,
    sides: [Vec<[f64; 2]>; 2],
}

impl Image for Walled<'_> {
    fn place(&self, unit: [f64; 3]) -> [f64; 3] {
        let x = 3.0 * unit[0] - 1.0;
        let (sin, cos) = self.passage.angle(x, self.passage.stretched(unit[1])).sin_cos();
        let radius = self.passage.radius(unit[2]);
        [x, radius * sin, radius * cos]
    }

    fn kind(&self, unit: [f64; 3]) -> i32 {
        let on_end = |direction: usize| (unit[direction] - 0.5).abs() > 0.5 - 1e-9;
        let between_blades = (unit[0] - 0.5).abs() < 1.0 / 6.0;
        match () {
            () if on_end(0) && unit[0] < 0.5 => INFLOW,
            () if on_end(0) => OUTFLOW,
            () if between_blades => WALL,
            () => SLIP,
        }
    }

    fn distance(&self, unit: [f64; 3], x: [f64; 3]) -> f64 {
        let radius = self.passage.radius(unit[2]);
        let mut distance = FAR_FROM_WALLS;
        let gap = (x[0] - x[0].clamp(0.0, 1.0)).abs();
        for wall in self.passage.radii {
            distance = distance.min((radius - wall).hypot(gap));
        }
        // The sides of the blades in the surface of this radius, unrolled.
        let point = [x[0], radius * x[1].atan2(x[2])];
        for side in &self.sides {
            for ends in side.windows(2) {
                let [a, b] = [ends[0], ends[1]].map(|[x, angle]| [x, radius * angle]);
                distance = distance.min(to_piece(point, a, b));
            }
        }
        distance
    }
}

/// Distance of a point from the straight piece between `a` and `b`.
fn to_piece(point: [f64; 2], a: [f64; 2], b: [f64; 2]) -> f64 {
    let along = [b[0] - a[0], b[1] - a[1]];
    let way = [point[0] - a[0], point[1] - a[1]];
    let part = (way[0] * along[0] + way[1] * along[1]) / (along[0] * along[0] + along[1] * along[1]);
    let part = part.clamp(0.0, 1.0);
    (way[0] - part * along[0]).hypot(way[1] - part * along[1])
}
