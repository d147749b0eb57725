//! Paths and `unsafe` in token streams: in calls of macros, and in the rules of declared macros.

use proc_macro2::{Delimiter, Ident, TokenStream, TokenTree};

/// A path in a token stream.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct TokenPath {
    pub names: Vec<String>,
    pub line: usize,
    /// Whether it calls a macro.
    pub calls: bool,
}

/// The paths in `tokens`: those of several names, those of one capitalised name, and those of macros. A single name in
/// small letters is usually a variable.
pub(super) fn paths(tokens: TokenStream) -> Vec<TokenPath> {
    let mut found = Vec::new();
    scan(tokens, &[], &mut found);
    found
}

fn scan(tokens: TokenStream, prefix: &[String], found: &mut Vec<TokenPath>) {
    let trees: Vec<TokenTree> = tokens.into_iter().collect();
    let mut at = 0;
    while at < trees.len() {
        match &trees[at] {
            TokenTree::Ident(first) => at = scan_path(&trees, at, first, prefix, found),
            TokenTree::Group(group) => {
                scan(group.stream(), &[], found);
                at += 1;
            }
            _ => at += 1,
        }
    }
}

/// Reads the path that begins with `first`, and returns its end.
fn scan_path(trees: &[TokenTree], start: usize, first: &Ident, prefix: &[String], found: &mut Vec<TokenPath>) -> usize {
    let mut names = prefix.to_vec();
    names.push(plain(first));
    let mut end = start + 1;
    while separated(trees, end) {
        match trees.get(end + 2) {
            Some(TokenTree::Ident(next)) => {
                names.push(plain(next));
                end += 3;
            }
            Some(TokenTree::Group(list)) if list.delimiter() == Delimiter::Brace => {
                if begins_here(trees, start, first) {
                    scan(list.stream(), &names, found);
                }
                return end + 3;
            }
            _ => break,
        }
    }
    let calls = punct(trees, end, '!') && !punct(trees, end + 1, '=');
    let telling = names.len() > 1 || calls || names[0].starts_with(char::is_uppercase);
    if telling && begins_here(trees, start, first) {
        found.push(TokenPath { names, line: first.span().start().line, calls });
    }
    end
}

/// Whether a path can begin with this name: it is no field, method or lifetime, is not filled in by a macro, and does
/// not continue another path.
fn begins_here(trees: &[TokenTree], start: usize, first: &Ident) -> bool {
    let Some(before) = start.checked_sub(1) else { return true };
    if punct(trees, before, '$') {
        return first == "crate";
    }
    let field = punct(trees, before, '.') && !(before > 0 && punct(trees, before - 1, '.'));
    let filled_in = punct(trees, before, '#') || punct(trees, before, '\'');
    let goes_on = before > 0 && separated(trees, before - 1);
    !(field || filled_in || goes_on)
}

fn separated(trees: &[TokenTree], at: usize) -> bool {
    punct(trees, at, ':') && punct(trees, at + 1, ':')
}

fn punct(trees: &[TokenTree], at: usize, char: char) -> bool {
    matches!(trees.get(at), Some(TokenTree::Punct(punct)) if punct.as_char() == char)
}

/// The name without the prefix of a raw identifier.
pub(super) fn plain(ident: &Ident) -> String {
    let name = ident.to_string();
    name.strip_prefix("r#").map_or(name.clone(), str::to_owned)
}

/// The lines of `tokens` with an `unsafe` that opens a block, or makes a function, a trait or an implementation unsafe.
/// Attributes (`unsafe(no_mangle)`) and types (`unsafe fn()`) do not count.
pub(super) fn unsafe_lines(tokens: TokenStream) -> Vec<usize> {
    let trees: Vec<TokenTree> = tokens.into_iter().collect();
    let mut lines = Vec::new();
    for (at, tree) in trees.iter().enumerate() {
        match tree {
            TokenTree::Ident(ident) if ident == "unsafe" && !attribute_or_type(&trees[at + 1..]) => {
                lines.push(ident.span().start().line);
            }
            TokenTree::Group(group) => lines.extend(unsafe_lines(group.stream())),
            _ => (),
        }
    }
    lines
}

/// Whether `unsafe` belongs to an attribute or a type: then a list in round brackets follows without a function's name.
fn attribute_or_type(rest: &[TokenTree]) -> bool {
    let mut rest = rest.iter().peekable();
    if matches!(rest.peek(), Some(TokenTree::Ident(ident)) if *ident == "extern") {
        rest.next();
        rest.next_if(|tree| matches!(tree, TokenTree::Literal(_)));
    }
    rest.next_if(|tree| matches!(tree, TokenTree::Ident(ident) if *ident == "fn"));
    matches!(rest.next(), Some(TokenTree::Group(list)) if list.delimiter() == Delimiter::Parenthesis)
}
