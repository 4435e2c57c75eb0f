//! `HPA0xx`: API version, schema and decoding.

mod not_evaluated;
pub(super) mod undecodable;

use crate::lint::Rule;

/// The rules of the family, sorted by code.
pub(super) static RULES: &[&Rule] = &[&undecodable::RULE, &not_evaluated::RULE];
