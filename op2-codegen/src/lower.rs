//! From a checked loop to the steps of one element: which maps are followed, which views are bound, which data are
//! gathered before the kernel, passed to it, and scattered after it. This is the same for all targets.

mod build;

use crate::ir::{Access, Combine, Effect, Len, Scalar, Ty};
use crate::model::{Flops, Repeats};
use crate::parse::loop_decl::End;
use proc_macro2::{Ident, Span};
use syn::{Expr, Path};

pub use build::lower;

/// A loop, lowered.
pub struct Lowered {
    /// The `Op2`.
    pub op: Expr,
    /// The kernel.
    pub kernel: Path,
    /// Its name, for reports.
    pub kernel_name: String,
    /// The set or subset.
    pub set: Expr,
    /// Distinct maps, in order of first use.
    pub maps: Vec<MapUse>,
    /// Distinct ways through them.
    pub targets: Vec<Target>,
    /// Whether it runs over pairs.
    pub pairs: bool,
    /// Arguments in order.
    pub args: Vec<Argument>,
    /// For each const parameter of the kernel, the argument that tells it.
    pub lens: Vec<Tells>,
    /// Floating-point operations per element.
    pub flops: Flops,
    /// Contributions of the kernel that repeat each other.
    pub repeats: Repeats,
}

/// The part of a loop whose type has a const parameter of the kernel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tells {
    /// The type of the values of an argument.
    Value(usize),
    /// The arity of the map through which an argument gets all entries.
    Arity(usize),
}

/// A map that the loop goes through.
pub struct MapUse {
    /// The user's expression.
    pub map: Expr,
    /// Local name for its view.
    pub var: Ident,
    /// Whether arguments take its rows as wholes, of any length.
    pub by_rows: bool,
    /// The kernel's parameter that stands for its arity where all entries are used; none if no argument says so.
    pub arity: Option<Option<usize>>,
    /// First argument that uses it.
    pub arg: usize,
    /// Where that argument mentions it.
    pub span: Span,
}

/// One entry of a map, or all of them.
pub struct Target {
    /// Index into [`Lowered::maps`].
    pub map: usize,
    /// The entry; none means all.
    pub entry: Option<Expr>,
    /// Local name for its index, where that is no literal.
    pub var: Ident,
    /// Local name for its target.
    pub at: Ident,
    /// First argument that takes it.
    pub arg: usize,
}

/// The way of one argument through a map, as the user wrote it.
pub struct Through {
    /// The map.
    pub map: Expr,
    /// The entry; none means all.
    pub entry: Option<Expr>,
    /// Its target: an index into [`Lowered::targets`].
    pub target: usize,
}

/// An argument, lowered.
pub struct Argument {
    /// As written by the user, for messages.
    pub text: String,
    /// Where its word (`read`, `inc` …) stands.
    pub span: Span,
    /// The kernel's name for it.
    pub var: Ident,
    /// The type of the kernel's parameter.
    pub ty: Ty,
    /// The kind of index that the scalars of the kernel's parameter are, if they are any.
    pub indices: Option<Scalar>,
    /// Whether the kernel takes options that differ from element to element, because entries of the map may be missing.
    pub may_miss: bool,
    /// Its role.
    pub role: Role,
    /// Its way through a map, if it has one.
    pub through: Option<Through>,
}

/// The role of an argument.
pub enum Role {
    /// A dat.
    Dat(Box<DatArg>),
    /// A global that is read.
    Read(Expr),
    /// A global that is reduced into.
    Reduce(Combine, Expr),
    /// The index of an element, or those of all entries of a map.
    Index(Reach),
    /// The shift of a pair.
    Shift,
}

/// A dat argument.
pub struct DatArg {
    /// The user's expression.
    pub dat: Expr,
    /// Access.
    pub access: Access,
    /// Which element of it.
    pub reach: Reach,
    /// The flag of `opt`.
    pub flag: Option<Expr>,
    /// Whether the kernel asks entry by entry: each is there if the flag holds and the map leads somewhere.
    pub by_element: bool,
    /// The view to use: of this argument, or of an earlier one with the same dat.
    pub view: Ident,
    /// The argument that binds the view, if it is an earlier one.
    pub shares: Option<usize>,
}

/// The elements that an argument reaches.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Reach {
    /// The element of the loop.
    Element,
    /// Where [`Lowered::targets`] leads, one entry.
    Entry(usize),
    /// Where [`Lowered::targets`] leads, all entries.
    All(usize),
    /// The same, as a row of any length.
    Row(usize),
    /// An end of a pair.
    End(End),
    /// All elements of a dat, as a table.
    Whole,
}

impl Lowered {
    /// Arguments that are dats, with their number.
    pub fn dats(&self) -> impl Iterator<Item = (usize, &Argument, &DatArg)> {
        self.args.iter().enumerate().filter_map(|(n, arg)| Some((n, arg, arg.dat()?)))
    }

    /// Arguments into which the loop reduces, with their number.
    pub fn reductions(&self) -> impl Iterator<Item = (usize, &Argument, Combine)> {
        self.args.iter().enumerate().filter_map(|(n, arg)| match arg.role {
            Role::Reduce(how, _) => Some((n, arg, how)),
            _ => None,
        })
    }

    /// Whether some dat is reached through a map.
    pub fn is_indirect(&self) -> bool {
        self.dats().any(|(.., dat)| dat.is_mapped())
    }

    /// Whether the kernel takes rows of any length.
    pub fn has_rows(&self) -> bool {
        self.maps.iter().any(|map| map.by_rows)
    }

    /// Whether some dat is combined with through a map.
    pub fn combines_mapped(&self) -> bool {
        self.dats().any(|(.., dat)| dat.is_mapped() && dat.access.combines())
    }

    /// Whether some dat is changed through a map, other than by combining.
    pub fn writes_mapped(&self) -> bool {
        self.dats().any(|(.., dat)| dat.is_mapped() && matches!(dat.access.effect(), Effect::Write | Effect::Rw))
    }

    /// The ends of pairs that may be outside; of a loop over a set, none.
    pub fn outsides(&self) -> &'static [Option<End>] {
        if self.pairs { &[Some(End::From), Some(End::To)] } else { &[None] }
    }

    /// Whether each parameter of the kernel differs between the elements of a vector: all but globals that are read, and what belongs
    /// to the element outside of all pairs.
    pub fn differs(&self, outside: Option<End>) -> Vec<bool> {
        let lies_outside = |arg: &Argument| matches!(arg.reach(), Some(Reach::End(end)) if Some(end) == outside);
        let is_common = |arg: &Argument| match &arg.role {
            Role::Read(_) => true,
            Role::Dat(dat) => dat.reach == Reach::Whole || (lies_outside(arg) && !dat.access.modifies()),
            Role::Index(_) => lies_outside(arg),
            Role::Reduce(..) | Role::Shift => false,
        };
        // Behind the parameters of the arguments come the flags of those that may miss.
        let flags = self.args.iter().filter(|arg| arg.may_miss).map(|_| true);
        self.args.iter().map(|arg| !is_common(arg)).chain(flags).collect()
    }

    /// Whether the kernel takes options of each argument, because entries of its map may be missing.
    pub fn may_miss(&self) -> Vec<bool> {
        self.args.iter().map(|arg| arg.may_miss).collect()
    }

    /// The argument that tells a const parameter. An optional one is of a type, too, whether or not it is there.
    fn telling(&self, len: usize) -> Tells {
        let len = Len::Param(len);
        let of_value = (0..self.args.len()).find(|&n| self.args[n].value().has_length(&len));
        let of_entries = || (0..self.args.len()).find(|&n| self.args[n].ty.has_length(&len));
        // `parse` refuses a kernel with a length of no argument.
        of_value.map_or_else(|| Tells::Arity(of_entries().unwrap_or(0)), Tells::Value)
    }

    /// The map that a target is reached through.
    pub fn map_of(&self, target: usize) -> &MapUse {
        &self.maps[self.targets[target].map]
    }

    /// The local that holds the target of a reach; `None` for the element itself.
    pub fn at(&self, reach: Reach) -> Option<&Ident> {
        reach.target().map(|t| &self.targets[t].at)
    }

    /// For each type parameter of the kernel, the argument from which it is inferred. An optional argument may be
    /// absent, so another one is preferred.
    pub fn floats(&self) -> Vec<usize> {
        let of = |float: u8| {
            let telling =
                move || (0..self.args.len()).filter(move |&n| self.args[n].ty.has_scalar(Scalar::Generic(float)));
            telling().find(|&n| !self.args[n].is_optional()).or_else(|| telling().next())
        };
        (0..=u8::MAX).map_while(of).collect()
    }
}

impl Target {
    /// Whether the index of the entry is computed where the loop is called.
    pub fn is_computed(&self) -> bool {
        self.entry.as_ref().is_some_and(|entry| literal(entry).is_none())
    }
}

impl Argument {
    /// The type of the values behind it.
    pub fn value(&self) -> &Ty {
        match (&self.role, value(&self.ty)) {
            (Role::Index(_), Ty::Array(index, _)) => index,
            (_, value) => value,
        }
    }

    /// The dat, if it is one.
    pub fn dat(&self) -> Option<&DatArg> {
        match &self.role {
            Role::Dat(dat) => Some(dat),
            Role::Read(_) | Role::Reduce(..) | Role::Index(_) | Role::Shift => None,
        }
    }

    /// The elements that it reaches; none for globals.
    pub fn reach(&self) -> Option<Reach> {
        match &self.role {
            Role::Dat(dat) => Some(dat.reach),
            Role::Index(reach) => Some(*reach),
            Role::Read(_) | Role::Reduce(..) | Role::Shift => None,
        }
    }

    /// The way through a map that it takes.
    pub fn target(&self) -> Option<usize> {
        self.reach()?.target()
    }

    /// Whether it may be absent.
    pub fn is_optional(&self) -> bool {
        self.dat().is_some_and(DatArg::is_optional)
    }

    /// Whether the kernel changes indices that a map holds.
    pub fn writes_indices(&self) -> bool {
        self.indices.is_some() && self.dat().is_some_and(|dat| dat.access.modifies())
    }

    /// Whether generated functions see its values in another shape than the user's kernel: records as pairs, indices as numbers, tables
    /// by numbers.
    pub fn is_shaped(&self) -> bool {
        self.indices.is_some() || self.ty.has_record() || self.reach() == Some(Reach::Whole)
    }

    /// The local that a call bound to it.
    pub fn bound(&self) -> &Ident {
        self.dat().map_or(&self.var, |dat| &dat.view)
    }
}

impl DatArg {
    /// Whether it is reached through a map.
    pub fn is_mapped(&self) -> bool {
        self.reach.target().is_some()
    }

    /// Whether the kernel gets a row of any length.
    pub fn takes_row(&self) -> bool {
        matches!(self.reach, Reach::Row(_))
    }

    /// Whether the kernel gets all entries of a map.
    pub fn takes_all(&self) -> bool {
        matches!(self.reach, Reach::All(_))
    }

    /// Whether it may be absent.
    pub fn is_optional(&self) -> bool {
        self.flag.is_some()
    }

    /// Whether the kernel gets an option of the argument as a whole: it is there for all elements or for none.
    pub fn is_option(&self) -> bool {
        self.is_optional() && !self.by_element
    }
}

impl Reach {
    /// The way through a map.
    pub fn target(self) -> Option<usize> {
        match self {
            Reach::Element | Reach::End(_) | Reach::Whole => None,
            Reach::Entry(t) | Reach::All(t) | Reach::Row(t) => Some(t),
        }
    }
}

/// The type of the values behind a parameter of a kernel.
fn value(ty: &Ty) -> &Ty {
    match ty {
        Ty::Ref(_, inner) | Ty::Option(inner) | Ty::Table(inner) => value(inner),
        Ty::Array(item, _) if matches!(**item, Ty::Ref(..) | Ty::Option(_)) => value(item),
        Ty::Array(item, Len::Row) => item,
        _ => ty,
    }
}

/// The number of a literal index.
pub fn literal(index: &Expr) -> Option<usize> {
    match index {
        Expr::Lit(syn::ExprLit { lit: syn::Lit::Int(int), .. }) => int.base10_parse().ok(),
        _ => None,
    }
}
