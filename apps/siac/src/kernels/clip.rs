//! A triangle clipped against the cells of a stencil.
//!
//! I. E. Sutherland and G. W. Hodgman (Communications of the ACM 17, 1974) clip against one line after the other. Here
//! the triangle is clipped against the two sides of a column at once and then against those of a row. Because it is
//! convex, each vertex that can come out has its own place in a polygon of seven, and vertices that do not come out
//! fall on a neighbour. So nothing depends on how many there are, and the same instructions run for all triangles.

/// A line y(x) through a point.
#[op2::record]
pub(super) struct Line {
    x: f64,
    y: f64,
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
    /// From the left corner.
    long: Line,
    /// From the left corner to the bend, through the bend.
    rise: Line,
    /// From the bend to the right corner, through the bend.
    fall: Line,
    /// The least x.
    pub(super) left: f64,
    /// The greatest x.
    pub(super) right: f64,
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
    Shape {
        long: line(&a, c[0] - a[0], c[1] - a[1]),
        rise: line(&b, b[0] - a[0], b[1] - a[1]),
        fall: line(&b, c[0] - b[0], c[1] - b[1]),
        left: a[0],
        right: c[0],
        turn,
    }
}

#[op2::device_fn]
fn line(through: &[f64; 2], dx: f64, dy: f64) -> Line {
    let slope = if dx > 0.0 { dy / dx } else { 0.0 };
    let run = if dy == 0.0 { LEVEL } else { dx / dy };
    Line { x: through[0], y: through[1], slope, run }
}

/// The first of the rows up to `last` that a triangle meets in a column, and where the last of them ends at the latest.
#[op2::device_fn]
pub(super) fn rows(shape: &Shape, column: f64, last: f64) -> (f64, f64) {
    let start = shape.left.max(column);
    let end = shape.right.min(column + 1.0);
    let low = height(&shape.long, start).min(height(&shape.long, end));
    let high = above(shape, start).max(above(shape, between(shape.rise.x, start, end))).max(above(shape, end));
    let (low, high) = if shape.turn > 0.0 { (low, high) } else { (-high, -low) };
    (low.floor().max(0.0).min(last), high.min(last + 1.0))
}

/// The piece of a triangle in the cell from (`column`, `row`) on, in the coordinates of the cell. Vertices that do not
/// differ are in one place, and a triangle that the cell does not meet leaves a piece without area.
#[op2::device_fn]
pub(super) fn piece(shape: &Shape, column: f64, row: f64) -> [[f64; 2]; 7] {
    let bottom = if shape.turn > 0.0 { row } else { -1.0 - row };
    let top = bottom + 1.0;
    // The upper graph is the lower one of its two lines. All three lines bound where the triangle meets the row, each
    // on one side.
    let rise = crossing(&shape.rise, bottom);
    let fall = crossing(&shape.fall, bottom);
    let long = crossing(&shape.long, top);
    let start = greater(shape.left, column);
    let end = lesser(shape.right, column + 1.0);
    let left = greater(start, if shape.rise.run > 0.0 { rise } else { start });
    let left = greater(left, if shape.fall.run > 0.0 { fall } else { start });
    let left = greater(left, if shape.long.run < 0.0 { long } else { start });
    let right = lesser(end, if shape.rise.run < 0.0 { rise } else { end });
    let right = lesser(right, if shape.fall.run < 0.0 { fall } else { end });
    let right = lesser(right, if shape.long.run > 0.0 { long } else { end });
    let left = lesser(left, end);
    let right = greater(left, right);

    let kink = between(crossing(&shape.long, bottom), left, right);
    let bend = between(shape.rise.x, left, right);
    let over = above(shape, bend) > top;
    let first = if over || above(shape, left) > top { between(crossing(&shape.rise, top), left, bend) } else { bend };
    let second =
        if over || above(shape, right) > top { between(crossing(&shape.fall, top), bend, right) } else { bend };

    let polygon = [
        [kink, greater(height(&shape.long, kink), bottom)],
        [right, greater(height(&shape.long, right), bottom)],
        [right, lesser(above(shape, right), top)],
        [second, lesser(above(shape, second), top)],
        [first, lesser(above(shape, first), top)],
        [left, lesser(above(shape, left), top)],
        [left, greater(height(&shape.long, left), bottom)],
    ];
    polygon.map(|v| [v[0] - column, shape.turn * v[1] - row])
}

/// The line at x.
#[op2::device_fn]
fn height(line: &Line, x: f64) -> f64 {
    line.y + (x - line.x) * line.slope
}

/// The x at which a line crosses a level.
#[op2::device_fn]
fn crossing(line: &Line, level: f64) -> f64 {
    line.x + (level - line.y) * line.run
}

/// The upper graph at x.
#[op2::device_fn]
fn above(shape: &Shape, x: f64) -> f64 {
    let slope = if x < shape.rise.x { shape.rise.slope } else { shape.fall.slope };
    shape.rise.y + (x - shape.rise.x) * slope
}

#[op2::device_fn]
fn between(x: f64, low: f64, high: f64) -> f64 {
    lesser(greater(x, low), high)
}

/// Without NaN, so that it is one instruction.
#[op2::device_fn]
fn greater(a: f64, b: f64) -> f64 {
    if a > b { a } else { b }
}

#[op2::device_fn]
fn lesser(a: f64, b: f64) -> f64 {
    if a < b { a } else { b }
}
