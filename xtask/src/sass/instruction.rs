//! Lines of a disassembled text, such as `@!P0 LDG.E.128.CONSTANT R8, desc[UR6][R8.64+0x10] ;`.

use std::collections::HashMap;

/// A kernel of the text.
#[derive(Debug)]
pub(super) struct Kernel {
    pub(super) name: String,
    /// Its instructions, without the functions behind its end.
    pub(super) lines: Vec<Instruction>,
}

/// An instruction.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Instruction {
    /// The opcode and its modifiers: `LDG`, `E`, `128`.
    pub(super) opcode: Vec<String>,
    /// Whether it runs under a condition.
    pub(super) guarded: bool,
    pub(super) reads: Vec<Register>,
    pub(super) writes: Vec<Register>,
    /// The place in the kernel's instructions to which it jumps.
    pub(super) target: Option<usize>,
}

/// A register of a file: `R`, `UR` (one value per warp), `P`, `UP` (conditions).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Register(pub(super) File, pub(super) u16);

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum File {
    R,
    Ur,
    P,
    Up,
}

impl Instruction {
    /// The opcode without its modifiers.
    pub(super) fn name(&self) -> &str {
        &self.opcode[0]
    }

    pub(super) fn has(&self, modifier: &str) -> bool {
        self.opcode.iter().any(|word| word == modifier)
    }

    /// Bytes of the value that a thread moves.
    pub(super) fn bytes(&self) -> u32 {
        let bytes = |word: &str| match word {
            "U8" | "S8" => Some(1),
            "U16" | "S16" | "F16" => Some(2),
            "64" | "F64" => Some(8),
            "128" => Some(16),
            _ => None,
        };
        self.opcode.iter().find_map(|word| bytes(word)).unwrap_or(4)
    }

    /// Whether it loads from global memory to registers.
    pub(super) fn loads_global(&self) -> bool {
        matches!(self.name(), "LDG" | "LD")
    }
}

/// The kernels of a text.
pub(super) fn kernels(text: &str) -> Result<Vec<Kernel>, String> {
    let mut kernels = Vec::new();
    let mut labels: HashMap<&str, usize> = HashMap::new();
    let mut lines: Vec<(Instruction, Option<&str>)> = Vec::new();
    let mut name = None;
    // A function behind the end of the kernel has begun.
    let mut behind = false;
    let mut finish = |name: &mut Option<&str>, lines: &mut Vec<_>, labels: &mut HashMap<&str, usize>| {
        if let Some(name) = name.take() {
            kernels.push(Kernel { name: name.to_owned(), lines: with_targets(std::mem::take(lines), labels) });
        }
        labels.clear();
    };
    for line in text.lines() {
        let line = line.trim();
        if let Some(section) = line.strip_prefix(".section").filter(|rest| rest.starts_with(char::is_whitespace)) {
            finish(&mut name, &mut lines, &mut labels);
            name = section.trim().strip_prefix(".text.").and_then(|rest| rest.split(',').next());
            behind = false;
        } else if name.is_none() {
            continue;
        } else if let Some(label) = line.strip_suffix(':') {
            behind |= label.starts_with('$');
            labels.insert(label, lines.len());
        } else if let Some(code) = line.strip_prefix("/*").and_then(|rest| rest.split_once("*/")).filter(|_| !behind) {
            lines.push(instruction(code.1).ok_or_else(|| format!("`{line}` is no instruction"))?);
        }
    }
    finish(&mut name, &mut lines, &mut labels);
    Ok(kernels)
}

fn with_targets(lines: Vec<(Instruction, Option<&str>)>, labels: &HashMap<&str, usize>) -> Vec<Instruction> {
    let found = |label: Option<&str>| label.and_then(|label| labels.get(label).copied());
    lines.into_iter().map(|(line, label)| Instruction { target: found(label), ..line }).collect()
}

/// The instruction in the text, and the label to which it jumps.
fn instruction(text: &str) -> Option<(Instruction, Option<&str>)> {
    let text = text.trim().trim_start_matches('{').trim_end_matches([';', '}', ' ']);
    let (guard, rest) = match text.strip_prefix('@') {
        Some(guarded) => guarded.split_once(' ')?,
        None => ("", text),
    };
    let rest = rest.trim();
    let (opcode, operands) = rest.split_once(' ').unwrap_or((rest, ""));
    let mut line = Instruction { opcode: opcode.split('.').map(str::to_owned).collect(), ..Instruction::default() };
    line.guarded = !guard.is_empty();
    line.reads.extend(register(guard.trim_start_matches('!')));
    let label = operands.split_once("`(").and_then(|(_, label)| label.split_once(')')).map(|(label, _)| label);
    if !matches!(line.name(), "BRA" | "CALL" | "RET" | "BSSY" | "BSYNC" | "EXIT" | "NOP") {
        of_operands(&mut line, operands);
    }
    let jumps = line.name() == "BRA";
    Some((line, label.filter(|_| jumps)))
}

/// Opcodes that write no register.
const WITHOUT_RESULT: [&str; 12] =
    ["STG", "ST", "STS", "STL", "RED", "REDG", "LDGSTS", "BAR", "MEMBAR", "WARPSYNC", "LDGDEPBAR", "DEPBAR"];

/// The registers that the operands name. The first is the result, and so are conditions beside it (a carry, the second result of a
/// comparison) up to the first source.
fn of_operands(line: &mut Instruction, operands: &str) {
    let compares = line.name().ends_with("SETP") || matches!(line.name(), "PLOP3" | "UPLOP3" | "FCHK" | "R2P");
    let mut has_result = compares || WITHOUT_RESULT.contains(&line.name());
    let mut sources = if WITHOUT_RESULT.contains(&line.name()) { 1 } else { 0 };
    for operand in operands.split(',').map(str::trim).filter(|operand| !operand.is_empty()) {
        let bare = operand.trim_start_matches(['-', '!', '~', '|']);
        let found = register(bare);
        let condition = bare.starts_with('P') || bare.starts_with("UP");
        let is_result = match condition {
            true => found.is_some() || bare.ends_with('T'),
            false => !has_result && (found.is_some() || matches!(bare, "RZ" | "URZ")),
        };
        if sources == 0 && is_result {
            has_result |= !condition;
            let count = if condition { 1 } else { width(line, 0) };
            line.writes.extend(registers(found, count));
            continue;
        }
        sources += 1;
        if operand.contains('[') {
            line.reads.extend(of_address(operand));
        } else {
            let count = if condition { 1 } else { width(line, sources) };
            line.reads.extend(registers(found, count));
        }
    }
}

/// A register and those behind it.
fn registers(first: Option<Register>, count: u16) -> impl Iterator<Item = Register> {
    first.into_iter().flat_map(move |Register(file, n)| (n..n + count).map(move |n| Register(file, n)))
}

/// The registers in `desc[UR6][R2.64+0x10]`, `[R21+UR4]` or `c[0x0][R2]`.
fn of_address(operand: &str) -> impl Iterator<Item = Register> {
    let words = operand.split(['[', ']', '+']).map(str::trim);
    words.flat_map(|word| {
        let (name, width) = word.split_once('.').unwrap_or((word, ""));
        // A descriptor is a pair of registers.
        let pair = name.starts_with("UR") || matches!(width, "64" | "U64");
        registers(register(name), if pair { 2 } else { 1 })
    })
}

/// Registers of the result, or of a source by its number from 1.
fn width(line: &Instruction, source: usize) -> u16 {
    let moved = || line.bytes().div_ceil(4) as u16;
    match (line.name(), source) {
        ("DADD" | "DMUL" | "DFMA" | "DMNMX" | "DSETP", _) | ("CS2R", 0) => 2,
        ("LDG" | "LDS" | "LDL" | "LD" | "LDC" | "ULDC" | "ATOMG" | "ATOM" | "ATOMS", _) => moved(),
        ("STG" | "ST" | "STS" | "STL" | "RED" | "REDG", 1..) => moved(),
        // Products are twice as wide as factors.
        ("IMAD" | "UIMAD", 0 | 3) if line.has("WIDE") => 2,
        ("I2F" | "F2F" | "F2I", _) if ["F64", "S64", "U64"].iter().any(|wide| line.has(wide)) => 2,
        _ => 1,
    }
}

/// The register of this name; none for constants and for those that are always zero or true.
fn register(text: &str) -> Option<Register> {
    let name = text.split(['.', '|']).next().unwrap_or(text);
    let files = [("UR", File::Ur), ("UP", File::Up), ("R", File::R), ("P", File::P)];
    let number = |prefix: &str| name.strip_prefix(prefix)?.parse().ok();
    files.into_iter().find_map(|(prefix, file)| Some(Register(file, number(prefix)?)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn r(numbers: impl IntoIterator<Item = u16>) -> Vec<Register> {
        numbers.into_iter().map(|n| Register(File::R, n)).collect()
    }

    fn of(text: &str) -> Instruction {
        instruction(text).expect("an instruction").0
    }

    #[test]
    fn registers_are_as_wide_as_their_values() {
        let load = of("@!P0 LDG.E.128.CONSTANT R8, desc[UR6][R2.64+0x10] ;");
        assert_eq!((load.name(), load.bytes(), load.guarded), ("LDG", 16, true));
        assert_eq!(load.writes, r(8..12));
        let place = [Register(File::P, 0), Register(File::Ur, 6), Register(File::Ur, 7), r([2])[0], r([3])[0]];
        assert_eq!(load.reads, place);
        let sum = of("DADD R24, R28, -R24 ;");
        assert_eq!((sum.writes, sum.reads), (r(24..26), r([28, 29, 24, 25])));
        let store = of("STS.64 [R21], R8 ;");
        assert_eq!((store.writes, store.reads), (r([]), r([21, 8, 9])));
        let wide = of("IMAD.WIDE.U32 R8, R9, 0x10, R14 ;");
        assert_eq!((wide.writes, wide.reads), (r(8..10), r([9, 14, 15])));
    }

    #[test]
    fn conditions_are_results_up_to_the_first_source() {
        let carry = of("IADD3 R8, P0, R5, R6, RZ ;");
        assert_eq!(carry.writes, [r([8])[0], Register(File::P, 0)]);
        assert_eq!(carry.reads, r([5, 6]));
        let compared = of("ISETP.GE.U32.AND P0, PT, R6, R19, P3 ;");
        assert_eq!(compared.writes, [Register(File::P, 0)]);
        assert_eq!(compared.reads, [r([6, 19]), vec![Register(File::P, 3)]].concat());
        let shuffled = of("SHFL.BFLY PT, R10, R9, 0x10, 0x1f ;");
        assert_eq!((shuffled.writes, shuffled.reads), (r([10]), r([9])));
    }

    #[test]
    fn jumps_lead_to_places() {
        let text = "\t.section .text.k,\"ax\"\n\t.sectioninfo @\"SHI_REGISTERS=32\"\nk:\n.L_x_0:\n /*0000*/ MOV R1, R2 ;\n /*0010*/ @P0 BRA `(.L_x_0) ;\n /*0020*/ EXIT ;\n\
                    $slow:\n /*0030*/ DADD R2, R2, R2 ;\n";
        let kernels = kernels(text).expect("a text");
        assert_eq!((kernels.len(), kernels[0].name.as_str()), (1, "k"));
        let targets: Vec<_> = kernels[0].lines.iter().map(|line| line.target).collect();
        assert_eq!(targets, [None, Some(0), None]);
    }
}
