//! A fault of a mesh, and the element that has it.

use std::fmt;

/// The reason why a mesh is refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Flaw {
    /// The element that is wrong, if it is one alone.
    pub element: Option<Element>,
    /// Found, expected, and the cure.
    pub reason: String,
}

/// An element of a mesh.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Element {
    /// One element of its set, as errors call it: `edge`, `cell`, ….
    pub kind: &'static str,
    /// Its number, counted from 0.
    pub number: usize,
    /// How many there are.
    pub of: usize,
}

impl Flaw {
    /// A flaw of the whole mesh.
    pub fn of_mesh(reason: impl Into<String>) -> Self {
        Self { element: None, reason: reason.into() }
    }

    /// A flaw of element `number` of `of`.
    pub fn at(kind: &'static str, number: usize, of: usize, reason: impl Into<String>) -> Self {
        Self { element: Some(Element { kind, number, of }), reason: reason.into() }
    }
}

impl fmt::Display for Flaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.element {
            Some(element) => write!(f, "{element}: {}", self.reason),
            None => f.write_str(&self.reason),
        }
    }
}

impl fmt::Display for Element {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} of {}", self.kind, self.number, self.of)
    }
}

impl std::error::Error for Flaw {}

/// Fails unless the list `name` has an entry for each of `count` elements of a set.
///
/// # Errors
///
/// With both lengths.
pub fn expect_length(name: &str, found: usize, set: &str, count: usize) -> Result<(), Flaw> {
    if found == count {
        return Ok(());
    }
    Err(Flaw::of_mesh(format!("`{name}` has {found} entries, expected {count}: one for each of the {set}")))
}

/// Fails if there are no elements of a set.
///
/// # Errors
///
/// If `count` is 0.
pub fn expect_some(set: &str, count: usize) -> Result<(), Flaw> {
    if count > 0 {
        return Ok(());
    }
    Err(Flaw::of_mesh(format!(
        "the mesh has no {set}, expected at least one: without them there is nothing to compute"
    )))
}

/// Fails if an entry leads to an element that is not there.
///
/// # Errors
///
/// With the `kind` of element that the entry means, its number, and the numbers that there are.
pub fn expect_within(kind: &str, entry: u32, count: usize) -> Result<(), String> {
    if (entry as usize) < count {
        return Ok(());
    }
    Err(format!("{kind} {entry} is out of range (valid: 0..={}): there are {count}", count.saturating_sub(1)))
}
