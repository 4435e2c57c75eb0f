//! Whether the last sync found that the metrics ask for more than the current `maxReplicas`, and since when.

use hpa_engine::model::{Condition, Context, Observation};
use jiff::Timestamp;

use super::status_spec::{SpecDifference, StatusSpec};

/// The last sync limited the replicas to the current `maxReplicas`.
#[derive(Clone, Copy, Debug)]
pub struct LimitedAtMax<'a> {
    /// The condition that has it.
    pub condition: &'a Condition,
    scaled: Option<Timestamp>,
}

impl LimitedAtMax<'_> {
    /// Since when, if its condition is True since `limited`. It may have been True for another reason before, or for
    /// another `maxReplicas`: the last rescale counts, too.
    pub fn since(&self, limited: Option<Timestamp>) -> Option<Timestamp> {
        limited.max(self.scaled)
    }
}

/// Whether the last sync limited the replicas to the current `maxReplicas`; `None` also if its condition is still about
/// the one before an edit.
pub fn limited_at_max<'a>(
    observation: &'a Observation,
    context: &Context,
    now: Timestamp,
) -> Option<LimitedAtMax<'a>> {
    let status = &observation.hpa.status;
    let condition = status.condition("ScalingLimited")?;
    let is_limited = condition.status == "True" && condition.reason == "TooManyReplicas";
    let was_other = |one: &SpecDifference| {
        matches!(
            one,
            SpecDifference::MaxReplicas(_) | SpecDifference::MaxReplicasAtLeast(_)
        )
    };
    let spec = StatusSpec::of(observation, context, now);
    (is_limited && !spec.differences.iter().any(was_other)).then_some(LimitedAtMax {
        condition,
        scaled: status.last_scale_time,
    })
}
