//! Clouds of triangles and points, whose pairs are also found by comparing all with all.

use crate::support::mesh::{Edges, Nodes};
use crate::support::samples;
use op2::{Dat, Op2, Pairs, Set, Within};

/// Triangles and points in a square, or two clouds of points in a cube.
#[derive(Debug, Clone, Copy)]
pub(super) struct Cloud {
    pub(super) from: usize,
    pub(super) to: usize,
    /// The size of a triangle.
    pub(super) size: f64,
    pub(super) margin: f64,
    pub(super) period: Option<f64>,
    pub(super) cell: Option<f64>,
    /// How far some elements lie outside of the first period.
    pub(super) away: f64,
}

pub(super) const PLAIN: Cloud =
    Cloud { from: 70, to: 90, size: 0.2, margin: 0.05, period: None, cell: None, away: 0.0 };

pub(super) fn clouds() -> Vec<Cloud> {
    let wide = Cloud { margin: 1.3, period: Some(1.0), from: 11, to: 14, ..PLAIN };
    vec![
        PLAIN,
        Cloud { cell: Some(0.01), ..PLAIN },
        Cloud { cell: Some(100.0), ..PLAIN },
        Cloud { period: Some(2.0), away: 3.0, ..PLAIN },
        Cloud { period: Some(2.5), cell: Some(0.3), ..PLAIN },
        wide,
        Cloud { away: 7.0, cell: Some(0.4), ..wide },
        Cloud { size: 0.0, margin: 0.0, ..PLAIN },
        Cloud { size: 40.0, from: 9, to: 8, ..PLAIN },
        Cloud { from: 0, ..PLAIN },
        Cloud { to: 0, period: Some(2.0), ..PLAIN },
        Cloud { from: 1, to: 1, margin: 10.0, ..PLAIN },
        Cloud { from: 600, to: 3, ..PLAIN },
        Cloud { from: 3, to: 600, period: Some(2.0), ..PLAIN },
    ]
}

impl Cloud {
    fn moved(&self, n: usize) -> f64 {
        let period = self.period.unwrap_or(0.0);
        if n % 3 == 1 { self.away * period } else { 0.0 }
    }

    pub(super) fn triangles(&self) -> Vec<[[f64; 2]; 3]> {
        let (middles, corners) = (samples::<[f64; 2]>(self.from, 5), samples::<[[f64; 2]; 3]>(self.from, 6));
        let one = |(n, (m, c)): (usize, ([f64; 2], [[f64; 2]; 3]))| {
            c.map(|c| [m[0] + self.size * c[0] + self.moved(n), m[1] + self.size * c[1]])
        };
        middles.into_iter().zip(corners).enumerate().map(one).collect()
    }

    pub(super) fn points(&self) -> Vec<[f64; 2]> {
        let points = samples::<[f64; 2]>(self.to, 7).into_iter().enumerate();
        points.map(|(n, [x, y])| [x, y - self.moved(n)]).collect()
    }

    /// The shifts that may bring elements together: more than enough images.
    fn shifts(&self) -> Vec<[f64; 2]> {
        let Some(period) = self.period else { return vec![[0.0; 2]] };
        let most = (self.away as i32 + 2) * 2 + (4.0 / period).ceil() as i32;
        let each = -most..=most;
        each.clone().flat_map(|i| each.clone().map(move |j| [f64::from(i) * period, f64::from(j) * period])).collect()
    }

    /// All pairs, with their shifts.
    pub(super) fn pairs(&self) -> Vec<(usize, usize, [f64; 2])> {
        let (triangles, points, shifts) = (self.triangles(), self.points(), self.shifts());
        let mut found = Vec::new();
        for (f, corners) in triangles.iter().enumerate() {
            for (t, point) in points.iter().enumerate() {
                for shift in &shifts {
                    let meets = (0..2).all(|c| {
                        let of_corners = corners.map(|corner| corner[c]);
                        let low = of_corners.into_iter().fold(f64::INFINITY, f64::min) + shift[c];
                        let high = of_corners.into_iter().fold(f64::NEG_INFINITY, f64::max) + shift[c];
                        low - self.margin <= point[c] && point[c] <= high + self.margin
                    });
                    if meets {
                        found.push((f, t, *shift));
                    }
                }
            }
        }
        found
    }

    fn rule<F, T>(&self, from: Dat<F, [[f64; 2]; 3]>, to: Dat<T, [f64; 2]>) -> Within<F, T, 2> {
        let rule = Within::boxes(from, to).margin(self.margin);
        let rule = match self.period {
            Some(period) => rule.periodic([period; 2]),
            None => rule,
        };
        match self.cell {
            Some(cell) => rule.cell(cell),
            None => rule,
        }
    }
}

/// The sets of a cloud with their pairs.
pub(super) struct Declared {
    pub(super) triangles: Set<Edges>,
    pub(super) points: Set<Nodes>,
    pub(super) corners: Dat<Edges, [[f64; 2]; 3]>,
    pub(super) x: Dat<Nodes, [f64; 2]>,
    pub(super) near: Pairs<Edges, Nodes, 2>,
}

impl Declared {
    pub(super) fn new(op: &mut Op2, cloud: &Cloud) -> op2::Result<Self> {
        let triangles = op.decl_set("triangles", cloud.from)?;
        let points = op.decl_set("points", cloud.to)?;
        let corners = op.decl_dat("corners", triangles, &cloud.triangles())?;
        let x = op.decl_dat("x", points, &cloud.points())?;
        let near = op.decl_pairs("near", cloud.rule(corners, x))?;
        Ok(Declared { triangles, points, corners, x, near })
    }
}
