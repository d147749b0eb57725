//! The grammar of `op_par_loop!`.
//!
//! ```text
//! loop   := op , kernel , set { , arg } [ , ]
//! arg    := access ( dat [ , way ] )                  access := read write rw inc min max or
//!         | gblaccess ( global )                      gblaccess := gbl_read gbl_inc gbl_min gbl_max gbl_or
//!         | idx ( [ way ] )
//!         | shift ( )                                 of a loop over pairs
//!         | opt ( flag , arg )
//! way    := map [ entry ] | all                       all values of the dat, as a table
//!         | from | to                                of a loop over pairs
//! entry  := an index, or `..` for all entries of the map
//! ```

use crate::error::Errors;
use crate::ir::{Access, Combine};
use crate::parse::kernel::nearest;
use proc_macro2::{Ident, Span};
use quote::ToTokens;
use syn::parse::{Parse, ParseStream};
use syn::spanned::Spanned;
use syn::{Expr, ExprIndex, Path, Result, Token, parenthesized};

/// A loop as the user wrote it.
pub struct LoopDecl {
    /// The `Op2`.
    pub op: Expr,
    /// The kernel.
    pub kernel: Path,
    /// The set, subset or pairs.
    pub set: Expr,
    /// The arguments in order.
    pub args: Vec<Arg>,
}

/// An argument of a loop.
pub struct Arg {
    /// The flag of `opt`.
    pub flag: Option<Expr>,
    /// The word in front of the parenthesis: `read`, `gbl_inc`, `idx` …
    pub word: Ident,
    /// Its kind.
    pub kind: ArgKind,
    /// The argument as written, in one line.
    pub text: String,
}

/// Kinds of arguments.
pub enum ArgKind {
    /// A dat.
    Dat(Access, Expr, Way),
    /// A global.
    Global(Access, Expr),
    /// The index of the element that a way leads to, or the indices of all entries of a map.
    Index(Way),
    /// The shift of a pair.
    Shift,
}

impl ArgKind {
    /// The way through a map, if it is one.
    pub fn map(&self) -> Option<&Via> {
        match self {
            ArgKind::Dat(_, _, way) | ArgKind::Index(way) => way.map(),
            ArgKind::Global(..) | ArgKind::Shift => None,
        }
    }
}

/// The way from an element of the loop to that of an argument.
pub enum Way {
    /// It is the same element.
    Own,
    /// Through a map.
    Map(Box<Via>),
    /// To one end of a pair.
    End(End),
    /// To all elements, as a table.
    All,
}

/// The word for all elements.
const ALL: &str = "all";

/// An end of a pair.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// `from`
    From,
    /// `to`
    To,
}

impl End {
    /// Both of them.
    pub const ALL: [End; 2] = [End::From, End::To];

    /// The other one.
    pub fn other(self) -> Self {
        match self {
            End::From => End::To,
            End::To => End::From,
        }
    }

    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            End::From => "from",
            End::To => "to",
        }
    }
}

impl Way {
    /// The way through a map, if it is one.
    pub fn map(&self) -> Option<&Via> {
        match self {
            Way::Map(via) => Some(via),
            Way::Own | Way::End(_) | Way::All => None,
        }
    }
}

/// The way through a map.
pub struct Via {
    /// The map.
    pub map: Expr,
    /// Which entries.
    pub entry: Entry,
    /// Span of `map[entry]`.
    pub span: Span,
}

/// Entries of a map.
pub enum Entry {
    /// One of them.
    One(Box<Expr>),
    /// All of them: `[..]`.
    All,
}

impl Parse for LoopDecl {
    fn parse(input: ParseStream) -> Result<Self> {
        let op = expected(input, "the `Op2` that runs the loop")?;
        comma(input, "the kernel")?;
        let kernel = input.call(Path::parse_mod_style).map_err(|e| {
            syn::Error::new(
                e.span(),
                "expected the path of a kernel, a function with `#[op2::kernel]` (type arguments follow from the dats)",
            )
        })?;
        if input.peek(syn::token::Paren) {
            let name = written(&kernel);
            let message = format!("the kernel is named, not called: write `{name}`, and its arguments behind the set");
            return Err(input.error(message));
        }
        comma(input, "the set to loop over")?;
        let set = expected(input, "the set or subset to loop over")?;
        if let Some(word) = access_of(&set) {
            let message = format!(
                "expected the set or subset to loop over, found the argument `{}`: the set stands behind the kernel",
                written(&set)
            );
            return Err(syn::Error::new(word.span(), message));
        }
        let mut errors = Errors::new();
        let mut args = Vec::new();
        while !input.is_empty() {
            match next_argument(input) {
                Ok(arg) => args.extend(arg),
                Err(e) => {
                    errors.push(e);
                    skip_argument(input);
                }
            }
        }
        errors.finish(LoopDecl { op, kernel, set, args })
    }
}

impl LoopDecl {
    /// Whether it runs over pairs, which its arguments tell.
    pub fn over_pairs(&self) -> bool {
        let of_pairs = |kind: &ArgKind| match kind {
            ArgKind::Dat(.., way) | ArgKind::Index(way) => matches!(way, Way::End(_)),
            ArgKind::Shift => true,
            ArgKind::Global(..) => false,
        };
        self.args.iter().any(|arg| of_pairs(&arg.kind))
    }

    /// All expressions of the loop, except the kernel and indices.
    pub fn expressions(&self) -> impl Iterator<Item = &Expr> {
        [&self.op, &self.set].into_iter().chain(self.args.iter().flat_map(Arg::expressions))
    }
}

/// A comma and the argument after it, if there is one.
fn next_argument(input: ParseStream) -> Result<Option<Arg>> {
    comma(input, "the next argument")?;
    if input.is_empty() { Ok(None) } else { Arg::parse(input).map(Some) }
}

/// The word of an argument that stands where an expression should.
fn access_of(expr: &Expr) -> Option<&Ident> {
    let Expr::Call(call) = expr else { return None };
    let Expr::Path(path) = &*call.func else { return None };
    path.path.get_ident().filter(|word| words().iter().any(|w| *word == w))
}

impl Parse for Arg {
    fn parse(input: ParseStream) -> Result<Self> {
        let word: Ident = input
            .parse()
            .map_err(|e| syn::Error::new(e.span(), format!("expected an argument: {}", one_of_words())))?;
        if !input.peek(syn::token::Paren) {
            let message = match words().iter().any(|w| word == w) {
                true => format!("`{word}` of what? expected {}", syntax(&word)),
                false => {
                    format!(
                        "`{word}` stands here without its access, expected such as `read({word})`: {}",
                        one_of_words()
                    )
                }
            };
            return Err(syn::Error::new(word.span(), message));
        }
        let content;
        parenthesized!(content in input);
        let name = word.to_string();
        let arg = match name.as_str() {
            "opt" => return optional(&word, &content),
            "idx" => Arg::new(word, ArgKind::Index(way_of_index(&content)?)),
            "shift" => Arg::new(word, ArgKind::Shift),
            _ => match (Access::of_name(&name), global_access(&name)) {
                (Some(access), _) => dat(word, access, &content)?,
                (None, Some(access)) => global(word, access, &content)?,
                (None, None) => return Err(unknown_word(&word, &name, &content)),
            },
        };
        ended(&content, &arg.word)?;
        Ok(arg)
    }
}

impl Arg {
    fn expressions(&self) -> impl Iterator<Item = &Expr> {
        let (value, via) = match &self.kind {
            ArgKind::Dat(_, dat, way) => (Some(dat), way.map()),
            ArgKind::Global(_, global) => (Some(global), None),
            ArgKind::Index(way) => (None, way.map()),
            ArgKind::Shift => (None, None),
        };
        self.flag.iter().chain(value).chain(via.map(|v| &v.map))
    }

    fn new(word: Ident, kind: ArgKind) -> Self {
        let way = |way: &Way| match way {
            Way::Own => None,
            Way::End(end) => Some(end.word().to_owned()),
            Way::All => Some(ALL.to_owned()),
            Way::Map(via) => Some(match &via.entry {
                Entry::One(index) => format!("{}[{}]", written(&via.map), written(index)),
                Entry::All => format!("{}[..]", written(&via.map)),
            }),
        };
        let inside = match &kind {
            ArgKind::Dat(_, dat, w) => way(w).map_or_else(|| written(dat), |way| format!("{}, {way}", written(dat))),
            ArgKind::Global(_, global) => written(global),
            ArgKind::Index(w) => way(w).unwrap_or_default(),
            ArgKind::Shift => String::new(),
        };
        Arg { flag: None, text: format!("{word}({inside})"), word, kind }
    }
}

/// All words that an argument may start with.
fn words() -> Vec<String> {
    let dats = Access::ALL.iter().map(|access| access.name().to_owned());
    let globals = Access::ALL.iter().filter(|access| access.is_global()).map(|access| format!("{GLOBAL}{access}"));
    dats.chain(globals).chain(["idx", "shift", "opt"].map(str::to_owned)).collect()
}

fn one_of_words() -> String {
    format!("one of `{}`", words().join("`, `"))
}

/// The prefix of a global's access.
const GLOBAL: &str = "gbl_";

fn global_access(word: &str) -> Option<Access> {
    Access::of_name(word.strip_prefix(GLOBAL)?).filter(|access| access.is_global())
}

/// How an argument with this word is written.
fn syntax(word: &Ident) -> String {
    match word.to_string().as_str() {
        "opt" => "`opt(flag, argument)`".to_owned(),
        "idx" => "`idx()`, `idx(map[index])` or `idx(map[..])`".to_owned(),
        "shift" => "`shift()`".to_owned(),
        global if global.starts_with("gbl_") => format!("`{global}(global)`"),
        access => format!("`{access}(dat)` or `{access}(dat, map[index])`"),
    }
}

fn unknown_word(word: &Ident, name: &str, content: ParseStream) -> syn::Error {
    // Skips the rest, so that the unknown word is the only error.
    let _ = content.parse::<proc_macro2::TokenStream>();
    let message = match name {
        "gbl_write" | "gbl_rw" => {
            let reductions: Vec<_> = Combine::ALL.iter().map(|how| format!("`{GLOBAL}{how}`")).collect();
            format!(
                "`{name}` does not exist: elements of a loop run in no order, so a global is read (`gbl_read`) or reduced \
                 into ({})",
                reductions.join(", ")
            )
        }
        _ => {
            let plain = name.to_lowercase();
            let words = words();
            let hint = nearest(plain.trim_start_matches("op_"), words.iter().map(String::as_str));
            let hint = hint.map_or(":".to_owned(), |near| format!(", did you mean `{near}`?"));
            format!("unknown access `{name}`{hint} expected {}", one_of_words())
        }
    };
    syn::Error::new(word.span(), message)
}

fn optional(opt: &Ident, content: ParseStream) -> Result<Arg> {
    let flag = expected(content, "the flag of `opt(flag, argument)`")?;
    comma(content, "the argument that the flag switches")?;
    let mut arg: Arg = content.parse()?;
    ended(content, opt)?;
    if arg.flag.is_some() {
        return Err(syn::Error::new(arg.word.span(), "`opt` inside `opt`: combine the flags with `&&`"));
    }
    if let ArgKind::Index(_) | ArgKind::Shift | ArgKind::Global(..) = arg.kind {
        let message = format!("`{}` cannot be optional, expected a dat argument: pass it always", arg.word);
        return Err(syn::Error::new(arg.word.span(), message));
    }
    arg.text = format!("opt({}, {})", written(&flag), arg.text);
    arg.flag = Some(flag);
    Ok(arg)
}

fn global(word: Ident, access: Access, content: ParseStream) -> Result<Arg> {
    let global = expected(content, "a global, what `op.decl_global` returned")?;
    Ok(Arg::new(word, ArgKind::Global(access, global)))
}

fn dat(word: Ident, access: Access, content: ParseStream) -> Result<Arg> {
    let dat = expected(content, "a dat, what `op.decl_dat` returned")?;
    // An index alone takes one dat of several, as in `q[level]`.
    if let Expr::Index(index) = &dat
        && matches!(*index.index, Expr::Index(_))
    {
        let message = format!(
            "expected a dat, found `{}`: write the map as a second argument, `{word}(dat, map[index])`",
            written(&dat)
        );
        return Err(syn::Error::new(index.span(), message));
    }
    let way = if content.peek(Token![,]) {
        content.parse::<Token![,]>()?;
        way_only(content)?
    } else {
        Way::Own
    };
    Ok(Arg::new(word, ArgKind::Dat(access, dat, way)))
}

/// `map[index]`, `map[..]`, `from`, `to`, or nothing.
fn way_of_index(content: ParseStream) -> Result<Way> {
    let span = content.span();
    let way = way_only(content)?;
    match way {
        Way::All => {
            let message = "`idx` passes indices of the loop's element, found `all`: a kernel takes all values of a dat as a \
                           table, `read(dat, all)`";
            Err(syn::Error::new(span, message))
        }
        way => Ok(way),
    }
}

/// `map[index]`, `map[..]`, `from`, `to`, `all`, or nothing.
fn way_only(content: ParseStream) -> Result<Way> {
    if content.is_empty() {
        return Ok(Way::Own);
    }
    let expr: Expr = content.parse()?;
    if let Expr::Path(path) = &expr {
        if let Some(end) = End::ALL.into_iter().find(|end| path.path.is_ident(end.word())) {
            return Ok(Way::End(end));
        }
        if path.path.is_ident(ALL) {
            return Ok(Way::All);
        }
    }
    let span = expr.span();
    let Expr::Index(ExprIndex { expr: map, index, .. }) = expr else {
        let found = written(&expr);
        let message = format!("expected a map with an entry, such as `{found}[0]` or `{found}[..]`, found `{found}`");
        return Err(syn::Error::new(span, message));
    };
    let entry = match *index {
        Expr::Range(ref range) if range.start.is_none() && range.end.is_none() => Entry::All,
        Expr::Range(ref range) => {
            let message = format!("expected one index or all entries `..`, found `{}`", written(range));
            return Err(syn::Error::new(range.span(), message));
        }
        one => Entry::One(Box::new(one)),
    };
    Ok(Way::Map(Box::new(Via { map: *map, entry, span })))
}

fn expected(input: ParseStream, what: &str) -> Result<Expr> {
    if input.is_empty() {
        return Err(input.error(format!("expected {what}")));
    }
    input.parse()
}

fn comma(input: ParseStream, next: &str) -> Result<()> {
    match input.parse::<Token![,]>() {
        Ok(_) => Ok(()),
        Err(e) => {
            let found = input.fork().parse::<proc_macro2::TokenTree>();
            let found = found.map_or("the end".to_owned(), |token| format!("`{}`", written(&token)));
            Err(syn::Error::new(e.span(), format!("expected `,` and then {next}, found {found}")))
        }
    }
}

fn ended(content: ParseStream, word: &Ident) -> Result<()> {
    if content.is_empty() || (content.peek(Token![,]) && content.peek2(syn::parse::End)) {
        let _ = content.parse::<Option<Token![,]>>();
        return Ok(());
    }
    let comma = content.parse::<Option<Token![,]>>()?;
    let rest: proc_macro2::TokenStream = content.parse()?;
    let found = written(&rest);
    let message = match comma {
        Some(_) => format!("`{word}` takes no more than this, found `{found}`: expected {}", syntax(word)),
        None => format!("expected `,` or the end of `{word}`, found `{found}`: expected {}", syntax(word)),
    };
    Err(syn::Error::new_spanned(rest, message))
}

/// After an error inside an argument, skips to the next comma.
fn skip_argument(input: ParseStream) {
    while !input.peek(Token![,]) && input.parse::<proc_macro2::TokenTree>().is_ok() {}
}

/// An expression in one line, without the spaces that tokens get.
pub fn written(tokens: &impl ToTokens) -> String {
    let mut text = tokens.to_token_stream().to_string();
    for (spaced, tight) in [
        (" . ", "."),
        (" .. ", ".."),
        (" :: ", "::"),
        ("& ", "&"),
        (" [", "["),
        ("[ ", "["),
        (" ]", "]"),
        (" (", "("),
        ("( ", "("),
        (" )", ")"),
        (" ,", ","),
        ("* ", "*"),
    ] {
        text = text.replace(spaced, tight);
    }
    text
}
