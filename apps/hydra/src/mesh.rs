//! The mesh as a node-centred scheme sees it: edges with dual faces, nodes with volumes, and the boundary, node by
//! node.
//!
//! A mesh is the image of a cube of bricks ([`Mesh::of_cube`]) or the passage between two blades ([`Passage::mesh`]), or
//! is read from a file ([`Mesh::read`]), and can be renumbered at random ([`Mesh::shuffled`]). All numbers count from 0.
//! Call [`Mesh::check`] before computing on a mesh.

mod check;
mod file;
mod passage;
mod shuffle;

use op2_meshes::dual::Dual;
use op2_meshes::space;

use crate::physics::{ON_WALL, kind};
use crate::{Fault, Result};

pub use passage::Passage;
pub use shuffle::Renumbering;

/// Distance from the wall in a mesh without walls.
pub const FAR_FROM_WALLS: f64 = 1e10;

/// Elements of the sets, as errors call them.
const NODE: &str = "node";
const CELL: &str = "cell";
const EDGE: &str = "edge";
const PART: &str = "part of the boundary";

/// The shape of all cells of a mesh.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// Hexahedra.
    Hexahedra,
    /// Tetrahedra, six to each brick.
    Tetrahedra,
}

impl Shape {
    /// Number of corners.
    pub fn corners(self) -> usize {
        match self {
            Self::Hexahedra => 8,
            Self::Tetrahedra => 4,
        }
    }
}

/// A node-centred mesh.
#[derive(Clone, Debug, PartialEq)]
pub struct Mesh {
    /// Shape of the cells.
    pub shape: Shape,
    /// Coordinates of the nodes: `[nodes][3]`.
    pub x: Vec<[f64; 3]>,
    /// Corners of the cells, one cell after the other: 8 or 4 node numbers each, in the order of `op2-meshes`.
    pub corners: Vec<u32>,
    /// Ends of the edges: `[edges][2]`, node numbers.
    pub edge_nodes: Vec<[u32; 2]>,
    /// Area vectors of the dual faces, from the first end to the second: `[edges][3]`.
    pub normals: Vec<[f64; 3]>,
    /// Volumes of the dual cells: `[nodes]`.
    pub volumes: Vec<f64>,
    /// Distance from the nearest wall with friction, or [`FAR_FROM_WALLS`]: `[nodes]`.
    pub distance: Vec<f64>,
    /// [`ON_WALL`] or 0: `[nodes]`.
    pub flag: Vec<i32>,
    /// Node of each part of the boundary; a node has one part for each side of the cube, and kind, that it lies on:
    /// `[parts][1]`.
    pub part_node: Vec<[u32; 1]>,
    /// Area vectors of the parts, out of the mesh: `[parts][3]`.
    pub part_normals: Vec<[f64; 3]>,
    /// Kinds of the parts, of [`kind`]: `[parts]`.
    pub part_kind: Vec<i32>,
}

/// Maps points of the unit cube to the mesh: coordinates, kind of boundary, distance from walls.
pub trait Image {
    /// The coordinates of the point `unit`. Must keep the orientation.
    fn place(&self, unit: [f64; 3]) -> [f64; 3];
    /// The kind of boundary round the point `unit` of the cube's surface.
    fn kind(&self, unit: [f64; 3]) -> i32;
    /// Distance of the node at `unit`, now at `x`, from the nearest wall with friction; [`FAR_FROM_WALLS`] without any.
    fn distance(&self, unit: [f64; 3], x: [f64; 3]) -> f64;
}

impl Mesh {
    /// The image of a cube of `bricks`, its median dual with it.
    ///
    /// # Errors
    ///
    /// [`Fault::Size`] if there are no bricks in a direction, or more nodes, edges or cells than can be numbered;
    /// [`Fault::Volume`] if the image turns cells inside out.
    pub fn of_cube(shape: Shape, bricks: [usize; 3], image: &impl Image) -> Result<Self> {
        let [nx, ny, nz] = bricks;
        match shape {
            Shape::Hexahedra => Self::new(
                shape,
                space::hexahedra(nx, ny, nz).build().map_err(Fault::Size)?,
                space::Hexahedra::dual,
                image,
            ),
            Shape::Tetrahedra => Self::new(
                shape,
                space::tetrahedra(nx, ny, nz).build().map_err(Fault::Size)?,
                space::Tetrahedra::dual,
                image,
            ),
        }
    }

    /// Number of nodes.
    pub fn nodes(&self) -> usize {
        self.x.len()
    }

    /// Number of edges.
    pub fn edges(&self) -> usize {
        self.edge_nodes.len()
    }

    /// Number of parts of the boundary.
    pub fn parts(&self) -> usize {
        self.part_node.len()
    }

    /// Number of corners of a cell.
    pub fn corners_per_cell(&self) -> usize {
        self.shape.corners()
    }

    /// Number of cells.
    pub fn cells(&self) -> usize {
        self.corners.len() / self.corners_per_cell()
    }

    fn new<const C: usize, const E: usize, const F: usize, const N: usize>(
        shape: Shape,
        mut cells: space::Mesh<C, E, F, N>,
        dual: fn(&space::Mesh<C, E, F, N>) -> Dual<N>,
        image: &impl Image,
    ) -> Result<Self> {
        let unit = std::mem::take(&mut cells.x);
        cells.x = unit.iter().map(|&unit| image.place(unit)).collect();
        let Dual { normals, volumes, boundary } = dual(&cells);
        if let Some((node, &volume)) = volumes.iter().enumerate().find(|(_, volume)| volume.is_nan() || **volume <= 0.0)
        {
            return Err(Fault::Volume { node, volume }.into());
        }
        let parts = parts(&cells.bface_nodes, &boundary, &unit, image);
        let mut flag = vec![0; cells.x.len()];
        parts.iter().filter(|part| part.kind == kind::WALL).for_each(|part| flag[part.node as usize] = ON_WALL);
        let mut distance: Vec<f64> = unit.iter().zip(&cells.x).map(|(&unit, &x)| image.distance(unit, x)).collect();
        distance.iter_mut().zip(&flag).filter(|(_, flag)| **flag == ON_WALL).for_each(|(distance, _)| *distance = 0.0);
        Ok(Self {
            shape,
            corners: cells.cell_nodes.into_flattened(),
            edge_nodes: cells.edge_nodes,
            normals,
            volumes,
            distance,
            flag,
            part_node: parts.iter().map(|part| [part.node]).collect(),
            part_normals: parts.iter().map(|part| part.normal).collect(),
            part_kind: parts.iter().map(|part| part.kind).collect(),
            x: cells.x,
        })
    }
}

/// A node's part of one side of the boundary.
struct Part {
    node: u32,
    side: usize,
    kind: i32,
    normal: [f64; 3],
}

impl Part {
    fn key(&self) -> (u32, usize, i32) {
        (self.node, self.side, self.kind)
    }
}

/// The side of the unit cube on which the point lies.
fn side(point: [f64; 3]) -> usize {
    let off = point.map(|x| (x - 0.5).abs());
    let direction = (0..3).fold(0, |most, d| if off[d] > off[most] { d } else { most });
    2 * direction + usize::from(point[direction] > 0.5)
}

/// The parts of the boundary by node, then side and kind. `areas` has those of the corners of each face.
fn parts<const N: usize>(
    faces: &[[u32; N]],
    areas: &[[[f64; 3]; N]],
    unit: &[[f64; 3]],
    image: &impl Image,
) -> Vec<Part> {
    let mut all: Vec<Part> = Vec::with_capacity(faces.len() * N);
    for (corners, areas) in faces.iter().zip(areas) {
        let mut centre = [0.0; 3];
        for &corner in corners {
            centre.iter_mut().zip(unit[corner as usize]).for_each(|(sum, x)| *sum += x / N as f64);
        }
        let (kind, side) = (image.kind(centre), side(centre));
        all.extend(corners.iter().zip(areas).map(|(&node, &normal)| Part { node, side, kind, normal }));
    }
    // The sort is stable, so that areas are added in the order of the faces.
    all.sort_by_key(Part::key);
    let mut parts: Vec<Part> = Vec::with_capacity(all.len() / 3);
    for part in all {
        match parts.last_mut() {
            Some(last) if last.key() == part.key() => {
                last.normal.iter_mut().zip(part.normal).for_each(|(sum, n)| *sum += n);
            }
            _ => parts.push(part),
        }
    }
    parts
}
