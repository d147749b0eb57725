//! The generator: random programs over the whole kernel language, valid by construction.
//!
//! Expressions are asked for by type. Indices are masked, divisors are positive, loops end after a few rounds. Zeros lose their sign
//! in front of minima, and NaNs theirs in front of what asks for it, since Rust leaves both open; so every
//! program has one result, to the last bit.

mod access;
mod expr;
mod flow;
mod functions;
mod loops;
mod numbers;
mod places;
mod stmt;
mod types;

use std::collections::BTreeSet;

use crate::case::{Case, Constant, Dat, Function, Global, Mode, Scalar, Ty};
use crate::random::Random;

/// Constructs that may be left out, where what is wrong with them is known and hides the rest.
pub const OPTIONAL: [&str; 4] = [TABLE, LENT, UNSIGNED, CHOSEN];
/// A function that returns one of the references that it gets.
const CHOSEN: &str = "chosen";
/// A constant table by an index that varies.
const TABLE: &str = "table";
/// One of the references to all entries by an index that varies.
const LENT: &str = "entry";
/// `as i64` or `as u64` of `u32`.
const UNSIGNED: &str = "widening";

/// The case of a seed.
pub fn case(seed: u64) -> Case {
    case_without(seed, &[])
}

/// The case of a seed without some of the [constructs](OPTIONAL) that may be left out.
pub fn case_without(seed: u64, without: &[String]) -> Case {
    let mut g = Gen::new(seed);
    g.without = without.to_vec();
    g.constants();
    let count = 1 + g.r.weighted(&[55, 30, 15]);
    // Rounding would reach what later loops decide by.
    let count = if g.exact { count } else { 1 };
    let loops: Vec<_> = (0..count).map(|n| g.one_loop(n)).collect();
    let chained = count > 1 && g.r.chance(40);
    Case {
        seed,
        exact: g.exact,
        rounded: g.rounded,
        chained,
        constants: g.constants,
        functions: g.functions,
        dats: g.dats,
        globals: g.globals,
        loops,
        marks: g.marks,
    }
}

/// A name in scope.
#[derive(Debug, Clone)]
struct Var {
    name: String,
    ty: Ty,
    mutable: bool,
    /// As an index it is less than this.
    below: Option<usize>,
    /// The generator of op2 learns its type from its uses only.
    open: bool,
}

/// Places that a kernel may only combine into.
#[derive(Debug, Clone)]
struct Sink {
    name: String,
    ty: Ty,
    mode: Mode,
    entries: Option<usize>,
    /// The payload of a reduction with one.
    payload: Option<Ty>,
    used: bool,
}

/// A device function, as calls see it.
#[derive(Debug, Clone)]
struct Sig {
    path: String,
    params: Vec<Ty>,
    ret: Option<Ty>,
    generic: bool,
    /// Its first parameter is combined into.
    sink: Option<Mode>,
}

/// The function that is being written.
#[derive(Debug, Default)]
struct Frame {
    scope: Vec<Var>,
    /// Names that are borrowed just now.
    frozen: Vec<String>,
    sinks: Vec<Sink>,
    /// Optional arguments that may be asked for.
    options: Vec<String>,
    /// Those that are read, with what is inside of them.
    read_options: Vec<(String, Ty)>,
    /// Labels of the loops around.
    loops: Vec<Option<String>>,
    /// The type that `return` gives, if it may stand here.
    ret: Option<Option<Ty>>,
    generic: bool,
    budget: isize,
    names: usize,
    /// How many device functions wait for this one.
    nested: usize,
}

struct Gen {
    r: Random,
    exact: bool,
    rounded: bool,
    /// Whether elements that take turns combine by `^`, else by `+`: in any order either is the same, and both together are not.
    by_xor: bool,
    without: Vec<String>,
    here: Frame,
    constants: Vec<Constant>,
    functions: Vec<Function>,
    sigs: Vec<Sig>,
    dats: Vec<Dat>,
    globals: Vec<Global>,
    /// How dats are changed.
    roles: Vec<(usize, Mode)>,
    marks: BTreeSet<&'static str>,
}

impl Gen {
    fn new(seed: u64) -> Self {
        let mut r = Random::new(seed);
        let (exact, rounded, by_xor) = (r.chance(75), r.chance(25), r.chance(40));
        Gen {
            r,
            exact,
            rounded,
            by_xor,
            without: Vec::new(),
            here: Frame::default(),
            constants: Vec::new(),
            functions: Vec::new(),
            sigs: Vec::new(),
            dats: Vec::new(),
            globals: Vec::new(),
            roles: Vec::new(),
            marks: BTreeSet::new(),
        }
    }

    fn leaves_out(&self, construct: &str) -> bool {
        self.without.iter().any(|w| w == construct)
    }

    fn mark(&mut self, construct: &'static str) {
        self.marks.insert(construct);
    }

    /// Whether the function has room for more, and takes some of it.
    fn spend(&mut self) -> bool {
        self.here.budget -= 1;
        self.here.budget > 0
    }

    /// A name for a local: often one that is taken already.
    fn name(&mut self) -> String {
        let held = self.visible().into_iter().filter(|v| v.name.starts_with('v')).collect::<Vec<_>>();
        if !held.is_empty() && self.r.chance(15) {
            let name = self.r.pick(&held).name.clone();
            if !self.here.frozen.contains(&name) {
                self.mark("shadowing");
                return name;
            }
        }
        self.here.names += 1;
        format!("v{}", self.here.names)
    }

    /// The variables that can be read here: each name once, as it was declared last.
    fn visible(&self) -> Vec<Var> {
        let mut seen = BTreeSet::new();
        let last = self.here.scope.iter().rev().filter(|v| seen.insert(v.name.clone()));
        last.filter(|v| !self.here.frozen.contains(&v.name)).cloned().collect()
    }

    fn declare(&mut self, name: &str, ty: &Ty, mutable: bool) {
        let var = Var { name: name.to_owned(), ty: ty.clone(), mutable, below: None, open: false };
        self.here.scope.push(var);
    }

    /// A part of the text in a scope of its own.
    fn scoped(&mut self, write: impl FnOnce(&mut Self) -> String) -> String {
        let (scope, sinks) = (self.here.scope.len(), self.here.sinks.len());
        let text = write(self);
        self.here.scope.truncate(scope);
        self.here.sinks.truncate(sinks);
        text
    }

    /// A float that this function computes with.
    fn float(&mut self) -> Scalar {
        match self.here.generic {
            true if self.r.chance(75) => Scalar::Generic,
            _ => *self.r.pick(&[Scalar::F64, Scalar::F64, Scalar::F32]),
        }
    }
}
