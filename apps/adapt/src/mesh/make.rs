//! Meshes that are made: structured and random triangulations of the unit square, whole or with holes.

use std::fmt;

use op2_apps::flaw::Flaw;
use rand::rngs::ChaCha8Rng;
use rand::{Rng as _, SeedableRng as _};
use spade::{ConstrainedDelaunayTriangulation, DelaunayTriangulation, Point2, Triangulation};

use super::Mesh;

/// How far vertices are moved at random, in units of the distance of neighbours.
const JITTER: f64 = 0.25;

/// The largest mesh that is made.
pub const MOST_FACETS: usize = 100_000_000;

/// The kinds of meshes. All cover the unit square, or that without holes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Squares cut along the diagonal that rises.
    Structured,
    /// [`Mesh::jittered`] with about as many cells in x as in y.
    Jittered,
    /// The Delaunay triangulation of places that are drawn independently, and of evenly distributed ones on the sides.
    Random,
    /// `Structured`, without the squares of three rectangular holes.
    StructuredHoles,
    /// The Delaunay triangulation of moved nodes of a grid, around three holes that are nearly circles.
    RandomHoles,
}

impl Kind {
    /// All kinds.
    pub const ALL: [Self; 5] =
        [Self::Structured, Self::Jittered, Self::Random, Self::StructuredHoles, Self::RandomHoles];

    /// The kind as command lines name it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Structured => "structured",
            Self::Jittered => "jittered",
            Self::Random => "random",
            Self::StructuredHoles => "structured-holes",
            Self::RandomHoles => "random-holes",
        }
    }

    /// The least number of facets with which a mesh of the kind has its shape.
    pub fn least_facets(self) -> usize {
        match self {
            Self::Structured | Self::Jittered | Self::Random => 2,
            Self::StructuredHoles | Self::RandomHoles => 500,
        }
    }

    /// The holes of the domain.
    pub fn holes(self) -> usize {
        match self {
            Self::Structured | Self::Jittered | Self::Random => 0,
            Self::StructuredHoles => RECTANGLES.len(),
            Self::RandomHoles => CIRCLES.len(),
        }
    }

    /// A mesh of about `facets` facets, within a tenth or the next size that the kind has. `seed` decides all that is
    /// random; the same numbers make the same mesh.
    ///
    /// # Errors
    /// [`Flaw`] for a number of facets below [`Kind::least_facets`] or above [`MOST_FACETS`].
    pub fn mesh(self, facets: usize, seed: u64) -> Result<Mesh, Flaw> {
        let least = self.least_facets();
        if !(least..=MOST_FACETS).contains(&facets) {
            return Err(Flaw::of_mesh(format!(
                "a {self} mesh of {facets} facets cannot be made, expected {least} to {MOST_FACETS}"
            )));
        }
        let cells = (0.5 * facets as f64 / self.area()).sqrt().round().max(1.0) as usize;
        match self {
            Self::Structured => Ok(squares([cells; 2], |_| true, |_| true)),
            Self::Jittered => Ok(Mesh::jittered(cells, cells, seed)),
            Self::Random => scattered(facets, cells, seed),
            Self::StructuredHoles => Ok(squares([cells; 2], |cell| !in_rectangle(cell, cells), |_| true)),
            Self::RandomHoles => around_circles(cells, seed),
        }
    }

    /// The area of the domain; rounding to whole cells changes that with rectangular holes.
    fn area(self) -> f64 {
        match self {
            Self::Structured | Self::Jittered | Self::Random => 1.0,
            Self::StructuredHoles => {
                1.0 - RECTANGLES.iter().map(|[x, y]| (x[1] - x[0]) * (y[1] - y[0])).sum::<f64>() / 100.0
            }
            Self::RandomHoles => 1.0 - CIRCLES.iter().map(|(_, r)| std::f64::consts::PI * r * r).sum::<f64>(),
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl Mesh {
    /// The unit square in `nx` by `ny` cells, each cut along a diagonal that is drawn. Coordinates of vertices inside are
    /// moved by up to ± 0.25 of a cell. The same numbers make the same mesh on every machine. `(384, 408)` are the 313,344
    /// facets of the benchmark.
    ///
    /// # Panics
    /// If there are no cells, or 2³² vertices or facets and more.
    pub fn jittered(nx: usize, ny: usize, seed: u64) -> Self {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let mut mesh = squares([nx, ny], |_| true, |_| rng.next_u32() & 1 == 0);
        let inside = (1..ny).flat_map(|j| (1..nx).map(move |i| j * (nx + 1) + i));
        for vertex in inside {
            let [x, y] = &mut mesh.vertices[vertex];
            *x += moved(&mut rng) / nx as f64;
            *y += moved(&mut rng) / ny as f64;
        }
        mesh
    }
}

/// A number from 0 to 1. Only raw output of the generator is used, which stays the same in later versions of `rand`.
fn drawn(rng: &mut ChaCha8Rng) -> f64 {
    (rng.next_u64() >> 11) as f64 * 2.0_f64.powi(-53)
}

/// A number from -[`JITTER`] to [`JITTER`].
fn moved(rng: &mut ChaCha8Rng) -> f64 {
    JITTER * (2.0 * drawn(rng) - 1.0)
}

/// The unit square in cells, each cut along the diagonal that rises if `rises` says so, which is asked once for each cell;
/// cells that are not `kept` are missing.
fn squares([nx, ny]: [usize; 2], kept: impl Fn([usize; 2]) -> bool, mut rises: impl FnMut([usize; 2]) -> bool) -> Mesh {
    assert!(nx > 0 && ny > 0 && (nx + 1).saturating_mul(ny + 1) < 1 << 31, "{nx} by {ny} cells");
    let vertices = (0..=ny).flat_map(|j| (0..=nx).map(move |i| [i as f64 / nx as f64, j as f64 / ny as f64])).collect();
    let cells = (0..ny).flat_map(|j| (0..nx).map(move |i| [i, j]));
    let facets = cells.filter(|cell| kept(*cell)).flat_map(|[i, j]| {
        let a = (j * (nx + 1) + i) as u32;
        let (b, d) = (a + 1, a + nx as u32 + 1);
        let c = d + 1;
        if rises([i, j]) { [[a, b, c], [a, c, d]] } else { [[a, b, d], [b, c, d]] }
    });
    without_orphans(Mesh { vertices, facets: facets.collect() })
}

/// The mesh without vertices that have no facet; the others keep their order.
fn without_orphans(mesh: Mesh) -> Mesh {
    let mut used = vec![false; mesh.vertices.len()];
    mesh.facets.as_flattened().iter().for_each(|v| used[*v as usize] = true);
    let new: Vec<u32> = used
        .iter()
        .scan(0, |next, used| {
            let number = *next;
            *next += u32::from(*used);
            Some(number)
        })
        .collect();
    Mesh {
        vertices: mesh.vertices.into_iter().zip(&used).filter_map(|(place, used)| used.then_some(place)).collect(),
        facets: mesh.facets.into_iter().map(|facet| facet.map(|v| new[v as usize])).collect(),
    }
}

/// Holes in tenths of the square's sides, from and to in x and y.
const RECTANGLES: [[[f64; 2]; 2]; 3] = [[[2.0, 4.0], [2.0, 4.0]], [[6.0, 8.0], [2.0, 4.0]], [[3.0, 7.0], [6.0, 8.0]]];

/// Whether a cell of `cells` by `cells` lies in a hole. Sides are rounded to those of cells.
fn in_rectangle(cell: [usize; 2], cells: usize) -> bool {
    let side = |tenths: f64| (tenths / 10.0 * cells as f64).round() as usize;
    RECTANGLES.iter().any(|hole| [0, 1].iter().all(|k| (side(hole[*k][0])..side(hole[*k][1])).contains(&cell[*k])))
}

/// The Delaunay triangulation of `cells` equal parts of each side and of places inside, drawn one by one, such that there
/// are `facets` of them, or one more.
fn scattered(facets: usize, cells: usize, seed: u64) -> Result<Mesh, Flaw> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let at = |k: usize| k as f64 / cells as f64;
    let mut places: Vec<[f64; 2]> =
        (0..cells).flat_map(|k| [[at(k), 0.0], [1.0, at(k)], [1.0 - at(k), 1.0], [0.0, 1.0 - at(k)]]).collect();
    // Of a triangulation with i vertices inside and b on the border: i + b - edges + facets = 1, 3 facets = 2 edges - b.
    let inside = (facets + 2).saturating_sub(places.len()).div_ceil(2);
    // Away from the sides, where they would make facets as flat as they are near.
    let near = 0.25 / cells as f64;
    places.extend(
        (0..inside).map(|_| [near + (1.0 - 2.0 * near) * drawn(&mut rng), near + (1.0 - 2.0 * near) * drawn(&mut rng)]),
    );
    let points = places.iter().map(|[x, y]| Point2::new(*x, *y)).collect();
    let made = DelaunayTriangulation::<Point2<f64>>::bulk_load_stable(points).map_err(failed)?;
    mesh_of(&made, places, |_| true)
}

/// Holes: their middle and radius.
const CIRCLES: [([f64; 2], f64); 3] = [([0.3, 0.3], 0.12), ([0.7, 0.32], 0.08), ([0.52, 0.7], 0.16)];

/// The Delaunay triangulation of the nodes of `cells` by `cells` cells, moved at random, around polygons that stand for
/// [`CIRCLES`].
fn around_circles(cells: usize, seed: u64) -> Result<Mesh, Flaw> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let size = 1.0 / cells as f64;
    let (mut places, mut border, mut hole_of) = (Vec::new(), Vec::new(), Vec::new());
    for (hole, ([x, y], r)) in CIRCLES.into_iter().enumerate() {
        let corners = (std::f64::consts::TAU * r / size).ceil() as usize;
        let first = places.len();
        for k in 0..corners {
            let angle = std::f64::consts::TAU * k as f64 / corners as f64;
            places.push([x + r * angle.cos(), y + r * angle.sin()]);
            border.push([first + k, first + (k + 1) % corners]);
        }
        hole_of.resize(places.len(), hole);
    }
    for j in 0..=cells {
        for i in 0..=cells {
            let place = [i, j].map(|k| {
                if k == 0 || k == cells { k as f64 / cells as f64 } else { (k as f64 + moved(&mut rng)) * size }
            });
            // Nearer ones would make flat facets.
            let free = CIRCLES.iter().all(|([x, y], r)| (place[0] - x).hypot(place[1] - y) > r + 0.6 * size);
            if free {
                places.push(place);
            }
        }
    }
    let points = places.iter().map(|[x, y]| Point2::new(*x, *y)).collect();
    let made = ConstrainedDelaunayTriangulation::<Point2<f64>>::bulk_load_cdt(points, border).map_err(failed)?;
    // A facet inside a hole, and no other, has all its vertices on the polygon, which is convex.
    mesh_of(&made, places, |facet| {
        let [a, b, c] = facet.map(|v| hole_of.get(v as usize));
        a.is_none() || a != b || a != c
    })
}

/// The facets of a triangulation that are `kept`, in the order of their first vertices.
fn mesh_of<T: Triangulation>(made: &T, places: Vec<[f64; 2]>, kept: impl Fn([u32; 3]) -> bool) -> Result<Mesh, Flaw> {
    if made.num_vertices() != places.len() {
        return Err(failed("two vertices are in one place, so take fewer facets"));
    }
    let all = made.inner_faces().map(|face| from_least(face.vertices().map(|v| v.index() as u32)));
    let mut facets: Vec<[u32; 3]> = all.filter(|facet| kept(*facet)).collect();
    facets.sort_unstable();
    Ok(Mesh { vertices: places, facets })
}

fn failed(reason: impl fmt::Display) -> Flaw {
    Flaw::of_mesh(format!("the vertices have no Delaunay triangulation: {reason}"))
}

/// The same triangle from its vertex of the least number on.
fn from_least([a, b, c]: [u32; 3]) -> [u32; 3] {
    [[a, b, c], [b, c, a], [c, a, b]].into_iter().min().unwrap_or([a, b, c])
}
