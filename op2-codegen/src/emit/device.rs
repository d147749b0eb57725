//! The result of emitting a loop for a device: the text, and all that the run time needs to launch it. Every target beside the host
//! returns it.

use crate::ir::{ConstId, ConstKind, FuncId, Ty};
use op2_core::EntryPoint;

/// A loop for a device: a text, and all that the run time needs to launch it.
#[derive(Debug, Clone)]
pub struct DeviceUnit {
    /// Functions and wrappers. The run time puts the header and the definitions ahead of them.
    pub text: String,
    /// All kernels in the text.
    pub kernels: Vec<DeviceKernel>,
    /// The distinct dats, in the order of the wrappers' parameters.
    pub views: Vec<DeviceView>,
    /// The maps' names, in the order of [`Lowered::maps`](crate::lower::Lowered::maps).
    pub maps: Vec<String>,
    /// The sets of targets that are staged together, in the order of the wrappers' parameters.
    pub covers: Vec<DeviceCover>,
    /// The constants that must be defined ahead of the text.
    pub consts: Vec<DeviceConst>,
    /// The loop in stages, with one contribution stage, with two and so on.
    pub forms: Vec<DeviceForm>,
}

/// A kernel in a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeviceKernel {
    /// The entry point by which the run time finds it.
    pub entry: EntryPoint,
    /// Its name in the text.
    pub name: String,
}

/// A distinct dat of a loop.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeviceView {
    /// Its name in the text and in definitions.
    pub name: String,
    /// Whether it may be absent.
    pub optional: bool,
    /// Index in [`DeviceUnit::covers`] of the ways through which it is reached; none for direct access.
    pub cover: Option<usize>,
    /// The arguments that use it.
    pub args: Vec<usize>,
}

/// Targets that are staged together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeviceCover {
    /// Indices into [`Lowered::targets`](crate::lower::Lowered::targets), ascending.
    pub targets: Vec<usize>,
    /// Where blocks store the contributions through each entry; empty if each has its own place.
    pub stored: Vec<Stored>,
}

/// Where blocks store a contribution of an element. Those that repeat each other have one place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stored {
    /// The number of the place.
    pub at: usize,
    /// Whether it may be the opposite that is there.
    pub turned: bool,
}

/// A loop in stages, as a translation unit of its own.
#[derive(Debug, Clone)]
pub struct DeviceForm {
    /// Functions and wrappers.
    pub text: String,
    /// All kernels in the text.
    pub kernels: Vec<DeviceKernel>,
    /// For each contribution stage the views that it stages.
    pub stages: Vec<Vec<usize>>,
    /// The arguments whose contributions are kept for the updates. Those to which a single stage adds come first.
    pub kept: Vec<usize>,
    /// The number of arguments in `kept` to which a single stage adds. With atomics their contributions are not kept.
    pub alone: usize,
    /// The values that are kept for each element: these contributions, then temporaries.
    pub rooms: Vec<DeviceRoom>,
}

/// A value that a stage leaves for a later one.
#[derive(Debug, Clone)]
pub struct DeviceRoom {
    /// The parameter or local that it holds.
    pub name: String,
    /// Its scalar.
    pub scalar: DeviceScalar,
    /// The lengths of nested arrays, from outside in; empty for a scalar. A record counts as an array of all its scalars.
    pub lens: Vec<DeviceLen>,
}

/// The size of a scalar.
#[derive(Debug, Clone, Copy)]
pub enum DeviceScalar {
    /// So many bytes.
    Bytes(u32),
    /// That of a float type parameter of the kernel.
    Float(usize),
}

/// The length of an array.
#[derive(Debug, Clone)]
pub enum DeviceLen {
    /// Known to the generator.
    Number(usize),
    /// A const parameter of the kernel.
    Param(usize),
    /// One of the constants of the text, by its name there.
    Constant(String),
    /// The scalars of a record: for each field the lengths.
    Sum(Vec<Vec<DeviceLen>>),
}

/// A constant that the text mentions by name.
#[derive(Debug, Clone)]
pub struct DeviceConst {
    /// Its name in the text.
    pub name: String,
    /// The path as the user wrote it.
    pub path: String,
    /// Rust `const`, or fixed at run time.
    pub kind: ConstKind,
    /// Its type, inferred from its uses: lengths of arrays may be unknown.
    pub ty: Ty,
    /// The function whose text mentions it; the path is valid in that function's scope.
    pub func: FuncId,
    /// Its index among the constants of that function.
    pub id: ConstId,
    /// The calls that lead from the kernel to that function: at each step the index among the callees.
    pub source: Vec<usize>,
    /// Its index among the constants that the function itself mentions, in order of first mention.
    pub own: usize,
}
