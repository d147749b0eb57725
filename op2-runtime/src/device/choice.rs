//! Which of its generated variants a loop runs in: a pure function of loop, mesh and machine.

use crate::plan::Race;
use crate::strategy::Strategy;

/// The variants of a generated loop.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Variant {
    /// All elements at once, data in global memory.
    Global,
    /// Global colouring: a launch for each colour of elements, data in global memory.
    Colours,
    /// Hierarchical colouring: data staged in shared memory, a launch for each colour of blocks.
    Staged,
    /// All elements at once, combined by atomics.
    Atomic,
    /// The same, with what is read staged in shared memory, stage by stage.
    StagedAtomic,
    /// Combined in shared memory, then by atomics where blocks meet.
    Combined,
    /// Combined in shared memory, copies of what several blocks touch, then a launch that adds these up.
    Tiled,
    /// Combined in shared memory by blocks that run all elements that contribute to targets of theirs.
    Owner,
    /// Contributions to memory of their own, then a launch that gathers them.
    Scatter,
}

impl Variant {
    /// Whether it runs blocks of the plan with their data in shared memory.
    pub(crate) fn is_staged(self) -> bool {
        self.has_stages() || matches!(self, Variant::Tiled | Variant::Owner)
    }

    /// Whether the generator writes it in stages, too.
    pub(crate) fn has_stages(self) -> bool {
        matches!(self, Variant::Staged | Variant::StagedAtomic | Variant::Combined)
    }
}

/// What the choice depends on.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Facts {
    pub(crate) race: Race,
    /// Some dat is reached through a map.
    pub(crate) indirect: bool,
    /// Elements that meet must take turns, as [`takes_turns`](crate::desc::LoopDesc::takes_turns) says.
    pub(crate) turns: bool,
    /// A modified dat goes by two names.
    pub(crate) doubled: bool,
    /// A dat that is combined through a map is modified directly too.
    pub(crate) mixed: bool,
    /// It is to run in stages, and can.
    pub(crate) stages: bool,
    /// Shared memory that a block would take; `None` if its data cannot be staged at all.
    pub(crate) shared: Option<u64>,
    /// Shared memory that a block can have.
    pub(crate) limit: u64,
}

/// A decision and, where it is not what was asked for, the reason.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Choice {
    pub(crate) variant: Variant,
    pub(crate) note: Option<String>,
}

/// The variant for a strategy. Of those that redirect contributions and stage, the loop can follow the scheme.
pub(crate) fn choose(strategy: Strategy, facts: &Facts) -> Choice {
    let alone = |variant| Choice { variant, note: None };
    let instead = |variant, reason: &str| Choice { variant, note: Some(reason.to_owned()) };
    if facts.stages && matches!(strategy, Strategy::SplitAtomics { .. }) {
        // Names of one dat are in nobody's way: nothing of it is collected before it is added.
        return match too_wide(facts) {
            None => alone(Variant::StagedAtomic),
            Some(reason) => instead(Variant::Atomic, &format!("not staged: {reason}")),
        };
    }
    // Other stages run what the same strategy runs without them.
    let strategy = strategy.fused();
    let obstacle = obstacle(facts);
    if facts.race != Race::Coloured {
        let in_blocks = matches!(
            strategy,
            Strategy::Blocks { .. } | Strategy::BlockAtomics { .. } | Strategy::Tiles { .. } | Strategy::Owner { .. }
        );
        let stages = in_blocks && facts.indirect;
        return match obstacle {
            None if stages => alone(Variant::Staged),
            Some(reason) if stages => instead(Variant::Global, &format!("not staged: {reason}")),
            _ => alone(Variant::Global),
        };
    }
    const TURNS: &str = "elements that write through maps must take turns";
    const MIXED: &str = "a dat is modified directly and through a map";
    match (strategy, obstacle) {
        (Strategy::Colours { .. }, _) => alone(Variant::Colours),
        (Strategy::Predicted | Strategy::Auto | Strategy::Blocks { .. }, None) => alone(Variant::Staged),
        (Strategy::Predicted | Strategy::Auto | Strategy::Blocks { .. }, Some(reason)) => {
            instead(Variant::Colours, &format!("not staged: {reason}"))
        }
        // What is modified directly would need copies too; a scatter array is as deterministic.
        (Strategy::Tiles { .. } | Strategy::Owner { .. }, None) if facts.mixed => {
            instead(Variant::Scatter, &format!("scattered instead: {MIXED}"))
        }
        (Strategy::Tiles { .. }, None) => alone(Variant::Tiled),
        (Strategy::Owner { .. }, None) => alone(Variant::Owner),
        (Strategy::Tiles { .. } | Strategy::Owner { .. }, Some(reason)) => {
            instead(Variant::Scatter, &format!("scattered instead: {reason}"))
        }
        (Strategy::Atomics { .. } | Strategy::Scatter { .. }, _) if facts.turns => {
            instead(Variant::Colours, &format!("coloured instead: {TURNS}"))
        }
        (Strategy::Atomics { .. }, _) => alone(Variant::Atomic),
        (Strategy::Scatter { .. }, _) => alone(Variant::Scatter),
        (Strategy::BlockAtomics { .. }, None) if facts.turns => {
            instead(Variant::Staged, &format!("blocks coloured instead: {TURNS}"))
        }
        (Strategy::BlockAtomics { .. }, Some(_)) if facts.turns => {
            instead(Variant::Colours, &format!("coloured instead: {TURNS}"))
        }
        (Strategy::BlockAtomics { .. }, None) if facts.mixed => {
            instead(Variant::Atomic, &format!("not combined by blocks: {MIXED}"))
        }
        (Strategy::BlockAtomics { .. }, None) => alone(Variant::Combined),
        (Strategy::BlockAtomics { .. }, Some(reason)) => {
            instead(Variant::Atomic, &format!("not combined by blocks: {reason}"))
        }
        (Strategy::Split { .. } | Strategy::SplitAtomics { .. } | Strategy::SplitBlockAtomics { .. }, _) => {
            unreachable!("the strategy is fused")
        }
    }
}

/// Why the loop's data cannot be staged, if so.
fn obstacle(facts: &Facts) -> Option<String> {
    match facts.doubled {
        true => Some("a modified dat goes by two names".to_owned()),
        false => too_wide(facts),
    }
}

/// Why the data of a block have no room in shared memory, if so.
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

    const PLAIN: Facts = Facts {
        race: Race::Coloured,
        indirect: true,
        turns: false,
        doubled: false,
        mixed: false,
        stages: false,
        shared: Some(1000),
        limit: 48_000,
    };

    fn chosen(strategy: Strategy, facts: Facts) -> (Variant, bool) {
        let Choice { variant, note } = choose(strategy, &facts);
        (variant, note.is_some())
    }

    const ALL: [Strategy; 8] = [
        Strategy::Predicted,
        Strategy::Blocks { size: 128 },
        Strategy::Colours { chunk: 128 },
        Strategy::Atomics { block: 128 },
        Strategy::BlockAtomics { block: 128 },
        Strategy::Scatter { block: 128 },
        Strategy::Tiles { size: 128 },
        Strategy::Owner { size: 128 },
    ];

    #[test]
    fn each_strategy_has_its_variant() {
        use Variant::*;
        let found = ALL.map(|s| chosen(s, PLAIN));
        assert_eq!(found, [Staged, Staged, Colours, Atomic, Combined, Scatter, Tiled, Owner].map(|v| (v, false)));
    }

    #[test]
    fn without_races_nothing_is_coloured() {
        let facts = Facts { race: Race::Disproved, turns: true, ..PLAIN };
        let found = ALL.map(|s| chosen(s, facts).0);
        use Variant::*;
        assert_eq!(found, [Global, Staged, Global, Global, Staged, Global, Staged, Staged]);
        let direct = Facts { race: Race::Impossible, indirect: false, ..PLAIN };
        assert!(ALL.iter().all(|s| chosen(*s, direct) == (Global, false)));
    }

    #[test]
    fn what_cannot_be_falls_to_another_with_a_reason() {
        use Variant::*;
        let turns = Facts { turns: true, ..PLAIN };
        // Tiles and owners are other strategies by now where elements take turns.
        let found = [0, 1, 2, 3, 4, 5].map(|n| chosen(ALL[n], turns));
        let expected =
            [(Staged, false), (Staged, false), (Colours, false), (Colours, true), (Staged, true), (Colours, true)];
        assert_eq!(found, expected);
        let redirecting = [Strategy::Tiles { size: 1 }, Strategy::Owner { size: 1 }];
        for facts in [Facts { doubled: true, ..PLAIN }, Facts { shared: None, ..PLAIN }, Facts { limit: 999, ..PLAIN }]
        {
            assert_eq!(chosen(Strategy::Predicted, facts), (Colours, true));
            assert_eq!(chosen(Strategy::BlockAtomics { block: 1 }, facts), (Atomic, true));
            assert_eq!(chosen(Strategy::BlockAtomics { block: 1 }, Facts { turns: true, ..facts }), (Colours, true));
            assert_eq!(redirecting.map(|s| chosen(s, facts)), [(Scatter, true); 2]);
        }
        let mixed = Facts { mixed: true, ..PLAIN };
        assert_eq!(chosen(Strategy::BlockAtomics { block: 1 }, mixed), (Atomic, true));
        assert_eq!(redirecting.map(|s| chosen(s, mixed)), [(Scatter, true); 2]);
    }

    #[test]
    fn stages_have_atomics_of_their_own() {
        use Variant::*;
        let (split, blocks) =
            (Strategy::SplitAtomics { block: 128, stages: 2 }, Strategy::SplitBlockAtomics { block: 128, stages: 2 });
        let staged = Facts { stages: true, ..PLAIN };
        assert_eq!([split, blocks].map(|s| chosen(s, staged)), [(StagedAtomic, false), (Combined, false)]);
        assert_eq!([split, blocks].map(|s| chosen(s, PLAIN)), [(Atomic, false), (Combined, false)]);
        // What blocks may not collect can be added element by element.
        for facts in [Facts { mixed: true, ..staged }, Facts { doubled: true, ..staged }] {
            assert_eq!([split, blocks].map(|s| chosen(s, facts)), [(StagedAtomic, false), (Atomic, true)]);
        }
        for facts in [Facts { shared: None, ..staged }, Facts { limit: 999, ..staged }] {
            assert_eq!([split, blocks].map(|s| chosen(s, facts)), [(Atomic, true); 2]);
        }
        // Elements that take turns have no stages.
        assert_eq!(chosen(split, Facts { turns: true, ..PLAIN }), (Colours, true));
        let apart = Facts { race: Race::Disproved, ..PLAIN };
        assert_eq!([split, blocks].map(|s| chosen(s, apart).0), [Global, Staged]);
    }
}
