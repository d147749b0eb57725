//! Meshes that the tests run on.

use hydra::mesh::{FAR_FROM_WALLS, Image, Mesh, Passage, Shape};

pub(crate) const SHAPES: [Shape; 2] = [Shape::Hexahedra, Shape::Tetrahedra];

/// How the cube is deformed.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Deformation {
    /// Not at all.
    Straight,
    /// Spacings that grow by a factor of about 20 from one end to the other, each direction in another way.
    Graded,
    /// Smooth waves.
    Wavy,
    /// Every node somewhere else, without any pattern.
    Crooked,
    /// A sector of an annulus.
    Annular,
}

pub(crate) const DEFORMATIONS: [Deformation; 5] =
    [Deformation::Straight, Deformation::Graded, Deformation::Wavy, Deformation::Crooked, Deformation::Annular];

/// A deformed cube with kinds of boundary for the lower and upper ends of the three directions.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cube {
    pub(crate) deformation: Deformation,
    pub(crate) kinds: [[i32; 2]; 3],
}

impl Cube {
    pub(crate) fn all(deformation: Deformation, kind: i32) -> Self {
        Self { deformation, kinds: [[kind; 2]; 3] }
    }

    pub(crate) fn mesh(&self, shape: Shape, bricks: [usize; 3]) -> Mesh {
        Mesh::of_cube(shape, bricks, self).unwrap()
    }
}

impl Image for Cube {
    fn place(&self, unit: [f64; 3]) -> [f64; 3] {
        let [x, y, z] = unit;
        match self.deformation {
            Deformation::Straight => unit,
            Deformation::Graded => [(3.0 * x).exp_m1() / 3_f64.exp_m1(), y * (0.05 + 0.95 * y), z],
            Deformation::Wavy => wavy(unit),
            Deformation::Crooked => {
                let by = |k: f64| 0.03 * (127.1 * x + 311.7 * y + 74.7 * z + 53.3 * k).sin();
                [x + by(1.0), y + by(2.0), z + by(3.0)]
            }
            Deformation::Annular => {
                let (angle, radius) = (0.3 * (y - 0.5), 2.0 + z);
                [x, radius * angle.sin(), radius * angle.cos()]
            }
        }
    }

    fn kind(&self, unit: [f64; 3]) -> i32 {
        let direction = (0..3).find(|&d| (unit[d] - 0.5).abs() > 0.5 - 1e-9).expect("on the surface");
        self.kinds[direction][usize::from(unit[direction] > 0.5)]
    }

    fn distance(&self, _: [f64; 3], _: [f64; 3]) -> f64 {
        FAR_FROM_WALLS
    }
}

/// A smooth deformation that leaves no two lines straight or at right angles.
pub(crate) fn wavy([x, y, z]: [f64; 3]) -> [f64; 3] {
    let wave = |a: f64, b: f64| 0.06 * (3.0 * a).sin() * (2.0 * b + 0.5).cos();
    [x + wave(y, z), y + wave(z, x), z + wave(x, y)]
}

/// A passage that is small enough for any test.
pub(crate) fn passage(shape: Shape) -> Mesh {
    Passage::default().mesh(shape, [9, 4, 4]).unwrap()
}
