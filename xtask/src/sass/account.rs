//! Counts of what a kernel does.

use super::code::{Part, is_barrier};
use super::instruction::{File, Instruction, Register};
use op2_device::Cycles;
use serde::Serialize;

/// A kernel.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct Account {
    pub kernel: String,
    pub sections: Vec<Section>,
}

/// Straight code, or one trip of an innermost loop.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub(crate) struct Section {
    /// The number of barriers before it.
    pub phase: usize,
    /// How many loops it is in; 0 is straight code.
    pub depth: usize,
    /// The number of the outermost of these in the kernel, from 1 on; 0 for straight code.
    pub nest: usize,
    /// Whether the loop has a barrier in it.
    pub turns: bool,
    /// The number of conditions before it on which threads end.
    pub exits: usize,
    /// Whether only far blocks run it.
    pub far: bool,
    pub pipes: Pipes,
    /// Bytes that a thread loads from global memory, by instructions and in all; the same for what follows.
    pub loads: Moves,
    pub stores: Moves,
    pub atomics: Moves,
    /// Copies from global to shared memory that no register passes.
    pub copies: Moves,
    pub shared: Moves,
    /// Spilled registers.
    pub spills: Moves,
    /// Waits for loads from global memory, in the order of the code, each with the loads that arrive with it.
    pub waits: Vec<u32>,
    /// The most loads from global memory that need each other's results, one after the other.
    pub chain: u32,
    /// Cycles of a warp that runs alone and waits for nothing from global memory.
    pub cycles: u32,
}

/// Instructions by the unit that they occupy.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub(crate) struct Pipes {
    pub doubles: u32,
    pub singles: u32,
    /// Whole numbers, conditions, moves.
    pub integers: u32,
    /// Quotients, roots, conversions.
    pub special: u32,
    /// Loads, stores and atomics, shuffles.
    pub memory: u32,
    pub barriers: u32,
    pub branches: u32,
}

/// Instructions that move bytes, and the bytes of a thread.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub(crate) struct Moves {
    pub instructions: u32,
    pub bytes: u32,
}

impl Account {
    pub(super) fn new(kernel: &str, parts: &[Part<'_>]) -> Self {
        let mut chains = Chains::default();
        Account { kernel: kernel.to_owned(), sections: parts.iter().map(|part| section(part, &mut chains)).collect() }
    }

    /// All sections once, without those of far blocks.
    pub(crate) fn total(&self) -> Section {
        let mut total = Section::default();
        for section in self.sections.iter().filter(|section| !section.far) {
            total.add(section);
        }
        total
    }

    /// The number of loops.
    pub(crate) fn loops(&self) -> usize {
        self.sections.iter().filter(|section| section.depth > 0 && !section.far).count()
    }
}

impl Section {
    /// Whether it loads from global memory and computes nothing.
    pub(crate) fn copies(&self) -> bool {
        (self.copies.instructions > 0 || self.loads.instructions > 0) && self.pipes.doubles + self.pipes.singles == 0
    }

    fn add(&mut self, other: &Section) {
        self.pipes.add(&other.pipes);
        let pairs = [
            (&mut self.loads, other.loads),
            (&mut self.stores, other.stores),
            (&mut self.atomics, other.atomics),
            (&mut self.copies, other.copies),
            (&mut self.shared, other.shared),
            (&mut self.spills, other.spills),
        ];
        for (mine, others) in pairs {
            mine.instructions += others.instructions;
            mine.bytes += others.bytes;
        }
        self.waits.extend(&other.waits);
        self.chain = self.chain.max(other.chain);
        self.cycles += other.cycles;
    }
}

impl Pipes {
    fn add(&mut self, other: &Pipes) {
        self.doubles += other.doubles;
        self.singles += other.singles;
        self.integers += other.integers;
        self.special += other.special;
        self.memory += other.memory;
        self.barriers += other.barriers;
        self.branches += other.branches;
    }

    pub(crate) fn all(&self) -> u32 {
        self.doubles + self.singles + self.integers + self.special + self.memory + self.barriers + self.branches
    }
}

fn section(part: &Part<'_>, chains: &mut Chains) -> Section {
    let mut section = Section {
        phase: part.phase,
        depth: part.depth,
        nest: part.nest,
        turns: part.turns,
        exits: part.exits,
        far: part.far,
        ..Section::default()
    };
    let mut pending: Vec<&Instruction> = Vec::new();
    let mut warp = Warp::default();
    for line in part.lines.iter().copied() {
        *section.pipe(line) += 1;
        if let Some(moves) = section.moves(line) {
            moves.instructions += 1;
            moves.bytes += line.bytes();
        }
        // Who needs the result of a load waits, and what else has begun arrives in the same time.
        let needs =
            |load: &&Instruction| load.writes.iter().any(|of| line.reads.contains(of) || line.writes.contains(of));
        let arrives = is_barrier(line) || line.name() == "DEPBAR";
        if pending.iter().any(|load| needs(load) || (arrives && load.name() == "LDGSTS")) {
            section.waits.push(pending.len() as u32);
            pending.clear();
        }
        if line.loads_global() || line.name() == "LDGSTS" {
            pending.push(line);
        }
        section.chain = section.chain.max(chains.follow(line));
        warp.issue(line);
    }
    section.cycles = warp.now;
    if !pending.is_empty() {
        section.waits.push(pending.len() as u32);
    }
    section
}

impl Section {
    fn pipe(&mut self, line: &Instruction) -> &mut u32 {
        let pipes = &mut self.pipes;
        match line.name() {
            "DADD" | "DMUL" | "DFMA" | "DSETP" | "DMNMX" | "DMMA" => &mut pipes.doubles,
            "FADD" | "FMUL" | "FFMA" | "FSETP" | "FMNMX" | "FSEL" | "FCHK" => &mut pipes.singles,
            "MUFU" | "I2F" | "F2I" | "F2F" | "FRND" | "I2FP" => &mut pipes.special,
            "BAR" | "MEMBAR" | "DEPBAR" => &mut pipes.barriers,
            "BRA" | "BRX" | "CALL" | "RET" | "EXIT" | "BSSY" | "BSYNC" | "BREAK" | "WARPSYNC" | "YIELD" | "BMOV" => {
                &mut pipes.branches
            }
            "LDG" | "LD" | "STG" | "ST" | "LDS" | "STS" | "LDL" | "STL" | "LDGSTS" | "ATOM" | "ATOMG" | "ATOMS"
            | "RED" | "REDG" | "SHFL" | "LDC" | "CCTL" | "UBLKCP" | "UBLKRED" => &mut pipes.memory,
            _ => &mut pipes.integers,
        }
    }

    fn moves(&mut self, line: &Instruction) -> Option<&mut Moves> {
        match line.name() {
            "LDG" | "LD" => Some(&mut self.loads),
            "STG" | "ST" => Some(&mut self.stores),
            "RED" | "REDG" | "ATOM" | "ATOMG" => Some(&mut self.atomics),
            "LDGSTS" | "UBLKCP" | "UBLKRED" => Some(&mut self.copies),
            "LDS" | "STS" | "ATOMS" => Some(&mut self.shared),
            "LDL" | "STL" => Some(&mut self.spills),
            _ => None,
        }
    }
}

/// A warp, which issues its instructions in order.
#[derive(Default)]
struct Warp {
    /// The cycle in which it may issue the next one.
    now: u32,
    /// The cycles in which registers have their values.
    ready: std::collections::HashMap<Register, u32>,
}

impl Warp {
    fn issue(&mut self, line: &Instruction) {
        let needs = line.reads.iter().filter_map(|of| self.ready.get(of)).max().copied().unwrap_or(0);
        let at = self.now.max(needs);
        let (until_next, until_ready) = match line.name() {
            // Waits for global memory count apart.
            _ if line.loads_global() => (1, 0),
            "DADD" | "DMUL" | "DFMA" | "DSETP" | "DMNMX" => (2, Cycles::DOUBLE),
            "MUFU" | "I2F" | "F2I" | "F2F" | "FRND" => (1, Cycles::SPECIAL),
            "LDS" | "LDC" | "ULDC" | "SHFL" | "LDL" | "ATOMS" | "S2R" | "S2UR" => (1, Cycles::SHARED),
            _ => (1, Cycles::SIMPLE),
        };
        self.now = at + until_next;
        self.ready.extend(line.writes.iter().map(|of| (*of, at + until_ready)));
    }
}

/// For each register, how many loads its value has come through.
#[derive(Default)]
struct Chains(std::collections::HashMap<Register, u32>);

impl Chains {
    /// The loads that the result of an instruction has come through. Conditions count, as what they guard waits for them.
    fn follow(&mut self, line: &Instruction) -> u32 {
        let known = &mut self.0;
        let before = line.reads.iter().filter_map(|of| known.get(of)).max().copied().unwrap_or(0);
        let through = before + u32::from(line.loads_global() || line.name() == "LDGSTS");
        for of in &line.writes {
            // A guard keeps the older value; conditions that hold for a warp begin anew.
            let kept = if line.guarded && of.0 == File::R { known.get(of).copied().unwrap_or(0) } else { 0 };
            known.insert(*of, through.max(kept));
        }
        through
    }
}
