//! Options of the vendors' compilers. They exist in every build, as do the functions that open a GPU.

/// Options of the compiler.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Options {
    /// Whether the compiler may contract `a * b + c` to one operation with one rounding.
    ///
    /// Off by default. In Rust every operation rounds; contraction would make a kernel's results on a GPU differ from
    /// those on a CPU, and real errors would hide among such differences. It gains little, because loops over meshes
    /// wait for memory. A kernel that is bound by arithmetic can call `mul_add` where it helps.
    pub fmad: bool,
    /// Whether kernels report operations that panic on a CPU, such as an index beyond an array or a division by zero,
    /// as [`Error::Panic`](crate::Error::Panic). The host then waits for every launch. Off by default, because it takes time.
    pub kernel_checks: bool,
}
