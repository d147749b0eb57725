//! The typed kernel IR.
//!
//! A [`Func`] is a kernel or a device function after `parse` and `model`: every expression has a
//! type, every literal is resolved, every local is known by its id, every call leads to a
//! function of the same [`Unit`]. The IR is the same for all targets; `emit` writes the code for CPUs and CUDA.
//!
//! The IR keeps Rust's meaning. Integer arithmetic wraps (as Rust does in release builds), `f32`
//! literals are `f32`, `as` saturates from float to integer, `%` keeps the sign of the dividend.

mod library;
mod parts;
pub mod print;
mod record;
mod scalar;
mod sugar;

use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::ToTokens;
use std::rc::Rc;

pub use op2_core::{Access, Combine, Effect};

pub use library::{AssocConst, Domain, Intrinsic, Operand, Outcome};
pub use record::Record;
pub use sugar::{Each, MethodCall, Part, RecordValue, Source, Stated, StatedCall, Sugar, Taken};

/// A kernel with all device functions that it reaches.
#[derive(Debug, Clone)]
pub struct Unit {
    /// `funcs[0]` is the kernel (or the device function being defined); callees come after their
    /// callers' first mention. Recursion does not exist: `parse` refuses it. After `model`, a
    /// device function generic over float types stands here once for all types that it
    /// is called with, and the type parameters of the kernel are the only ones in the unit.
    pub funcs: Vec<Func>,
}

impl Unit {
    /// Whether tables are asked for the numbers of elements.
    pub fn asks_numbers(&self) -> bool {
        let mut asks = false;
        let mut look = |e: &Expr| asks |= matches!(e.kind, ExprKind::Ask(question, ..) if question.is_about_numbers());
        self.funcs.iter().for_each(|func| func.body.walk(&mut look));
        asks
    }

    /// Whether elements walk over a mesh: they ask tables in rounds whose number their own values decide.
    pub fn walks(&self) -> bool {
        let mut walks = false;
        let mut look = |e: &Expr| match &e.kind {
            ExprKind::Loop(Loop { kind: LoopKind::Forever, body, .. }) => walks |= self.asks(&[], body),
            ExprKind::Loop(Loop { kind: LoopKind::While(cond), body, .. }) => {
                walks |= self.asks(std::slice::from_ref(cond), body);
            }
            _ => {}
        };
        self.funcs.iter().for_each(|func| func.body.walk(&mut look));
        walks
    }

    /// Whether tables are asked in these expressions and this block, or in functions that they call.
    fn asks(&self, exprs: &[Expr], block: &Block) -> bool {
        let mut asks = false;
        let mut look = |e: &Expr| match &e.kind {
            ExprKind::Ask(..) => asks = true,
            ExprKind::Call(id, _) => asks |= self.funcs.get(id.0).is_some_and(|func| self.asks(&[], &func.body)),
            _ => {}
        };
        exprs.iter().for_each(|e| e.walk(&mut look));
        block.walk(&mut look);
        asks
    }

    /// Where a constant is mentioned by the user: a length in the result of a called function is that function's.
    pub fn mention(&self, func: FuncId, id: ConstId) -> (FuncId, ConstId) {
        match self.funcs[func.0].consts[id.0].origin {
            Some((owner, theirs)) => self.mention(owner, theirs),
            None => (func, id),
        }
    }

    /// The same, as seen from the first function.
    pub fn place(&self, func: FuncId, id: ConstId) -> Mention {
        let (FuncId(owner), ConstId(id)) = self.mention(func, id);
        let Func { source, consts, .. } = &self.funcs[owner];
        (source.clone(), consts[..id].iter().filter(|c| c.origin.is_none()).count())
    }
}

/// Where a constant is mentioned: the calls that lead to the function, and which of its own constants it is.
pub type Mention = (Vec<usize>, usize);

/// Index into [`Unit::funcs`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FuncId(pub usize);

/// Index into [`Func::locals`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LocalId(pub usize);

/// Index into [`Func::consts`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct ConstId(pub usize);

/// A kernel or a device function.
#[derive(Debug, Clone)]
pub struct Func {
    /// The user's name.
    pub name: Ident,
    /// The number of the record whose method it is.
    pub method_of: Option<u64>,
    /// The float type parameters of a generic function (`F` of `fn k<F: Float>`). An instance has those of the first function,
    /// if types of it depend on any.
    pub floats: Vec<Ident>,
    /// The const parameters, all of them lengths. An instance has those of the first function, if it depends on any.
    pub lens: Vec<Ident>,
    /// For each type or const parameter, in the order of the text, whether it is a const parameter. An instance keeps the list of its
    /// function.
    pub consts_among: Vec<bool>,
    /// Parameters in order; each one is also a local.
    pub params: Vec<Param>,
    /// Result type; [`Ty::Unit`] for kernels.
    pub ret: Ty,
    /// The parameters, by number, into which a returned reference may lead.
    pub lends: Vec<usize>,
    /// All locals, parameters first, shadowed names as locals of their own.
    pub locals: Vec<Local>,
    /// The constants that the body or a type mentions, in order of first mention.
    pub consts: Vec<ConstUse>,
    /// The body; its tail expression is the result.
    pub body: Block,
    /// Where its payload is in that of `funcs[0]`: which callee, which callee of that one, and so on; the first
    /// way by which it was reached.
    pub source: Vec<usize>,
    /// Methods that the user calls and Rust could find elsewhere.
    pub lent: Vec<Lent>,
}

/// A method that Rust could find elsewhere before it comes to the one that is meant: one of a scalar, called on a
/// reference to it, one of slices, called on an array, or one of a record.
#[derive(Debug, Clone)]
pub struct Lent {
    /// The method's name.
    pub method: String,
    /// Type of the receiver as written, or behind some of its references.
    pub receiver: Ty,
    /// How many ways to pass it Rust tries first: by value, by reference, by mutable reference.
    pub ways: usize,
    /// Where the receiver stands.
    pub span: Span,
}

/// A parameter of a function.
#[derive(Debug, Clone)]
pub struct Param {
    /// The local that holds it.
    pub local: LocalId,
    /// Name as the user wrote it.
    pub name: Ident,
    /// Its type, references included.
    pub ty: Ty,
    /// The tokens of the type as the user wrote them, for messages.
    pub written: String,
    /// The kind of index that its scalars are, if they are any; after `model` they are numbers.
    pub indices: Option<Scalar>,
}

/// A local variable.
#[derive(Debug, Clone)]
pub struct Local {
    /// Name as the user wrote it.
    pub name: Ident,
    /// Its type.
    pub ty: Ty,
    /// Declared `mut`.
    pub mutable: bool,
}

/// A constant that a function mentions by path, or a length that it computes from constants.
#[derive(Debug, Clone)]
pub struct ConstUse {
    /// The path as the user wrote it; of a computed length, the expression in parentheses; of a length in a declared
    /// type, the path of the type and that of the length.
    pub path: syn::Expr,
    /// The declared type in which the length stands, and its number there: `path` then only names it.
    pub of_type: Option<(u64, usize)>,
    /// The kind of constant.
    pub kind: ConstKind,
    /// The type that its uses give it.
    pub ty: Ty,
    /// Where it comes from when the function itself does not mention it: a length in the result
    /// type of a called function, or the caller's length for a const parameter. The path is then to be resolved where that
    /// function is.
    pub origin: Option<(FuncId, ConstId)>,
}

impl ConstUse {
    /// The names and numbers that the constant is made of, in the order of the text.
    pub fn words(&self) -> Vec<String> {
        fn collect(tokens: TokenStream, words: &mut Vec<String>) {
            for token in tokens {
                match token {
                    TokenTree::Ident(name) => words.push(name.to_string().trim_start_matches("r#").to_owned()),
                    TokenTree::Literal(number) => words.push(number.to_string()),
                    TokenTree::Group(group) => collect(group.stream(), words),
                    TokenTree::Punct(_) => {}
                }
            }
        }
        let mut words = Vec::new();
        collect(self.path.to_token_stream(), &mut words);
        words
    }

    /// Whether it is computed from others.
    pub fn is_computed(&self) -> bool {
        matches!(self.path, syn::Expr::Paren(_))
    }
}

/// Kinds of constants.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ConstKind {
    /// A Rust `const` of the user.
    Rust,
    /// A static of `op2::constants!`, read by `NAME.get()`: fixed at run time before the first loop.
    Runtime,
}

/// Scalar types.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Scalar {
    /// `f32`
    F32,
    /// `f64`
    F64,
    /// A float type parameter of the function, by its number.
    Generic(u8),
    /// `i8`
    I8,
    /// `u8`
    U8,
    /// `i16`
    I16,
    /// `u16`
    U16,
    /// `i32`
    I32,
    /// `u32`
    U32,
    /// `i64`
    I64,
    /// `u64`
    U64,
    /// `usize`: indices and counts; 64 bits on every target.
    Usize,
    /// `bool`
    Bool,
    /// `Idx<S>`: an element of a set. `model` writes it out as `u32`.
    Idx,
    /// `Option<Idx<S>>`, the same with [`NO_INDEX`] where there is none.
    MaybeIdx,
}

/// Stands for an element that is not there.
pub const NO_INDEX: u32 = u32::MAX;

/// Types of the kernel language.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ty {
    /// `()`
    Unit,
    /// `!`: the type of `return`, `break`, `continue` and of blocks that end in one.
    Never,
    /// A scalar.
    Scalar(Scalar),
    /// `[T; N]`
    Array(Box<Ty>, Len),
    /// `(A, B, …)`
    Tuple(Vec<Ty>),
    /// A record with the types of its fields.
    Record(Rc<Record>, Vec<Ty>),
    /// `&T` or `&mut T`
    Ref(bool, Box<Ty>),
    /// `Option<&T>`, `Option<&mut T>` or `Option<u32>`: only parameters of kernels and the elements of their arrays have it, for `opt`
    /// arguments and for entries of maps that may be missing.
    Option(Box<Ty>),
    /// `Table<S, V>`, all values of a dat: only behind `&`.
    Table(Box<Ty>),
    /// `ArgMin<T, P>` / `ArgMax<T, P>`: only behind `&mut`, for `gbl_min`/`gbl_max` with payload.
    ArgBest(Best, Box<Ty>, Box<Ty>),
    /// An inference variable; none is left after `model`.
    Infer(usize),
}

/// A question that a kernel asks a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Question {
    /// `table.at(index)`: the value of an element.
    At,
    /// `table.len()`: how many elements there are.
    Len,
    /// `table.nth(number)`: the element with this number.
    Nth,
    /// `table.number(index)`: the number of an element.
    Number,
}

impl Question {
    /// All of them.
    pub const ALL: [Question; 4] = [Question::At, Question::Len, Question::Nth, Question::Number];

    /// Whether it is about the numbers that users have given to elements.
    pub fn is_about_numbers(self) -> bool {
        matches!(self, Question::Nth | Question::Number)
    }

    /// The method's name.
    pub fn name(self) -> &'static str {
        match self {
            Question::At => "at",
            Question::Len => "len",
            Question::Nth => "nth",
            Question::Number => "number",
        }
    }
}

/// Which of the two arg reductions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Best {
    /// `ArgMin`
    Min,
    /// `ArgMax`
    Max,
}

/// Length of an array.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Len {
    /// Known now.
    Lit(usize),
    /// A constant of the user: its value is not known to a macro.
    Const(ConstId),
    /// A const parameter of the function, by its number.
    Param(usize),
    /// Not known: the type came from a constant whose declaration the macro cannot see.
    Infer(usize),
    /// Known at run time, for each value anew: the array is a `Row`, which stands behind a reference.
    Row,
}

/// A block: statements and the value of the tail.
#[derive(Debug, Clone)]
pub struct Block {
    /// Statements in order.
    pub stmts: Vec<Stmt>,
    /// The tail expression, whose value is the block's.
    pub tail: Option<Box<Expr>>,
    /// The block's type.
    pub ty: Ty,
}

/// A statement.
#[derive(Debug, Clone)]
pub enum Stmt {
    /// `let pat: ty = init;`
    Let {
        /// The pattern.
        pat: Pat,
        /// Initial value; `let x;` without one is accepted where Rust accepts it.
        init: Option<Expr>,
    },
    /// An expression whose value is dropped.
    Expr(Expr),
}

/// Patterns of `let`.
#[derive(Debug, Clone)]
pub enum Pat {
    /// `_`
    Wild,
    /// A name.
    Local(LocalId),
    /// `(a, b)`
    Tuple(Vec<Pat>),
}

/// An expression with its type and its place in the source.
#[derive(Debug, Clone)]
pub struct Expr {
    /// Its kind.
    pub kind: ExprKind,
    /// Its type.
    pub ty: Ty,
    /// Where the user wrote it: the first token of a place, the operator of an operation, the
    /// name of a called function or method, the keyword of control flow.
    pub span: Span,
}

/// Kinds of expressions.
///
/// Automatic dereferencing is made explicit by `model`, which knows the types: `x[0]` on
/// `x: &[f64; 2]` is `Index(Deref(x), 0)`, and a `&mut` that is passed where a `&` is expected is
/// `Ref(false, Deref(x))`.
#[derive(Debug, Clone)]
pub enum ExprKind {
    /// A literal of the type that the expression has.
    Lit(Lit),
    /// A local or parameter.
    Local(LocalId),
    /// A constant of the user, Rust `const` or run-time constant.
    Const(ConstId),
    /// A const parameter of the function, by its number.
    Param(usize),
    /// `f64::EPSILON`, `F::MAX`, `i32::MIN`, `std::f64::consts::PI` …
    AssocConst(AssocConst),
    /// A part of a tuple or of a record, by its number
    Field(Box<Expr>, usize),
    /// `a[i]`, the array being a place of array type.
    Index(Box<Expr>, Box<Expr>),
    /// `*a`
    Deref(Box<Expr>),
    /// `&a` or `&mut a`
    Ref(bool, Box<Expr>),
    /// `-a`, `!a`
    Unary(Unary, Box<Expr>),
    /// `a + b`, comparison, lazy logic
    Binary(Binary, Box<Expr>, Box<Expr>),
    /// `a as T`; the target is the expression's type
    Cast(Box<Expr>),
    /// `a = b`
    Assign(Box<Expr>, Box<Expr>),
    /// `a += b`
    AssignOp(Binary, Box<Expr>, Box<Expr>),
    /// A call of a device function.
    Call(FuncId, Vec<Expr>),
    /// A function of the target's mathematics or integer library; the receiver comes first.
    Intrinsic(Intrinsic, Vec<Expr>),
    /// `F::lit(c)`: an `f64` turned into the float type parameter, or into what it stands for in
    /// this instance of the function.
    FloatLit(Box<Expr>),
    /// `debug_assert!(condition)`, and the message if the condition does not hold; debug builds evaluate it
    Assert(Box<Expr>, String),
    /// `best.update(value, payload)` on `&mut ArgMin` / `&mut ArgMax`
    BestUpdate(Box<Expr>, Box<Expr>, Box<Expr>),
    /// `row.len()`, of a place that is a `Row`
    Length(Box<Expr>),
    /// A method of a place that is a table, with its argument.
    Ask(Question, Box<Expr>, Vec<Expr>),
    /// `option.is_some()`, of a place that is an option: a parameter, or an element of one
    IsSome(Box<Expr>),
    /// `[a, b]`
    Array(Vec<Expr>),
    /// `[a; N]`, `N` being the length of the expression's type
    Repeat(Box<Expr>),
    /// `(a, b)`, or all fields of a record in the order of their declaration; the expression's type says which
    Tuple(Vec<Expr>),
    /// `{ … }`
    Block(Block),
    /// `if c { … } else { … }`
    If(Box<Expr>, Block, Option<Block>),
    /// `if let Some(binding) = option { … } else { … }`: (option, binding, then, else)
    IfSome(Box<Expr>, LocalId, Block, Option<Block>),
    /// A loop.
    Loop(Loop),
    /// `break` out of the labelled or innermost loop
    Break(LoopId),
    /// `continue`
    Continue(LoopId),
    /// `return` (device functions, and `return;` in kernels)
    Return(Option<Box<Expr>>),
    /// A form that `model` writes out in the other kinds; none is left after it.
    Sugar(Sugar),
}

/// Identity of a loop inside its function, for `break` and `continue`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LoopId(pub usize);

/// A loop; its type is `()` or, for `loop` without `break`, `!`.
#[derive(Debug, Clone)]
pub struct Loop {
    /// Its identity.
    pub id: LoopId,
    /// The kind of loop.
    pub kind: LoopKind,
    /// The body.
    pub body: Block,
}

/// Kinds of loops.
#[derive(Debug, Clone)]
pub enum LoopKind {
    /// `for var in start..end`, `start..=end`, `(start..end).rev()`
    For {
        /// The loop variable.
        var: LocalId,
        /// First value.
        start: Box<Expr>,
        /// Bound.
        end: Box<Expr>,
        /// `..=`
        inclusive: bool,
        /// `.rev()`
        reversed: bool,
    },
    /// `while cond`
    While(Box<Expr>),
    /// `loop`
    Forever,
}

/// Literals.
#[derive(Debug, Clone, PartialEq)]
pub enum Lit {
    /// An integer literal.
    Int(u128),
    /// A float literal, its digits as written without suffix and underscores.
    Float(String),
    /// `true`, `false`
    Bool(bool),
}

/// Unary operators.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unary {
    /// `-a`
    Neg,
    /// `!a`: logical on bool, bitwise on integers
    Not,
}

/// Binary operators.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Binary {
    /// `+`
    Add,
    /// `-`
    Sub,
    /// `*`
    Mul,
    /// `/`
    Div,
    /// `%`
    Rem,
    /// `&`
    BitAnd,
    /// `|`
    BitOr,
    /// `^`
    BitXor,
    /// `<<`
    Shl,
    /// `>>`
    Shr,
    /// `&&`
    And,
    /// `||`
    Or,
    /// `==`
    Eq,
    /// `!=`
    Ne,
    /// `<`
    Lt,
    /// `<=`
    Le,
    /// `>`
    Gt,
    /// `>=`
    Ge,
}
