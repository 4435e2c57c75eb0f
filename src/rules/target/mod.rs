//! `HPA4xx`: the scale target, who else writes it, and its disruption.

mod competing_writer;
mod crd_no_selector_path;
mod cross_namespace_ref;
mod duplicate_hpa;
mod last_applied_replicas;
mod overlapping_hpa_selectors;
mod pdb_blocks_at_min;
mod reference;
mod replicas_in_manifest;
mod rollout_workloadref;
mod target_group;
mod target_kind_spelling;
mod target_missing;
mod target_unscalable;

use crate::lint::Rule;

/// The rules of the family, sorted by code.
pub(super) static RULES: &[&Rule] = &[
    &target_missing::RULE,
    &target_group::RULE,
    &target_kind_spelling::RULE,
    &target_unscalable::RULE,
    &crd_no_selector_path::RULE,
    &replicas_in_manifest::RULE,
    &last_applied_replicas::RULE,
    &competing_writer::RULE,
    &duplicate_hpa::RULE,
    &overlapping_hpa_selectors::RULE,
    &pdb_blocks_at_min::RULE,
    &rollout_workloadref::RULE,
    &cross_namespace_ref::RULE,
];
