//! Strategies of single loops that come from outside the program's code, and which of several sources holds.

use super::{NoStrategy, Strategy};
use crate::error::Error;
use crate::op::Backend;
use rustc_hash::FxHashMap;
use std::fmt;
use std::str::FromStr;

/// Strategies for the loops of a program, by the names of their kernels: `res_calc=tiles:4096,adt_calc=auto,owner:2048`.
/// The entry without a name, at most one, holds for all loops that are not named.
///
/// Four sources say how a loop resolves races. The first of them that speaks of a loop holds, by its name or by
/// an entry for all loops:
///
/// 1. [`Config::strategies`](crate::Config::strategies), what the program got on its command line;
/// 2. the environment variable `OP2_STRATEGY`, a text as above;
/// 3. [`Op2::pin`](crate::Op2::pin), in the program's code;
/// 4. [`Config::strategy`](crate::Config::strategy).
///
/// ```
/// use op2_runtime::{Strategies, Strategy};
/// let strategies: Strategies = "res_calc=tiles:4096, owner:2048".parse()?;
/// assert_eq!(strategies.of("res_calc"), Some(Strategy::Tiles { size: 4096 }));
/// assert_eq!(strategies.of("update"), Some(Strategy::Owner { size: 2048 }));
/// # Ok::<(), op2_runtime::NoStrategies>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Strategies {
    named: Vec<(String, Strategy)>,
    others: Option<Strategy>,
}

impl Strategies {
    /// The strategy that loops with this kernel are to follow, if there is one.
    pub fn of(&self, kernel: &str) -> Option<Strategy> {
        self.named.iter().find(|(name, _)| name == kernel).map(|&(_, strategy)| strategy).or(self.others)
    }

    /// Whether nothing is stated for any loop.
    pub fn is_empty(&self) -> bool {
        self.named.is_empty() && self.others.is_none()
    }
}

impl fmt::Display for Strategies {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let named = self.named.iter().map(|(name, strategy)| format!("{name}={strategy}"));
        let entries: Vec<String> = named.chain(self.others.map(|strategy| strategy.to_string())).collect();
        f.write_str(&entries.join(","))
    }
}

/// Why a text does not state strategies of loops.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NoStrategies {
    /// A text without entries: perhaps a variable that should have had a value.
    #[error(
        "nothing is stated, expected `kernel=strategy` or a strategy, as in `res_calc=tiles:4096,auto`; leave it out for the usual ones"
    )]
    Nothing,
    /// An entry whose strategy is none.
    #[error("entry {entry}: {cause}")]
    Strategy {
        /// Which one, counted from 1.
        entry: usize,
        /// Why it is none.
        cause: NoStrategy,
    },
    /// An entry with nothing in front of its `=`.
    #[error(
        "entry {entry}: `{text}` has no kernel's name in front of `=`, expected `kernel=strategy`, or a strategy alone for all \
         other loops"
    )]
    NoKernel {
        /// Which one, counted from 1.
        entry: usize,
        /// The entry.
        text: String,
    },
    /// An entry without text.
    #[error("entry {entry} is empty, expected `kernel=strategy` or a strategy; remove the comma that is too much")]
    Empty {
        /// Which one, counted from 1.
        entry: usize,
    },
    /// A kernel with two entries.
    #[error("entry {entry}: kernel `{kernel}` has strategy `{first}` already, found `{second}`; remove one of the two")]
    Twice {
        /// The second one, counted from 1.
        entry: usize,
        /// Name of the kernel.
        kernel: String,
        /// The strategy of the first entry.
        first: Strategy,
        /// The strategy of the second one.
        second: Strategy,
    },
    /// Two entries for all other loops.
    #[error(
        "entry {entry}: all loops without an entry have strategy `{first}` already, found `{second}`; remove one of the two, or \
         name a kernel: `kernel={second}`"
    )]
    TwoForOthers {
        /// The second one, counted from 1.
        entry: usize,
        /// The strategy of the first entry.
        first: Strategy,
        /// The strategy of the second one.
        second: Strategy,
    },
}

impl FromStr for Strategies {
    type Err = NoStrategies;

    /// Entries with commas between them; spaces around names and strategies mean nothing.
    fn from_str(text: &str) -> Result<Self, NoStrategies> {
        let mut all = Strategies::default();
        if text.trim().is_empty() {
            return Err(NoStrategies::Nothing);
        }
        for (n, part) in text.split(',').enumerate() {
            all.add(n + 1, part.trim())?;
        }
        Ok(all)
    }
}

impl Strategies {
    fn add(&mut self, entry: usize, text: &str) -> Result<(), NoStrategies> {
        if text.is_empty() {
            return Err(NoStrategies::Empty { entry });
        }
        let strategy = |text: &str| text.trim().parse().map_err(|cause| NoStrategies::Strategy { entry, cause });
        let Some((kernel, rest)) = text.split_once('=') else {
            let second = strategy(text)?;
            return match self.others.replace(second) {
                None => Ok(()),
                Some(first) => Err(NoStrategies::TwoForOthers { entry, first, second }),
            };
        };
        let kernel = kernel.trim();
        if kernel.is_empty() {
            return Err(NoStrategies::NoKernel { entry, text: text.to_owned() });
        }
        let second = strategy(rest)?;
        if let Some(&(_, first)) = self.named.iter().find(|(name, _)| name == kernel) {
            return Err(NoStrategies::Twice { entry, kernel: kernel.to_owned(), first, second });
        }
        self.named.push((kernel.to_owned(), second));
        Ok(())
    }
}

/// All sources of strategies, the strongest first.
#[derive(Debug, Clone, Default)]
pub(crate) struct Rules {
    pub(crate) given: Strategies,
    pub(crate) environment: Strategies,
    pub(crate) pinned: FxHashMap<String, Strategy>,
    pub(crate) default: Strategy,
}

impl Rules {
    /// The name of the variable that [`Rules::environment`] is read from.
    pub(crate) const VARIABLE: &'static str = "OP2_STRATEGY";

    /// What the text of the environment variable says, if it is set.
    ///
    /// # Errors
    /// [`Error::Strategies`], which names the variable.
    pub(crate) fn environment(text: Option<&str>) -> Result<Strategies, Error> {
        let cause = |cause| Error::Strategies { variable: Self::VARIABLE, cause };
        text.map_or(Ok(Strategies::default()), |text| text.parse().map_err(cause))
    }

    /// Whether loops on this backend can follow all that is stated.
    ///
    /// # Errors
    /// [`Error::EmptyBlock`], [`Error::DeviceStrategy`] with who asked for it.
    pub(crate) fn check(&self, backend: Backend) -> Result<(), Error> {
        can_follow(self.default, None, "`Config::strategy`", backend)?;
        for (origin, list) in [("`Config::strategies`", &self.given), ("`OP2_STRATEGY`", &self.environment)] {
            let named = list.named.iter().map(|(name, strategy)| (Some(name.as_str()), *strategy));
            let mut all = named.chain(list.others.map(|strategy| (None, strategy)));
            all.try_for_each(|(kernel, strategy)| can_follow(strategy, kernel, origin, backend))?;
        }
        Ok(())
    }

    /// Notes what the program's code says of a kernel's loops.
    ///
    /// # Errors
    /// As [`Rules::check`].
    pub(crate) fn pin(&mut self, kernel: &str, strategy: Strategy, backend: Backend) -> Result<(), Error> {
        can_follow(strategy, Some(kernel), "`Op2::pin`", backend)?;
        self.pinned.insert(kernel.to_owned(), strategy);
        Ok(())
    }

    /// The strategy of the first source that speaks of a kernel's loops.
    pub(crate) fn of(&self, kernel: &str) -> Strategy {
        if self.given.is_empty() && self.environment.is_empty() && self.pinned.is_empty() {
            return self.default;
        }
        let given = self.given.of(kernel).or_else(|| self.environment.of(kernel));
        given.or_else(|| self.pinned.get(kernel).copied()).unwrap_or(self.default)
    }

    /// A line for each kernel that a source names, its own code included, and that `known` does not know.
    pub(crate) fn unused(&self, known: impl Fn(&str) -> bool) -> Vec<String> {
        let mut pinned: Vec<_> = self.pinned.iter().map(|(name, &strategy)| (name, strategy)).collect();
        pinned.sort_unstable_by_key(|&(name, _)| name);
        let of = |source: &'static str, list: &Strategies| {
            list.named.iter().map(|(name, strategy)| (source, name.clone(), *strategy)).collect::<Vec<_>>()
        };
        let code = pinned.into_iter().map(|(name, strategy)| ("`Op2::pin`", name.clone(), strategy));
        let all = of("`Config::strategies`", &self.given).into_iter().chain(of("`OP2_STRATEGY`", &self.environment));
        all.chain(code)
            .filter(|(_, name, _)| !known(name))
            .map(|(source, name, strategy)| {
                format!("no loop ran kernel `{name}`: `{name}={strategy}` of {source} had no effect")
            })
            .collect()
    }
}

/// Whether loops on a backend, those of a kernel or all of them, can follow a strategy.
fn can_follow(strategy: Strategy, kernel: Option<&str>, origin: &'static str, backend: Backend) -> Result<(), Error> {
    let backend = match backend {
        Backend::Seq => "seq",
        Backend::Threads(_) => "threads",
        Backend::Cuda(_) | Backend::CudaEmu => "",
    };
    let stated = || kernel.map_or(strategy.to_string(), |kernel| format!("{kernel}={strategy}"));
    if strategy.is_empty() {
        return Err(Error::EmptyBlock { strategy: strategy.to_string() });
    }
    if strategy.needs_device() && !backend.is_empty() {
        return Err(Error::DeviceStrategy { strategy: stated(), origin, backend });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_backend_cannot_follow_is_refused_where_it_is_stated() {
        let atomics = Strategy::Atomics { block: 256 };
        let devices_only = [
            atomics,
            Strategy::BlockAtomics { block: 64 },
            Strategy::SplitAtomics { block: 64, stages: 2 },
            Strategy::SplitBlockAtomics { block: 64, stages: 2 },
        ];
        let everywhere = ["auto", "predicted", "blocks:1", "colours:2", "scatter:3", "tiles:4", "owner:5", "split:6:7"];
        for (backend, name) in [(Backend::Seq, "seq"), (Backend::Threads(2), "threads")] {
            for strategy in devices_only {
                let refused = |rules: Rules, stated: &str| {
                    let error = rules.check(backend).unwrap_err().to_string();
                    let start =
                        format!("strategy `{stated}` runs on devices only, found backend `{name}`: use `predicted`");
                    assert!(
                        error.starts_with(&start.replace("` runs", &format!("` of {} runs", origin(&rules)))),
                        "{error}"
                    );
                };
                refused(Rules { default: strategy, ..Rules::default() }, &strategy.to_string());
                refused(
                    Rules { given: read(&strategy.to_string()).unwrap(), ..Rules::default() },
                    &strategy.to_string(),
                );
                let named = format!("k={strategy}");
                refused(Rules { environment: read(&format!("auto,{named}")).unwrap(), ..Rules::default() }, &named);
                let mut rules = Rules::default();
                let error = rules.pin("k", strategy, backend).unwrap_err();
                assert!(error.to_string().contains("of `Op2::pin` runs on devices only"), "{error}");
                assert!(rules.pinned.is_empty(), "what fails changes nothing");
            }
            for strategy in everywhere {
                let rules = Rules { given: read(strategy).unwrap(), ..Rules::default() };
                assert_eq!(rules.check(backend), Ok(()), "{strategy}");
            }
        }
        for backend in [Backend::Cuda(0), Backend::CudaEmu] {
            let mut rules = Rules { default: atomics, ..Rules::default() };
            assert_eq!(rules.check(backend), Ok(()));
            assert_eq!(rules.pin("k", atomics, backend), Ok(()));
        }
        let nothing = Strategy::Blocks { size: 0 };
        let error = Error::EmptyBlock { strategy: "blocks:0".to_owned() };
        assert_eq!(Rules::default().pin("k", nothing, Backend::CudaEmu), Err(error.clone()));
        assert_eq!(Rules { default: nothing, ..Rules::default() }.check(Backend::Seq), Err(error));
    }

    /// The only source of these rules that states anything.
    fn origin(rules: &Rules) -> &'static str {
        match rules {
            Rules { given, .. } if !given.is_empty() => "`Config::strategies`",
            Rules { environment, .. } if !environment.is_empty() => "`OP2_STRATEGY`",
            _ => "`Config::strategy`",
        }
    }

    fn read(text: &str) -> Result<Strategies, String> {
        text.parse().map_err(|e: NoStrategies| e.to_string())
    }

    #[test]
    fn entries_are_read_as_they_are_written() {
        for text in ["auto", "a=auto", "res_calc=tiles:4096,adt_calc=auto,owner:2048"] {
            assert_eq!(read(text).unwrap().to_string(), text);
        }
        let mixed = read(" owner:2048 , res_calc = tiles:4096").unwrap();
        assert_eq!(mixed.to_string(), "res_calc=tiles:4096,owner:2048");
        assert_eq!(mixed.of("res_calc"), Some(Strategy::Tiles { size: 4096 }));
        assert_eq!(mixed.of("res_cal"), Some(Strategy::Owner { size: 2048 }));
        assert_eq!(read("a=auto").unwrap().of("b"), None);
        assert!(Strategies::default().is_empty() && !mixed.is_empty());
    }

    #[test]
    fn bad_entries_are_named_with_what_was_expected() {
        let says = |text: &str, start: &str, end: &str| {
            let error = read(text).unwrap_err();
            assert!(error.starts_with(start) && error.ends_with(end), "`{text}`: {error}");
        };
        says("a=auto,b=tile:4", "entry 2: `tile:4` is no strategy: expected `predicted`", "as in `split:256:2`");
        for text in ["", "  "] {
            says(text, "nothing is stated, expected `kernel=strategy`", "leave it out for the usual ones");
        }
        says("a=", "entry 1: `` is no strategy", "as in `split:256:2`");
        says("a=b=auto", "entry 1: `b=auto` is no strategy", "as in `split:256:2`");
        says("a=tiles:0", "entry 1: `tiles:0` is no strategy", "as in `split:256:2`");
        says("auto,=auto", "entry 2: `=auto` has no kernel's name", "a strategy alone for all other loops");
        says("auto,,a=auto", "entry 2 is empty, expected", "remove the comma that is too much");
        says("a=auto,", "entry 2 is empty, expected", "remove the comma that is too much");
        says(
            "a=auto,owner:1,a=blocks:2",
            "entry 3: kernel `a` has strategy `auto` already, found `blocks:2`",
            "the two",
        );
        says("auto,a=auto,owner:1", "entry 3: all loops without an entry have strategy `auto`", "`kernel=owner:1`");
    }

    #[test]
    fn a_bad_text_in_the_environment_names_the_variable() {
        assert_eq!(Rules::environment(None), Ok(Strategies::default()));
        let error = Rules::environment(Some("")).unwrap_err().to_string();
        assert!(error.starts_with("environment variable `OP2_STRATEGY`: nothing is stated, expected"), "{error}");
        assert_eq!(Rules::environment(Some("a=auto")), Ok(read("a=auto").unwrap()));
        let error = Rules::environment(Some("a=best")).unwrap_err().to_string();
        assert!(error.starts_with("environment variable `OP2_STRATEGY`: entry 1: `best` is no strategy"), "{error}");
    }

    #[test]
    fn the_strongest_source_that_speaks_of_a_loop_holds() {
        let blocks = |size| Strategy::Blocks { size };
        let pinned = [("code", blocks(3)), ("both", blocks(3)), ("all", blocks(3))].map(|(n, s)| (n.to_owned(), s));
        let mut rules = Rules {
            given: read("all=blocks:1").unwrap(),
            environment: read("all=blocks:2,both=blocks:2").unwrap(),
            pinned: pinned.into_iter().collect(),
            default: blocks(4),
        };
        let found = |rules: &Rules| ["all", "both", "code", "none"].map(|k| rules.of(k).block().unwrap());
        assert_eq!(found(&rules), [1, 2, 3, 4]);
        // What holds for all loops in a stronger source comes before what a weaker one says of a single loop.
        rules.environment = read("all=blocks:2,blocks:5").unwrap();
        assert_eq!(found(&rules), [1, 5, 5, 5]);
        rules.given = read("both=blocks:1,blocks:6").unwrap();
        assert_eq!(found(&rules), [6, 1, 6, 6]);
        assert_eq!(Rules { default: blocks(7), ..Rules::default() }.of("any"), blocks(7));
    }

    #[test]
    fn names_without_a_loop_are_told() {
        let rules = Rules {
            given: read("here=auto,typo=auto,owner:9").unwrap(),
            environment: read("gone=blocks:2").unwrap(),
            pinned: [("here".to_owned(), Strategy::Auto), ("old".to_owned(), Strategy::Auto)].into_iter().collect(),
            default: Strategy::Predicted,
        };
        let expected = [
            "no loop ran kernel `typo`: `typo=auto` of `Config::strategies` had no effect",
            "no loop ran kernel `gone`: `gone=blocks:2` of `OP2_STRATEGY` had no effect",
            "no loop ran kernel `old`: `old=auto` of `Op2::pin` had no effect",
        ];
        assert_eq!(rules.unused(|kernel| kernel == "here"), expected);
    }
}
