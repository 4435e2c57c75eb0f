//! `HPA9xx`: what only a recording shows.

use crate::lint::Rule;

/// The rules of the family, sorted by code.
pub(super) static RULES: &[&Rule] = &[];
