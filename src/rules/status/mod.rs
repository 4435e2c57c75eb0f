//! `HPA8xx`: the status that the controller wrote.

use crate::lint::Rule;

/// The rules of the family, sorted by code.
pub(super) static RULES: &[&Rule] = &[];
