//! `HPA0xx`: API version, schema and decoding.

mod ignored_target_type;
mod metric_shape;
mod not_evaluated;
mod object_target_type_mismatch;
mod object_two_targets;
pub(super) mod refused;
pub(super) mod undecodable;
mod would_be_rejected;

use crate::lint::Rule;

/// The rules of the family, sorted by code.
pub(super) static RULES: &[&Rule] = &[
    &would_be_rejected::RULE,
    &metric_shape::RULE,
    &object_target_type_mismatch::RULE,
    &ignored_target_type::RULE,
    &object_two_targets::RULE,
    &undecodable::RULE,
    &not_evaluated::RULE,
];
