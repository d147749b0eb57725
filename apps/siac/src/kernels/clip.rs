//! A triangle clipped against the cells of a stencil.
//!
//! I. E. Sutherland and G. W. Hodgman (Communications of the ACM 17, 1974) clip against one line after the other. Here
//! the triangle is clipped against the two sides of a column at once and then against those of a row. Because it is
//! convex, each vertex that can come out has its own place in a polygon of seven, and vertices that do not come out
//! fall on a neighbour. So nothing depends on how many there are, and the same instructions run for all triangles.

/// The directions of a line.
#[op2::record]
pub(super) struct Line {
    /// dy/dx; 0 for a vertical line, of which no point between its ends is asked for.
    slope: f64,
    /// dx/dy; for a level line so much that it crosses other levels far away.
    run: f64,
}

/// The run of a level line.
const LEVEL: f64 = 1e30;

/// A triangle as the region between two graphs over x: the long edge below, from the left corner to the right one, and
/// above it the other two, with a bend at the third corner. It is turned upside down for that if need be.
#[op2::record]
pub(super) struct Shape {
    /// The left corner.
    pub(super) left: [f64; 2],
    bend: [f64; 2],
    /// The greatest x.
    pub(super) right: f64,
    /// From the left corner to the right one.
    long: Line,
    /// From the left corner to the bend.
    rise: Line,
    /// From the bend to the right corner.
    fall: Line,
    /// −1 if the triangle is upside down, otherwise 1.
    turn: f64,
}

/// The shape of a triangle.
#[op2::device_fn]
pub(super) fn shape(corners: &[[f64; 2]; 3]) -> Shape {
    let [p, q, r] = *corners;
    // The corners by x.
    let (p, q) = if q[0] < p[0] { (q, p) } else { (p, q) };
    let (q, r) = if r[0] < q[0] { (r, q) } else { (q, r) };
    let (p, q) = if q[0] < p[0] { (q, p) } else { (p, q) };
    let above = (r[0] - p[0]) * (q[1] - p[1]) > (r[1] - p[1]) * (q[0] - p[0]);
    let turn = if above { 1.0 } else { -1.0 };
    let a = [p[0], turn * p[1]];
    let b = [q[0], turn * q[1]];
    let c = [r[0], turn * r[1]];
    Shape { left: a, bend: b, right: c[0], long: line(&a, &c), rise: line(&a, &b), fall: line(&b, &c), turn }
}

#[op2::device_fn]
fn line(from: &[f64; 2], to: &[f64; 2]) -> Line {
    let (dx, dy) = (to[0] - from[0], to[1] - from[1]);
    Line { slope: if dx > 0.0 { dy / dx } else { 0.0 }, run: if dy == 0.0 { LEVEL } else { dx / dy } }
}

/// The first of the rows up to `last` that a triangle meets in a column, and where the last of them ends at the latest.
#[op2::device_fn]
pub(super) fn rows(shape: &Shape, column: f64, last: f64) -> (f64, f64) {
    let start = greater(shape.left[0], column);
    let end = lesser(shape.right, column + 1.0);
    let low = lesser(long(shape, &shape.left, start), long(shape, &shape.left, end));
    let middle = upper(shape, &shape.bend, between(shape.bend[0], start, end));
    let high = greater(middle, greater(upper(shape, &shape.bend, start), upper(shape, &shape.bend, end)));
    let (low, high) = if shape.turn > 0.0 { (low, high) } else { (-high, -low) };
    (between(low.floor(), 0.0, last), lesser(high, last + 1.0))
}

/// The piece of a triangle in the cell from (`column`, `row`) on, in the coordinates of the cell. Vertices that do not
/// differ are in one place, and a triangle that the cell does not meet leaves a piece without area.
#[op2::device_fn]
pub(super) fn piece(shape: &Shape, column: f64, row: f64) -> [[f64; 2]; 7] {
    // In the coordinates of the cell, upside down where the triangle is.
    let bottom = if shape.turn > 0.0 { row } else { -1.0 - row };
    let corner = [shape.left[0] - column, shape.left[1] - bottom];
    let bend = [shape.bend[0] - column, shape.bend[1] - bottom];
    let start = greater(corner[0], 0.0);
    let end = lesser(shape.right - column, 1.0);

    // The upper graph is the lower one of its two lines. They and the long edge bound where the triangle meets the row,
    // each on the side to which it leads out.
    let rise = bend[0] - bend[1] * shape.rise.run;
    let fall = bend[0] - bend[1] * shape.fall.run;
    let leave = corner[0] + (1.0 - corner[1]) * shape.long.run;
    let enters =
        greater(if shape.rise.run > 0.0 { rise } else { start }, if shape.fall.run > 0.0 { fall } else { start });
    let exits = lesser(if shape.rise.run < 0.0 { rise } else { end }, if shape.fall.run < 0.0 { fall } else { end });
    let over_enters = if shape.long.run < 0.0 { leave } else { start };
    let over_exits = if shape.long.run > 0.0 { leave } else { end };
    let left = lesser(greater(start, greater(enters, over_enters)), end);
    let right = greater(lesser(end, lesser(exits, over_exits)), left);

    // Both graphs at both ends. Where the end is a crossing, the level is known.
    let level = if over_enters >= enters { 1.0 } else { 0.0 };
    let low_left = if left > start { level } else { greater(long(shape, &corner, start), 0.0) };
    let high_left = if left > start { level } else { upper(shape, &bend, start) };
    let level = if over_exits <= exits { 1.0 } else { 0.0 };
    let low_right = if right < end { level } else { greater(long(shape, &corner, end), 0.0) };
    let high_right = if right < end { level } else { upper(shape, &bend, end) };

    // Where the lower graph comes up through the bottom or goes down through it.
    let through = corner[0] - corner[1] * shape.long.run;
    let kink = between(through, left, right);
    let low_kink = if through < left {
        low_left
    } else if through > right {
        low_right
    } else {
        0.0
    };

    // Where the upper graph bends or goes through the top.
    let middle = between(bend[0], left, right);
    let high = if bend[0] < left {
        high_left
    } else if bend[0] > right {
        high_right
    } else {
        bend[1]
    };
    let up = high >= 1.0 || high_left >= 1.0;
    let first = if up { between(bend[0] + (1.0 - bend[1]) * shape.rise.run, left, middle) } else { middle };
    let down = high >= 1.0 || high_right >= 1.0;
    let second = if down { between(bend[0] + (1.0 - bend[1]) * shape.fall.run, middle, right) } else { middle };

    let polygon = [
        [kink, low_kink],
        [right, low_right],
        [right, lesser(high_right, 1.0)],
        [second, if down { 1.0 } else { high }],
        [first, if up { 1.0 } else { high }],
        [left, lesser(high_left, 1.0)],
        [left, low_left],
    ];
    let offset = if shape.turn > 0.0 { 0.0 } else { 1.0 };
    polygon.map(|v| [v[0], offset + shape.turn * v[1]])
}

/// The lower graph at x, which goes through `corner`.
#[op2::device_fn]
fn long(shape: &Shape, corner: &[f64; 2], x: f64) -> f64 {
    corner[1] + (x - corner[0]) * shape.long.slope
}

/// The upper graph at x, with its bend at `bend`.
#[op2::device_fn]
fn upper(shape: &Shape, bend: &[f64; 2], x: f64) -> f64 {
    let slope = if x < bend[0] { shape.rise.slope } else { shape.fall.slope };
    bend[1] + (x - bend[0]) * slope
}

#[op2::device_fn]
fn between(x: f64, low: f64, high: f64) -> f64 {
    lesser(greater(x, low), high)
}

/// Takes no care of NaN, and so two instructions less than `max` in lanes.
#[op2::device_fn]
fn greater(a: f64, b: f64) -> f64 {
    if a > b { a } else { b }
}

/// The same as `greater`.
#[op2::device_fn]
fn lesser(a: f64, b: f64) -> f64 {
    if a < b { a } else { b }
}
