//! A type of the user's that is named as the rows of the kernel language.

struct Row<V> {
    values: Vec<V>,
}

#[op2::kernel]
fn sum(q: &Row<f64>, r: &mut f64) {
    for i in 0..q.len() {
        *r += q[i];
    }
}

mod declared {
    #[op2::record]
    pub struct Row {
        a: f64,
    }

    #[op2::kernel]
    fn weight(row: &Row, w: &mut f64) {
        *w = row.a;
    }
}

fn main() {}
