//! A metric fails: what the HPA no longer does because of it.

use hpa_engine::trace::{Choice, MetricOutcome, Trace};

/// A metric that fails in more than this percentage of the syncs is a finding.
pub const FINDING_PERCENT: f64 = 1.0;

/// What failing metrics block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Blocked {
    /// All fail: the replicas stay.
    Scaling,
    /// Some fail: the others may still scale up.
    ScalingDown,
}

impl Blocked {
    /// What the failing metrics of this sync block; none: no metric fails, or none was asked.
    pub fn of(trace: &Trace) -> Option<Self> {
        let choice = trace.choice()?.choice;
        let mut metrics = trace.metrics();
        let is_failing = metrics.any(|one| matches!(one.outcome, MetricOutcome::Invalid(_)));
        is_failing.then_some(match choice {
            Choice::AllInvalid => Self::Scaling,
            Choice::RefusedScaleDown | Choice::Winner => Self::ScalingDown,
        })
    }
}
