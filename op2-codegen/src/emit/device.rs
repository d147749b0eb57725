//! What every target with a text of its own hands over: the text, and all that the run time needs to launch it.

use crate::ir::{ConstId, ConstKind, FuncId, Ty};
use op2_core::EntryPoint;

/// A loop for a device: a text, and what the run time must know of it.
#[derive(Debug, Clone)]
pub struct DeviceUnit {
    /// Functions and wrappers, to stand behind the header and the definitions.
    pub text: String,
    /// All kernels in the text.
    pub kernels: Vec<DeviceKernel>,
    /// The distinct dats, in the order of the wrappers' parameters.
    pub views: Vec<DeviceView>,
    /// The maps' names, in the order of [`Lowered::maps`](crate::lower::Lowered::maps).
    pub maps: Vec<String>,
    /// The sets of [`Lowered::targets`](crate::lower::Lowered::targets) that are staged together, in the order of the wrappers' parameters.
    pub covers: Vec<Vec<usize>>,
    /// The constants that must be defined ahead of the text.
    pub consts: Vec<DeviceConst>,
    /// The loop in stages, with one contribution stage, with two and so on.
    pub forms: Vec<DeviceForm>,
}

/// A kernel in a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DeviceKernel {
    /// By this the run time finds it.
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
    /// Which of [`DeviceUnit::covers`] leads to it, if it is reached through maps.
    pub cover: Option<usize>,
    /// The arguments that it serves.
    pub args: Vec<usize>,
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
    /// The arguments whose contributions are kept for the updates; first those that a single stage adds to.
    pub kept: Vec<usize>,
    /// How many of them these are. Where contributions go by atomics they are not kept.
    pub alone: usize,
    /// What is kept for each element: these contributions, then temporaries.
    pub rooms: Vec<DeviceRoom>,
}

/// What a stage leaves for another one.
#[derive(Debug, Clone)]
pub struct DeviceRoom {
    /// The parameter or local that it holds.
    pub name: String,
    /// Bytes of its scalar; none if that is the type that a generic kernel's parameter stands for.
    pub scalar: Option<u32>,
    /// Of an array its lengths, from outside in.
    pub lens: Vec<DeviceLen>,
}

/// The length of an array.
#[derive(Debug, Clone)]
pub enum DeviceLen {
    /// Known to the generator.
    Number(usize),
    /// One of the constants of the text, by its name there.
    Constant(String),
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
    /// Its type as far as its uses tell it: lengths of arrays may be unknown.
    pub ty: Ty,
    /// The function whose text mentions it, where its path means what it says.
    pub func: FuncId,
    /// Which of that function's constants it is.
    pub id: ConstId,
    /// Where that function's payload is in the kernel's: which callee, which callee of that one, and so on.
    pub source: Vec<usize>,
    /// Which of the constants that the function itself mentions it is, in order of first mention.
    pub own: usize,
}
