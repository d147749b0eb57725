//! Records: as values of dats and globals, in kernels, and in device functions.

use crate::support::{Mesh, Subject, on_every_backend, samples};
use op2::{Float, op_par_loop};

mod flow {
    /// A length that only this module knows under its name.
    const NDIM: usize = 2;

    #[op2::record]
    pub struct State {
        pub rho: f64,
        pub u: [f64; NDIM],
        pub p: f64,
    }

    #[op2::record]
    pub struct Pair {
        pub left: State,
        pub right: State,
        pub weight: f64,
    }

    #[op2::device_fn]
    pub(super) fn jump(pair: Pair) -> State {
        let Pair { left: State { rho, u, .. }, right, weight } = pair;
        let mut jump = State { p: weight * (pair.left.p - right.p), ..right };
        jump.rho = weight * (rho - right.rho);
        for (d, v) in jump.u.iter_mut().enumerate() {
            *v = weight * (u[d] - right.u[d]);
        }
        jump
    }
}

use flow::{Pair, State};

/// Not a value of a dat: its scalars have several types.
#[op2::record]
struct Found {
    any: bool,
    number: i32,
    at: f64,
}

#[op2::device_fn]
fn scaled(mut state: State, by: f64) -> State {
    state.rho *= by;
    state.u = [state.u[0] * by, by * state.u[1]];
    State { p: by * state.p, ..state }
}

#[op2::device_fn]
fn add(to: &mut State, what: &State) {
    to.rho += what.rho;
    to.u[0] += what.u[0];
    to.u[1] += what.u[1];
    to.p += what.p;
}

#[op2::device_fn]
fn search(values: &[f64; 2], bound: f64) -> Found {
    let mut found = Found { any: false, number: -1, at: 0.0 };
    for (i, v) in values.iter().enumerate() {
        if *v > bound && !found.any {
            found = Found { number: i as i32, any: true, at: *v };
        }
    }
    found
}

#[op2::kernel]
fn exchange(scale: &State, q: [&State; 2], res: [&mut State; 2], total: &mut State) {
    let pair = Pair { weight: scale.p, right: *q[1], left: *q[0] };
    let flux = flow::jump(pair);
    let [to_left, to_right] = res;
    add(to_left, &flux);
    to_right.rho -= flux.rho;
    to_right.u[0] -= flux.u[0];
    to_right.u[1] -= flux.u[1];
    to_right.p -= flux.p;
    if flux.rho > 0.0 {
        add(total, &scaled(flux, scale.rho));
    }
}

#[op2::kernel]
fn limit(q: &mut State, extra: Option<&State>, where_found: &mut [i32; 2]) {
    let Found { any, number, at } = search(&q.u, 0.5);
    *where_found = [number, if any { 1 } else { 0 }];
    if any {
        q.u[number as usize] = at - 1.0;
        q.rho = -q.rho;
    } else {
        *q = State { rho: 2.0, ..*q };
    }
    if let Some(extra) = extra {
        let State { p, .. } = extra;
        q.p += *p;
    }
}

type Out = (Vec<[f64; 4]>, Vec<[f64; 4]>, [f64; 4], Vec<[i32; 2]>);

fn rows(states: Vec<State>) -> Vec<[f64; 4]> {
    states.into_iter().map(row).collect()
}

fn row(s: State) -> [f64; 4] {
    [s.rho, s.u[0], s.u[1], s.p]
}

fn state([rho, u, v, p]: [f64; 4]) -> State {
    State { rho, u: [u, v], p }
}

fn expected(m: &Mesh) -> Out {
    let mut q: Vec<[f64; 4]> = samples(m.nodes, 2);
    let extra: Vec<[f64; 4]> = samples(m.nodes, 3);
    let (mut res, mut total) = (vec![[0.0; 4]; m.nodes], [0.0; 4]);
    for [l, r] in m.rows::<2>(1) {
        let (l, r) = (l as usize, r as usize);
        let flux: [f64; 4] = std::array::from_fn(|i| 0.5 * (q[l][i] - q[r][i]));
        for i in 0..4 {
            res[l][i] += flux[i];
            res[r][i] -= flux[i];
        }
        if flux[0] > 0.0 {
            (0..4).for_each(|i| total[i] += 3.0 * flux[i]);
        }
    }
    let mut found = Vec::new();
    for (q, extra) in q.iter_mut().zip(extra) {
        let at = (1..3).find(|i| q[*i] > 0.5);
        found.push(at.map_or([-1, 0], |i| [i as i32 - 1, 1]));
        match at {
            Some(i) => {
                q[i] -= 1.0;
                q[0] = -q[0];
            }
            None => q[0] = 2.0,
        }
        q[3] += extra[3];
    }
    (q, res, total, found)
}

#[test]
fn dats_and_globals_hold_records() {
    on_every_backend(&Mesh::all(), expected, |op: &mut Subject, m| {
        let set = m.declare(op)?;
        let map = op.decl_map("map", set.edges, set.nodes, &m.rows::<2>(1))?;
        let states = |seed| samples::<[f64; 4]>(m.nodes, seed).into_iter().map(state).collect::<Vec<_>>();
        let q = op.decl_dat("q", set.nodes, &states(2))?;
        let extra = op.decl_dat("extra", set.nodes, &states(3))?;
        let found = op.decl_dat_filled("found", set.nodes, [0; 2])?;
        let res = op.decl_dat_filled("res", set.nodes, state([0.0; 4]))?;
        let scale = op.decl_global("scale", state([3.0, 0.0, 0.0, 0.5]));
        let total = op.decl_global("total", state([0.0; 4]));
        op_par_loop!(op, exchange, set.edges, gbl_read(scale), read(q, map[..]), inc(res, map[..]), gbl_inc(total))?;
        op_par_loop!(op, limit, set.nodes, rw(q), opt(true, read(extra)), write(found))?;
        Ok((rows(op.fetch(q)?), rows(op.fetch(res)?), row(op.get(total)?), op.fetch(found)?))
    });
}

/// Generic over the float type, with a record inside.
#[op2::record]
struct Point<F> {
    x: F,
    y: F,
}

#[op2::record]
struct Segment<F: Float> {
    ends: [Point<F>; 2],
    length: F,
}

#[op2::device_fn]
fn middle<F: Float>(segment: &Segment<F>) -> Point<F> {
    let [a, b] = segment.ends;
    Point { x: F::lit(0.5) * (a.x + b.x), y: F::lit(0.5) * (a.y + b.y) }
}

#[op2::kernel]
fn measure<F: Float>(
    a: &Point<F>,
    b: &Point<F>,
    segment: &mut Segment<F>,
    centre: &mut Point<F>,
    longest: &mut Point<F>,
) {
    let (dx, dy) = (b.x - a.x, b.y - a.y);
    *segment = Segment { ends: [*a, *b], length: (dx * dx + dy * dy).sqrt() };
    let m = middle(segment);
    centre.x += m.x;
    centre.y -= m.y;
    longest.x = longest.x.max(segment.length);
    longest.y = longest.y.max(-m.y);
}

fn measured<F: Float>(points: &[Point<F>], edges: &[[u32; 2]]) -> (Vec<[F; 5]>, Vec<[F; 2]>, [F; 2]) {
    let (mut segments, mut centres, mut longest) = (Vec::new(), vec![[F::lit(0.0); 2]; points.len()], [F::MIN; 2]);
    for &[a, b] in edges {
        let [p, q] = [points[a as usize], points[b as usize]];
        let (dx, dy) = (q.x - p.x, q.y - p.y);
        let length = (dx * dx + dy * dy).sqrt();
        let m = [F::lit(0.5) * (p.x + q.x), F::lit(0.5) * (p.y + q.y)];
        segments.push([p.x, p.y, q.x, q.y, length]);
        centres[a as usize][0] += m[0];
        centres[a as usize][1] -= m[1];
        longest = [longest[0].max(length), longest[1].max(-m[1])];
    }
    (segments, centres, longest)
}

#[test]
fn records_are_generic_over_the_float() {
    on_every_backend(
        &Mesh::all(),
        |m| {
            let points = samples::<[f64; 2]>(m.nodes, 4).into_iter().map(|[x, y]| Point { x, y });
            let points: Vec<Point<f64>> = points.collect();
            let single: Vec<_> = points.iter().map(|p| Point { x: p.x as f32, y: p.y as f32 }).collect();
            (measured(&points, &m.rows::<2>(1)), measured(&single, &m.rows::<2>(1)))
        },
        |op: &mut Subject, m| {
            let set = m.declare(op)?;
            let ends = op.decl_map("ends", set.edges, set.nodes, &m.rows::<2>(1))?;
            let points: Vec<_> = samples::<[f64; 2]>(m.nodes, 4).into_iter().map(|[x, y]| Point { x, y }).collect();
            let single: Vec<_> = points.iter().map(|p| Point { x: p.x as f32, y: p.y as f32 }).collect();
            macro_rules! run {
                ($points:expr, $float:ident) => {{
                    let zero = Point { x: 0.0 as $float, y: 0.0 };
                    let point = op.decl_dat("point", set.nodes, $points)?;
                    let segment = op.decl_dat_filled("segment", set.edges, Segment { ends: [zero; 2], length: 0.0 })?;
                    let centre = op.decl_dat_filled("centre", set.nodes, zero)?;
                    let longest = op.decl_global("longest", Point { x: $float::MIN, y: $float::MIN });
                    op_par_loop!(
                        op,
                        measure,
                        set.edges,
                        read(point, ends[0]),
                        read(point, ends[1]),
                        write(segment),
                        inc(centre, ends[0]),
                        gbl_max(longest)
                    )?;
                    let of = |p: Point<$float>| [p.x, p.y];
                    let segments = op.fetch(segment)?.into_iter();
                    let segments = segments.map(|Segment { ends: [a, b], length }| [a.x, a.y, b.x, b.y, length]);
                    let centres = op.fetch(centre)?.into_iter().map(of);
                    (segments.collect(), centres.collect(), of(op.get(longest)?))
                }};
            }
            Ok((run!(&points, f64), run!(&single, f32)))
        },
    );
}

/// More than the generator guesses for a length that a constant tells.
const TAIL: usize = 19;

#[op2::record]
struct Row {
    head: f64,
    tail: [f64; TAIL],
}

#[op2::device_fn]
fn joined(a: &[f64; 3], b: &[f64; 3]) -> Row {
    let mut row = Row { head: a[0] - b[1], tail: [0.0; TAIL] };
    for (i, x) in row.tail.iter_mut().enumerate() {
        *x = a[i % 3] + b[(i + 1) % 3];
    }
    row
}

#[op2::kernel]
fn spread(a: [&[f64; 3]; 2], b: [&[f64; 2]; 2], sum: [&mut Row; 2]) {
    let row = joined(a[0], a[1]);
    let weight = b[0][0] - b[1][1];
    sum[0].head += row.head * weight;
    sum[1].head -= row.head;
    for i in 0..TAIL {
        sum[0].tail[i] += row.tail[i];
        sum[1].tail[i] -= weight;
    }
}

/// Loops in stages keep the record between two stages, and contributions to records for the updates.
#[test]
fn records_are_kept_between_stages() {
    let values = |m: &Mesh| (samples::<[f64; 3]>(m.nodes, 5), samples::<[f64; 2]>(m.nodes, 6));
    let zero = Row { head: 0.0, tail: [0.0; TAIL] };
    let all = |rows: Vec<Row>| -> Vec<[f64; TAIL + 1]> {
        let of = |row: Row| std::array::from_fn(|i| if i == 0 { row.head } else { row.tail[i - 1] });
        rows.into_iter().map(of).collect()
    };
    on_every_backend(
        &Mesh::all(),
        |m| {
            let ((a, b), mut sum) = (values(m), vec![zero; m.nodes]);
            for [l, r] in m.rows::<2>(1) {
                let (l, r) = (l as usize, r as usize);
                let (head, weight) = (a[l][0] - a[r][1], b[l][0] - b[r][1]);
                sum[l].head += head * weight;
                sum[r].head -= head;
                for i in 0..TAIL {
                    sum[l].tail[i] += a[l][i % 3] + a[r][(i + 1) % 3];
                    sum[r].tail[i] -= weight;
                }
            }
            all(sum)
        },
        |op: &mut Subject, m| {
            let set = m.declare(op)?;
            let ends = op.decl_map("ends", set.edges, set.nodes, &m.rows::<2>(1))?;
            let (a, b) = values(m);
            let a = op.decl_dat("a", set.nodes, &a)?;
            let b = op.decl_dat("b", set.nodes, &b)?;
            let sum = op.decl_dat_filled("sum", set.nodes, zero)?;
            op_par_loop!(op, spread, set.edges, read(a, ends[..]), read(b, ends[..]), inc(sum, ends[..]))?;
            Ok(all(op.fetch(sum)?))
        },
    );
}

/// The kind of a boundary. Numbers are those of a file, and none of them is 0.
#[op2::record]
enum Kind {
    Wall = 3,
    Far,
    Slip = 1,
}

#[op2::record]
struct Border {
    kind: Kind,
    colours: [u8; 2],
}

#[op2::device_fn]
fn turned(kind: Kind) -> Kind {
    match kind {
        Kind::Wall => Kind::Far,
        Kind::Far | Kind::Slip => Kind::Wall,
    }
}

#[op2::kernel]
fn mark(own: &Kind, ends: [&Border; 2], out: &mut Border, weight: &mut i64) {
    let Border { kind, colours: [a, _] } = *ends[0];
    let far = match (kind, ends[1].kind) {
        (Kind::Far, Kind::Far) => true,
        (Kind::Slip, other) if other != Kind::Wall => true,
        _ => false,
    };
    *out = Border { kind: if far { turned(kind) } else { *own }, colours: [a, ends[1].colours[1]] };
    *weight += if far { 10 * (*own as i64) } else { ends[1].kind as i64 };
}

type Marked = (Vec<(u8, [u8; 2])>, i64);

fn kind_of(n: i32) -> Kind {
    [Kind::Wall, Kind::Far, Kind::Slip][n.rem_euclid(3) as usize]
}

fn border(n: i32) -> Border {
    Border { kind: kind_of(n), colours: [n as u8, (n >> 3) as u8] }
}

fn marked(m: &Mesh) -> Marked {
    let (own, nodes): (Vec<i32>, Vec<i32>) = (samples(m.edges, 5), samples(m.nodes, 6));
    let (mut out, mut weight) = (Vec::new(), 0);
    for ([l, r], own) in m.rows::<2>(1).into_iter().zip(own) {
        let [l, r] = [l, r].map(|n| border(nodes[n as usize]));
        let number = |kind: Kind| kind as u8;
        let far = [(4, 4), (1, 4), (1, 1)].contains(&(number(l.kind), number(r.kind)));
        let turned = if number(l.kind) == 3 { 4 } else { 3 };
        let own = number(kind_of(own));
        out.push((if far { turned } else { own }, [l.colours[0], r.colours[1]]));
        weight += if far { 10 * i64::from(own) } else { i64::from(number(r.kind)) };
    }
    (out, weight)
}

#[test]
fn dats_hold_enums() {
    on_every_backend(&Mesh::all(), marked, |op: &mut Subject, m| {
        let set = m.declare(op)?;
        let ends = op.decl_map("ends", set.edges, set.nodes, &m.rows::<2>(1))?;
        let kinds: Vec<Kind> = samples(m.edges, 5).into_iter().map(kind_of).collect();
        let borders: Vec<Border> = samples(m.nodes, 6).into_iter().map(border).collect();
        let own = op.decl_dat("own", set.edges, &kinds)?;
        let nodes = op.decl_dat("nodes", set.nodes, &borders)?;
        let out = op.decl_dat_filled("out", set.edges, border(0))?;
        let weight = op.decl_global("weight", 0);
        op_par_loop!(op, mark, set.edges, read(own), read(nodes, ends[..]), write(out), gbl_inc(weight))?;
        let out = op.fetch(out)?.into_iter().map(|b| (b.kind as u8, b.colours));
        Ok((out.collect(), op.get(weight)?))
    });
}
