//! Names as the parser resolves them, written down for the compiler to confirm.
//!
//! The parser resolves names by their text and their block. The compiler knows more: which macro wrote a variable,
//! which type a module calls `f64`, which trait `Float` is. If it resolved the names of a kernel differently, the
//! user's function and the generated one would differ. So each function comes with code that never runs and compiles
//! only if both resolve all names alike.

use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use std::cell::RefCell;
use std::collections::BTreeSet;
use syn::Path;
use syn::ext::IdentExt;

use crate::ir::{LocalId, Scalar};
use crate::root::Root;

/// The names that a function mentions.
#[derive(Default)]
pub struct Names {
    events: RefCell<Vec<Event>>,
    mentions: RefCell<Vec<Mention>>,
}

/// Declarations and uses of variables, in the order of the text.
enum Event {
    /// A block begins.
    Open,
    /// It ends.
    Close,
    /// A variable begins.
    Bind(Ident, LocalId),
    /// An ambiguous name is used for this variable.
    Use(Ident, LocalId),
}

/// A name that is no variable's.
enum Mention {
    /// A scalar type.
    Scalar(Ident, Scalar),
    /// A declared type, by its number; whether it has a type parameter.
    Declared(Path, u64, bool),
    /// The bound of the type parameter.
    Float(Path),
    /// `Row`, a row of any length.
    Row(Path),
    /// `Idx`, an element of a set.
    Index(Path),
    /// `Table`, all values of a dat.
    Table(Path),
    /// `Some` and `None`.
    Options(Span),
    /// A function of a scalar type.
    Function(Path, Scalar),
    /// A variable of a pattern that may be refuted, where the name of a constant would be compared with.
    Binding(Ident),
    /// `array::from_fn`
    FromFn(Path),
    /// A macro that checks a condition in debug builds.
    Assertion(Path),
    /// A constant of a scalar type, by its name there or in `consts`.
    Constant(Path, Scalar, bool),
}

impl Names {
    pub(super) fn open(&self) {
        self.events.borrow_mut().push(Event::Open);
    }

    pub(super) fn close(&self) {
        self.events.borrow_mut().push(Event::Close);
    }

    pub(super) fn bind(&self, name: &Ident, id: LocalId) {
        if *name != "_" {
            self.events.borrow_mut().push(Event::Bind(name.clone(), id));
        }
    }

    pub(super) fn ambiguous(&self, name: &Ident, id: LocalId) {
        self.events.borrow_mut().push(Event::Use(name.clone(), id));
    }

    pub(super) fn binding(&self, name: &Ident) {
        self.mention(Mention::Binding(name.clone()));
    }

    pub(super) fn scalar(&self, name: &Ident, scalar: Scalar) {
        self.mention(Mention::Scalar(name.clone(), scalar));
    }

    pub(super) fn declared(&self, path: &Path, site: u64, generic: bool) {
        self.mention(Mention::Declared(path.clone(), site, generic));
    }

    pub(super) fn row(&self, path: &Path) {
        self.mention(Mention::Row(bare(path)));
    }

    pub(super) fn index(&self, path: &Path) {
        self.mention(Mention::Index(bare(path)));
    }

    pub(super) fn table(&self, path: &Path) {
        self.mention(Mention::Table(bare(path)));
    }

    /// The user asks or makes an option at this place.
    pub(super) fn options(&self, span: Span) {
        self.mention(Mention::Options(span));
    }

    pub(super) fn float(&self, bound: &Path) {
        self.mention(Mention::Float(bound.clone()));
    }

    pub(super) fn function(&self, path: &Path, scalar: Scalar) {
        self.mention(Mention::Function(path.clone(), scalar));
    }

    pub(super) fn made_by(&self, path: &Path) {
        self.mention(Mention::FromFn(path.clone()));
    }

    pub(super) fn assertion(&self, name: &Path) {
        self.mention(Mention::Assertion(name.clone()));
    }

    pub(super) fn constant(&self, path: &Path, scalar: Scalar, of_consts: bool) {
        self.mention(Mention::Constant(path.clone(), scalar, of_consts));
    }

    fn mention(&self, mention: Mention) {
        // Items of the type parameter are found through it.
        if !matches!(
            mention,
            Mention::Scalar(_, Scalar::Generic(_))
                | Mention::Function(_, Scalar::Generic(_))
                | Mention::Constant(_, Scalar::Generic(_), _)
        ) {
            self.mentions.borrow_mut().push(mention);
        }
    }

    /// Items that compile only if the compiler resolves the names of `function` as the parser did.
    pub fn confirmed(self, function: &Ident, root: &Root) -> TokenStream {
        let Names { events, mentions } = self;
        let variables = variables(&events.into_inner(), function, root);
        let mut met = BTreeSet::new();
        let others = mentions.into_inner().into_iter().filter_map(|mention| {
            let (key, tokens) = confirmed(&mention, root);
            met.insert(key).then_some(tokens)
        });
        let others: Vec<_> = others.collect();
        if variables.is_none() && others.is_empty() {
            return TokenStream::new();
        }
        let allowed = quote!(#[allow(unused, non_snake_case, non_upper_case_globals, clippy::all, clippy::pedantic)]);
        quote_spanned! {Span::mixed_site()=>
            #allowed
            const _: () = {
                #variables
                #(#others)*
            };
        }
    }
}

/// The path without type arguments at its end.
fn bare(path: &Path) -> Path {
    let mut path = path.clone();
    if let Some(last) = path.segments.last_mut() {
        last.arguments = syn::PathArguments::None;
    }
    path
}

/// The statement for one mention, and a key by which duplicates are dropped.
fn confirmed(mention: &Mention, root: &Root) -> (String, TokenStream) {
    let own = |scalar: Scalar| {
        let name = Ident::new(scalar.name(), Span::mixed_site());
        quote!(::core::primitive::#name)
    };
    let at = |span: Span| span.resolved_at(Span::mixed_site());
    match mention {
        Mention::Scalar(name, scalar) => {
            let own = own(*scalar);
            (format!("type {name}"), quote_spanned!(at(name.span())=> #root::__private::means::<#name, #own>();))
        }
        Mention::Declared(path, site, generic) => {
            let span = path.segments.last().map_or_else(Span::mixed_site, |s| at(s.ident.span()));
            let argument = generic.then(|| quote!(<::core::primitive::f64>));
            let site = Literal::u64_unsuffixed(*site);
            let private = quote!(#root::__private);
            let value = quote!(<<#private::Site<#site> as #private::Carries<_>>::Items>::__value);
            let float = generic.then(|| quote!(::<::core::primitive::f64>));
            let code = quote_spanned!(span=> #private::means_declared::<#path #argument, _>(&#value #float););
            (format!("declared {}", quote!(#path)), code)
        }
        Mention::Binding(name) => {
            let span = at(name.span());
            let code = quote_spanned!(span=> {
                const fn binding(variable: #root::__private::Variable<0>) {
                    let #name = variable;
                }
            });
            (format!("binding {name}"), code)
        }
        Mention::Float(bound) => {
            let span = bound.segments.last().map_or_else(Span::mixed_site, |s| at(s.ident.span()));
            let code = quote_spanned!(span=> { fn bound<F: #bound>() { #root::__private::means_float::<F>() } });
            ("bound".to_owned(), code)
        }
        Mention::Row(path) => {
            let span = path.segments.last().map_or_else(Span::mixed_site, |s| at(s.ident.span()));
            let any = quote!(<::core::primitive::u8>);
            let code = quote_spanned!(span=> #root::__private::means_row::<#path #any>(););
            (format!("row {}", quote!(#path)), code)
        }
        Mention::Index(path) => {
            let span = path.segments.last().map_or_else(Span::mixed_site, |s| at(s.ident.span()));
            let any = quote!(<::core::primitive::u8>);
            let code = quote_spanned!(span=> #root::__private::means_index::<#path #any>(););
            (format!("index {}", quote!(#path)), code)
        }
        Mention::Table(path) => {
            let span = path.segments.last().map_or_else(Span::mixed_site, |s| at(s.ident.span()));
            let any = quote!(<::core::primitive::u8, ::core::primitive::u8>);
            let code = quote_spanned!(span=> #root::__private::means_table::<#path #any>(););
            (format!("table {}", quote!(#path)), code)
        }
        Mention::Options(place) => {
            let [some, none] = ["Some", "None"].map(|name| Ident::new(name, *place));
            let option = quote!(::core::option::Option::<::core::primitive::u8>);
            let code = quote_spanned! {at(*place)=>
                #root::__private::one_type(&#some::<::core::primitive::u8>, &#option::Some);
                let _: #option = #none::<::core::primitive::u8>;
            };
            ("options".to_owned(), code)
        }
        Mention::Function(path, scalar) => {
            let (own, last) = (own(*scalar), path.segments.last().map(|s| &s.ident));
            let span = last.map_or_else(Span::mixed_site, |name| at(name.span()));
            let code = quote_spanned!(span=> #root::__private::one_type(&#path, &<#own>::#last););
            (format!("function {}", quote!(#path)), code)
        }
        Mention::FromFn(path) => {
            let span = path.segments.last().map_or_else(Span::mixed_site, |s| at(s.ident.span()));
            let any = quote!(::<::core::primitive::u8, 1, fn(::core::primitive::usize) -> ::core::primitive::u8>);
            let code = quote_spanned!(span=> #root::__private::one_type(&#path #any, &::core::array::from_fn #any););
            (format!("from_fn {}", quote!(#path)), code)
        }
        Mention::Assertion(name) => {
            let span = name.segments.last().map_or_else(Span::mixed_site, |s| at(s.ident.span()));
            // A macro of the user by this name makes the name ambiguous.
            let args = if name.is_ident("debug_assert") { quote!(true) } else { quote!(1, 1) };
            let code = quote_spanned!(span=> { fn assertion() { use ::core::#name; #name!(#args); } });
            (format!("macro {}", quote!(#name)), code)
        }
        Mention::Constant(path, scalar, of_consts) => {
            let (own, last) = (own(*scalar), path.segments.last().map(|s| &s.ident));
            let name = scalar.name();
            let module = Ident::new(name, Span::mixed_site());
            let known = if *of_consts { quote!(::core::#module::consts::#last) } else { quote!(<#own>::#last) };
            let bits = |value: TokenStream| if scalar.is_float() { quote!(<#own>::to_bits(#value)) } else { value };
            let (given, known) = (bits(quote!(#path)), bits(known));
            let message = format!(
                "`{}` is another constant here than that of `{name}`: rename it",
                quote!(#path).to_string().replace(' ', "")
            );
            let span = last.map_or_else(Span::mixed_site, |name| at(name.span()));
            (format!("constant {}", quote!(#path)), quote_spanned!(span=> ::core::assert!(#given == #known, #message);))
        }
    }
}

/// The blocks of a function, reduced to variables with ambiguous names. Each is bound to a number, and at each use the
/// compiler has to find the variable that the parser found.
fn variables(events: &[Event], function: &Ident, root: &Root) -> Option<TokenStream> {
    let ambiguous: BTreeSet<String> = events.iter().filter_map(used).map(|name| name.unraw().to_string()).collect();
    if ambiguous.is_empty() {
        return None;
    }
    let kinds = ambiguous.iter().map(|name| {
        let kind = kind(name);
        let message = format!(
            "`{name}` is the name of two variables of `{function}`, one of which a macro made: the compiler takes one of them here, \
             and op2 the other; rename one"
        );
        quote_spanned! {Span::mixed_site()=>
            #[diagnostic::on_unimplemented(message = #message, label = "one of two variables")]
            trait #kind<const N: ::core::primitive::usize>: ::core::marker::Sized { fn is(self) {} }
            impl<const N: ::core::primitive::usize> #kind<N> for #root::__private::Variable<N> {}
        }
    });
    let mut blocks = vec![TokenStream::new()];
    for event in events {
        match event {
            Event::Open => blocks.push(TokenStream::new()),
            Event::Close => {
                let inner = blocks.pop().unwrap_or_default();
                let outer = blocks.last_mut()?;
                outer.extend((!inner.is_empty()).then(|| quote_spanned!(Span::mixed_site()=> { #inner })));
            }
            Event::Bind(name, LocalId(id)) if ambiguous.contains(&name.unraw().to_string()) => {
                let id = Literal::usize_unsuffixed(*id);
                blocks
                    .last_mut()?
                    .extend(quote_spanned!(Span::mixed_site()=> let #name = #root::__private::Variable::<#id>;));
            }
            Event::Bind(..) => {}
            Event::Use(name, LocalId(id)) => {
                let (id, kind) = (Literal::usize_unsuffixed(*id), kind(&name.unraw().to_string()));
                let span = name.span().resolved_at(Span::mixed_site());
                blocks.last_mut()?.extend(quote_spanned!(span=> #kind::<#id>::is(#name);));
            }
        }
    }
    let body = blocks.pop()?;
    Some(quote_spanned!(Span::mixed_site()=> #(#kinds)* fn variables() { #body }))
}

fn used(event: &Event) -> Option<&Ident> {
    match event {
        Event::Use(name, _) => Some(name),
        _ => None,
    }
}

fn kind(name: &str) -> Ident {
    format_ident!("Is_{name}", span = Span::mixed_site())
}
