//! `HPA4xx`: the scale target, its other writers, and its disruption.

mod canary_source_target;
mod competing_writer;
mod crd_no_selector_path;
mod cross_namespace_ref;
mod duplicate_hpa;
mod helm_unconditional_replicas;
mod last_applied_replicas;
mod no_pdb;
mod operator_owned_target;
mod overlapping_hpa_selectors;
mod owned_replicaset;
mod owner;
mod pdb_blocks_at_min;
mod recreate_strategy;
mod reference;
mod replicas_in_manifest;
mod rollout_loses_capacity;
mod rollout_workloadref;
mod shared_volume;
mod statefulset_ordered;
mod surge_inflation;
mod target_group;
mod target_kind_spelling;
mod target_missing;
mod target_unscalable;

use crate::Rule;

/// The rules of the family, sorted by code.
pub(super) static RULES: &[&Rule] = &[
    &target_missing::RULE,
    &target_group::RULE,
    &target_kind_spelling::RULE,
    &target_unscalable::RULE,
    &crd_no_selector_path::RULE,
    &replicas_in_manifest::RULE,
    &helm_unconditional_replicas::RULE,
    &last_applied_replicas::RULE,
    &competing_writer::RULE,
    &duplicate_hpa::RULE,
    &overlapping_hpa_selectors::RULE,
    &owned_replicaset::RULE,
    &operator_owned_target::RULE,
    &statefulset_ordered::RULE,
    &recreate_strategy::RULE,
    &surge_inflation::RULE,
    &rollout_loses_capacity::RULE,
    &pdb_blocks_at_min::RULE,
    &no_pdb::RULE,
    &rollout_workloadref::RULE,
    &canary_source_target::RULE,
    &cross_namespace_ref::RULE,
    &shared_volume::RULE,
];
