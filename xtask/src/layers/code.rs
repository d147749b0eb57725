//! The content of one module: the names it declares and imports, the paths in its code, and its `unsafe`.

use super::attributes::{for_tests, of_item};
use super::tokens::{self, plain};
use proc_macro2::{Span, TokenStream};
use std::collections::BTreeSet;
use std::path::Path;
use std::rc::Rc;
use syn::visit::{self, Visit};
use syn::{Attribute, ForeignItem, ImplItem, Item, Meta, Safety, Signature, UseTree, Visibility};

/// Macros whose tokens are code of other programs.
const QUOTES: [&str; 5] = ["quote", "quote_spanned", "parse_quote", "parse_quote_spanned", "hygienic"];

/// A line of a file.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Location {
    pub file: Rc<Path>,
    pub line: usize,
}

/// The part of a crate in which an import is visible.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Scope {
    /// The surrounding function.
    Function,
    /// The module and those below it.
    Module,
    /// The parent module and those below it.
    Parent,
    /// The whole crate.
    Crate,
}

/// An import of one name into a module, or of all names of another module.
#[derive(Debug)]
pub(super) struct Import {
    pub path: Vec<String>,
    /// `None` for all names.
    pub name: Option<String>,
    pub scope: Scope,
}

/// A path in the code of a module.
#[derive(Debug)]
pub(super) struct Mention {
    pub path: Vec<String>,
    pub at: Location,
    /// Whether it calls a macro.
    pub calls: bool,
}

/// The content of a module.
#[derive(Debug, Default)]
pub(super) struct Code {
    /// The items that it declares, except modules and macros.
    pub items: BTreeSet<String>,
    /// The macros that it declares, and whether their paths begin at the crate's root.
    pub macros: Vec<(String, bool)>,
    pub imports: Vec<Import>,
    pub mentions: Vec<Mention>,
    /// Names of variables and parameters.
    pub variables: BTreeSet<String>,
    pub unsafe_at: Vec<Location>,
}

impl Code {
    /// Adds an item that is not a module.
    pub(super) fn add(&mut self, item: &Item, file: &Rc<Path>) {
        if for_tests(of_item(item)) {
            return;
        }
        self.declare(item);
        let mut reader = Reader { code: self, file, inside: !matches!(item, Item::Use(_)) };
        reader.visit_item(item);
    }

    fn declare(&mut self, item: &Item) {
        let ident = match item {
            Item::Const(item) => &item.ident,
            Item::Enum(item) => &item.ident,
            Item::Fn(item) => &item.sig.ident,
            Item::Static(item) => &item.ident,
            Item::Struct(item) => &item.ident,
            Item::Trait(item) => &item.ident,
            Item::TraitAlias(item) => &item.ident,
            Item::Type(item) => &item.ident,
            Item::Union(item) => &item.ident,
            Item::Macro(item) => {
                let exported = item.attrs.iter().any(|attr| attr.path().is_ident("macro_export"));
                self.macros.extend(item.ident.as_ref().map(|ident| (plain(ident), exported)));
                return;
            }
            Item::ForeignMod(foreign) => {
                let functions = foreign.items.iter().filter_map(|item| match item {
                    ForeignItem::Fn(function) => Some(plain(&function.sig.ident)),
                    _ => None,
                });
                return self.items.extend(functions);
            }
            _ => return,
        };
        self.items.insert(plain(ident));
    }
}

/// Visits an item and collects its content.
struct Reader<'a> {
    code: &'a mut Code,
    file: &'a Rc<Path>,
    /// Whether this is inside of an item, where imports are visible only in a function.
    inside: bool,
}

impl Reader<'_> {
    fn location(&self, line: usize) -> Location {
        Location { file: Rc::clone(self.file), line }
    }

    fn mention(&mut self, path: Vec<String>, line: usize, calls: bool) {
        let at = self.location(line);
        self.code.mentions.push(Mention { path, at, calls });
    }

    fn found_unsafe(&mut self, span: Span) {
        let at = self.location(span.start().line);
        self.code.unsafe_at.push(at);
    }

    fn mention_path(&mut self, path: &syn::Path, calls: bool) {
        if path.leading_colon.is_none()
            && let Some(first) = path.segments.first()
        {
            let names = path.segments.iter().map(|segment| plain(&segment.ident)).collect();
            self.mention(names, first.ident.span().start().line, calls);
        }
    }

    fn mention_tokens(&mut self, tokens: &TokenStream) {
        for path in tokens::paths(tokens.clone()) {
            self.mention(path.names, path.line, path.calls);
        }
    }

    fn import(&mut self, tree: &UseTree, path: &mut Vec<String>, scope: Scope) {
        let (last, name) = match tree {
            UseTree::Path(part) => {
                path.push(plain(&part.ident));
                self.import(&part.tree, path, scope);
                path.pop();
                return;
            }
            UseTree::Group(group) => return group.items.iter().for_each(|tree| self.import(tree, path, scope)),
            UseTree::Name(name) => (Some(&name.ident), Some(&name.ident)),
            UseTree::Rename(name) => (Some(&name.ident), Some(&name.rename)),
            UseTree::Glob(_) => (None, None),
        };
        let mut whole = path.clone();
        let itself = last.is_some_and(|last| last == "self") && !path.is_empty();
        whole.extend(last.filter(|_| !itself).map(plain));
        let name = if itself && last == name { whole.last().cloned() } else { name.map(plain) };
        self.mention(whole.clone(), line_of(tree), false);
        self.code.imports.push(Import { path: whole, name, scope });
    }
}

fn line_of(tree: &UseTree) -> usize {
    let span = match tree {
        UseTree::Path(path) => path.ident.span(),
        UseTree::Name(name) => name.ident.span(),
        UseTree::Rename(name) => name.ident.span(),
        UseTree::Glob(glob) => glob.star_token.spans[0],
        UseTree::Group(group) => group.brace_token.span.open(),
    };
    span.start().line
}

impl<'ast> Visit<'ast> for Reader<'_> {
    fn visit_item(&mut self, item: &'ast Item) {
        if !for_tests(of_item(item)) {
            visit::visit_item(self, item);
        }
    }

    fn visit_impl_item(&mut self, item: &'ast ImplItem) {
        if !matches!(item, ImplItem::Fn(function) if for_tests(&function.attrs)) {
            visit::visit_impl_item(self, item);
        }
    }

    fn visit_item_use(&mut self, item: &'ast syn::ItemUse) {
        let scope = match &item.vis {
            _ if self.inside => Scope::Function,
            Visibility::Inherited => Scope::Module,
            Visibility::Public(_) => Scope::Crate,
            Visibility::Restricted(part) if part.path.is_ident("self") => Scope::Module,
            Visibility::Restricted(part) if part.path.is_ident("super") => Scope::Parent,
            Visibility::Restricted(_) => Scope::Crate,
        };
        if item.leading_colon.is_none() {
            self.import(&item.tree, &mut Vec::new(), scope);
        }
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        self.mention_path(path, false);
        visit::visit_path(self, path);
    }

    fn visit_macro(&mut self, call: &'ast syn::Macro) {
        self.mention_path(&call.path, true);
        let name = call.path.segments.last().map(|segment| plain(&segment.ident));
        if !name.is_some_and(|name| QUOTES.contains(&&*name)) {
            self.mention_tokens(&call.tokens);
            for line in tokens::unsafe_lines(call.tokens.clone()) {
                let at = self.location(line);
                self.code.unsafe_at.push(at);
            }
        }
    }

    fn visit_attribute(&mut self, attr: &'ast Attribute) {
        match &attr.meta {
            Meta::List(list) if !list.path.is_ident("cfg") => self.mention_tokens(&list.tokens),
            Meta::Path(path) => self.mention_path(path, false),
            _ => (),
        }
    }

    fn visit_pat_ident(&mut self, variable: &'ast syn::PatIdent) {
        self.code.variables.insert(plain(&variable.ident));
        visit::visit_pat_ident(self, variable);
    }

    fn visit_expr_unsafe(&mut self, block: &'ast syn::ExprUnsafe) {
        self.found_unsafe(block.unsafe_token.span);
        visit::visit_expr_unsafe(self, block);
    }

    fn visit_signature(&mut self, signature: &'ast Signature) {
        if let Safety::Unsafe(token) = &signature.safety {
            self.found_unsafe(token.span);
        }
        visit::visit_signature(self, signature);
    }

    fn visit_item_impl(&mut self, item: &'ast syn::ItemImpl) {
        if let Some(token) = &item.unsafety {
            self.found_unsafe(token.span);
        }
        visit::visit_item_impl(self, item);
    }

    fn visit_item_trait(&mut self, item: &'ast syn::ItemTrait) {
        if let Some(token) = &item.unsafety {
            self.found_unsafe(token.span);
        }
        visit::visit_item_trait(self, item);
    }

    fn visit_item_foreign_mod(&mut self, item: &'ast syn::ItemForeignMod) {
        if let Some(token) = &item.unsafety {
            self.found_unsafe(token.span);
        }
        visit::visit_item_foreign_mod(self, item);
    }
}
