//! Forms whose meaning depends on types. `parse` cannot write them out, `model` does, and no later stage sees them.

use proc_macro2::{Ident, Span};

use super::{Block, Expr, FuncId, Intrinsic, Len, LocalId, LoopId, Question, Scalar, Ty};

/// A form that `model` writes out in the other kinds of expressions.
#[derive(Debug, Clone)]
pub enum Sugar {
    /// `a.len()` of an array
    Len(Box<Expr>),
    /// `a.iter()`, `a.iter_mut()`: a reference to an array, which may itself be behind references.
    Borrow(bool, Box<Expr>),
    /// A value that is computed once and then taken apart, by a pattern or a loop. Only `let` of a single name has it.
    /// Where nothing can change the value, it is written in the place of the name.
    Held(Box<Expr>),
    /// The value of an array, copied before anything changes it. Only `let` of a single name has it, as [`Sugar::Held`].
    Owned(Box<Expr>),
    /// Any value of a type, as a start.
    Zero,
    /// The length of an array that a local holds.
    Extent(LocalId),
    /// A part of a value that a pattern takes apart: the part itself, or a reference to it if the value is a reference.
    Part(Box<Expr>, Part),
    /// A field of a record, by its name.
    Named(Box<Expr>, Ident),
    /// A record.
    Record(RecordValue),
    /// `a.name(…)`, where a record may have such a method.
    Method(MethodCall),
    /// `name::<f64, 3>(…)`
    Stated(StatedCall),
    /// A method of a table. Whether the receiver is one, its type tells.
    Ask(Question, Box<Expr>, Vec<Expr>),
    /// A value that is asked whether it is an index: by this method or pattern, for messages.
    Asked(Box<Expr>, &'static str),
    /// `None`, where an index may stand.
    NoIndex,
    /// The element that a loop over arrays takes from its `n`-th source in the current round.
    Item(LoopId, usize),
    /// A loop over arrays.
    Each(Each),
}

/// A part of a value, as a pattern takes it. `of` is the number of parts that the pattern names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// A part of a tuple.
    Field {
        /// Its number, counted from 0.
        index: usize,
        /// The parts of the pattern.
        of: usize,
    },
    /// A field of a record.
    Named {
        /// Its number in the declaration.
        index: usize,
    },
    /// An element of an array that has `of` elements.
    Element {
        /// Its number, counted from 0.
        index: usize,
        /// The parts of the pattern.
        of: usize,
    },
    /// An element of an array that has `of` elements or more, after the `..` of the pattern.
    FromEnd {
        /// Its number counted from the end: 1 is the last.
        back: usize,
        /// The elements beside the `..`.
        of: usize,
    },
    /// An element of an array that has `of` elements or more, before the `..` of the pattern.
    FromStart {
        /// Its number, counted from 0.
        index: usize,
        /// The elements beside the `..`.
        of: usize,
    },
}

/// `Prim { rho, u, p }`: the values of all fields in the order of their declaration.
#[derive(Debug, Clone)]
pub struct RecordValue {
    /// The record. If it is `generic`, the float type in it is its own type parameter.
    pub ty: Ty,
    /// Whether the text leaves it to inference for which float type the type parameter stands.
    pub generic: bool,
    /// The values.
    pub items: Vec<Expr>,
}

/// The call of a method whose name a record knows. The type of the receiver tells whether it is that of a record.
#[derive(Debug, Clone)]
pub struct MethodCall {
    /// The name.
    pub name: Ident,
    /// The receiver, and the arguments.
    pub args: Vec<Expr>,
    /// The methods of that name, by the number of their record.
    pub candidates: Vec<(u64, FuncId)>,
    /// The method of that name of scalar types.
    pub builtin: Option<Intrinsic>,
}

/// The call of a device function that states what its parameters stand for.
#[derive(Debug, Clone)]
pub struct StatedCall {
    /// The function.
    pub callee: FuncId,
    /// For each of its parameters, in order, with the place in the text.
    pub stated: Vec<(Stated, Span)>,
    /// The arguments.
    pub args: Vec<Expr>,
}

/// The argument of a call for a parameter of the called function, between `::<` and `>`.
#[derive(Debug, Clone)]
pub enum Stated {
    /// `_`
    Open,
    /// A float type.
    Float(Scalar),
    /// A length.
    Len(Len),
}

/// `for pat in items { … }`: rounds for the elements of one array or of several side by side, as many as the shortest
/// one has.
#[derive(Debug, Clone)]
pub struct Each {
    /// The loop's identity.
    pub id: LoopId,
    /// What counts the rounds.
    pub counter: LocalId,
    /// The arrays.
    pub sources: Vec<Source>,
    /// The array that the loop makes, with an element for each round.
    pub made: Option<LocalId>,
    /// From the last element to the first.
    pub reversed: bool,
    /// The body; it begins with the declarations of what the pattern binds.
    pub body: Block,
}

/// An array that a loop runs over.
#[derive(Debug, Clone)]
pub struct Source {
    /// The array or a reference to it, a local that was declared before the loop.
    pub array: Expr,
    /// How its elements are taken.
    pub taken: Taken,
}

/// How a loop takes the elements of an array.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Taken {
    /// By reference where the array is reached through one.
    AsItIs,
    /// `.copied()`: elements instead of references to them.
    Copied,
    /// The elements themselves.
    Owned,
}
