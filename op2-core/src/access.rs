//! How a loop uses an argument, and how contributions to one target are combined.

/// Declares an enum whose variants are words of the loop language.
macro_rules! words {
    ($(#[$about:meta])* $ty:ident { $($(#[$note:meta])* $variant:ident $word:literal,)* }) => {
        $(#[$about])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum $ty {
            $($(#[$note])* $variant,)*
        }

        impl $ty {
            /// All of them.
            pub const ALL: &'static [$ty] = &[$($ty::$variant,)*];

            /// The word of the language for it.
            pub const fn name(self) -> &'static str {
                match self {
                    $($ty::$variant => $word,)*
                }
            }

            /// The name of the variant, by which generated code refers to it.
            pub const fn variant(self) -> &'static str {
                match self {
                    $($ty::$variant => stringify!($variant),)*
                }
            }

            /// The one that a word of the language stands for.
            pub fn of_name(word: &str) -> Option<$ty> {
                Self::ALL.iter().copied().find(|known| known.name() == word)
            }
        }

        impl std::fmt::Display for $ty {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.name())
            }
        }
    };
}

words! {
    /// How a loop uses an argument.
    Access {
        /// The kernel only reads.
        Read "read",
        /// The kernel defines the whole value and never reads the old one.
        Write "write",
        /// The kernel reads and writes; through a map the order between elements is unspecified.
        Rw "rw",
        /// The kernel only adds.
        Inc "inc",
        /// The kernel only combines by minimum.
        Min "min",
        /// The kernel only combines by maximum.
        Max "max",
        /// The kernel only combines by `|`.
        Or "or",
    }
}

words! {
    /// How contributions of several elements to one target are combined, in any order. Each is an [`Access`] of
    /// the same name.
    Combine {
        /// The contributions are added.
        Inc "inc",
        /// The smallest contribution stays.
        Min "min",
        /// The greatest contribution stays.
        Max "max",
        /// Flags are true if one of them is, integers have all bits that one of them has.
        Or "or",
    }
}

/// The effect of a loop on the data of an argument. Code that treats all ways to combine alike matches on this, and stays
/// as it is when another one is added.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effect {
    /// It stays as it is.
    Read,
    /// It is defined anew.
    Write,
    /// It is read and changed.
    Rw,
    /// Contributions are combined with it.
    Combine(Combine),
}

impl Access {
    /// The effect of the loop on the data.
    pub const fn effect(self) -> Effect {
        match self {
            Access::Read => Effect::Read,
            Access::Write => Effect::Write,
            Access::Rw => Effect::Rw,
            Access::Inc => Effect::Combine(Combine::Inc),
            Access::Min => Effect::Combine(Combine::Min),
            Access::Max => Effect::Combine(Combine::Max),
            Access::Or => Effect::Combine(Combine::Or),
        }
    }

    /// Whether the loop changes the argument.
    pub const fn modifies(self) -> bool {
        !matches!(self, Access::Read)
    }

    /// How contributions are combined, if the kernel does nothing but contribute.
    pub const fn combine(self) -> Option<Combine> {
        match self.effect() {
            Effect::Combine(how) => Some(how),
            Effect::Read | Effect::Write | Effect::Rw => None,
        }
    }

    /// Whether contributions of several elements to one target are combined, in any order.
    pub const fn combines(self) -> bool {
        self.combine().is_some()
    }

    /// Whether a global may have this access: no element may see a value that another one wrote.
    pub const fn is_global(self) -> bool {
        matches!(self, Access::Read) || self.combines()
    }
}

impl Combine {
    /// Whether contributions of all scalar types leave the same bits in any order and grouping. Sums of floats are rounded.
    pub const fn is_exact(self) -> bool {
        match self {
            Combine::Inc => false,
            Combine::Min | Combine::Max | Combine::Or => true,
        }
    }
}

impl From<Combine> for Access {
    fn from(combine: Combine) -> Access {
        match combine {
            Combine::Inc => Access::Inc,
            Combine::Min => Access::Min,
            Combine::Max => Access::Max,
            Combine::Or => Access::Or,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_leads_to_its_access() {
        for &access in Access::ALL {
            assert_eq!(Access::of_name(access.name()), Some(access));
        }
        assert_eq!(Access::of_name("Inc"), None);
    }

    #[test]
    fn every_way_to_combine_is_an_access() {
        for &combine in Combine::ALL {
            let access = Access::from(combine);
            assert_eq!(access.combine(), Some(combine));
            assert_eq!([access.name(), access.variant()], [combine.name(), combine.variant()]);
        }
        assert_eq!(Access::ALL.iter().filter(|access| access.combines()).count(), Combine::ALL.len());
    }
}
