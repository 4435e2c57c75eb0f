//! `HPA2xx`: metrics and their targets.

use crate::lint::Rule;

/// The rules of the family, sorted by code.
pub(super) static RULES: &[&Rule] = &[];
