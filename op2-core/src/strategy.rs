//! How races between the elements of a loop are resolved: one table, which all parts read.

use std::fmt;

/// How races between elements that share a target are resolved. Each has one row of the table, in `Resolution::row`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Resolution {
    /// Hierarchical colouring: blocks of one colour run at the same time.
    Blocks,
    /// Global colouring: elements of one colour run at the same time.
    Colours,
    /// All elements run at once and combine by atomics.
    Atomics,
    /// Elements combine inside their block, blocks by atomics.
    BlockAtomics,
    /// Every contribution is redirected to a place of its own; each target gathers its contributions afterwards.
    Scatter,
    /// Overlapped tiles: blocks add to private copies of the targets that they share.
    Tiles,
    /// Owner computes: a block runs all elements that contribute to targets of its own.
    Owner,
    /// A thread runs all elements that contribute to one target, and keeps the contributions to this one only.
    Targets,
}

/// A row of the table of resolutions.
struct Row {
    /// The name in texts of strategies.
    text: &'static str,
    /// The name of its form in stages, if there is one.
    in_stages: Option<&'static str>,
    /// The start of the phrase for reports; the number of elements follows.
    words: &'static str,
    /// Whether results repeat to the last bit. Only such ones are predicted.
    deterministic: bool,
    /// Whether the executors of the host follow it; devices follow all.
    host: bool,
    /// The resolution whose plans it runs by.
    plan: Resolution,
    /// The resolution that takes its place on a device where elements must take turns.
    turns: Resolution,
    /// The resolution that takes its place where the data of a block cannot be staged.
    unstaged: Resolution,
    /// The kernel of a device text for data in global memory.
    global: Wrapper,
    /// The kernel for staged data, if there is one.
    staged: Option<Wrapper>,
}

impl Resolution {
    /// All of them, in the order of messages.
    pub const ALL: [Resolution; 8] = [
        Resolution::Blocks,
        Resolution::Colours,
        Resolution::Atomics,
        Resolution::BlockAtomics,
        Resolution::Scatter,
        Resolution::Tiles,
        Resolution::Owner,
        Resolution::Targets,
    ];

    const fn row(self) -> Row {
        use Resolution::{Atomics, BlockAtomics, Blocks, Colours, Owner, Scatter, Targets, Tiles};
        match self {
            Blocks => Row {
                text: "blocks",
                in_stages: Some("split"),
                words: "blocks of",
                deterministic: true,
                host: true,
                plan: Blocks,
                turns: Blocks,
                unstaged: Colours,
                global: Wrapper::Global,
                staged: Some(Wrapper::Staged),
            },
            Colours => Row {
                text: "colours",
                in_stages: None,
                words: "elements in chunks of",
                deterministic: true,
                host: true,
                plan: Colours,
                turns: Colours,
                unstaged: Colours,
                global: Wrapper::Global,
                staged: None,
            },
            Atomics => Row {
                text: "atomics",
                in_stages: Some("split-atomics"),
                words: "atomics in blocks of",
                deterministic: false,
                host: false,
                plan: Blocks,
                turns: Colours,
                unstaged: Atomics,
                global: Wrapper::Atomic,
                staged: Some(Wrapper::StagedAtomic),
            },
            BlockAtomics => Row {
                text: "block-atomics",
                in_stages: Some("split-block-atomics"),
                words: "atomics between blocks of",
                deterministic: false,
                host: false,
                plan: Blocks,
                turns: Blocks,
                unstaged: Atomics,
                global: Wrapper::Atomic,
                staged: Some(Wrapper::Combined),
            },
            Scatter => Row {
                text: "scatter",
                in_stages: None,
                words: "scattered in blocks of",
                deterministic: true,
                host: true,
                plan: Scatter,
                turns: Colours,
                unstaged: Scatter,
                global: Wrapper::Scatter,
                staged: None,
            },
            Tiles => Row {
                text: "tiles",
                in_stages: None,
                words: "tiles of",
                deterministic: true,
                host: true,
                plan: Tiles,
                turns: Blocks,
                unstaged: Scatter,
                global: Wrapper::Scatter,
                staged: Some(Wrapper::Tiled),
            },
            Owner => Row {
                text: "owner",
                in_stages: None,
                words: "owners of",
                deterministic: true,
                host: true,
                plan: Owner,
                turns: Blocks,
                unstaged: Scatter,
                global: Wrapper::Scatter,
                staged: Some(Wrapper::Tiled),
            },
            Targets => Row {
                text: "targets",
                in_stages: None,
                words: "threads of targets in blocks of",
                deterministic: true,
                host: false,
                plan: Blocks,
                turns: Colours,
                unstaged: Scatter,
                global: Wrapper::PerTarget,
                staged: None,
            },
        }
    }

    /// The name in texts of strategies.
    pub const fn name(self) -> &'static str {
        self.row().text
    }

    /// The name of its form in stages; `None` if it has none.
    pub const fn name_in_stages(self) -> Option<&'static str> {
        self.row().in_stages
    }

    /// Whether results repeat to the last bit.
    pub const fn is_deterministic(self) -> bool {
        self.row().deterministic
    }

    /// Whether the executors of the host follow it; devices follow all.
    pub const fn runs_on_host(self) -> bool {
        self.row().host
    }

    /// The resolution whose plans it runs by.
    pub const fn plan(self) -> Resolution {
        self.row().plan
    }

    /// Whether its plans redirect contributions rather than colour them.
    pub const fn redirects(self) -> bool {
        matches!(self, Resolution::Scatter | Resolution::Tiles | Resolution::Owner)
    }

    /// The resolution that a device follows in its place where elements must take turns.
    pub const fn if_elements_take_turns(self) -> Resolution {
        self.row().turns
    }

    /// The resolution that takes its place where the data of a block cannot be staged.
    pub const fn if_unstaged(self) -> Resolution {
        self.row().unstaged
    }

    /// Whether a device stages the data of a block for it.
    pub const fn stages_data(self) -> bool {
        self.row().staged.is_some()
    }

    /// The kernel of a device text that runs it, with staged data or with all data in global memory.
    pub const fn wrapper(self, staged: bool) -> Wrapper {
        match self.row() {
            Row { staged: Some(wrapper), .. } if staged => wrapper,
            Row { global, .. } => global,
        }
    }
}

/// A kernel of the device text of a loop: the generator writes it, the run time launches it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Wrapper {
    /// All data in global memory, by plain loads and stores.
    Global,
    /// All data in global memory, contributions by atomics.
    Atomic,
    /// All data in global memory, contributions redirected to separate arrays.
    Scatter,
    /// Blocks of one colour.
    Staged,
    /// All blocks at once, contributions by atomics.
    StagedAtomic,
    /// All blocks at once, contributions to targets of several blocks by atomics.
    Combined,
    /// All blocks at once, contributions to targets of other blocks redirected to copies.
    Tiled,
    /// A thread for each target, all data in global memory.
    PerTarget,
}

impl Wrapper {
    /// All of them.
    pub const ALL: [Wrapper; 8] = [
        Wrapper::Global,
        Wrapper::Atomic,
        Wrapper::Scatter,
        Wrapper::Staged,
        Wrapper::StagedAtomic,
        Wrapper::Combined,
        Wrapper::Tiled,
        Wrapper::PerTarget,
    ];

    /// The name of its variant, for generated code.
    pub const fn variant(self) -> &'static str {
        match self {
            Wrapper::Global => "Global",
            Wrapper::Atomic => "Atomic",
            Wrapper::Scatter => "Scatter",
            Wrapper::Staged => "Staged",
            Wrapper::StagedAtomic => "StagedAtomic",
            Wrapper::Combined => "Combined",
            Wrapper::Tiled => "Tiled",
            Wrapper::PerTarget => "PerTarget",
        }
    }

    /// Whether it runs blocks, which stage or gather what they read, and collect contributions in shared memory.
    pub const fn is_staged(self) -> bool {
        match self {
            Wrapper::Global | Wrapper::Atomic | Wrapper::Scatter | Wrapper::PerTarget => false,
            Wrapper::Staged | Wrapper::StagedAtomic | Wrapper::Combined | Wrapper::Tiled => true,
        }
    }

    /// Whether one launch runs all of its blocks, whose numbers are then those of the launch.
    pub const fn starts_all_blocks(self) -> bool {
        matches!(self, Wrapper::StagedAtomic | Wrapper::Combined | Wrapper::Tiled)
    }

    /// Whether the generator writes it in stages, too.
    pub const fn has_stages(self) -> bool {
        matches!(self, Wrapper::Staged | Wrapper::StagedAtomic | Wrapper::Combined)
    }

    /// Whether it may redirect contributions through maps.
    pub const fn redirects(self) -> bool {
        matches!(self, Wrapper::Tiled | Wrapper::Scatter)
    }
}

/// How the blocks of a device read the targets of maps.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Reads {
    /// A block copies all of them to shared memory first, each once.
    Staged,
    /// Threads gather them from global memory; the cache of the multiprocessor keeps those that several threads of a block read.
    Gathered,
}

impl Reads {
    /// All of them, in the order of messages.
    pub const ALL: [Reads; 2] = [Reads::Staged, Reads::Gathered];

    /// The name in texts of strategies.
    pub const fn name(self) -> &'static str {
        match self {
            Reads::Staged => "staged",
            Reads::Gathered => "gathered",
        }
    }
}

/// A resolution with the size of blocks and the number of stages.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Scheme {
    /// How races are resolved.
    pub resolution: Resolution,
    /// Elements of a block, or of a task's part of a colour. The last block may be shorter; a block of owners has at most as many, with
    /// those that other blocks run, too.
    pub size: usize,
    /// Stages that compute contributions; `None` where the kernel runs as a whole.
    pub stages: Option<usize>,
    /// How blocks of devices read the targets of maps; `None` leaves the choice to an estimate.
    pub reads: Option<Reads>,
}

impl Scheme {
    /// A resolution in blocks of `size` elements, with the kernel as a whole.
    pub const fn new(resolution: Resolution, size: usize) -> Self {
        Scheme { resolution, size, stages: None, reads: None }
    }

    /// The same in stages.
    pub const fn in_stages(self, stages: usize) -> Self {
        Scheme { stages: Some(stages), ..self }
    }

    /// The same with targets read so.
    pub const fn reading(self, reads: Reads) -> Self {
        Scheme { reads: Some(reads), ..self }
    }

    /// [`Resolution::Blocks`].
    pub const fn blocks(size: usize) -> Self {
        Scheme::new(Resolution::Blocks, size)
    }

    /// [`Resolution::Colours`].
    pub const fn colours(size: usize) -> Self {
        Scheme::new(Resolution::Colours, size)
    }

    /// [`Resolution::Scatter`].
    pub const fn scatter(size: usize) -> Self {
        Scheme::new(Resolution::Scatter, size)
    }

    /// [`Resolution::Tiles`].
    pub const fn tiles(size: usize) -> Self {
        Scheme::new(Resolution::Tiles, size)
    }

    /// [`Resolution::Owner`].
    pub const fn owner(size: usize) -> Self {
        Scheme::new(Resolution::Owner, size)
    }

    /// [`Resolution::Targets`].
    pub const fn targets(size: usize) -> Self {
        Scheme::new(Resolution::Targets, size)
    }

    /// The scheme of the plans that it runs by.
    pub const fn plan(self) -> Self {
        Scheme::new(self.resolution.plan(), self.size)
    }

    /// Whether no block could hold an element, or there would be no stage.
    pub const fn is_empty(self) -> bool {
        self.size == 0 || matches!(self.stages, Some(0))
    }

    /// The same with the kernel as a whole.
    pub const fn fused(self) -> Self {
        Scheme { stages: None, ..self }
    }

    /// The scheme as a phrase for reports.
    pub fn in_words(self) -> String {
        format!("{} {}", self.resolution.row().words, self.size)
    }

    /// The scheme that a text names.
    pub fn read(text: &str) -> Option<Self> {
        let number = |text: &str| text.parse().ok().filter(|&n: &usize| n > 0);
        let (name, numbers) = text.split_once(':')?;
        let of = |name_of: fn(Resolution) -> Option<&'static str>| {
            Resolution::ALL.into_iter().find(|resolution| name_of(*resolution) == Some(name))
        };
        let read_so = |reads: &Reads| numbers.strip_suffix(reads.name())?.strip_suffix(':');
        let reads = Reads::ALL.into_iter().find(|reads| read_so(reads).is_some());
        let numbers = reads.as_ref().and_then(read_so).unwrap_or(numbers);
        let scheme = match numbers.split_once(':') {
            None => Scheme::new(of(|resolution| Some(resolution.name()))?, number(numbers)?),
            Some((size, stages)) => {
                Scheme::new(of(Resolution::name_in_stages)?, number(size)?).in_stages(number(stages)?)
            }
        };
        Some(Scheme { reads, ..scheme })
    }
}

impl fmt::Display for Scheme {
    /// The text that [`Scheme::read`] reads.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Scheme { resolution, size, stages, reads } = *self;
        match (resolution.name_in_stages(), stages) {
            (Some(name), Some(stages)) => write!(f, "{name}:{size}:{stages}")?,
            _ => write!(f, "{}:{size}", resolution.name())?,
        }
        reads.map_or(Ok(()), |reads| write!(f, ":{}", reads.name()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_read_as_they_are_written() {
        for resolution in Resolution::ALL {
            let whole = Scheme::new(resolution, 7);
            assert_eq!(Scheme::read(&whole.to_string()), Some(whole));
            let staged = whole.in_stages(2);
            let expected = resolution.name_in_stages().map(|_| staged);
            assert_eq!(Scheme::read(&staged.to_string()).filter(|read| read.stages.is_some()), expected);
            for reads in Reads::ALL {
                let read_so = whole.reading(reads);
                assert_eq!(Scheme::read(&read_so.to_string()), Some(read_so));
                let read_so = staged.reading(reads);
                let expected = resolution.name_in_stages().map(|_| read_so);
                assert_eq!(Scheme::read(&read_so.to_string()).filter(|read| read.stages.is_some()), expected);
            }
        }
        for text in [
            "",
            "blocks",
            "blocks:0",
            "blocks:-1",
            "blocks:many",
            "tile:4",
            "split:4",
            "split:4:0",
            "blocks:4:2",
            "blocks:gathered",
            "blocks::staged",
        ] {
            assert_eq!(Scheme::read(text), None, "{text}");
        }
    }

    /// A replacement does not need the property whose lack called for it.
    #[test]
    fn replacements_can_be_followed() {
        for resolution in Resolution::ALL {
            let unstaged = resolution.if_unstaged();
            assert!(!unstaged.wrapper(false).is_staged());
            assert_eq!(unstaged.if_unstaged(), unstaged);
            let turns = resolution.if_elements_take_turns();
            assert!(!turns.redirects() && turns.is_deterministic());
            assert_eq!(turns.if_elements_take_turns(), turns);
            assert!(resolution.plan().runs_on_host(), "plans are made and checked on the host");
            assert_eq!(resolution.wrapper(true).is_staged(), resolution.stages_data());
        }
    }
}
