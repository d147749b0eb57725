//! Constants. Their paths are valid only in the module of the function that mentions them. So each function has a carrier, a type
//! ([`crate::expand`]) with an associated function for each constant that the function or one of its callees mentions,
//! named after the mention.
//!
//! The generator knows the type of a constant from its uses, lengths of arrays excepted. For a run-time constant the
//! compiler supplies them, since its declaration has the type. A Rust `const` may also be a slice or a reference: if a
//! length is unknown, the function takes indices and returns the element. A length in a type is an associated constant.

use super::Body;
use super::types::{is_known, number, tokens};
use crate::ir::{ConstId, ConstKind, ConstUse, Expr, ExprKind, Func, FuncId, Len, LoopKind, Mention, Scalar, Ty, Unit};
use crate::parse::loop_decl::written;
use crate::payload::Payload;
use crate::root::Root;
use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{ToTokens, format_ident, quote};
use std::collections::BTreeSet;

impl Body<'_> {
    /// The value of a constant whose type is known.
    pub(super) fn constant(&self, id: ConstId) -> TokenStream {
        let function = self.carrier(id, "const");
        match self.func.consts[id.0].kind {
            ConstKind::Rust => hygienic!(*#function()),
            ConstKind::Runtime => hygienic!(#function()),
        }
    }

    /// A constant as the length of an array.
    pub(super) fn length(&self, id: ConstId) -> TokenStream {
        self.carrier(id, "LEN")
    }

    /// An element of a constant of unknown length.
    pub(super) fn part_of_constant(&self, e: &Expr) -> Option<TokenStream> {
        let part = self.part(e)?;
        let indices: Vec<TokenStream> = part.indices.iter().map(|i| self.expr(i)).collect();
        Some(part.at(&indices))
    }

    /// The same, its indices not yet written.
    pub(super) fn part<'e>(&self, e: &'e Expr) -> Option<Part<'e>> {
        let (id, indices) = element(e)?;
        let open = open(&self.func.consts[id.0]).filter(|n| (1..=indices.len()).contains(n))?;
        Some(Part { function: self.carrier(id, "const"), open, indices })
    }

    fn carrier(&self, id: ConstId, what: &str) -> TokenStream {
        let unit = self.functions.unit;
        let (carrier, name) = (self.functions.carrier, name(what, &unit.place(self.id, id)));
        hygienic!(#carrier::#name)
    }
}

/// The carrier of the function or the record with this number, in code that knows the run time's items as `private`.
/// The compiler infers which type it is, because only one carries for the number; with two it refuses the program.
pub fn carrier(site: u64, private: &TokenStream) -> TokenStream {
    let site = Literal::u64_unsuffixed(site);
    hygienic!(<<#private::Site<#site> as #private::Carries<_>>::Items>)
}

/// A constant where the function is defined that mentions it. A length in a record is carried by the record, and so is
/// known everywhere.
pub fn value_of(constant: &ConstUse, root: &Root) -> TokenStream {
    let Some((site, number)) = constant.of_type else { return constant.path.to_token_stream() };
    let (carrier, name) = (carrier(site, &quote!(#root::__private)), length_name(number));
    hygienic!(#carrier::#name)
}

/// The name of a length in a record, among what the record carries.
pub fn length_name(number: usize) -> Ident {
    name("LEN", &(Vec::new(), number))
}

/// A constant as a length or the end of a range.
pub fn length_at(carrier: &TokenStream, place: &Mention) -> TokenStream {
    let name = name("LEN", place);
    hygienic!(#carrier::#name)
}

/// A part of a constant of unknown length.
pub(super) struct Part<'e> {
    /// The expression that gives it.
    function: TokenStream,
    /// How many indices the function takes; the others index its result.
    open: usize,
    pub(super) indices: Vec<&'e Expr>,
}

impl Part<'_> {
    /// The part at these indices.
    pub(super) fn at(&self, indices: &[TokenStream]) -> TokenStream {
        let (outside, inside) = indices.split_at(self.open);
        let function = &self.function;
        hygienic!(#function(#(#outside),*) #([#inside])*)
    }
}

/// The constant that an expression is, or is a part of, with the indices that lead there.
fn element(e: &Expr) -> Option<(ConstId, Vec<&Expr>)> {
    match &e.kind {
        ExprKind::Const(id) => Some((*id, Vec::new())),
        ExprKind::Index(array, index) => {
            let (id, mut indices) = element(array)?;
            indices.push(index);
            Some((id, indices))
        }
        _ => None,
    }
}

/// The reason why a function cannot be generated: a constant of unknown length is used as a whole, or borrowed.
pub(super) fn obstacle(func: &Func) -> Option<String> {
    let found = func.body.exprs().into_iter().find_map(|e| whole(func, e, false))?;
    let name = written(&func.consts[found.0].path);
    Some(format!("the length of constant `{name}`, which the kernel uses as a whole, is not known to the generator"))
}

/// A constant of unknown length of which an expression uses more than an element.
fn whole(func: &Func, e: &Expr, lent: bool) -> Option<ConstId> {
    if let Some((id, indices)) = element(e) {
        let fits = match open(&func.consts[id.0]) {
            Some(0) => true,
            Some(open) => indices.len() >= open && !lent,
            None => false,
        };
        return if fits { indices.into_iter().find_map(|i| whole(func, i, false)) } else { Some(id) };
    }
    let lent = matches!(e.kind, ExprKind::Ref(..));
    let (exprs, blocks) = e.parts();
    let inside = blocks.into_iter().flat_map(|block| block.exprs()).map(|e| (e, false));
    exprs.into_iter().map(|e| (e, lent)).chain(inside).find_map(|(e, lent)| whole(func, e, lent))
}

/// How many indices lead to a part of a constant whose type can be written; none if indices do not.
fn open(constant: &ConstUse) -> Option<usize> {
    let open = open_type(&constant.ty)?;
    Some(if constant.kind == ConstKind::Runtime { 0 } else { open })
}

fn open_type(ty: &Ty) -> Option<usize> {
    match ty {
        ty if is_known(ty) && !matches!(ty.elem(), Some(Scalar::Generic(_))) => Some(0),
        Ty::Array(item, _) => open_type(item).map(|n| n + 1),
        _ => None,
    }
}

fn name(what: &str, (way, own): &Mention) -> Ident {
    let numbers: Vec<String> = way.iter().chain([own]).map(usize::to_string).collect();
    format_ident!("__{what}_{}", numbers.join("_"), span = Span::mixed_site())
}

/// The items of a function's carrier: all constants that loops over it may need.
pub fn carried(unit: &Unit, payload: &Payload, root: &Root) -> TokenStream {
    let lengths = lengths(unit);
    let mut done: BTreeSet<Mention> = BTreeSet::new();
    let mut items = TokenStream::new();
    for (f, func) in unit.funcs.iter().enumerate() {
        for (c, constant) in func.consts.iter().enumerate().filter(|(_, c)| c.origin.is_none()) {
            let place = unit.place(FuncId(f), ConstId(c));
            // Two instances of a generic function mention the same constants.
            if done.insert(place.clone()) {
                let carrier = Carrier { unit, payload, root, func: FuncId(f), constant, place };
                if lengths.contains(&carrier.place) {
                    items.extend(carrier.length());
                }
                items.extend(carrier.value());
            }
        }
    }
    items
}

/// A constant that is to be carried.
struct Carrier<'a> {
    unit: &'a Unit,
    payload: &'a Payload,
    root: &'a Root,
    func: FuncId,
    constant: &'a ConstUse,
    place: Mention,
}

impl Carrier<'_> {
    /// The associated function; `None` if the type is not sufficiently known.
    fn value(&self) -> Option<TokenStream> {
        let ConstUse { kind, ty, .. } = self.constant;
        let path = value_of(self.constant, self.root);
        let open = open(self.constant)?;
        let item = (0..open).fold(ty, |ty, _| match ty {
            Ty::Array(item, _) => item,
            ty => ty,
        });
        let name = name("const", &self.place);
        let indices: Vec<Ident> = (0..open).map(|n| format_ident!("i{n}", span = Span::mixed_site())).collect();
        let ty = self.ty(item, 0);
        let shape = (!is_known(item)).then(|| self.shape());
        let (ty, value) = match (self.callee("const"), kind) {
            (Some(theirs), ConstKind::Rust) if open == 0 => (lent(ty), hygienic!(#theirs())),
            (Some(theirs), _) => (ty, hygienic!(#theirs(#(#indices),*))),
            // A reference, because the constant itself may be one.
            (None, ConstKind::Rust) if open == 0 => (lent(ty), hygienic!(&#path)),
            (None, ConstKind::Rust) => (ty, hygienic!(#path #([#indices])*)),
            (None, ConstKind::Runtime) => (ty, hygienic!(#path.get() #([#indices])*)),
        };
        Some(hygienic! {
            #shape
            #[doc(hidden)]
            #[inline(always)]
            pub fn #name(#(#indices: ::core::primitive::usize),*) -> #ty { #value }
        })
    }

    /// The constant as a length.
    fn length(&self) -> TokenStream {
        let (name, path) = (name("LEN", &self.place), value_of(self.constant, self.root));
        let value = match self.callee("LEN") {
            Some(theirs) => theirs,
            None if self.constant.ty == Ty::Scalar(Scalar::Usize) => hygienic!(#path),
            // The end of a range; a negative one gives no rounds.
            None => hygienic!(if #path > 0 { #path as ::core::primitive::usize } else { 0 }),
        };
        hygienic! {
            #[doc(hidden)]
            pub const #name: ::core::primitive::usize = #value;
        }
    }

    /// The lengths of a run-time constant.
    fn shape(&self) -> TokenStream {
        let (name, path, root) = (name("SHAPE", &self.place), value_of(self.constant, self.root), self.root);
        let value = self.callee("SHAPE").unwrap_or_else(|| hygienic!(#root::__private::lengths(&#path)));
        hygienic! {
            #[doc(hidden)]
            pub const #name: [::core::primitive::usize; 8] = #value;
        }
    }

    /// A type, `depth` arrays deep in that of the constant.
    fn ty(&self, ty: &Ty, depth: usize) -> TokenStream {
        match ty {
            Ty::Array(item, Len::Param(_) | Len::Infer(_)) => {
                let (item, name, depth) = (self.ty(item, depth + 1), name("SHAPE", &self.place), number(depth));
                hygienic!([#item; Self::#name[#depth]])
            }
            Ty::Array(item, len) => {
                let (item, len) = (self.ty(item, depth + 1), self.len(len));
                hygienic!([#item; #len])
            }
            ty => tokens(ty, &|len| self.len(len)),
        }
    }

    /// The item of the called function that carries the constant.
    fn callee(&self, what: &str) -> Option<TokenStream> {
        let (way, own) = &self.place;
        let (callee, way) = way.split_first()?;
        let root = self.root;
        let carrier = carrier(self.payload.callees[*callee].1.site, &hygienic!(#root::__private));
        let name = name(what, &(way.to_vec(), *own));
        Some(hygienic!(#carrier::#name))
    }

    fn len(&self, len: &Len) -> TokenStream {
        match len {
            Len::Lit(n) => number(*n),
            Len::Const(id) => {
                let name = name("LEN", &self.unit.place(self.func, *id));
                hygienic!(Self::#name)
            }
            Len::Param(_) | Len::Infer(_) | Len::Row => unreachable!("types with unknown lengths are not written"),
        }
    }
}

fn lent(ty: TokenStream) -> TokenStream {
    let ty = super::types::lending(ty, &hygienic!('static));
    hygienic!(&'static #ty)
}

/// The constants that are lengths of arrays, or ends of ranges, which may become lengths of temporaries between stages.
fn lengths(unit: &Unit) -> BTreeSet<Mention> {
    let mut found = BTreeSet::new();
    for (f, func) in unit.funcs.iter().enumerate() {
        let mut ids = Vec::new();
        let types = func.params.iter().map(|p| &p.ty).chain(func.locals.iter().map(|l| &l.ty));
        types.chain(func.consts.iter().map(|c| &c.ty)).chain([&func.ret]).for_each(|ty| in_type(ty, &mut ids));
        func.body.walk(&mut |e| {
            in_type(&e.ty, &mut ids);
            if let ExprKind::Loop(l) = &e.kind
                && let LoopKind::For { end, .. } = &l.kind
                && let ExprKind::Const(id) = end.kind
                && func.consts[id.0].kind == ConstKind::Rust
            {
                ids.push(id);
            }
        });
        found.extend(ids.into_iter().map(|id| unit.place(FuncId(f), id)));
    }
    found
}

fn in_type(ty: &Ty, found: &mut Vec<ConstId>) {
    match ty {
        Ty::Array(item, len) => {
            found.extend(match len {
                Len::Const(id) => Some(*id),
                _ => None,
            });
            in_type(item, found);
        }
        Ty::Ref(_, inner) | Ty::Option(inner) | Ty::Table(inner) => in_type(inner, found),
        Ty::Tuple(parts) | Ty::Record(_, parts) => parts.iter().for_each(|part| in_type(part, found)),
        Ty::ArgBest(_, value, payload) => [value, payload].into_iter().for_each(|ty| in_type(ty, found)),
        Ty::Unit | Ty::Never | Ty::Scalar(_) | Ty::Infer(_) => {}
    }
}
