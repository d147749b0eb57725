//! PTX as text: functions, variables and statements, before anything is known of what they do.

use crate::error::{Error, Result};
use std::ops::Range;

/// A module's text, taken apart.
#[derive(Debug, Default)]
pub(crate) struct Text<'a> {
    /// Variables outside of functions.
    pub(crate) variables: Vec<Variable<'a>>,
    pub(crate) functions: Vec<Function<'a>>,
}

/// A variable: `.global .align 8 .b8 name[32] = …`.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Variable<'a> {
    /// `global`, `const`, `shared`, `local`, `param` or `reg`.
    pub(crate) space: &'a str,
    pub(crate) align: usize,
    /// Without the dot.
    pub(crate) ty: &'a str,
    pub(crate) name: &'a str,
    /// The elements of an array, 0 of one whose size the launch decides; none of a scalar.
    pub(crate) count: Option<usize>,
    /// The text behind `=`.
    pub(crate) value: Option<&'a str>,
}

/// A function without its statements.
#[derive(Debug)]
pub(crate) struct Head {
    pub(crate) name: String,
    pub(crate) is_kernel: bool,
    /// The most threads of a block, if the text limits them.
    pub(crate) most_threads: Option<usize>,
    /// Where it stands in the text, from its first word on, and the line in which it begins.
    pub(crate) place: Range<usize>,
    pub(crate) line: u32,
}

#[derive(Debug)]
pub(crate) struct Function<'a> {
    pub(crate) head: Head,
    /// Variables that the function returns, and those that it takes.
    pub(crate) results: Vec<Variable<'a>>,
    pub(crate) params: Vec<Variable<'a>>,
    /// The variables in shared and in local memory that it declares.
    pub(crate) memory: Vec<Variable<'a>>,
    /// The text of its statements, and the line in which it begins.
    body: (&'a str, u32),
}

#[derive(Debug, PartialEq)]
pub(crate) enum Statement<'a> {
    Label(&'a str),
    Variable(Variable<'a>),
    /// The predicate that must hold, and whether it must not; the operation; its operands.
    Do {
        guard: Option<(&'a str, bool)>,
        op: &'a str,
        operands: Vec<&'a str>,
    },
}

impl<'a> Text<'a> {
    pub(crate) fn of(text: &'a str) -> Result<Self> {
        let mut reader = Reader { rest: text, line: 1 };
        let mut parts = Text::default();
        while let Some((line, piece, end)) = reader.piece(&[';', '{', '('])? {
            let words = piece.split_whitespace().collect::<Vec<_>>();
            let Some(first) = words.first() else { continue };
            match *first {
                ".version" | ".target" | ".address_size" => {}
                ".visible" | ".weak" | ".entry" | ".func" | ".extern" if end != ';' && !piece.contains('=') => {
                    if piece.contains(".shared") || piece.contains(".global") || piece.contains(".const") {
                        return Err(Error::text(line, "a variable outside of functions ends in `;`"));
                    }
                    let start = piece.as_ptr() as usize - text.as_ptr() as usize;
                    parts.functions.extend(reader.function(text, (start, line), &words, end)?);
                }
                _ => {
                    // An initialiser may have braces.
                    let piece = if end == '{' { reader.joined(text, piece)? } else { piece };
                    parts.variables.push(variable(piece).ok_or_else(|| Error::text(line, piece))?);
                }
            }
        }
        Ok(parts)
    }
}

/// The rest of a text.
struct Reader<'a> {
    rest: &'a str,
    line: u32,
}

impl<'a> Reader<'a> {
    /// Goes over white space and comments.
    fn skip(&mut self) {
        loop {
            let trimmed = self.rest.trim_start();
            self.line += newlines(&self.rest[..self.rest.len() - trimmed.len()]);
            self.rest = trimmed;
            if !self.rest.starts_with("//") {
                return;
            }
            self.rest = self.rest.find('\n').map_or("", |end| &self.rest[end..]);
        }
    }

    /// The text before the next of some characters, the line in which it begins, and the character; nothing at the end.
    fn piece(&mut self, ends: &[char]) -> Result<Option<(u32, &'a str, char)>> {
        self.skip();
        if self.rest.is_empty() {
            return Ok(None);
        }
        let line = self.line;
        // A directive that stands alone in a line has no end of its own.
        if [".version", ".target", ".address_size"].iter().any(|word| self.rest.starts_with(word)) {
            let end = self.rest.find('\n').unwrap_or(self.rest.len());
            let (piece, rest) = self.rest.split_at(end);
            self.rest = rest;
            return Ok(Some((line, piece, ';')));
        }
        let at = self.rest.find(ends).ok_or_else(|| Error::text(line, "a statement has no end"))?;
        let (piece, rest) = self.rest.split_at(at);
        let end = rest.chars().next().unwrap_or(';');
        self.rest = &rest[end.len_utf8()..];
        self.line += newlines(piece);
        Ok(Some((line, piece.trim(), end)))
    }

    /// A statement that began with `piece` and goes on behind a brace, up to its end.
    fn joined(&mut self, text: &'a str, piece: &'a str) -> Result<&'a str> {
        let begin = piece.as_ptr() as usize - text.as_ptr() as usize;
        let Some((..)) = self.piece(&[';'])? else { return Err(Error::text(self.line, piece)) };
        let end = text.len() - self.rest.len() - 1;
        Ok(&text[begin..end])
    }

    /// A list in parentheses, whose opening one has been read.
    fn list(&mut self) -> Result<Vec<Variable<'a>>> {
        let Some((line, list, _)) = self.piece(&[')'])? else {
            return Err(Error::text(self.line, "a list of parameters has no end"));
        };
        let items = list.split(',').map(str::trim).filter(|item| !item.is_empty());
        items.map(|item| variable(item).ok_or_else(|| Error::text(line, item))).collect()
    }

    /// A function that begins at a place and line; none if the text only declares it.
    fn function(
        &mut self,
        text: &'a str,
        (start, line): (usize, u32),
        words: &[&'a str],
        mut end: char,
    ) -> Result<Option<Function<'a>>> {
        let is_kernel = words.contains(&".entry");
        let mut name = words.last().copied().unwrap_or_default();
        let mut lists = Vec::new();
        let mut most_threads = None;
        loop {
            match end {
                '(' => lists.push(self.list()?),
                '{' => break,
                _ => return Ok(None),
            }
            let Some((_, piece, next)) = self.piece(&[';', '{', '('])? else {
                return Err(Error::text(self.line, "a function has no body"));
            };
            let mut words = piece.split(|c: char| c.is_whitespace() || c == ',').filter(|word| !word.is_empty());
            while let Some(word) = words.next() {
                match word {
                    ".maxntid" => {
                        let sizes = words.by_ref().take(3).map(|n| n.parse::<usize>().unwrap_or(1));
                        most_threads = Some(sizes.product());
                    }
                    ".minnctapersm" | ".maxnreg" => drop(words.next()),
                    ".noreturn" => {}
                    word if !word.starts_with('.') && next == '(' => name = word,
                    _ => {}
                }
            }
            end = next;
        }
        let takes = lists.pop().unwrap_or_default();
        let results = lists.pop().unwrap_or_default();
        let body = self.body()?;
        let memory = [".shared ", ".local "].iter().flat_map(|space| declared(body.0, space));
        let memory = memory.map(|found| variable(found).ok_or_else(|| Error::text(line, found)));
        let place = start..text.len() - self.rest.len();
        let head = Head { name: name.to_owned(), is_kernel, most_threads, place, line };
        Ok(Some(Function { head, results, params: takes, memory: memory.collect::<Result<_>>()?, body }))
    }

    /// The text up to the brace that closes a function, and its line. Scopes are closed where they were opened, and comments have no
    /// other braces.
    fn body(&mut self) -> Result<(&'a str, u32)> {
        let (line, mut depth) = (self.line, 1);
        for (at, byte) in self.rest.bytes().enumerate() {
            match byte {
                b'{' => depth += 1,
                b'}' => depth -= 1,
                _ => continue,
            }
            if depth == 0 {
                let (body, rest) = self.rest.split_at(at);
                self.rest = &rest[1..];
                self.line += newlines(body);
                return Ok((body, line));
            }
        }
        Err(Error::text(line, "a function has no end"))
    }

    fn statement(&mut self) -> Result<Statement<'a>> {
        let line = self.line;
        // A label.
        if let Some(at) = self.rest.find([':', ';', ' ', '\t', '\n'])
            && self.rest[at..].starts_with(':')
            && !self.rest[at..].starts_with("::")
        {
            let (name, rest) = self.rest.split_at(at);
            self.rest = &rest[1..];
            return Ok(Statement::Label(name));
        }
        let Some((_, piece, _)) = self.piece(&[';'])? else { return Err(Error::text(line, "a statement has no end")) };
        if piece.starts_with(".reg")
            || piece.starts_with(".param")
            || piece.starts_with(".local")
            || piece.starts_with(".shared")
        {
            return variable(piece).map(Statement::Variable).ok_or_else(|| Error::text(line, piece));
        }
        if piece.starts_with('.') {
            // Pragmas and places in the source.
            return Ok(Statement::Do { guard: None, op: "nop", operands: Vec::new() });
        }
        let (guard, piece) = match piece.strip_prefix('@') {
            None => (None, piece),
            Some(rest) => {
                let (name, rest) = rest.split_once(char::is_whitespace).ok_or_else(|| Error::text(line, piece))?;
                let without = name.strip_prefix('!');
                (Some((without.unwrap_or(name), without.is_some())), rest.trim_start())
            }
        };
        let (op, operands) = piece.split_once(char::is_whitespace).unwrap_or((piece, ""));
        Ok(Statement::Do { guard, op, operands: split(operands) })
    }
}

impl<'a> Function<'a> {
    /// The function at the beginning of a text, which is in a line of the module.
    pub(crate) fn of(text: &'a str, line: u32) -> Result<Self> {
        let mut reader = Reader { rest: text, line };
        let unknown = || Error::text(line, "no function");
        let (_, piece, end) = reader.piece(&['{', '('])?.ok_or_else(unknown)?;
        let words = piece.split_whitespace().collect::<Vec<_>>();
        reader.function(text, (0, line), &words, end)?.ok_or_else(unknown)
    }

    /// Its statements in order, with the lines of the text in which they begin. Scopes inside have no meaning: names in them are new
    /// ones, or name the same.
    pub(crate) fn statements(&self) -> Result<Vec<(u32, Statement<'a>)>> {
        let (rest, line) = self.body;
        let mut reader = Reader { rest, line };
        let mut all = Vec::new();
        loop {
            reader.skip();
            let line = reader.line;
            let mut chars = reader.rest.chars();
            match chars.next() {
                None => return Ok(all),
                Some('{' | '}' | ';') => reader.rest = chars.as_str(),
                Some(_) => all.push((line, reader.statement()?)),
            }
        }
    }
}

/// The declarations of variables in a space.
fn declared<'a>(body: &'a str, space: &'a str) -> impl Iterator<Item = &'a str> {
    body.match_indices(space).filter_map(|(at, _)| {
        // Not `ld.local …`: a declaration begins its statement.
        let begins = body[..at].trim_end_matches([' ', '\t']).ends_with(['\n', ';', '{', '}']);
        begins.then(|| body[at..].split(';').next()).flatten()
    })
}

fn newlines(text: &str) -> u32 {
    text.bytes().filter(|byte| *byte == b'\n').count() as u32
}

/// Operands, at the commas that are not in brackets.
pub(crate) fn split(operands: &str) -> Vec<&str> {
    let (mut list, mut depth, mut begin) = (Vec::new(), 0, 0);
    for (at, c) in operands.char_indices() {
        match c {
            '{' | '[' | '(' => depth += 1,
            '}' | ']' | ')' => depth -= 1,
            ',' if depth == 0 => {
                list.push(operands[begin..at].trim());
                begin = at + 1;
            }
            _ => {}
        }
    }
    list.push(operands[begin..].trim());
    list.retain(|operand| !operand.is_empty());
    list
}

/// A declaration without its `;`.
fn variable(text: &str) -> Option<Variable<'_>> {
    let (text, value) = match text.split_once('=') {
        Some((text, value)) => (text.trim(), Some(value.trim())),
        None => (text, None),
    };
    let mut words = text.split_whitespace().peekable();
    let mut found = Variable { space: "", align: 0, ty: "", name: "", count: None, value };
    while let Some(word) = words.next() {
        match word {
            ".visible" | ".extern" | ".weak" | ".common" => {}
            ".align" => found.align = words.next()?.parse().ok()?,
            ".global" | ".const" | ".shared" | ".local" | ".param" | ".reg" => found.space = &word[1..],
            // The space that a pointer leads to.
            ".ptr" => {}
            word if word.starts_with('.') && found.ty.is_empty() => found.ty = &word[1..],
            word if word.starts_with('.') => {}
            word => found.name = word,
        }
    }
    if let Some((name, count)) = found.name.split_once('[') {
        found.name = name;
        let count = count.strip_suffix(']')?;
        found.count = Some(if count.is_empty() { 0 } else { count.parse().ok()? });
    }
    (!found.name.is_empty() && !found.space.is_empty()).then_some(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "
.version 9.0
.target sm_90
.address_size 64

	// .globl	add
.global .align 8 .b8 op2_panic[32];
.global .align 4 .b8 some[3] = {1, 2, 3};
.const .align 8 .f64 EPS = 0d3FE0000000000000;
.extern .shared .align 16 .b8 arena[];
.func  (.param .b64 func_retval0) twice(
	.param .b64 twice_param_0
)
;
.visible .entry add(
	.param .align 8 .b8 add_param_0[48],
	.param .u64 add_param_1
)
.maxntid 128, 1, 1
{
	.local .align 8 .b8 	depot[16];
	.reg .pred 	%p<2>;
	mov.u32 	%r1, %tid.x; // a thread
$L__BB0_1:
	.pragma \"nounroll\";
	{ // callseq 0, 0
	.param .b64 param0;
	call.uni (retval0), twice, (param0);
	} // callseq 0
	@!%p1 bra 	$L__BB0_1;
	ld.param.v2.u32 	{%r80, %r81}, [add_param_0+40];
	ret;
}
";

    #[test]
    fn a_text_has_variables_and_functions() {
        let text = Text::of(TEXT).unwrap();
        let names: Vec<_> = text.variables.iter().map(|v| (v.space, v.name, v.align, v.ty, v.count, v.value)).collect();
        assert_eq!(
            names,
            [
                ("global", "op2_panic", 8, "b8", Some(32), None),
                ("global", "some", 4, "b8", Some(3), Some("{1, 2, 3}")),
                ("const", "EPS", 8, "f64", None, Some("0d3FE0000000000000")),
                ("shared", "arena", 16, "b8", Some(0), None),
            ]
        );
        let [add] = &text.functions[..] else { panic!("{:?}", text.functions) };
        assert_eq!((&*add.head.name, add.head.is_kernel, add.head.most_threads, add.params.len()), ("add", true, Some(128), 2));
        assert_eq!(add.memory, [variable(".local .align 8 .b8 depot[16]").unwrap()]);
        let add = Function::of(&TEXT[add.head.place.clone()], add.head.line).unwrap();
        let body = add.statements().unwrap();
        assert_eq!((add.params[0].count, add.params[1].ty), (Some(48), "u64"));
        let does = |guard, op, operands: &[&'static str]| Statement::Do { guard, op, operands: operands.to_vec() };
        let expected = [
            does(None, "mov.u32", &["%r1", "%tid.x"]),
            Statement::Label("$L__BB0_1"),
            does(None, "nop", &[]),
            Statement::Variable(variable(".param .b64 param0").unwrap()),
            does(None, "call.uni", &["(retval0)", "twice", "(param0)"]),
            does(Some(("%p1", true)), "bra", &["$L__BB0_1"]),
            does(None, "ld.param.v2.u32", &["{%r80, %r81}", "[add_param_0+40]"]),
            does(None, "ret", &[]),
        ];
        let found: Vec<_> = body[2..].iter().map(|(_, statement)| statement).collect();
        assert_eq!(found, expected.iter().collect::<Vec<_>>());
        assert_eq!(body[2].0, 23, "lines are those of the text");
    }

    #[test]
    fn texts_that_end_too_early_are_refused() {
        for cut in [".visible .entry add(.param .u64 a", ".visible .entry add() { mov.u32 %r1", ".global .u32 x"] {
            assert!(Text::of(cut).is_err(), "{cut}");
        }
    }
}
