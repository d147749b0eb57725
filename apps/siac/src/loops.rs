//! The filter as loops of op2 over pairs of triangles and stencils.
//!
//! A loop finds the triangles that meet a stencil as it runs. Triangles or points are outside, by the [`Method`]. The kernel is the same.

use std::time::Instant;

use op2::prelude::*;

use crate::kernels::{contribution, in_stencil};
use crate::mesh::{Boundary, longest_edge};
use crate::projection::{Corners, Solution};
use crate::quadrature::table;
use crate::reference::{Method, Outcome};
use crate::stencil::Stencils;

op2::sets! { Triangles, Points }

/// A triangle and a stencil whose kernel is that of all.
#[op2::kernel]
fn meet<const N: usize, const M: usize, const D: usize, const Q: usize>(
    corners: &[[f64; 2]; 3],
    u: &[[f64; D]; D],
    centre: &[f64; 2],
    shift: [f64; 2],
    inverse_h: &f64,
    kernel: &[[f64; N]; M],
    rule: &[[f64; 3]; Q],
    value: &mut f64,
    hits: &mut u64,
) {
    let placed = in_stencil(corners, &shift, centre, *inverse_h, M);
    let (part, hit) = contribution(&placed, u, kernel, kernel, rule);
    *value += part;
    *hits += u64::from(hit);
}

/// A triangle and a stencil that has kernels of its own, in x and y.
#[op2::kernel]
fn meet_one_sided<const N: usize, const M: usize, const D: usize, const Q: usize>(
    corners: &[[f64; 2]; 3],
    u: &[[f64; D]; D],
    centre: &[f64; 2],
    inverse_h: &f64,
    kernels: &[[[f64; N]; M]; 2],
    rule: &[[f64; 3]; Q],
    value: &mut f64,
    hits: &mut u64,
) {
    let placed = in_stencil(corners, &[0.0, 0.0], centre, *inverse_h, M);
    let (part, hit) = contribution(&placed, u, &kernels[0], &kernels[1], rule);
    *value += part;
    *hits += u64::from(hit);
}

/// Filters `solution`, which is on the triangles of `corners`, at the points of `stencils`, as
/// [`reference::filtered`](crate::reference::filtered) does, by loops on `op`. The report of `op` tells how the pairs were found.
///
/// # Errors
/// Those of op2: memory that the system lacks, strategies and devices that cannot be had.
///
/// # Panics
/// As [`reference::filtered`](crate::reference::filtered), if the lengths are others.
pub fn filtered<const N: usize, const M: usize, const D: usize, const Q: usize>(
    op: &mut Op2,
    method: Method,
    corners: &[Corners],
    solution: &Solution,
    stencils: &Stencils<N, M>,
) -> op2::Result<Outcome> {
    let triangles = op.decl_set::<Triangles>("triangles", corners.len())?;
    let points = op.decl_set::<Points>("points", stencils.centres.len())?;
    let x = op.decl_dat("corners", triangles, corners)?;
    let u = op.decl_dat("u", triangles, &solution.framed::<D>(corners, stencils.h))?;
    let centre = op.decl_dat("centre", points, &stencils.centres)?;
    let value = op.decl_dat_filled("value", points, 0.0)?;
    let inverse_h = op.decl_global("inverse h", 1.0 / stencils.h);
    let rule = op.decl_global("rule", table::<Q>(2 * (N - 1) + D - 1));
    let hits = op.decl_global("hits", 0_u64);
    // Cells of the sizes that the paper compares (equation 3).
    let cell = longest_edge(corners) * if method == Method::PerPoint { 1.0 } else { 0.5 };
    let near = Within::boxes(x, centre).margin(0.5 * stencils.width()).cell(cell);
    let start = Instant::now();
    match stencils.boundary {
        Boundary::Periodic => {
            let near = op.decl_pairs("stencils", near.periodic([1.0; 2]))?;
            let kernel = op.decl_global("kernel", stencils.tables[0]);
            macro_rules! run {
                ($pairs:expr) => {
                    op_par_loop!(
                        op,
                        meet,
                        $pairs,
                        read(x, from),
                        read(u, from),
                        read(centre, to),
                        shift(),
                        gbl_read(inverse_h),
                        gbl_read(kernel),
                        gbl_read(rule),
                        inc(value, to),
                        gbl_inc(hits)
                    )?
                };
            }
            match method {
                Method::PerPoint => run!(near.by_to()),
                Method::PerElement => run!(near),
            }
        }
        Boundary::OneSided => {
            let near = op.decl_pairs("stencils", near)?;
            let tables = |of: &[u32; 2]| of.map(|table| stencils.tables[table as usize]);
            let kernels = op.decl_dat("kernels", points, &stencils.kernels.iter().map(tables).collect::<Vec<_>>())?;
            macro_rules! run {
                ($pairs:expr) => {
                    op_par_loop!(
                        op,
                        meet_one_sided,
                        $pairs,
                        read(x, from),
                        read(u, from),
                        read(centre, to),
                        gbl_read(inverse_h),
                        read(kernels, to),
                        gbl_read(rule),
                        inc(value, to),
                        gbl_inc(hits)
                    )?
                };
            }
            match method {
                Method::PerPoint => run!(near.by_to()),
                Method::PerElement => run!(near),
            }
        }
    }
    let (values, hits, elapsed) = (op.fetch(value)?, op.get(hits)?, start.elapsed().as_secs_f64());
    let row = op.report().loops.pop();
    // A compiler that works at run time is not part of the filter.
    let on_device = matches!(op.backend(), Backend::Cuda(_) | Backend::Hip(_) | Backend::CudaEmu);
    let compiling = row.as_ref().filter(|_| on_device).map_or(0.0, |row| row.plan_seconds);
    let seconds = elapsed - compiling;
    let search = row.and_then(|row| row.search);
    Ok(Outcome { values, tests: search.map_or(0, |search| search.proposed), hits, seconds })
}
