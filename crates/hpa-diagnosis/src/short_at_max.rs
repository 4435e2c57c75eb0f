//! Short at `maxReplicas`: the replicas are there, or go there now, and the metrics ask for more.

use hpa_engine::trace::{BoundsBranch, Decision, Step, Trace};

use crate::effect::Effect;

/// In seconds: so long at the maximum is a finding.
pub const FINDING_DURATION: f64 = 600.0;

/// This percentage of [`FINDING_WINDOW`] at the maximum is a finding.
pub const FINDING_PERCENT: f64 = 10.0;

/// In seconds.
pub const FINDING_WINDOW: f64 = 604_800.0;

/// What the metrics ask for beyond `maxReplicas`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ShortAtMax {
    /// What they ask for.
    pub proposal: i32,
    /// `maxReplicas`.
    pub max: i32,
}

impl ShortAtMax {
    /// The replicas that `maxReplicas` refuses; at least one.
    pub fn replicas(self) -> i32 {
        self.proposal.saturating_sub(self.max)
    }

    /// They are lacking.
    pub fn effect(self) -> Option<Effect> {
        Effect::lacking(self.replicas())
    }
}

/// Judges one sync of an HPA with this `maxReplicas`.
pub fn short_at_max(trace: &Trace, max: i32) -> Option<ShortAtMax> {
    let after = match trace.decision {
        Decision::Hold { current } => current,
        Decision::Rescale { to, .. } => to,
        Decision::Failed { .. } | Decision::Disabled | Decision::Unknown { .. } => return None,
    };
    let is_by_metrics = trace.steps.iter().any(
        |step| matches!(step, Step::CompareBounds(step) if step.branch == BoundsBranch::Metrics),
    );
    let proposal = trace.steps.iter().find_map(|step| match step {
        Step::ChooseProposal(choice) => choice.winner.map(|_| choice.metric_desired_replicas),
        _ => None,
    })?;
    (is_by_metrics && max <= after && max < proposal).then_some(ShortAtMax { proposal, max })
}
