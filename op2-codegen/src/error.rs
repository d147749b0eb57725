//! The error collector: a stage reports all it finds, the driver stops between stages.

use proc_macro2::Span;

/// Errors of one stage. Dropping it without [`Errors::finish`] is a bug of the generator and
/// panics in debug builds, so that a forgotten check cannot pass unnoticed.
#[derive(Debug, Default)]
pub struct Errors {
    found: Vec<syn::Error>,
    finished: bool,
}

impl Errors {
    /// An empty collector.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds an error at `span`. Wording: lowercase, backticks round names, expected and found,
    /// then the cure.
    pub fn at(&mut self, span: Span, message: impl std::fmt::Display) {
        self.found.push(syn::Error::new(span, message));
    }

    /// Adds an error, unless the last one says the same of a part of the same whole.
    pub fn once(&mut self, span: Span, message: impl std::fmt::Display) {
        let message = message.to_string();
        if self.found.last().is_none_or(|last| last.to_string() != message) {
            self.at(span, message);
        }
    }

    /// Adds an error that another parser made.
    pub fn push(&mut self, error: syn::Error) {
        self.found.push(error);
    }

    /// Whether anything was reported so far.
    pub fn is_empty(&self) -> bool {
        self.found.is_empty()
    }

    /// Ends the stage: all errors as one, or the value.
    pub fn finish<T>(mut self, value: T) -> syn::Result<T> {
        self.finished = true;
        let mut found = std::mem::take(&mut self.found).into_iter();
        match found.next() {
            None => Ok(value),
            Some(mut first) => {
                found.for_each(|e| first.combine(e));
                Err(first)
            }
        }
    }
}

impl Drop for Errors {
    fn drop(&mut self) {
        if !self.finished && !std::thread::panicking() {
            debug_assert!(false, "an error collector was dropped unfinished: {:?}", self.found);
        }
    }
}
