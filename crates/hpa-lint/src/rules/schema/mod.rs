//! `HPA0xx`: API version, schema and decoding.

mod absent;
mod feature_unavailable;
mod fields;
mod ignored_target_type;
mod meant_metrics;
mod metric_shape;
mod misplaced;
mod name_length;
mod non_integer_bounds;
mod not_evaluated;
mod object_target_type_mismatch;
mod object_two_targets;
mod old_form;
mod other_names;
pub(super) mod refused;
mod removed_api_version;
mod roundtrip_annotation;
mod same_hpa_twice;
pub(super) mod undecodable;
mod unknown_field;
mod v1_api;
mod would_be_rejected;
mod wrong_word;

pub(super) use meant_metrics::meant_metrics;

use crate::Rule;

/// The rules of the family, sorted by code.
pub(super) static RULES: &[&Rule] = &[
    &removed_api_version::RULE,
    &v1_api::RULE,
    &roundtrip_annotation::RULE,
    &would_be_rejected::RULE,
    &metric_shape::RULE,
    &object_target_type_mismatch::RULE,
    &ignored_target_type::RULE,
    &object_two_targets::RULE,
    &non_integer_bounds::RULE,
    &unknown_field::RULE,
    &feature_unavailable::RULE,
    &undecodable::RULE,
    &not_evaluated::RULE,
    &name_length::RULE,
    &same_hpa_twice::RULE,
];
