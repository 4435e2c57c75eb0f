//! Startup CPU: pods without a readiness probe count while they start.

use std::collections::BTreeSet;

use hpa_analysis::Today;
use hpa_engine::model::{ConditionStatus, Reading, ReadyCondition};

use jiff::SignedDuration;

use crate::effect::Effect;

/// Most containers have warmed up after this time.
pub const WARM_UP: SignedDuration = SignedDuration::from_mins(2);

/// A pod that is ready so soon after its start waits for no warm-up.
pub const AT_ONCE: SignedDuration = SignedDuration::from_secs(2);

/// In a recording, a pod is new for this time.
pub const NEW: SignedDuration = SignedDuration::from_mins(5);

/// New pods that use more than this multiple of the CPU of others are a finding.
pub const FINDING_FACTOR: f64 = 2.0;

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
