//! Startup CPU: pods without a readiness probe count while they start.

use std::collections::BTreeSet;

use hpa_analysis::Today;
use hpa_engine::model::{ConditionStatus, Reading, ReadyCondition};

use crate::effect::Effect;

/// The effect of counting these pods: with a readiness probe they would not be ready yet.
pub fn effect(today: Today<'_>, pods: &BTreeSet<&str>) -> Option<Effect> {
    let mut world = today.observation.clone();
    let now = today.analysis.trace.at;
    if let Reading::Read(all) = &mut world.pods {
        for pod in all.iter_mut() {
            if pods.contains(pod.name.as_str()) {
                pod.started = Some(now);
                pod.ready = Some(ReadyCondition {
                    status: ConditionStatus::False,
                    last_transition: Some(now),
                });
            }
        }
    }
    Effect::in_world(today, &world)
}
