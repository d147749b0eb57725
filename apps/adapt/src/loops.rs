//! Adaptivity as loops of op2.
//!
//! | module | what it does |
//! | --- | --- |
//! | [`Adaptive`] | a mesh that op2 knows, with its metric and fields |
//! | `coarsen` | collapses edges |
//! | `refine` | divides facets |
//! | `colour` | colours facets |
//! | `measure` | the metric, or another one for the same mesh |
//! | `start` | what they need to know at the start |

mod coarsen;
mod colour;
mod measure;
mod refine;
mod start;

use op2::prelude::*;

use crate::kernels::{Facets, Verts};
use crate::mesh::Mesh;
use crate::mesh::edges::adjacency;
use crate::metric::{Metric, Tensor};
use crate::outcome::{Counts, Field, Seconds};

/// A mesh that changes: sets, maps and dats of op2.
///
/// All methods take the [`Op2`] with which it was made.
pub struct Adaptive {
    facets: Set<Facets>,
    verts: Set<Verts>,
    /// The corners of facets.
    fv: Map<Facets, Verts, 3>,
    /// Their neighbours.
    fa: OptMap<Facets, Facets, 3>,
    /// A living facet of each vertex.
    tip: Map<Verts, Facets, 1>,
    /// Where vertices are.
    x: Dat<Verts, [f64; 2]>,
    /// The metric there.
    m: Dat<Verts, Tensor>,
    /// Whether a vertex is inside the domain. Those at its boundary stay.
    inner: Dat<Verts, bool>,
    fields: Vec<(String, Dat<Verts, f64>)>,
    /// The other half of a facet that was divided into two.
    sibling: OptMap<Facets, Facets, 1>,
    grid: measure::Grid,
    coarsening: coarsen::Coarsening,
    refinement: refine::Refinement,
    /// How often things have happened so far.
    pub counts: Counts,
    /// How long it took.
    pub seconds: Seconds,
}

impl Adaptive {
    /// Makes a mesh known to `op`, with a metric and fields on its vertices.
    ///
    /// The mesh is one that passes [`Mesh::check`].
    ///
    /// # Errors
    /// Those of op2: vertices that are not there, fields of another length, memory that the system lacks.
    pub fn new(op: &mut Op2, mesh: &Mesh, metric: &Metric, fields: &[Field]) -> op2::Result<Self> {
        let facets = op.decl_set("facets", mesh.facets.len())?;
        let verts = op.decl_set("vertices", mesh.vertices.len())?;
        let fv = op.decl_map("corners", facets, verts, &mesh.facets)?;
        let near = adjacency(&mesh.facets, mesh.vertices.len());
        let inner = start::inner(&mesh.facets, &near, mesh.vertices.len());
        let tips = start::tips(&mesh.facets, mesh.vertices.len());
        let fields =
            fields.iter().map(|field| Ok((field.name.clone(), op.decl_dat(&field.name, verts, &field.values)?)));
        Ok(Self {
            fields: fields.collect::<op2::Result<_>>()?,
            facets,
            verts,
            fv,
            fa: op.decl_opt_map("neighbours", facets, facets, &near)?,
            tip: op.decl_map("tip", verts, facets, &tips)?,
            x: op.decl_dat("places", verts, &mesh.vertices)?,
            m: op.decl_dat("metric", verts, &metric.at_vertices(mesh))?,
            inner: op.decl_dat("inner", verts, &inner)?,
            sibling: op.decl_opt_map::<_, _, u32, 1>("sibling", facets, facets, &vec![[None]; mesh.facets.len()])?,
            grid: measure::Grid::new(op, metric, mesh, verts)?,
            coarsening: coarsen::Coarsening::new(op, facets, verts)?,
            refinement: refine::Refinement::new(op, facets, verts)?,
            counts: Counts::default(),
            seconds: Seconds::default(),
        })
    }

    /// The mesh as it is now.
    ///
    /// # Errors
    /// As [`Op2::fetch`].
    pub fn mesh(&self, op: &mut Op2) -> op2::Result<Mesh> {
        Ok(Mesh { vertices: op.fetch(self.x)?, facets: op.fetch_map(self.fv)? })
    }

    /// The fields as they are now.
    ///
    /// # Errors
    /// As [`Op2::fetch`].
    pub fn fields(&self, op: &mut Op2) -> op2::Result<Vec<Field>> {
        let fetched =
            |(name, dat): &(String, Dat<Verts, f64>)| Ok(Field { name: name.clone(), values: op.fetch(*dat)? });
        self.fields.iter().map(fetched).collect()
    }

    /// The metric at vertices.
    ///
    /// # Errors
    /// As [`Op2::fetch`].
    pub fn tensors(&self, op: &mut Op2) -> op2::Result<Vec<Tensor>> {
        op.fetch(self.m)
    }

    /// The other half of each facet that was made by dividing one into two. It is out of date where coarsening has changed one of them.
    ///
    /// # Errors
    /// As [`Op2::fetch`].
    pub fn siblings(&self, op: &mut Op2) -> op2::Result<Vec<Option<u32>>> {
        Ok(op.fetch_opt_map(self.sibling)?.into_iter().map(|[other]| other).collect())
    }

    /// The neighbours of facets as the loops have left them, to be compared with those that the corners tell.
    ///
    /// # Errors
    /// As [`Op2::fetch`].
    pub fn neighbours(&self, op: &mut Op2) -> op2::Result<Vec<[Option<u32>; 3]>> {
        op.fetch_opt_map(self.fa)
    }
}
