//! What holds the replicas below or above what the metrics ask for.

use hpa_explain::{ExplainContext, Facts, MetricFacts, Rule};

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
        match cx.rule {
            Rule::MaxReplicas => Some(Self::Max),
            Rule::OldRecommendation | Rule::StabilizationWindow => Some(Self::Window),
            Rule::DisabledDirection
            | Rule::NoBehaviorLimit
            | Rule::ScaleDownPolicy
            | Rule::ScaleUpPolicy => Some(Self::Policy),
            Rule::DirectionGuard | Rule::SecondPass => Some(Self::by_pods(&cx.facts)),
            Rule::AllMetricsInvalid | Rule::InvalidMetricBlocksScaleDown => Some(Self::Metric),
            Rule::WithinTolerance => {
                is_moved_without_tolerance(&cx.facts).then_some(Self::Tolerance)
            }
            _ => None,
        }
    }

    /// Which kind of pods outside of the average holds them.
    pub(super) fn by_pods(facts: &Facts<'_>) -> Self {
        let groups = facts.winner().and_then(|winner| winner.groups);
        match groups {
            Some(groups) if groups.unready == 0 && 0 < groups.missing => Self::NoMetrics,
            _ => Self::NotReady,
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
