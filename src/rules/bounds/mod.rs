//! `HPA1xx`: `minReplicas` and `maxReplicas`.

mod min_equals_max;

use crate::lint::Rule;

/// The rules of the family, sorted by code.
pub(super) static RULES: &[&Rule] = &[&min_equals_max::RULE];
