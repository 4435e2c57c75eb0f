//! `HPA7xx`: the cluster.

pub(super) mod flags_assumed;

use crate::lint::Rule;

/// The rules of the family, sorted by code.
pub(super) static RULES: &[&Rule] = &[&flags_assumed::RULE];
