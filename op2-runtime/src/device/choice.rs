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
    /// Combined in shared memory, then by atomics where blocks meet.
    Combined,
    /// Contributions to memory of their own, then a launch that gathers them.
    Scatter,
}

/// What the choice depends on.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Facts {
    pub(crate) race: Race,
    /// Some dat is reached through a map.
    pub(crate) indirect: bool,
    /// Some dat is written or read and written through a map, so that elements must take turns.
    pub(crate) turns: bool,
    /// A modified dat goes by two names.
    pub(crate) doubled: bool,
    /// A dat that is combined through a map is modified directly too.
    pub(crate) mixed: bool,
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

/// The variant for a strategy.
pub(crate) fn choose(strategy: Strategy, facts: &Facts) -> Choice {
    let alone = |variant| Choice { variant, note: None };
    let instead = |variant, reason: &str| Choice { variant, note: Some(reason.to_owned()) };
    let obstacle = obstacle(facts);
    if facts.race != Race::Coloured {
        let stages = matches!(strategy, Strategy::Blocks { .. } | Strategy::BlockAtomics { .. }) && facts.indirect;
        return match obstacle {
            None if stages => alone(Variant::Staged),
            Some(reason) if stages => instead(Variant::Global, &format!("not staged: {reason}")),
            _ => alone(Variant::Global),
        };
    }
    const TURNS: &str = "elements that write through maps must take turns";
    match (strategy, obstacle) {
        (Strategy::Colours { .. }, _) => alone(Variant::Colours),
        (
            Strategy::Predicted
            | Strategy::Auto
            | Strategy::Blocks { .. }
            | Strategy::Tiles { .. }
            | Strategy::Owner { .. },
            None,
        ) => alone(Variant::Staged),
        (
            Strategy::Predicted
            | Strategy::Auto
            | Strategy::Blocks { .. }
            | Strategy::Tiles { .. }
            | Strategy::Owner { .. },
            Some(reason),
        ) => instead(Variant::Colours, &format!("not staged: {reason}")),
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
            instead(Variant::Atomic, "not combined by blocks: a dat is modified directly and through a map")
        }
        (Strategy::BlockAtomics { .. }, None) => alone(Variant::Combined),
        (Strategy::BlockAtomics { .. }, Some(reason)) => {
            instead(Variant::Atomic, &format!("not combined by blocks: {reason}"))
        }
    }
}

/// Why the loop's data cannot be staged, if so.
fn obstacle(facts: &Facts) -> Option<String> {
    match facts.shared {
        _ if facts.doubled => Some("a modified dat goes by two names".to_owned()),
        None => Some("a block touches more than 65,536 elements".to_owned()),
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
        shared: Some(1000),
        limit: 48_000,
    };

    fn chosen(strategy: Strategy, facts: Facts) -> (Variant, bool) {
        let Choice { variant, note } = choose(strategy, &facts);
        (variant, note.is_some())
    }

    const ALL: [Strategy; 6] = [
        Strategy::Predicted,
        Strategy::Blocks { size: 128 },
        Strategy::Colours { chunk: 128 },
        Strategy::Atomics { block: 128 },
        Strategy::BlockAtomics { block: 128 },
        Strategy::Scatter { block: 128 },
    ];

    #[test]
    fn each_strategy_has_its_variant() {
        use Variant::*;
        let found = ALL.map(|s| chosen(s, PLAIN));
        assert_eq!(found, [Staged, Staged, Colours, Atomic, Combined, Scatter].map(|v| (v, false)));
    }

    #[test]
    fn without_races_nothing_is_coloured() {
        let facts = Facts { race: Race::Disproved, turns: true, ..PLAIN };
        let found = ALL.map(|s| chosen(s, facts).0);
        use Variant::*;
        assert_eq!(found, [Global, Staged, Global, Global, Staged, Global]);
        let direct = Facts { race: Race::Impossible, indirect: false, ..PLAIN };
        assert!(ALL.iter().all(|s| chosen(*s, direct) == (Global, false)));
    }

    #[test]
    fn what_cannot_be_falls_to_another_with_a_reason() {
        use Variant::*;
        let turns = Facts { turns: true, ..PLAIN };
        let found = ALL.map(|s| chosen(s, turns));
        let expected =
            [(Staged, false), (Staged, false), (Colours, false), (Colours, true), (Staged, true), (Colours, true)];
        assert_eq!(found, expected);
        for facts in [Facts { doubled: true, ..PLAIN }, Facts { shared: None, ..PLAIN }, Facts { limit: 999, ..PLAIN }]
        {
            assert_eq!(chosen(Strategy::Predicted, facts), (Colours, true));
            assert_eq!(chosen(Strategy::BlockAtomics { block: 1 }, facts), (Atomic, true));
            assert_eq!(chosen(Strategy::BlockAtomics { block: 1 }, Facts { turns: true, ..facts }), (Colours, true));
        }
        assert_eq!(chosen(Strategy::BlockAtomics { block: 1 }, Facts { mixed: true, ..PLAIN }), (Atomic, true));
    }
}
