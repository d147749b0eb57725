//! How a device runs a loop: a pure function of loop, mesh and machine.

use crate::plan::Race;
use crate::strategy::Resolution;
use op2_core::Wrapper;

/// The facts that the choice depends on.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Facts {
    pub(crate) race: Race,
    /// Dats are combined through maps, all in exact ways, so that atomics leave the same bits in any order.
    pub(crate) free: bool,
    /// Some dat is reached through a map.
    pub(crate) indirect: bool,
    /// Elements that share a target must take turns, as [`takes_turns`](crate::desc::LoopDesc::takes_turns) says.
    pub(crate) turns: bool,
    /// The kernel takes rows of any length, which lie in global memory.
    pub(crate) rows: bool,
    /// Two arguments name the same dat differently, and one modifies it through a map.
    pub(crate) doubled: bool,
    /// A dat that is combined through a map is modified directly too.
    pub(crate) mixed: bool,
    /// All that the loop changes are contributions through one cover, and it reads nothing of it.
    pub(crate) alone: bool,
    /// A form in stages was asked for and exists.
    pub(crate) stages: bool,
    /// Shared memory that a block would take; `None` if its data cannot be staged at all.
    pub(crate) shared: Option<u64>,
    /// Shared memory that a block can have.
    pub(crate) limit: u64,
}

/// How races are resolved, whether in blocks, and the reason if that differs from what was asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Choice {
    /// How races are resolved; `None` where no two elements share a target, so that all run at once.
    pub(crate) resolution: Option<Resolution>,
    /// Whether it runs in blocks, which stage or gather what they read, and collect contributions in shared memory.
    pub(crate) staged: bool,
    pub(crate) note: Option<String>,
}

impl Choice {
    fn staged(resolution: Option<Resolution>) -> Self {
        Choice { resolution, staged: true, note: None }
    }

    fn global(resolution: Option<Resolution>) -> Self {
        Choice { resolution, staged: false, note: None }
    }

    fn because(self, note: String) -> Self {
        Choice { note: Some(note), ..self }
    }

    /// The kernel that is launched.
    pub(crate) fn wrapper(&self) -> Wrapper {
        self.resolution.unwrap_or(Resolution::Blocks).wrapper(self.staged)
    }
}

/// How to run a loop that should resolve races by `wanted`, or by the prediction if it is `None`.
pub(crate) fn choose(wanted: Option<Resolution>, facts: &Facts) -> Choice {
    if facts.stages && wanted == Some(Resolution::Atomics) {
        // A dat with two names is no obstacle here: each contribution goes to memory at once.
        return match too_wide(facts) {
            None => Choice::staged(wanted),
            Some(reason) => Choice::global(wanted).because(format!("not staged: {reason}")),
        };
    }
    if facts.free {
        return Choice::global(Some(Resolution::Atomics));
    }
    match facts.race {
        Race::Impossible | Race::Disproved => at_once(wanted, facts),
        Race::Coloured => resolved(wanted.unwrap_or(Resolution::Blocks), facts),
    }
}

/// The choice where no two elements share a target: data are staged only for strategies in blocks.
fn at_once(wanted: Option<Resolution>, facts: &Facts) -> Choice {
    let stages = wanted.is_some_and(is_in_blocks) && facts.indirect;
    match obstacle(facts) {
        _ if !stages => Choice::global(None),
        None => Choice::staged(None),
        Some(reason) => Choice::global(None).because(format!("not staged: {reason}")),
    }
}

/// The choice where elements share targets: races are resolved by `wanted`, or by the resolution that replaces it.
fn resolved(wanted: Resolution, facts: &Facts) -> Choice {
    let why = if facts.rows { ROWS } else { "elements that write through maps must take turns" };
    const MIXED: &str = "a dat is modified directly and through a map";
    let obstacle = obstacle(facts);
    let turns = wanted.if_elements_take_turns();
    if (facts.turns || facts.rows) && turns != wanted {
        let choice = match obstacle {
            None if turns.stages_data() => Choice::staged(Some(turns)),
            _ => Choice::global(Some(turns.if_unstaged())),
        };
        let note = instead(wanted, choice.resolution.unwrap_or(turns));
        return choice.because(format!("{note}: {why}"));
    }
    if wanted == Resolution::Targets && (!facts.alone || facts.doubled || facts.mixed) {
        const WHY: &str =
            "it changes more than dats through one set of entries, reads what it changes, or entries may be missing";
        return Choice::global(Some(Resolution::Scatter))
            .because(format!("{}: {WHY}", instead(wanted, Resolution::Scatter)));
    }
    // A block that collects contributions holds an old copy of values that the loop modifies directly, too.
    let collects = !matches!(wanted, Resolution::Blocks);
    let obstacle = obstacle.or_else(|| (facts.mixed && collects).then(|| MIXED.to_owned()));
    match obstacle {
        _ if !is_in_blocks(wanted) => Choice::global(Some(wanted)),
        None => Choice::staged(Some(wanted)),
        Some(reason) => {
            let unstaged = wanted.if_unstaged();
            Choice::global(Some(unstaged)).because(format!("{}: {reason}", instead(wanted, unstaged)))
        }
    }
}

/// Whether an unsplit loop runs in blocks for it: with atomics alone, blocks collect no contributions in shared memory.
pub(super) fn is_in_blocks(resolution: Resolution) -> bool {
    resolution.stages_data() && resolution != Resolution::Atomics
}

/// The start of the note that `taken` replaces `wanted`.
fn instead(wanted: Resolution, taken: Resolution) -> &'static str {
    match (wanted, taken) {
        (Resolution::Blocks, Resolution::Colours) => "not staged",
        (Resolution::BlockAtomics, Resolution::Atomics) => "not combined by blocks",
        (_, Resolution::Blocks) => "blocks coloured instead",
        (_, Resolution::Colours) => "coloured instead",
        (_, Resolution::Scatter) => "scattered instead",
        (_, Resolution::Tiles) => "tiles instead",
        (_, Resolution::Owner) => "owners instead",
        (_, Resolution::Targets) => "a thread for each target instead",
        (_, Resolution::Atomics | Resolution::BlockAtomics) => "atomics instead",
    }
}

/// The reason why a loop runs element by element in global memory.
const ROWS: &str = "its kernel takes rows of any length";

/// Why the loop's data cannot be staged; `None` if they can.
fn obstacle(facts: &Facts) -> Option<String> {
    match facts.doubled {
        _ if facts.rows => Some(ROWS.to_owned()),
        true => Some("a modified dat goes by two names".to_owned()),
        false => too_wide(facts),
    }
}

/// Why the data of a block do not fit in shared memory; `None` if they do.
fn too_wide(facts: &Facts) -> Option<String> {
    match facts.shared {
        None => {
            Some("a block touches more than 65,536 elements, or all together more than 32 bits can number".to_owned())
        }
        Some(bytes) if bytes > facts.limit => {
            Some(format!("a block takes {bytes} bytes of shared memory, {} are there", facts.limit))
        }
        Some(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::strategy::Strategy;

    const PLAIN: Facts = Facts {
        race: Race::Coloured,
        free: false,
        indirect: true,
        turns: false,
        rows: false,
        doubled: false,
        mixed: false,
        alone: true,
        stages: false,
        shared: Some(1000),
        limit: 48_000,
    };

    type Run = (Option<Resolution>, Wrapper);

    /// The resolution and the kernel, and whether a note says that another one was asked for.
    fn chosen(strategy: Strategy, facts: Facts) -> (Run, bool) {
        let choice = choose(strategy.scheme().map(|scheme| scheme.resolution), &facts);
        ((choice.resolution, choice.wrapper()), choice.note.is_some())
    }

    const GLOBAL: Run = (None, Wrapper::Global);
    const STAGED: Run = (None, Wrapper::Staged);
    const BLOCKS: Run = (Some(Resolution::Blocks), Wrapper::Staged);
    const COLOURS: Run = (Some(Resolution::Colours), Wrapper::Global);
    const ATOMIC: Run = (Some(Resolution::Atomics), Wrapper::Atomic);
    const STAGED_ATOMIC: Run = (Some(Resolution::Atomics), Wrapper::StagedAtomic);
    const COMBINED: Run = (Some(Resolution::BlockAtomics), Wrapper::Combined);
    const SCATTER: Run = (Some(Resolution::Scatter), Wrapper::Scatter);
    const TILED: Run = (Some(Resolution::Tiles), Wrapper::Tiled);
    const OWNER: Run = (Some(Resolution::Owner), Wrapper::Tiled);
    const TARGETS: Run = (Some(Resolution::Targets), Wrapper::PerTarget);

    const ALL: [Strategy; 9] = [
        Strategy::Predicted,
        Strategy::blocks(128),
        Strategy::colours(128),
        Strategy::atomics(128),
        Strategy::block_atomics(128),
        Strategy::scatter(128),
        Strategy::tiles(128),
        Strategy::owner(128),
        Strategy::targets(128),
    ];

    #[test]
    fn each_strategy_has_its_kernel() {
        let found = ALL.map(|s| chosen(s, PLAIN));
        assert_eq!(
            found,
            [BLOCKS, BLOCKS, COLOURS, ATOMIC, COMBINED, SCATTER, TILED, OWNER, TARGETS].map(|v| (v, false))
        );
    }

    #[test]
    fn without_races_nothing_is_coloured() {
        let facts = Facts { race: Race::Disproved, turns: true, ..PLAIN };
        let found = ALL.map(|s| chosen(s, facts).0);
        assert_eq!(found, [GLOBAL, STAGED, GLOBAL, GLOBAL, STAGED, GLOBAL, STAGED, STAGED, GLOBAL]);
        let direct = Facts { race: Race::Impossible, indirect: false, ..PLAIN };
        assert!(ALL.iter().all(|s| chosen(*s, direct) == (GLOBAL, false)));
    }

    #[test]
    fn exact_contributions_go_by_atomics() {
        let facts = Facts { race: Race::Impossible, free: true, ..PLAIN };
        assert!(ALL.iter().all(|s| chosen(*s, facts) == (ATOMIC, false)));
        let split = Strategy::split_atomics(128, 2);
        assert_eq!(chosen(split, Facts { stages: true, ..facts }), (STAGED_ATOMIC, false));
    }

    #[test]
    fn what_cannot_be_falls_to_another_with_a_reason() {
        let turns = Facts { turns: true, ..PLAIN };
        let found = ALL.map(|s| chosen(s, turns));
        let expected = [
            (BLOCKS, false),
            (BLOCKS, false),
            (COLOURS, false),
            (COLOURS, true),
            (BLOCKS, true),
            (COLOURS, true),
            (BLOCKS, true),
            (BLOCKS, true),
            (COLOURS, true),
        ];
        assert_eq!(found, expected);
        let redirecting = [Strategy::tiles(1), Strategy::owner(1)];
        for facts in [Facts { doubled: true, ..PLAIN }, Facts { shared: None, ..PLAIN }, Facts { limit: 999, ..PLAIN }]
        {
            assert_eq!(chosen(Strategy::Predicted, facts), (COLOURS, true));
            assert_eq!(chosen(Strategy::block_atomics(1), facts), (ATOMIC, true));
            assert_eq!(chosen(Strategy::block_atomics(1), Facts { turns: true, ..facts }), (COLOURS, true));
            assert_eq!(redirecting.map(|s| chosen(s, facts)), [(SCATTER, true); 2]);
        }
        let mixed = Facts { mixed: true, ..PLAIN };
        assert_eq!(chosen(Strategy::block_atomics(1), mixed), (ATOMIC, true));
        assert_eq!(redirecting.map(|s| chosen(s, mixed)), [(SCATTER, true); 2]);
        for facts in [mixed, Facts { alone: false, ..PLAIN }, Facts { doubled: true, ..PLAIN }] {
            assert_eq!(chosen(Strategy::targets(1), facts), (SCATTER, true));
        }
        assert_eq!(chosen(Strategy::targets(1), Facts { shared: None, ..PLAIN }), (TARGETS, false));
    }

    #[test]
    fn stages_have_atomics_of_their_own() {
        let (split, blocks) = (Strategy::split_atomics(128, 2), Strategy::split_block_atomics(128, 2));
        let staged = Facts { stages: true, ..PLAIN };
        assert_eq!([split, blocks].map(|s| chosen(s, staged)), [(STAGED_ATOMIC, false), (COMBINED, false)]);
        assert_eq!([split, blocks].map(|s| chosen(s, PLAIN)), [(ATOMIC, false), (COMBINED, false)]);
        // Contributions that blocks may not collect can be added element by element.
        for facts in [Facts { mixed: true, ..staged }, Facts { doubled: true, ..staged }] {
            assert_eq!([split, blocks].map(|s| chosen(s, facts)), [(STAGED_ATOMIC, false), (ATOMIC, true)]);
        }
        for facts in [Facts { shared: None, ..staged }, Facts { limit: 999, ..staged }] {
            assert_eq!([split, blocks].map(|s| chosen(s, facts)), [(ATOMIC, true); 2]);
        }
        // Elements that take turns have no stages.
        assert_eq!(chosen(split, Facts { turns: true, ..PLAIN }), (COLOURS, true));
        let disjoint = Facts { race: Race::Disproved, ..PLAIN };
        assert_eq!([split, blocks].map(|s| chosen(s, disjoint).0), [GLOBAL, STAGED]);
    }
}
