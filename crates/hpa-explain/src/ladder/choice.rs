//! The choice among the proposals of the metrics, in words.

use hpa_engine::trace::{Choice, ChooseProposal};

use crate::{Facts, StepKind, StepView};

/// The choice among the proposals of the metrics, in words.
pub(super) fn choose_proposal(facts: &Facts<'_>, step: &ChooseProposal) -> StepView {
    let proposals = proposals(facts, step);
    let proposal = step.metric_desired_replicas;
    let view = match step.choice {
        Choice::AllInvalid => StepView::new(
            StepKind::Choice,
            "winner",
            format!("stays at {}", step.current),
            "no metric could be computed",
        )
        .error(),
        Choice::RefusedScaleDown => StepView::new(
            StepKind::Choice,
            "winner",
            format!("{proposal} refused"),
            format!(
                "{proposal} < {} with a failed metric: no scaling down; {proposals}",
                step.current
            ),
        )
        .error(),
        Choice::Winner if step.proposals.len() < 2 => StepView::new(
            StepKind::Choice,
            "winner",
            proposal.to_string(),
            "the only metric",
        )
        .quiet_if(true),
        Choice::Winner => StepView::new(
            StepKind::Choice,
            "winner",
            proposal.to_string(),
            format!("the highest of {proposals}"),
        ),
    };
    let view = view
        .upstream(ChooseProposal::UPSTREAM)
        .formula("max(proposals)")
        .value("current", step.current)
        .value(
            "proposals",
            super::super::StepValue::List(step.proposals.iter().map(|one| (*one).into()).collect()),
        )
        .value("winner", step.winner)
        .value("metricDesiredReplicas", proposal)
        .value(
            "winner",
            match step.choice {
                Choice::AllInvalid => "all-invalid",
                Choice::RefusedScaleDown => "refused-scale-down",
                Choice::Winner => "winner",
            },
        );
    match &step.error {
        Some(error) => view.value("error", error.as_str()),
        None => view,
    }
}

/// `cpu 9 · memory 4 · queue failed`.
fn proposals(facts: &Facts<'_>, step: &ChooseProposal) -> String {
    let of = |(metric, proposal): (String, &Option<i32>)| match proposal {
        Some(replicas) => format!("{metric} {replicas}"),
        None => format!("{metric} failed"),
    };
    facts
        .metrics
        .iter()
        .map(super::super::facts::MetricFacts::name)
        .zip(&step.proposals)
        .map(of)
        .collect::<Vec<_>>()
        .join(" · ")
}
