//! Both operators are of second order: on a manufactured flow through a smoothly deformed cube, the residual per
//! volume approaches the divergence of the exact flux.

use hydra::mesh::Shape;
use hydra::physics::kind::STREAM;
use hydra::physics::sa::{CV1, SIGMA};
use hydra::physics::{GAMMA, PRANDTL, PRANDTL_TURBULENT, SUTHERLAND, Stream, UNKNOWNS, state};
use hydra::solver::{Flow, Settings};

use crate::images::{Cube, Deformation, wavy};

const MACH: f64 = 0.4;
/// So low that all viscous terms matter.
const REYNOLDS: f64 = 4.0;
/// Step of the differences by which the exact divergence is had; their error is of fourth order.
const STEP: f64 = 2e-3;

type Flux = fn(&[f64; 3]) -> [[f64; 3]; UNKNOWNS];

/// Density, velocity, temperature and turbulence variable.
fn primitives(x: &[f64; 3]) -> [f64; UNKNOWNS] {
    let wave = |a: f64, b: f64, c: f64| (a * x[0] + b * x[1] + c * x[2] + 0.3).sin();
    [
        1.0 + 0.1 * wave(1.5, 1.0, 0.7),
        0.4 + 0.1 * wave(1.0, 2.0, 0.5),
        0.1 * wave(0.8, 1.2, 1.9),
        0.1 * wave(1.7, 0.6, 1.1),
        1.0 + 0.1 * wave(0.9, 1.4, 1.3),
        1.0 + 0.2 * wave(1.2, 0.9, 1.6),
    ]
}

fn exact(x: &[f64; 3]) -> [f64; UNKNOWNS] {
    let [density, u, v, w, temperature, nu] = primitives(x);
    state(density, [u, v, w], temperature, nu)
}

/// Difference of fourth order along direction `d`.
fn differentiate<const N: usize>(f: &dyn Fn(&[f64; 3]) -> [f64; N], x: &[f64; 3], d: usize) -> [f64; N] {
    let at = |steps: f64| {
        let mut x = *x;
        x[d] += steps * STEP;
        f(&x)
    };
    let [a, b, c, e] = [-2.0, -1.0, 1.0, 2.0].map(at);
    std::array::from_fn(|n| (8.0 * (c[n] - b[n]) - (e[n] - a[n])) / (12.0 * STEP))
}

fn divergence(flux: Flux, x: &[f64; 3]) -> [f64; UNKNOWNS] {
    let mut sum = [0.0; UNKNOWNS];
    for d in 0..3 {
        let along = |x: &[f64; 3]| flux(x).map(|f| f[d]);
        let derivative = differentiate(&along, x, d);
        (0..UNKNOWNS).for_each(|n| sum[n] += derivative[n]);
    }
    sum
}

fn convection(x: &[f64; 3]) -> [[f64; 3]; UNKNOWNS] {
    let [density, u, v, w, temperature, _] = primitives(x);
    let (q, p) = (exact(x), density * temperature / GAMMA);
    let velocity = [u, v, w];
    std::array::from_fn(|n| {
        std::array::from_fn(|d| match n {
            1..=3 => q[n] * velocity[d] + if d + 1 == n { p } else { 0.0 },
            4 => (q[4] + p) * velocity[d],
            _ => q[n] * velocity[d],
        })
    })
}

/// The flux of friction, conduction and diffusion, positive outwards.
fn friction(x: &[f64; 3]) -> [[f64; 3]; UNKNOWNS] {
    let [density, u, v, w, t, nu] = primitives(x);
    let by_direction = [0, 1, 2].map(|d| differentiate(&primitives, x, d));
    let slope = |n: usize, d: usize| by_direction[d][n];
    let mu = MACH / REYNOLDS * t.powf(1.5) * (1.0 + SUTHERLAND) / (t + SUTHERLAND);
    let chi = density * nu / mu;
    let eddy = density * nu * chi.powi(3) / (chi.powi(3) + CV1.powi(3));
    let spread = slope(1, 0) + slope(2, 1) + slope(3, 2);
    let conductivity = (mu / PRANDTL + eddy / PRANDTL_TURBULENT) / (GAMMA - 1.0);
    let velocity = [u, v, w];
    let stress = |i: usize, d: usize| {
        let normal = if i == d { 2.0 / 3.0 * spread } else { 0.0 };
        (mu + eddy) * (slope(i + 1, d) + slope(d + 1, i) - normal)
    };
    std::array::from_fn(|n| {
        std::array::from_fn(|d| match n {
            0 => 0.0,
            1..=3 => -stress(n - 1, d),
            4 => -velocity.iter().enumerate().map(|(i, u)| stress(i, d) * u).sum::<f64>() - conductivity * slope(4, d),
            _ => -(mu + density * nu) / SIGMA * slope(5, d),
        })
    })
}

/// Root mean squares of the errors of each operator, of all unknowns, over the nodes in the middle; at the boundary,
/// gradients are one-sided.
fn errors(bricks: usize) -> [[f64; UNKNOWNS]; 2] {
    let mesh = Cube::all(Deformation::Wavy, STREAM).mesh(Shape::Hexahedra, [bricks; 3]);
    let settings = Settings { case: Stream { mach: MACH, reynolds: REYNOLDS }, ..Settings::default() };
    let mut flow = Flow::<f64>::new(&mesh, &settings).unwrap();
    let q: Vec<_> = mesh.x.iter().map(exact).collect();
    flow.op.set_data(flow.q, &q).unwrap();
    flow.prepare().unwrap();
    flow.fluxes(1.0).unwrap();
    let inside = |node: &usize| {
        let place = [node % (bricks + 1), node / (bricks + 1) % (bricks + 1), node / (bricks + 1) / (bricks + 1)];
        let unit = place.map(|k| k as f64 / bricks as f64);
        assert_eq!(mesh.x[*node], wavy(unit));
        unit.iter().all(|u| (0.3..=0.7).contains(u))
    };
    let nodes: Vec<usize> = (0..mesh.nodes()).filter(inside).collect();
    [(flow.res, convection as Flux), (flow.blended, friction)].map(|(sums, flux)| {
        let sums = flow.op.fetch(sums).unwrap();
        let mut squares = [0.0; UNKNOWNS];
        for &node in &nodes {
            let exact = divergence(flux, &mesh.x[node]);
            for n in 0..UNKNOWNS {
                squares[n] += (sums[node][n] / mesh.volumes[node] - exact[n]).powi(2);
            }
        }
        squares.map(|sum| (sum / nodes.len() as f64).sqrt())
    })
}

#[test]
fn both_operators_are_of_second_order() {
    let all = [10, 20, 40].map(errors);
    for (operator, name) in ["inviscid", "viscous"].iter().enumerate() {
        for n in 0..UNKNOWNS {
            let [a, b, c] = all.map(|errors| errors[operator][n]);
            let orders = [(a / b).log2(), (b / c).log2()];
            println!("{name}, unknown {n}: errors {a:.3e} {b:.3e} {c:.3e}, orders {orders:.2?}");
            // Mass has no friction, only the background smoothing, which vanishes faster.
            assert!(orders[1] > 1.9 && orders[0] > 1.6, "{name}, unknown {n}: {orders:?}");
        }
    }
}
