//! Meshes that are made: structured ones, and Delaunay triangulations of staggered rows.

use std::fmt;

use op2_apps::flaw::Flaw;
use rand::rngs::ChaCha8Rng;
use rand::{RngExt as _, SeedableRng as _};
use spade::{DelaunayTriangulation, Point2, Triangulation as _};

use super::Mesh;

/// How far vertices are moved at random, in units of the distance of vertices in a row.
const JITTER: f64 = 0.25;

/// The largest mesh that is made: the numbers of its vertices and of their coordinates stay within 32 bits.
const MOST_TRIANGLES: usize = 1 << 30;

/// The kinds of meshes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Squares cut along one diagonal.
    Structured,
    /// Staggered rows of vertices, moved at random, in a Delaunay triangulation: sizes that vary little, as in the
    /// paper's figure 9.
    Low,
    /// The vertices of `Low` with their coordinates squared, in a Delaunay triangulation: as in the paper's figure 10.
    High,
}

impl Kind {
    /// All kinds.
    pub const ALL: [Self; 3] = [Self::Structured, Self::Low, Self::High];

    /// The kind as command lines name it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Structured => "structured",
            Self::Low => "low",
            Self::High => "high",
        }
    }

    /// A mesh with the number of triangles nearest to `triangles` that the kind allows. `seed` decides where vertices
    /// are moved; the same numbers make the same mesh.
    ///
    /// # Errors
    /// [`Flaw`] for a number of triangles that is no mesh of the kind, or too large.
    pub fn mesh(self, triangles: usize, seed: u64) -> Result<Mesh, Flaw> {
        if !(2..=MOST_TRIANGLES).contains(&triangles) {
            let range = format!("2 to {MOST_TRIANGLES}");
            return Err(Flaw::of_mesh(format!(
                "a {self} mesh of {triangles} triangles cannot be made, expected {range}"
            )));
        }
        match self {
            Self::Structured => Ok(squares(nearest_square(triangles))),
            Self::Low => delaunay(staggered(triangles, seed)),
            Self::High => delaunay(staggered(triangles, seed).into_iter().map(|[x, y]| [x * x, y * y]).collect()),
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The n for which 2n² is nearest to a number of triangles.
fn nearest_square(triangles: usize) -> usize {
    let n = ((triangles / 2) as f64).sqrt() as usize;
    (n.max(1)..=n + 1).min_by_key(|n| (2 * n * n).abs_diff(triangles)).unwrap_or(1)
}

/// `n` by `n` squares, each cut along the diagonal that rises.
fn squares(n: usize) -> Mesh {
    let place = |k: usize| k as f64 / n as f64;
    let vertices = (0..=n).flat_map(|j| (0..=n).map(move |i| [place(i), place(j)])).collect();
    let triangles = (0..n).flat_map(|j| (0..n).map(move |i| ((n + 1) * j + i) as u32)).flat_map(|lower| {
        let upper = lower + n as u32 + 1;
        [[lower, lower + 1, upper + 1], [lower, upper + 1, upper]]
    });
    Mesh { vertices, triangles: triangles.collect() }
}

/// The numbers of rows and of vertices in a row for which a triangulation of [`staggered`] has the number of triangles
/// nearest to `triangles`. With m rows, m even, and n intervals in a row it has m(2n + 1): rows at half height end on
/// the sides as well.
fn rows(triangles: usize) -> (usize, usize) {
    let near = ((triangles / 2) as f64).sqrt() as usize / 2;
    let sizes = (near.max(1)..=near + 1).map(|half| {
        let m = 2 * half;
        let n = ((triangles as f64 / m as f64 - 1.0) / 2.0).round().max(1.0) as usize;
        (m, n)
    });
    sizes.min_by_key(|(m, n)| (m * (2 * n + 1)).abs_diff(triangles)).unwrap_or((2, 1))
}

/// Vertices in staggered rows, moved by up to ±[`JITTER`] of their distance: those inside in both directions, those on
/// a side along it and like their image on the opposite side, corners not at all.
fn staggered(triangles: usize, seed: u64) -> Vec<[f64; 2]> {
    let (m, n) = rows(triangles);
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut moved = |distance: f64| rng.random_range(-JITTER..JITTER) * distance;
    let (dx, dy) = (1.0 / n as f64, 1.0 / m as f64);
    let bottom: Vec<f64> = (1..n).map(|i| i as f64 * dx + moved(dx)).collect();
    let mut vertices = Vec::with_capacity((m + 1) * (n + 2));
    for j in 0..=m {
        let ends = j == 0 || j == m;
        let side = if ends { j as f64 * dy } else { j as f64 * dy + moved(dy) };
        vertices.push([0.0, side]);
        if ends {
            vertices.extend(bottom.iter().map(|x| [*x, side]));
        } else {
            let offset = if j % 2 == 0 { 1.0 } else { 0.5 };
            let inside = if j % 2 == 0 { n - 1 } else { n };
            vertices.extend((0..inside).map(|i| {
                let x = (i as f64 + offset) * dx + moved(dx);
                [x, j as f64 * dy + moved(dy)]
            }));
        }
        vertices.push([1.0, side]);
    }
    vertices
}

/// The Delaunay triangulation of vertices in the closed square. Triangles come in the order of their first vertices.
fn delaunay(vertices: Vec<[f64; 2]>) -> Result<Mesh, Flaw> {
    let points = vertices.iter().map(|[x, y]| Point2::new(*x, *y)).collect();
    let failed = |reason: String| Flaw::of_mesh(format!("the vertices have no Delaunay triangulation: {reason}"));
    let made = DelaunayTriangulation::<Point2<f64>>::bulk_load_stable(points).map_err(|e| failed(e.to_string()))?;
    if made.num_vertices() != vertices.len() {
        return Err(failed("two of them are in one place, so take fewer triangles".into()));
    }
    let mut triangles: Vec<[u32; 3]> =
        made.inner_faces().map(|face| from_least(face.vertices().map(|v| v.index() as u32))).collect();
    triangles.sort_unstable();
    Ok(Mesh { vertices, triangles })
}

/// The same triangle from its vertex of the least number on.
fn from_least([a, b, c]: [u32; 3]) -> [u32; 3] {
    [[a, b, c], [b, c, a], [c, a, b]].into_iter().min().unwrap_or([a, b, c])
}

#[cfg(test)]
mod tests {
    use super::super::Boundary;
    use super::*;

    #[test]
    fn meshes_are_periodic_and_near_the_size_that_was_asked_for() {
        for kind in Kind::ALL {
            for (asked, within) in [(2, 4), (100, 10), (1000, 40), (4096, 50)] {
                let mesh = kind.mesh(asked, 3).unwrap();
                mesh.check(Boundary::Periodic).unwrap_or_else(|e| panic!("{kind} {asked}: {e}"));
                let found = mesh.triangles.len();
                assert!(found.abs_diff(asked) <= within, "{kind}: {found} triangles for {asked}");
            }
        }
        assert_eq!(Kind::Structured.mesh(4000, 0).unwrap().triangles.len(), 2 * 45 * 45);
    }

    #[test]
    fn a_seed_makes_one_mesh() {
        let low = |seed| Kind::Low.mesh(500, seed).unwrap();
        assert_eq!(low(7), low(7));
        assert_ne!(low(7).vertices, low(8).vertices);
    }

    #[test]
    fn triangulations_are_delaunay() {
        let mesh = Kind::High.mesh(300, 1).unwrap();
        for corners in mesh.corners() {
            for p in &mesh.vertices {
                let [a, b, c] = corners.map(|v| [v[0] - p[0], v[1] - p[1]]);
                let square = |v: [f64; 2]| v[0] * v[0] + v[1] * v[1];
                let cross = |v: [f64; 2], w: [f64; 2]| v[0] * w[1] - v[1] * w[0];
                let inside = square(a) * cross(b, c) + square(b) * cross(c, a) + square(c) * cross(a, b);
                assert!(inside < 1e-15, "{p:?} is in the circle of {corners:?}");
            }
        }
    }

    #[test]
    fn squared_coordinates_vary_more() {
        let spread = |kind: Kind| {
            let mesh = kind.mesh(2000, 1).unwrap();
            mesh.longest_edge() * (mesh.triangles.len() as f64).sqrt()
        };
        let (low, high) = (spread(Kind::Low), spread(Kind::High));
        assert!(low < 2.8 && high > 1.5 * low, "{low} {high}");
    }

    #[test]
    fn a_mesh_without_triangles_is_refused() {
        let said = Kind::Low.mesh(1, 0).unwrap_err().to_string();
        assert_eq!(said, "a low mesh of 1 triangles cannot be made, expected 2 to 1073741824");
    }
}
