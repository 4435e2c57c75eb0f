//! What the controller would read with the single change of a counterfactual.

use std::collections::BTreeSet;

use hpa_engine::{model::Observation, trace::Trace};

use super::{Alteration, metrics, rules, usage};
use crate::{if_ready::all_ready, without_pods::remove_pods};

impl Alteration {
    /// The observation with the alteration. `trace` is the trace of `observation`.
    pub fn applied_to(&self, observation: &Observation, trace: &Trace) -> Observation {
        let mut altered = observation.clone();
        match self {
            Self::Usage { levels, .. } => usage::set(&mut altered, trace, levels),
            Self::PodsReady { .. } => {
                if let Some((_, ready)) = all_ready(observation, trace) {
                    altered = ready;
                }
            }
            Self::WithoutPods { pods, .. } => {
                remove_pods(&mut altered, &pods.iter().map(String::as_str).collect());
            }
            Self::WithoutMetrics { indices, .. } => metrics::remove(&mut altered, indices),
            Self::WithoutOtherHpas { hpas } => {
                let without: BTreeSet<&String> = hpas.iter().collect();
                let others = &mut altered.other_hpas;
                others.retain(|hpa| !without.contains(&hpa.name));
            }
            Self::WithoutPolicy { side, index, .. } => {
                rules::remove_policy(altered.hpa.spec.rules_mut(*side), *index);
            }
            Self::WithoutWindow { side, .. } => {
                altered
                    .hpa
                    .spec
                    .rules_mut(*side)
                    .stabilization_window_seconds = Some(0);
            }
            Self::WithoutTolerance { side } => {
                altered.hpa.spec.rules_mut(*side).tolerance = Some(rules::no_tolerance());
            }
            Self::WithoutToleranceFlag => altered.controller.tolerance.value = 0.0,
            Self::Enabled { side } => altered.hpa.spec.rules_mut(*side).select_policy = None,
            Self::MaxReplicas { to } => altered.hpa.spec.max_replicas = *to,
            Self::MinReplicas { to } => altered.hpa.spec.min_replicas = Some(*to),
        }
        altered
    }
}
