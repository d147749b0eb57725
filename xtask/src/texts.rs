//! All texts for devices: of apps, of goldens, and those between loops.

use crate::apps::{self, Text};
use crate::{Result, goldens};
use op2_device::{Target, between};

/// Each with its origin.
pub(crate) fn all() -> Result<Vec<Text>> {
    let between = Text { from: "between loops".to_owned(), text: between::source(Target::Cuda).whole() };
    Ok(apps::texts()?.into_iter().chain(goldens::texts()?).chain([between]).collect())
}
