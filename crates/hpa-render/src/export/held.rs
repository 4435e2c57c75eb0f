//! What holds the replicas below or above what the metrics ask for.

use hpa_explain::{Decider, ExplainContext, Facts, MetricFacts};

/// What holds the replicas below or above what the metrics ask for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Holder {
    /// `maxReplicas`.
    Max,
    /// A stabilization window.
    Window,
    /// A scaling policy, or a disabled direction.
    Policy,
    /// The tolerance.
    Tolerance,
    /// Pods outside of the average that are not ready.
    NotReady,
    /// Pods outside of the average without metrics.
    NoMetrics,
    /// A failing metric.
    Metric,
}

impl Holder {
    /// All holders, in the order of their numbers.
    pub const ALL: [Self; 7] = [
        Self::Max,
        Self::Window,
        Self::Policy,
        Self::Tolerance,
        Self::NotReady,
        Self::NoMetrics,
        Self::Metric,
    ];

    /// The value of the label `by`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Max => "max",
            Self::Window => "window",
            Self::Policy => "policy",
            Self::Tolerance => "tolerance",
            Self::NotReady => "not_ready",
            Self::NoMetrics => "no_metrics",
            Self::Metric => "metric",
        }
    }

    /// What holds the replicas in this decision, if anything does.
    pub(super) fn of(cx: &ExplainContext<'_>) -> Option<Self> {
        match cx.rule.decider() {
            Decider::Max => Some(Self::Max),
            Decider::OldRecommendation | Decider::Window => Some(Self::Window),
            Decider::DisabledDirection | Decider::Policy(_) | Decider::StepLimit => {
                Some(Self::Policy)
            }
            Decider::UncountedPods if cx.facts.lacks_only_samples() => Some(Self::NoMetrics),
            Decider::UncountedPods => Some(Self::NotReady),
            Decider::FailedMetric => Some(Self::Metric),
            Decider::Tolerance => is_moved_without_tolerance(&cx.facts).then_some(Self::Tolerance),
            Decider::Metric | Decider::Min | Decider::NoMetric | Decider::Rounding => None,
        }
    }
}

/// Whether the deciding metric would ask for another number without the tolerance.
fn is_moved_without_tolerance(facts: &Facts<'_>) -> bool {
    let ratio = |winner: &MetricFacts<'_>| Some(winner.ratio?.usage_ratio);
    let ratio = facts.winner().and_then(ratio);
    let moved = |(ratio, current): (f64, i32)| {
        let asked = (ratio * f64::from(current)).ceil();
        asked.is_finite() && (asked - f64::from(current)).abs() >= 0.5
    };
    ratio.zip(facts.current()).is_some_and(moved)
}
