//! Two loops inside of each other with one label.

#[op2::kernel]
fn rows(y: &mut f64) {
    'a: for i in 0..2 {
        'a: for j in 0..2 {
            if i == j {
                break 'a;
            }
            *y += 1.0;
        }
    }
}

fn main() {}
