//! Splitting a kernel into stages that each need less of the mesh's data.
//!
//! After Tohid et al., *Effective Resource-Driven Loop Splitting for Large Unstructured Mesh Applications on GPUs*, section 4:
//! a loop whose elements reach hundreds of bytes through maps leaves little room in fast memory. A *contribution stage*
//! computes a part of the kernel's contributions from a part of the data that it reads. It passes values to later
//! stages in *temporaries*, one for each element. After the contribution stages come the updates, which add the
//! contributions, one dat after the other; they are the same for every kernel and not made here.
//!
//! Stages are functions of the same IR, so that every target emits them as it emits kernels, and the interpreter of the tests
//! runs them next to the kernel: they leave the same bits. The way there:
//!
//! | step | what | where |
//! | --- | --- | --- |
//! | hoist | operands that need less than the whole expression become locals, which can be cut | `hoist` |
//! | program | statements as *atoms*: what each one reads, writes and adds to | `program` |
//! | cut | which atoms run in which stage, at least cost: a minimum cut of the dataflow | `cut`, `flow` |
//! | slice | the function of a stage: the kernel without what other stages do | `slice` |
//! | search | which data go to which stage | `search` |

mod cut;
mod flow;
mod forms;
mod hoist;
mod program;
mod search;
mod slice;

use crate::ir::{Func, Ty};

pub(crate) use cut::bytes;
pub use forms::{Form, Forms, forms};
pub use search::{Parts, parts};

/// The use of a kernel's parameter in a loop, as far as it concerns splitting.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Constraint {
    /// Read from staged data: from this group, which is staged as a whole.
    Staged(usize),
    /// Read from elsewhere: data of the element itself, globals, indices, temporaries of earlier stages.
    Free,
    /// Added to, in any order: the kernel does not depend on its value.
    Added,
    /// Changed otherwise, so that all statements that touch it stay together: combined with, reduced into, written.
    Tied,
}

/// A stage: a function, and where its arguments come from.
#[derive(Debug, Clone)]
pub struct Stage {
    /// The function; its locals and constants are numbered as the kernel's.
    pub func: Func,
    /// The argument for each of its parameters.
    pub args: Vec<StageArg>,
}

/// An argument of a stage.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StageArg {
    /// The kernel's argument for this parameter. Contributions start from the neutral element in the first stage that
    /// has them.
    Kernel(usize),
    /// A temporary that an earlier stage left.
    Left(usize),
    /// A temporary for later stages.
    Leaves(usize),
}

/// A value that one stage passes to later ones, per element.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Temporary {
    /// Name of the local that it holds.
    pub name: String,
    /// Its type; an array of those where a loop over a literal range computes one in each round.
    pub ty: Ty,
}

/// Why a kernel is not split.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal(pub String);
