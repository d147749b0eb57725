//! Strategies of single loops that come from outside the program's code, and which of several sources holds.

use super::{NoPin, Pin};
use std::fmt;
use std::str::FromStr;

/// Strategies for the loops of a program, by the names of their kernels: `res_calc=tiles:4096,adt_calc=auto,owner:2048`.
/// The entry without a name, at most one, holds for all loops that are not named. Instructions may follow a strategy, behind a
/// slash: `spmv=blocks:256/scalar`.
///
/// Four sources state strategies. The first one that names a loop, or has an entry for all loops, decides:
///
/// 1. [`Config::strategies`](crate::Config::strategies), usually from the program's command line;
/// 2. the environment variable `OP2_STRATEGY`, a text as above;
/// 3. [`Op2::pin`](crate::Op2::pin), in the program's code;
/// 4. [`Config::strategy`](crate::Config::strategy).
///
/// ```
/// use op2_runtime::{Strategies, Strategy};
/// let strategies: Strategies = "res_calc=tiles:4096, owner:2048".parse()?;
/// assert_eq!(strategies.of("res_calc"), Some(Strategy::tiles(4096).into()));
/// assert_eq!(strategies.of("update"), Some(Strategy::owner(2048).into()));
/// # Ok::<(), op2_runtime::NoStrategies>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Strategies {
    named: Vec<(String, Pin)>,
    others: Option<Pin>,
}

impl Strategies {
    /// The entry for loops with this kernel, if there is one.
    pub fn of(&self, kernel: &str) -> Option<Pin> {
        self.named.iter().find(|(name, _)| name == kernel).map(|&(_, pin)| pin).or(self.others)
    }

    /// The kernels that are named, each with its entry.
    pub(crate) fn named(&self) -> impl Iterator<Item = (&str, Pin)> {
        self.named.iter().map(|(name, pin)| (name.as_str(), *pin))
    }

    /// The entry for all loops that are not named, if there is one.
    pub(crate) fn others(&self) -> Option<Pin> {
        self.others
    }

    /// Whether nothing is stated for any loop.
    pub fn is_empty(&self) -> bool {
        self.named.is_empty() && self.others.is_none()
    }
}

impl fmt::Display for Strategies {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let named = self.named.iter().map(|(name, pin)| format!("{name}={pin}"));
        let entries: Vec<String> = named.chain(self.others.map(|pin| pin.to_string())).collect();
        f.write_str(&entries.join(","))
    }
}

/// The reason why a text does not parse as [`Strategies`].
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NoStrategies {
    /// The text has no entries; perhaps a variable lacks its value.
    #[error(
        "nothing is stated, expected `kernel=strategy` or a strategy, as in `res_calc=tiles:4096,auto`; leave it out for the usual ones"
    )]
    Nothing,
    /// An entry whose strategy does not parse.
    #[error("entry {entry}: {cause}")]
    Strategy {
        /// Which one, counted from 1.
        entry: usize,
        /// The reason.
        cause: NoPin,
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
        first: Pin,
        /// The strategy of the second one.
        second: Pin,
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
        first: Pin,
        /// The strategy of the second one.
        second: Pin,
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
        let pin = |text: &str| text.trim().parse().map_err(|cause| NoStrategies::Strategy { entry, cause });
        let Some((kernel, rest)) = text.split_once('=') else {
            let second = pin(text)?;
            return match self.others.replace(second) {
                None => Ok(()),
                Some(first) => Err(NoStrategies::TwoForOthers { entry, first, second }),
            };
        };
        let kernel = kernel.trim();
        if kernel.is_empty() {
            return Err(NoStrategies::NoKernel { entry, text: text.to_owned() });
        }
        let second = pin(rest)?;
        if let Some(&(_, first)) = self.named.iter().find(|(name, _)| name == kernel) {
            return Err(NoStrategies::Twice { entry, kernel: kernel.to_owned(), first, second });
        }
        self.named.push((kernel.to_owned(), second));
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::strategy::Strategy;

    fn read(text: &str) -> Result<Strategies, String> {
        text.parse().map_err(|e: NoStrategies| e.to_string())
    }

    #[test]
    fn entries_are_read_as_they_are_written() {
        for text in ["auto", "a=auto", "res_calc=tiles:4096,adt_calc=auto/scalar,owner:2048"] {
            assert_eq!(read(text).unwrap().to_string(), text);
        }
        let mixed = read(" owner:2048 , res_calc = tiles:4096").unwrap();
        assert_eq!(mixed.to_string(), "res_calc=tiles:4096,owner:2048");
        assert_eq!(mixed.of("res_calc"), Some(Strategy::tiles(4096).into()));
        assert_eq!(mixed.of("res_cal"), Some(Strategy::owner(2048).into()));
        assert_eq!(read("a=auto").unwrap().of("b"), None);
        assert!(Strategies::default().is_empty() && !mixed.is_empty());
    }

    #[test]
    fn bad_entries_are_named_with_what_was_expected() {
        let says = |text: &str, start: &str, end: &str| {
            let error = read(text).unwrap_err();
            assert!(error.starts_with(start) && error.ends_with(end), "`{text}`: {error}");
        };
        says("a=auto,b=tile:4", "entry 2: `tile:4` is no strategy: expected `predicted`", "`staged` or `gathered`");
        for text in ["", "  "] {
            says(text, "nothing is stated, expected `kernel=strategy`", "leave it out for the usual ones");
        }
        says("a=", "entry 1: `` is no strategy", "`staged` or `gathered`");
        says("auto,a=auto/fast", "entry 2: `auto/fast`: behind `/`, expected `scalar`", "found `fast`");
        says("a=b=auto", "entry 1: `b=auto` is no strategy", "`staged` or `gathered`");
        says("a=tiles:0", "entry 1: `tiles:0` is no strategy", "`staged` or `gathered`");
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
}
