//! Access modes, layouts and element types: the small enums that every part shares.

use serde::Serialize;

/// How a loop uses an argument.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Access {
    /// The kernel only reads.
    Read,
    /// The kernel defines the whole value and never reads the old one.
    Write,
    /// The kernel reads and writes; through a map the order between elements is unspecified.
    Rw,
    /// The kernel only adds.
    Inc,
    /// The kernel only combines by minimum.
    Min,
    /// The kernel only combines by maximum.
    Max,
}

impl Access {
    /// The word of the language for it.
    pub const fn name(self) -> &'static str {
        match self {
            Access::Read => "read",
            Access::Write => "write",
            Access::Rw => "rw",
            Access::Inc => "inc",
            Access::Min => "min",
            Access::Max => "max",
        }
    }

    /// Whether the loop changes the argument.
    pub const fn modifies(self) -> bool {
        !matches!(self, Access::Read)
    }

    /// Whether contributions of several elements to one target combine in any order.
    pub const fn combines(self) -> bool {
        matches!(self, Access::Inc | Access::Min | Access::Max)
    }
}

impl std::fmt::Display for Access {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}
