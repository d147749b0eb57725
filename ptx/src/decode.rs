//! Makes instructions of statements.

use crate::arith::{self, Convert, Function};
use crate::error::{Error, Result, Space};
use crate::program::{
    Atomic, Code, Does, Instruction, Operand, Order, Place, Program, Shuffle, Special, Target, Values,
};
use crate::text::{self, Statement, Text, Variable, split};
use crate::types::Type;
use std::collections::HashMap;

/// Where the variables of a module are.
pub(crate) type Addresses = HashMap<String, (Space, u64)>;

/// The instructions of a module whose global variables are at `addresses`.
pub(crate) fn program(
    text: &Text<'_>,
    mut addresses: Addresses,
    variables: Vec<(String, u64, usize)>,
) -> Result<Program> {
    // Shared variables of fixed size lie before the memory whose size the launch decides.
    let mut shared = 0;
    let in_functions =
        text.functions.iter().flat_map(|function| &function.body).filter_map(|(_, statement)| match statement {
            Statement::Variable(variable) => Some(variable),
            _ => None,
        });
    let all = text.variables.iter().chain(in_functions).filter(|variable| variable.space == "shared");
    let (open, fixed): (Vec<_>, Vec<_>) = all.partition(|variable| variable.count == Some(0));
    for variable in fixed {
        let bytes = bytes_of(variable).ok_or_else(|| Error::text(0, variable.name))?;
        shared = usize::next_multiple_of(shared, variable.align.max(1));
        addresses.insert(variable.name.to_owned(), (Space::Shared, shared as u64));
        shared += bytes;
    }
    shared = shared.next_multiple_of(16);
    for variable in open {
        addresses.insert(variable.name.to_owned(), (Space::Shared, shared as u64));
    }
    let names: HashMap<&str, usize> =
        text.functions.iter().enumerate().map(|(n, function)| (function.name, n)).collect();
    let functions = text.functions.iter().map(|function| Decoder::new(&addresses, &names).code(function));
    Ok(Program { functions: functions.collect::<Result<_>>()?, shared, variables })
}

/// Bytes of a variable.
pub(crate) fn bytes_of(variable: &Variable<'_>) -> Option<usize> {
    Some(Type::of(variable.ty)?.bytes() * variable.count.unwrap_or(1))
}

/// The bytes of an initialiser: numbers, or a list of them.
pub(crate) fn initial(variable: &Variable<'_>) -> Option<Vec<u8>> {
    let ty = Type::of(variable.ty)?;
    let mut bytes = Vec::new();
    if let Some(value) = variable.value {
        let list = value.strip_prefix('{').and_then(|list| list.strip_suffix('}')).unwrap_or(value);
        for item in list.split(',').map(str::trim).filter(|item| !item.is_empty()) {
            bytes.extend_from_slice(&number(item)?.to_le_bytes()[..ty.bytes()]);
        }
    }
    bytes.resize(bytes_of(variable)?, 0);
    Some(bytes)
}

/// A literal as a word.
fn number(text: &str) -> Option<u64> {
    let (negative, digits) = text.strip_prefix('-').map_or((false, text), |digits| (true, digits));
    let value = match digits.get(..2) {
        Some("0d" | "0D") => u64::from_str_radix(&digits[2..], 16).ok()?,
        Some("0f" | "0F") => u64::from(u32::from_str_radix(&digits[2..], 16).ok()?),
        Some("0x" | "0X") => u64::from_str_radix(digits[2..].trim_end_matches('U'), 16).ok()?,
        _ => digits.trim_end_matches('U').parse().ok()?,
    };
    Some(if negative { value.wrapping_neg() } else { value })
}

/// Makes the instructions of one function.
struct Decoder<'a> {
    addresses: &'a Addresses,
    functions: &'a HashMap<&'a str, usize>,
    registers: HashMap<String, Target>,
    /// Local variables and parameters.
    frame: HashMap<&'a str, (Space, u64)>,
    /// Bytes of parameters.
    sizes: HashMap<&'a str, usize>,
    labels: HashMap<&'a str, usize>,
    local_bytes: usize,
    param_bytes: usize,
}

impl<'a> Decoder<'a> {
    fn new(addresses: &'a Addresses, functions: &'a HashMap<&'a str, usize>) -> Self {
        Decoder {
            addresses,
            functions,
            registers: HashMap::new(),
            frame: HashMap::new(),
            sizes: HashMap::new(),
            labels: HashMap::new(),
            local_bytes: 0,
            param_bytes: 0,
        }
    }

    fn code(mut self, function: &text::Function<'a>) -> Result<Code> {
        let mut place = |variables: &[Variable<'a>]| {
            variables.iter().map(|variable| self.param(variable)).collect::<Option<Vec<_>>>()
        };
        let unknown = || Error::text(0, format!("the parameters of `{}`", function.name));
        let (params, results) =
            (place(&function.params).ok_or_else(unknown)?, place(&function.results).ok_or_else(unknown)?);
        let mut count = 0;
        for (line, statement) in &function.body {
            match statement {
                Statement::Label(name) => drop(self.labels.insert(name, count)),
                Statement::Variable(variable) => {
                    self.declare(variable).ok_or_else(|| Error::text(*line, variable.name))?
                }
                Statement::Do { .. } => count += 1,
            }
        }
        let mut instructions = Vec::with_capacity(count);
        for (line, statement) in &function.body {
            let Statement::Do { guard, op, operands } = statement else { continue };
            let wrong = || Error::text(*line, format!("op2-ptx does not know `{op} {}`", operands.join(", ")));
            let guard = match guard {
                Some((name, without)) => Some((self.registers.get(*name).ok_or_else(wrong)?.register, !without)),
                None => None,
            };
            let does = self.does(op, operands).ok_or_else(wrong)?;
            instructions.push(Instruction { line: *line, guard, does });
        }
        Ok(Code {
            name: function.name.to_owned(),
            is_kernel: function.is_kernel,
            most_threads: function.most_threads,
            params,
            results,
            param_bytes: self.param_bytes,
            local_bytes: self.local_bytes,
            registers: self.registers.len(),
            instructions,
        })
    }

    /// Gives a parameter a place.
    fn param(&mut self, variable: &Variable<'a>) -> Option<(usize, usize)> {
        let bytes = bytes_of(variable)?;
        let align = variable.align.max(Type::of(variable.ty)?.bytes());
        let at = self.param_bytes.next_multiple_of(align);
        self.param_bytes = at + bytes;
        self.frame.insert(variable.name, (Space::Param, at as u64));
        self.sizes.insert(variable.name, bytes);
        Some((at, bytes))
    }

    fn declare(&mut self, variable: &Variable<'a>) -> Option<()> {
        match variable.space {
            "reg" => {
                let mask = match Type::of(variable.ty)? {
                    Type::Pred => 1,
                    ty => ty.mask(),
                };
                let mut add = |name: String| {
                    let register = self.registers.len() as u32;
                    self.registers.entry(name).or_insert(Target { register, mask });
                };
                match variable.name.split_once('<') {
                    Some((name, count)) => {
                        let count: usize = count.strip_suffix('>')?.parse().ok()?;
                        (0..count).for_each(|n| add(format!("{name}{n}")));
                    }
                    None => add(variable.name.to_owned()),
                }
            }
            // Each scope may have parameters of the same names, one after the other.
            "param" => {
                let known = self.sizes.get(variable.name).copied().unwrap_or(0);
                if known < bytes_of(variable)? {
                    self.param(variable)?;
                }
            }
            "local" => {
                let at = self.local_bytes.next_multiple_of(variable.align.max(1));
                self.local_bytes = at + bytes_of(variable)?;
                self.frame.insert(variable.name, (Space::Local, at as u64));
            }
            "shared" => {}
            _ => return None,
        }
        Some(())
    }

    fn does(&self, op: &str, operands: &[&str]) -> Option<Does> {
        let mut parts = op.split('.');
        match (parts.next()?, operands) {
            ("nop" | "membar" | "fence" | "prefetch", _) => Some(Does::Nothing),
            ("bra", [label]) => Some(Does::Branch(*self.labels.get(label)?)),
            ("ret" | "exit", []) => Some(Does::Return),
            ("trap", []) => Some(Does::Trap),
            ("bar" | "barrier", ["0"]) if op.contains("sync") => Some(Does::Barrier),
            ("bar", [mask]) if op == "bar.warp.sync" => Some(Does::Lanes(self.operand(mask)?)),
            ("call", _) => self.call(operands),
            ("ld" | "ldu", [to, place]) => self.load(op, to, place),
            ("st", [place, from]) => self.store(op, place, from),
            ("atom", [to, place, operands @ ..]) => self.atomic(op, Some(self.target(to)?), place, operands),
            ("red", [place, operands @ ..]) => self.atomic(op, None, place, operands),
            ("shfl", [to, a, b, c, d]) => self.shuffle(op, to, [a, b, c, d]),
            ("cvta", [to, from]) => self.window(op, to, from),
            ("cvt", [to, from]) => {
                Some(Does::Convert { to: self.target(to)?, how: Convert::of(op)?, from: self.operand(from)? })
            }
            ("bfi", [to, a, b, c, d]) => {
                let operands = [self.operand(a)?, self.operand(b)?, self.operand(c)?, self.operand(d)?];
                Some(Does::Insert { to: self.target(to)?, operands, bits: if op.ends_with("64") { 64 } else { 32 } })
            }
            ("mov", [to, from]) if to.starts_with('{') || from.starts_with('{') => self.parts(op, to, from),
            ("mov", [to, from]) => self.moved(to, from),
            (_, [to, operands @ ..]) => {
                let function = arith::function(op)?;
                let expected = match function {
                    Function::One(_) => 1,
                    Function::Two(_) => 2,
                    Function::Three(_) => 3,
                };
                // Operands that the function does not take stay 0.
                let mut all = [Operand::Value(0); 3];
                if operands.len() != expected {
                    return None;
                }
                for (place, operand) in all.iter_mut().zip(operands) {
                    *place = self.operand(operand)?;
                }
                Some(Does::Compute { to: self.target(to)?, function, operands: all })
            }
            _ => None,
        }
    }

    fn target(&self, name: &str) -> Option<Target> {
        self.registers.get(name).copied()
    }

    fn operand(&self, text: &str) -> Option<Operand> {
        match self.registers.get(text) {
            Some(target) => Some(Operand::Register(target.register)),
            None => number(text).map(Operand::Value),
        }
    }

    /// A register, a special one, a number, or the address of a variable.
    fn moved(&self, to: &str, from: &str) -> Option<Does> {
        let to = self.target(to)?;
        let copy = |operand| {
            let operands = [operand, Operand::Value(0), Operand::Value(0)];
            Does::Compute { to, function: Function::One(|word| word), operands }
        };
        if let Some(operand) = self.operand(from) {
            return Some(copy(operand));
        }
        if let Some(name) = from.strip_prefix('%') {
            let which = match name {
                "tid.x" => Special::Thread,
                "ntid.x" => Special::Threads,
                "ctaid.x" => Special::Block,
                "nctaid.x" => Special::Blocks,
                "laneid" => Special::Lane,
                "tid.y" | "tid.z" | "ctaid.y" | "ctaid.z" => Special::Zero,
                "ntid.y" | "ntid.z" | "nctaid.y" | "nctaid.z" => Special::One,
                _ => return None,
            };
            return Some(Does::Special { to, which });
        }
        let (name, more) = plus(from)?;
        if let Some(&(space, offset)) = self.frame.get(name) {
            return Some(Does::Frame { to, space, offset: offset.wrapping_add(more) });
        }
        self.addresses.get(name).map(|(_, address)| copy(Operand::Value(address.wrapping_add(more))))
    }

    fn parts(&self, op: &str, to: &str, from: &str) -> Option<Does> {
        let whole = Type::of(op.rsplit('.').next()?)?.bytes() as u32 * 8;
        let bits = |list: &[&str]| whole.checked_div(list.len() as u32);
        match (list(to), list(from)) {
            (Some(list), None) => {
                let targets = list.iter().map(|to| match *to {
                    "_" => Some(Target { register: 0, mask: 0 }),
                    to => self.target(to),
                });
                Some(Does::Unpack {
                    to: targets.collect::<Option<_>>()?,
                    from: self.operand(from)?,
                    bits: bits(&list)?,
                })
            }
            (None, Some(list)) => {
                let parts = list.iter().map(|part| self.operand(part)).collect::<Option<_>>()?;
                Some(Does::Pack { to: self.target(to)?, parts, bits: bits(&list)? })
            }
            _ => None,
        }
    }

    /// The values that an access such as `ld.global.nc.v2.f64` reaches at a place in brackets.
    fn values(&self, op: &str, place: &str) -> Option<Values> {
        let (space, ty, order) = access(op)?;
        Some(Values { space, ty, place: self.place(place)?, order })
    }

    /// A place in brackets.
    fn place(&self, text: &str) -> Option<Place> {
        let inside = text.strip_prefix('[')?.strip_suffix(']')?;
        let (name, offset) = plus(inside)?;
        if let Some(target) = self.registers.get(name) {
            return Some(Place { base: Some(target.register), offset });
        }
        let at = match self.frame.get(name).or(self.addresses.get(name)) {
            Some(&(_, at)) => at,
            None => number(name)?,
        };
        Some(Place { base: None, offset: at.wrapping_add(offset) })
    }

    fn load(&self, op: &str, to: &str, place: &str) -> Option<Does> {
        Some(Does::Load { to: each(to, |to| self.target(to))?, from: self.values(op, place)? })
    }

    fn store(&self, op: &str, place: &str, from: &str) -> Option<Does> {
        Some(Does::Store { to: self.values(op, place)?, from: each(from, |from| self.operand(from))? })
    }

    fn atomic(&self, op: &str, to: Option<Target>, place: &str, operands: &[&str]) -> Option<Does> {
        let all: Vec<&str> = op.split('.').collect();
        let name = all.iter().find(|part| ["add", "min", "max", "and", "or", "xor", "exch", "cas"].contains(part))?;
        let suffix = all.last()?;
        let function = match *name {
            "exch" => Atomic::Exchange,
            "cas" => Atomic::CompareAndSwap,
            name => match arith::function(&format!("{name}.{suffix}"))? {
                Function::Two(function) => Atomic::Of(function),
                _ => return None,
            },
        };
        let mut both = [Operand::Value(0); 2];
        for (place, operand) in both.iter_mut().zip(operands) {
            *place = self.operand(operand)?;
        }
        Some(Does::Atomic { to, at: self.values(op, place)?, function, operands: both })
    }

    fn shuffle(&self, op: &str, to: &str, operands: [&str; 4]) -> Option<Does> {
        let how = match op.split('.').nth(2)? {
            "down" => Shuffle::Down,
            "up" => Shuffle::Up,
            "bfly" => Shuffle::Butterfly,
            "idx" => Shuffle::Index,
            _ => return None,
        };
        let (to, valid) = match to.split_once('|') {
            Some((to, valid)) => (to, Some(self.target(valid)?.register)),
            None => (to, None),
        };
        let [a, b, c, d] = operands.map(|operand| self.operand(operand));
        Some(Does::Shuffle { to: self.target(to)?, valid, how, operands: [a?, b?, c?, d?] })
    }

    /// From the addresses of one space to those of all, or back.
    fn window(&self, op: &str, to: &str, from: &str) -> Option<Does> {
        let back = op.contains(".to.");
        let start = if op.contains(".shared") {
            crate::memory::SHARED
        } else if op.contains(".local") {
            crate::memory::LOCAL
        } else {
            0
        };
        let by = if back { start.wrapping_neg() } else { start };
        let add = arith::function("add.u64")?;
        let from = match self.operand(from) {
            Some(operand) => operand,
            None => Operand::Value(self.addresses.get(from)?.1),
        };
        Some(Does::Compute {
            to: self.target(to)?,
            function: add,
            operands: [from, Operand::Value(by), Operand::Value(0)],
        })
    }

    fn call(&self, operands: &[&str]) -> Option<Does> {
        let in_frame = |text: &str| {
            let inside = text.strip_prefix('(')?.strip_suffix(')')?;
            split(inside).iter().map(|name| Some(self.frame.get(name)?.1 as usize)).collect::<Option<Vec<_>>>()
        };
        let (results, name, params) = match operands {
            [results, name, params] => (in_frame(results)?, name, in_frame(params)?),
            [first, second] if first.starts_with('(') => (in_frame(first)?, second, Vec::new()),
            [name, params] => (Vec::new(), name, in_frame(params)?),
            [name] => (Vec::new(), name, Vec::new()),
            _ => return None,
        };
        Some(Does::Call { function: *self.functions.get(name)?, results, params })
    }
}

/// Space, type and order of an access such as `ld.global.nc.v2.f64`.
fn access(op: &str) -> Option<(Option<Space>, Type, Order)> {
    let (mut space, mut order) = (None, Order::Plain);
    let mut parts = op.split('.');
    if matches!(parts.next()?, "atom" | "red") {
        order = Order::AtOnce;
    }
    for part in parts {
        match part {
            "global" => space = Some(Space::Global),
            "shared" => space = Some(Space::Shared),
            "local" => space = Some(Space::Local),
            "param" => space = Some(Space::Param),
            "const" => space = Some(Space::Const),
            "nc" => order = Order::Constant,
            "volatile" | "relaxed" | "acquire" | "release" => order = Order::AtOnce,
            _ => {}
        }
    }
    Some((space, Type::of(op.rsplit('.').next()?)?, order))
}

/// The items of a vector.
fn list(text: &str) -> Option<Vec<&str>> {
    Some(split(text.strip_prefix('{')?.strip_suffix('}')?))
}

/// The items of a vector, or the one that is none.
fn each<T>(text: &str, of: impl Fn(&str) -> Option<T>) -> Option<Vec<T>> {
    list(text).unwrap_or_else(|| vec![text]).into_iter().map(of).collect()
}

/// A name and the number that is added to it.
fn plus(text: &str) -> Option<(&str, u64)> {
    match text.split_once('+') {
        Some((name, offset)) => Some((name.trim(), number(offset.trim())?)),
        None => Some((text.trim(), 0)),
    }
}
