//! A kernel that is named as a macro of the standard library, in a module of its name.
mod write {
    #[op2::kernel]
    pub fn write(x: &mut f64) {
        *x += 1.0;
    }
}
use write::write;

fn main() {}
