//! `HPA6xx`: other autoscalers.

use crate::lint::Rule;

/// The rules of the family, sorted by code.
pub(super) static RULES: &[&Rule] = &[];
