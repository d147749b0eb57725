//! A trait has a method for arrays of a record that the function itself does not mention.
mod flow {
    #[op2::record]
    pub struct Point {
        pub x: f64,
    }

    #[op2::record]
    pub struct Line {
        pub ends: [Point; 2],
    }
}

trait Turned {
    fn iter(self) -> std::vec::IntoIter<flow::Point>;
}

impl Turned for [flow::Point; 2] {
    fn iter(self) -> std::vec::IntoIter<flow::Point> {
        vec![self[1], self[0]].into_iter()
    }
}

#[op2::device_fn]
fn first(line: &flow::Line) -> f64 {
    let mut last = 0.0;
    for end in line.ends.iter() {
        last = end.x;
    }
    last
}

fn main() {}
