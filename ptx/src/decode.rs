//! Makes instructions of statements.

mod operands;

use crate::arith::{self, Carry, Convert};
use crate::error::{Error, Result, Space};
use crate::memory;
use crate::order::Order;
use crate::program::{
    Atomic, Code, Does, Global, Instruction, Names, Operand, Place, Program, Routine, Shuffle, Special, Target, Values,
};
use crate::text::{self, Statement, Text, Variable, split};
use crate::types::{LANES, Type};
use operands::{Registers, access, each, fence, list, number, plus};
use std::collections::HashMap;
use std::sync::OnceLock;

/// A module, whose variables get addresses that nothing else has.
pub(crate) fn program(module: &str) -> Result<Program> {
    let text = Text::of(module)?;
    let (mut names, mut variables) = (Names::default(), Vec::new());
    for variable in text.variables.iter().filter(|variable| matches!(variable.space, "global" | "const")) {
        let bytes = initial(variable).ok_or_else(|| Error::text(0, variable.name))?;
        let address = memory::reserve();
        names.variables.insert(variable.name.to_owned(), (Space::Global, address));
        variables.push(Global { name: variable.name.to_owned(), address, bytes });
    }
    // Shared variables of fixed size lie before the memory whose size the launch decides.
    let mut shared = 0;
    let all = text.variables.iter().chain(text.functions.iter().flat_map(|function| &function.memory));
    let (open, fixed): (Vec<_>, Vec<_>) =
        all.filter(|variable| variable.space == "shared").partition(|variable| variable.count == Some(0));
    for variable in fixed {
        let bytes = bytes_of(variable).ok_or_else(|| Error::text(0, variable.name))?;
        shared = usize::next_multiple_of(shared, variable.align.max(1));
        names.variables.insert(variable.name.to_owned(), (Space::Shared, shared as u64));
        shared += bytes;
    }
    shared = shared.next_multiple_of(16);
    for variable in open {
        names.variables.insert(variable.name.to_owned(), (Space::Shared, shared as u64));
    }
    let mut functions = Vec::new();
    for function in text.functions {
        names.functions.insert(function.head.name.clone(), functions.len());
        let local = function.memory.iter().filter(|variable| variable.space == "local");
        let local_bytes = local.filter_map(bytes_of).sum();
        functions.push(Routine { head: function.head, local_bytes, code: OnceLock::new() });
    }
    Ok(Program { text: module.to_owned(), names, functions, shared, variables })
}

impl Program {
    /// The instructions of a function.
    pub(crate) fn code(&self, function: usize) -> Result<&Code> {
        let Routine { head, code, .. } = &self.functions[function];
        let made = code.get_or_init(|| {
            let function = text::Function::of(&self.text[head.place.clone()], head.line)?;
            Decoder::new(&self.names).code(&function)
        });
        made.as_ref().map_err(Clone::clone)
    }
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

/// Makes the instructions of one function.
struct Decoder<'a> {
    names: &'a Names,
    registers: Registers<'a>,
    constants: Vec<u64>,
    /// Local variables and parameters.
    frame: HashMap<&'a str, (Space, u64)>,
    /// Bytes of parameters.
    sizes: HashMap<&'a str, usize>,
    /// Labels by name, and the instructions at which they stand.
    labels: HashMap<&'a str, usize>,
    local_bytes: usize,
    param_bytes: usize,
}

/// The action of an instruction, and the accesses that are ordered before and behind it.
struct Ordered {
    before: Option<[bool; 2]>,
    does: Does,
    behind: Option<[bool; 2]>,
}

impl<'a> Decoder<'a> {
    fn new(names: &'a Names) -> Self {
        Decoder {
            names,
            registers: Registers::default(),
            constants: vec![0],
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
        let unknown = || Error::text(function.head.line, format!("the parameters of `{}`", function.head.name));
        let (params, results) =
            (place(&function.params).ok_or_else(unknown)?, place(&function.results).ok_or_else(unknown)?);
        let statements = function.statements()?;
        let mut instructions = Vec::with_capacity(statements.len());
        let mut branches = Vec::new();
        for (line, statement) in &statements {
            let line = *line;
            match statement {
                Statement::Label(name) => drop(self.labels.insert(name, instructions.len())),
                Statement::Open => self.registers.open(),
                Statement::Close => self.registers.close(),
                Statement::Registers(ty, names) => {
                    let mask = match Type::of(ty).ok_or_else(|| Error::text(line, *ty))? {
                        Type::Pred => 1,
                        ty => ty.mask(),
                    };
                    for name in names {
                        self.registers.declare(name, mask).ok_or_else(|| Error::text(line, *name))?;
                    }
                }
                Statement::Variable(variable) => {
                    self.declare(variable).ok_or_else(|| Error::text(line, variable.name))?
                }
                Statement::Do { guard, op, operands } => {
                    let wrong = || Error::text(line, format!("op2-ptx does not know `{op} {}`", operands.join(", ")));
                    let guard = match guard {
                        Some((name, without)) => Some((self.registers.get(name).ok_or_else(wrong)?.register, !without)),
                        None => None,
                    };
                    if let ("bra", [label]) = (op.split('.').next().unwrap_or_default(), &operands[..]) {
                        branches.push((instructions.len(), *label));
                    }
                    let Ordered { before, does, behind } = self.ordered(op, operands).ok_or_else(wrong)?;
                    let fence = |fence: Option<[bool; 2]>| fence.map(Does::Fence);
                    for does in fence(before).into_iter().chain([does]).chain(fence(behind)) {
                        instructions.push(Instruction { line, guard, does });
                    }
                }
            }
        }
        for (at, label) in branches {
            let line = instructions[at].line;
            let to = self.labels.get(label).ok_or_else(|| Error::text(line, format!("no label `{label}`")))?;
            instructions[at].does = Does::Branch(*to);
        }
        Ok(Code {
            params,
            results,
            param_bytes: self.param_bytes,
            local_bytes: self.local_bytes,
            registers: self.registers.count as usize,
            constants: self.constants.iter().map(|word| [*word; LANES]).collect(),
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

    /// An access may be ordered by itself: `atom.acq_rel`, `ld.acquire`, `st.release`.
    fn ordered(&mut self, op: &str, operands: &[&str]) -> Option<Ordered> {
        let is_access = ["atom.", "red.", "ld.", "st."].iter().any(|name| op.starts_with(name));
        let has = |names: [&str; 2]| is_access && op.split('.').any(|part| names.contains(&part));
        let before = has(["acq_rel", "release"]).then_some([false, true]);
        let behind = has(["acq_rel", "acquire"]).then_some([true, false]);
        Some(Ordered { before, does: self.does(op, operands)?, behind })
    }

    fn does(&mut self, op: &str, operands: &[&str]) -> Option<Does> {
        let mut parts = op.split('.');
        match (parts.next()?, operands) {
            ("nop" | "pmevent" | "prefetch" | "prefetchu", _) => Some(Does::Nothing),
            ("membar" | "fence", _) => Some(fence(op)),
            ("griddepcontrol", []) => match op {
                "griddepcontrol.wait" => Some(Does::Wait),
                "griddepcontrol.launch_dependents" => Some(Does::Nothing),
                _ => None,
            },
            // Its place is known when all labels are.
            ("bra", [_]) => Some(Does::Nothing),
            ("ret" | "exit", []) => Some(Does::Return),
            ("trap", []) => Some(Does::Trap),
            ("bar" | "barrier", ["0"]) if op.contains("sync") => Some(Does::Barrier),
            ("bar", [mask]) if op == "bar.warp.sync" => Some(Does::Lanes(self.operand(mask)?)),
            ("call", _) => self.call(operands),
            ("ld" | "ldu", [to, place]) => self.load(op, to, place),
            ("st", [place, from]) => self.store(op, place, from),
            ("atom", [to, place, operands @ ..]) => self.atomic(op, Some(self.target(to)?), place, operands),
            ("red", [place, operands @ ..]) => self.atomic(op, None, place, operands),
            ("cp", _) => self.copy(op, operands),
            ("shfl", [to, a, b, c, d]) => self.shuffle(op, to, [a, b, c, d]),
            ("cvta", [to, from]) => self.window(op, to, from),
            ("cvt", [to, from]) => {
                Some(Does::Convert { to: self.target(to)?, how: Convert::of(op)?, from: self.operand(from)? })
            }
            ("add" | "addc" | "sub" | "subc" | "mad" | "madc", [to, operands @ ..])
                if op.contains(".cc") || op.contains("c.") =>
            {
                let carry = Carry::of(op)?;
                let mut all = [Operand::Constant(0); 3];
                if operands.len() != carry.operands() {
                    return None;
                }
                for (place, operand) in all.iter_mut().zip(operands) {
                    *place = self.operand(operand)?;
                }
                Some(Does::Carry { to: self.target(to)?, carry, operands: all, flag: self.registers.flag() })
            }
            ("bfi", [to, a, b, c, d]) => {
                let operands = [self.operand(a)?, self.operand(b)?, self.operand(c)?, self.operand(d)?];
                Some(Does::Insert { to: self.target(to)?, operands, bits: if op.ends_with("64") { 64 } else { 32 } })
            }
            ("mov", [to, from]) if to.starts_with('{') || from.starts_with('{') => self.parts(op, to, from),
            ("mov", [to, from]) => self.moved(to, from),
            (_, [to, operands @ ..]) => {
                let function = arith::function(op)?;
                if operands.len() != function.operands {
                    return None;
                }
                // Operands that the function does not take are 0.
                let mut all = [Operand::Constant(0); 3];
                for (place, operand) in all.iter_mut().zip(operands) {
                    *place = self.operand(operand)?;
                }
                Some(Does::Compute { to: self.target(to)?, function, operands: all })
            }
            _ => None,
        }
    }

    fn target(&self, name: &str) -> Option<Target> {
        self.registers.get(name)
    }

    fn operand(&mut self, text: &str) -> Option<Operand> {
        match self.registers.get(text) {
            Some(target) => Some(Operand::Register(target.register)),
            None => number(text).map(|word| self.constant(word)),
        }
    }

    fn constant(&mut self, word: u64) -> Operand {
        let known = self.constants.iter().position(|known| *known == word);
        let place = known.unwrap_or_else(|| {
            self.constants.push(word);
            self.constants.len() - 1
        });
        Operand::Constant(place as u32)
    }

    /// A register, a special one, a number, or the address of a variable.
    fn moved(&mut self, to: &str, from: &str) -> Option<Does> {
        let to = self.target(to)?;
        let function = arith::function("mov.b64")?;
        let copy =
            |operand| Does::Compute { to, function, operands: [operand, Operand::Constant(0), Operand::Constant(0)] };
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
        let &(_, address) = self.names.variables.get(name)?;
        Some(copy(self.constant(address.wrapping_add(more))))
    }

    fn parts(&mut self, op: &str, to: &str, from: &str) -> Option<Does> {
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
        if let Some(target) = self.target(name) {
            return Some(Place { base: Some(target.register), offset });
        }
        let at = match self.frame.get(name).or(self.names.variables.get(name)) {
            Some(&(_, at)) => at,
            None => number(name)?,
        };
        Some(Place { base: None, offset: at.wrapping_add(offset) })
    }

    fn load(&self, op: &str, to: &str, place: &str) -> Option<Does> {
        Some(Does::Load { to: each(to, |to| self.target(to))?, from: self.values(op, place)? })
    }

    fn store(&mut self, op: &str, place: &str, from: &str) -> Option<Does> {
        Some(Does::Store { to: self.values(op, place)?, from: each(from, |from| self.operand(from))? })
    }

    fn atomic(&mut self, op: &str, to: Option<Target>, place: &str, operands: &[&str]) -> Option<Does> {
        let all: Vec<&str> = op.split('.').collect();
        let name = all.iter().find(|part| ["add", "min", "max", "and", "or", "xor", "exch", "cas"].contains(part))?;
        let suffix = all.iter().rfind(|part| Type::of(part).is_some())?;
        let function = match *name {
            "exch" => Atomic::Exchange,
            "cas" => Atomic::CompareAndSwap,
            name => Atomic::Of(arith::function(&format!("{name}.{suffix}"))?.of),
        };
        // A vector has one operand, of as many parts.
        let operands = match operands {
            [vector] if vector.starts_with('{') => {
                each(vector, |part| Some([self.operand(part)?, Operand::Constant(0)]))?
            }
            _ => {
                let mut both = [Operand::Constant(0); 2];
                for (place, operand) in both.iter_mut().zip(operands) {
                    *place = self.operand(operand)?;
                }
                vec![both]
            }
        };
        let mut at = self.values(op, place)?;
        at.order = if all.contains(&"cta") { Order::InBlock } else { Order::AtOnce };
        Some(Does::Atomic { to, at, function, operands })
    }

    /// `cp.async.ca.shared.global [to], [from], 16`, and what closes groups of such copies and waits for them.
    fn copy(&mut self, op: &str, operands: &[&str]) -> Option<Does> {
        match (op, operands) {
            ("cp.async.commit_group", []) => Some(Does::Commit),
            ("cp.async.wait_all", []) => Some(Does::Arrive(None)),
            ("cp.async.wait_group", [groups]) => Some(Does::Arrive(Some(groups.parse().ok()?))),
            (_, [to, from, bytes, most @ ..]) if op.starts_with("cp.async.c") && op.contains(".shared") => {
                let bytes = bytes.parse().ok().filter(|bytes| matches!(bytes, 4 | 8 | 16))?;
                // Past the first level of caches, a copy has 16 bytes.
                if op.starts_with("cp.async.cg") && bytes != 16 {
                    return None;
                }
                let most = match most {
                    [] => None,
                    [most] => Some(self.operand(most)?),
                    _ => return None,
                };
                Some(Does::Copy { to: self.place(to)?, from: self.place(from)?, bytes, most })
            }
            _ => None,
        }
    }

    fn shuffle(&mut self, op: &str, to: &str, operands: [&str; 4]) -> Option<Does> {
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
    fn window(&mut self, op: &str, to: &str, from: &str) -> Option<Does> {
        let back = op.contains(".to.");
        let start = if op.contains(".shared") {
            memory::SHARED
        } else if op.contains(".local") {
            memory::LOCAL
        } else {
            0
        };
        let by = if back { start.wrapping_neg() } else { start };
        let add = arith::function("add.u64")?;
        let from = match self.operand(from) {
            Some(operand) => operand,
            None => {
                let &(_, address) = self.names.variables.get(from)?;
                self.constant(address)
            }
        };
        let operands = [from, self.constant(by), Operand::Constant(0)];
        Some(Does::Compute { to: self.target(to)?, function: add, operands })
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
        Some(Does::Call { function: *self.names.functions.get(*name)?, results, params })
    }
}
