//! The metric of a mesh: its grid, and the tensors at vertices.

use op2::prelude::*;

use super::Adaptive;
use crate::kernels::grid::gauge;
use crate::kernels::{Nodes, Verts};
use crate::mesh::Mesh;
use crate::metric::{Metric, Tensor};

/// The grid of a metric, and where vertices are in it.
#[derive(Clone, Copy)]
pub(super) struct Grid {
    pub(super) tensors: Dat<Nodes, Tensor>,
    /// Column and row of a node.
    pub(super) places: Dat<Nodes, [u32; 2]>,
    /// The nodes to the west, east, south and north; the node itself at the border.
    pub(super) beside: Map<Nodes, Nodes, 4>,
    /// The lower left node of the square around a vertex.
    pub(super) cell: Map<Verts, Nodes, 1>,
    pub(super) origin: Global<[f64; 2]>,
    pub(super) spacing: Global<[f64; 2]>,
    pub(super) size: Global<[u32; 2]>,
    /// Those that the handles stand for.
    shape: Shape,
}

/// Nodes, origin and spacing of a grid.
type Shape = ([usize; 2], [f64; 2], [f64; 2]);

fn shape(metric: &Metric) -> Shape {
    (metric.nodes, metric.origin, metric.spacing)
}

impl Grid {
    pub(super) fn new(op: &mut Op2, metric: &Metric, mesh: &Mesh, verts: Set<Verts>) -> op2::Result<Self> {
        let [columns, rows] = metric.nodes;
        let nodes = op.decl_set("nodes", columns * rows)?;
        let all = || (0..rows as u32).flat_map(|row| (0..columns as u32).map(move |column| [column, row]));
        let number = |column: u32, row: u32| row * columns as u32 + column;
        let beside: Vec<[u32; 4]> = all()
            .map(|[column, row]| {
                let (east, north) = ((column + 1).min(columns as u32 - 1), (row + 1).min(rows as u32 - 1));
                let (west, south) = (column.saturating_sub(1), row.saturating_sub(1));
                [number(west, row), number(east, row), number(column, south), number(column, north)]
            })
            .collect();
        let cells: Vec<[u32; 1]> = (mesh.vertices.iter())
            .map(|place| {
                let [column, row] = metric.square(*place).0;
                [number(column as u32, row as u32)]
            })
            .collect();
        Ok(Self {
            tensors: op.decl_dat("tensors", nodes, &metric.values)?,
            places: op.decl_dat("places of nodes", nodes, &all().collect::<Vec<_>>())?,
            beside: op.decl_map("beside", nodes, nodes, &beside)?,
            cell: op.decl_map("cell", verts, nodes, &cells)?,
            origin: op.decl_global("origin", metric.origin),
            spacing: op.decl_global("spacing", metric.spacing),
            size: op.decl_global("size", metric.nodes.map(|n| n as u32)),
            shape: shape(metric),
        })
    }
}

impl Adaptive {
    /// Gives the vertices the tensors of another metric, as for one that moves in time. It is no part of [`Adaptive::seconds`].
    ///
    /// # Errors
    /// Those of op2: memory that the system lacks, a device that fails.
    pub fn measure(&mut self, op: &mut Op2, metric: &Metric) -> op2::Result<()> {
        if self.grid.shape == shape(metric) {
            op.set_data(self.grid.tensors, &metric.values)?;
        } else {
            let mesh = self.mesh(op)?;
            self.grid = Grid::new(op, metric, &mesh, self.verts)?;
        }
        let Grid { tensors, beside, cell, origin, spacing, size, .. } = self.grid;
        op_par_loop!(
            op,
            gauge,
            self.verts,
            read(self.x),
            read(cell),
            gbl_read(origin),
            gbl_read(spacing),
            gbl_read(size),
            read(beside, all),
            read(tensors, all),
            write(self.m)
        )
    }
}
