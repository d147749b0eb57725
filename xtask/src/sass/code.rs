//! Loops, and sections of code: straight parts and innermost loops, between barriers and conditions on which threads end.

use super::instruction::Instruction;
use std::ops::Range;

/// Instructions that follow each other, without those that only rare operands reach.
#[derive(Debug)]
pub(super) struct Part<'a> {
    /// The number of barriers before it.
    pub(super) phase: usize,
    /// How many loops it is in.
    pub(super) depth: usize,
    /// The number of the outermost of these, from 1 on; 0 for straight code.
    pub(super) nest: usize,
    /// Whether a barrier is in the innermost of these.
    pub(super) turns: bool,
    /// The number of conditions before it on which threads end.
    pub(super) exits: usize,
    /// Whether only far blocks reach it: see [`Way`].
    pub(super) far: bool,
    pub(super) lines: Vec<&'a Instruction>,
}

/// A way that a condition jumps over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Way {
    /// It calls a function: for a rare operand.
    Call,
    /// It begins with the event of `OP2_RARE`: for far blocks.
    Far,
}

/// The sections of a kernel, in the order of the code, and behind them those of far blocks. A loop with a barrier belongs to the phase that
/// it begins in.
pub(super) fn sections(lines: &[Instruction]) -> Vec<Part<'_>> {
    // Code behind the last end brings threads together that have diverged.
    let end = lines.iter().rposition(|line| line.name() == "EXIT").map_or(lines.len(), |last| last + 1);
    let lines = &lines[..end];
    let loops = loops(lines);
    let is_outermost =
        |of: &&Range<usize>| !loops.iter().any(|other| other.start <= of.start && of.end <= other.end && other != *of);
    let mut nests: Vec<&Range<usize>> = loops.iter().filter(is_outermost).collect();
    nests.sort_by_key(|of| of.start);
    let ways = ways(lines);
    let mut aside: Vec<Part<'_>> = Vec::new();
    let mut parts: Vec<Part<'_>> = Vec::new();
    let mut last = None;
    let (mut phase, mut exits) = (0, 0);
    for (n, line) in lines.iter().enumerate() {
        let around = || loops.iter().filter(|of| of.contains(&n));
        let innermost = around().min_by_key(|of| of.len()).cloned();
        let barriers = |of: &Range<usize>| lines[of.clone()].iter().any(is_barrier);
        let in_turns = around().any(barriers);
        if parts.is_empty() || last != Some((innermost.clone(), phase, exits)) {
            let turns = innermost.as_ref().is_some_and(barriers);
            let nest = nests.iter().position(|of| of.contains(&n)).map_or(0, |nest| nest + 1);
            parts.push(Part { phase, depth: around().count(), nest, turns, exits, far: false, lines: Vec::new() });
            last = Some((innermost.clone(), phase, exits));
        }
        let part = parts.last_mut().expect("one was pushed");
        match ways[n] {
            _ if line.name() == "NOP" => {}
            Some(Way::Call) => {}
            Some(Way::Far) if line.name() == "PMTRIG" => {
                aside.push(Part { far: true, lines: Vec::new(), ..*part });
            }
            Some(Way::Far) => aside.last_mut().into_iter().for_each(|part| part.lines.push(line)),
            None => part.lines.push(line),
        }
        exits += usize::from(line.name() == "EXIT" && line.guarded);
        // Behind a loop with barriers a phase begins, as behind a barrier.
        let leaves = in_turns && !loops.iter().any(|of| of.contains(&(n + 1)) && barriers(of));
        phase += usize::from((is_barrier(line) && !in_turns) || leaves);
    }
    parts.append(&mut aside);
    parts.retain(|part| !part.lines.is_empty());
    parts
}

pub(super) fn is_barrier(line: &Instruction) -> bool {
    line.name() == "BAR" && !line.has("ARV")
}

/// The loops: from the target of each jump back to the jump. Jumps to one target close one loop.
fn loops(lines: &[Instruction]) -> Vec<Range<usize>> {
    let mut loops: Vec<Range<usize>> = Vec::new();
    for (n, line) in lines.iter().enumerate() {
        let Some(start) = line.target.filter(|start| *start < n) else { continue };
        match loops.iter_mut().find(|known| known.start == start) {
            Some(known) => known.end = n + 1,
            None => loops.push(start..n + 1),
        }
    }
    loops
}

/// The instructions on ways that a condition jumps over.
fn ways(lines: &[Instruction]) -> Vec<Option<Way>> {
    let mut ways = vec![None; lines.len()];
    for (n, line) in lines.iter().enumerate() {
        let Some(to) = line.target.filter(|to| line.guarded && *to > n) else { continue };
        let skipped = &lines[n + 1..to];
        let has = |name: &str| skipped.iter().any(|line| line.name() == name);
        // A jump in between means more than a way round.
        let way = match skipped.iter().any(|line| line.target.is_some()) {
            true => continue,
            false if has("PMTRIG") => Way::Far,
            false if has("CALL") => Way::Call,
            false => continue,
        };
        ways[n + 1..to].fill(Some(way));
    }
    ways
}
