//! A strategy together with the instructions to follow it by.

use super::{NoStrategy, Strategy};
use crate::isa::{Isa, NoIsa};
use std::fmt;
use std::str::FromStr;

/// How a loop is to run: its strategy and, on the CPU, its instructions. Results do not depend on the instructions.
///
/// ```
/// use op2_runtime::{Isa, Pin, Strategy};
/// assert_eq!("blocks:256/scalar".parse(), Ok(Strategy::blocks(256).by(Isa::Scalar)));
/// assert_eq!("auto".parse(), Ok(Pin::from(Strategy::Auto)));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Pin {
    /// How races between elements are resolved.
    pub strategy: Strategy,
    /// The instructions, instead of those of [`Config::isa`](crate::Config::isa); `None` leaves the choice to that.
    pub isa: Option<Isa>,
}

impl Strategy {
    /// This strategy by these instructions. Devices have none to choose from, and refuse it.
    pub const fn by(self, isa: Isa) -> Pin {
        Pin { strategy: self, isa: Some(isa) }
    }
}

impl From<Strategy> for Pin {
    /// The strategy, by the instructions that all loops use.
    fn from(strategy: Strategy) -> Self {
        Pin { strategy, isa: None }
    }
}

impl fmt::Display for Pin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.isa {
            Some(isa) => write!(f, "{}/{isa}", self.strategy),
            None => self.strategy.fmt(f),
        }
    }
}

/// The error for a text that is not a strategy, alone or with instructions.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NoPin {
    /// The part in front of `/`, or all of it, names no strategy.
    #[error(transparent)]
    Strategy(NoStrategy),
    /// The part behind `/` names no instructions.
    #[error("`{text}`: behind `/`, {cause}")]
    Isa {
        /// The text.
        text: String,
        /// The reason.
        cause: NoIsa,
    },
}

impl FromStr for Pin {
    type Err = NoPin;

    /// A strategy as in [`Strategy`], alone or with the name of an [`Isa`] behind a slash: `blocks:256/scalar`.
    fn from_str(text: &str) -> Result<Self, NoPin> {
        let (strategy, isa) = match text.split_once('/') {
            Some((strategy, isa)) => (strategy, Some(isa)),
            None => (text, None),
        };
        let strategy = strategy.trim().parse().map_err(NoPin::Strategy)?;
        let isa = isa.map(|isa| isa.trim().parse().map_err(|cause| NoPin::Isa { text: text.to_owned(), cause }));
        Ok(Pin { strategy, isa: isa.transpose()? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pins_are_read_as_they_are_written() {
        for text in ["auto", "predicted/avx2", "auto/scalar", "blocks:256/avx512", "split:8:2/baseline"] {
            assert_eq!(text.parse::<Pin>().map(|pin| pin.to_string()).as_deref(), Ok(text));
        }
        assert_eq!(" owner:7 / scalar".parse(), Ok(Strategy::owner(7).by(Isa::Scalar)));
    }

    #[test]
    fn the_part_that_is_wrong_is_named() {
        let says = |text: &str| text.parse::<Pin>().unwrap_err().to_string();
        assert!(says("block:256/scalar").starts_with("`block:256` is no strategy"));
        assert!(says("/scalar").starts_with("`` is no strategy"));
        for text in ["blocks:256/", "blocks:256/simd", "blocks:256/scalar/avx2"] {
            assert!(says(text).starts_with(&format!("`{text}`: behind `/`, expected `scalar`, `baseline`")), "{text}");
        }
    }
}
