//! `HPA4xx`: the scale target, who else writes it, and its disruption.

use crate::lint::Rule;

/// The rules of the family, sorted by code.
pub(super) static RULES: &[&Rule] = &[];
