//! Chooses among proposals and applies the rule for invalid metrics. Upstream: `computeReplicasForMetrics` in
//! `horizontal.go`.

use crate::{
    engine::{
        metric::{Evaluated, MetricContext, compute_replicas_for_metric},
        outcome::Draft,
    },
    model::{MetricStatus, NotRead},
    trace::{Choice, ChooseProposal, EventType, MetricFailure, MetricOutcome, Step},
};

/// The result of all metrics.
pub(crate) enum Computed {
    /// The controller crashes.
    Crashed,
    /// The largest proposal and the name of its metric.
    Replicas {
        metric_desired_replicas: i32,
        name: String,
        statuses: Vec<MetricStatus>,
    },
    /// No proposal: the combined error.
    Failed {
        error: String,
        statuses: Vec<MetricStatus>,
    },
    /// A read that the decision needs is missing.
    Unknown(Vec<NotRead>),
}

/// Evaluates all metrics in order and takes the largest proposal.
pub(crate) fn compute_replicas_for_metrics(
    context: &MetricContext<'_, '_>,
    draft: &mut Draft<'_>,
) -> Computed {
    let specs = &context.cx.hpa().spec.metrics;
    let current = context.scale.spec_replicas;
    let mut statuses = Vec::with_capacity(specs.len());
    let mut proposals = Vec::with_capacity(specs.len());
    let mut winner: Option<(usize, String)> = None;
    let mut metric_desired_replicas = 0;
    let mut first_failure: Option<(usize, MetricFailure)> = None;
    let mut invalid = 0_usize;
    let mut not_read = Vec::new();
    for (index, spec) in specs.iter().enumerate() {
        let Evaluated {
            evaluation,
            crashes,
        } = compute_replicas_for_metric(context, index, spec);
        if crashes {
            draft.step(Step::Metric(Box::new(evaluation)));
            return Computed::Crashed;
        }
        statuses.push(evaluation.status.clone());
        proposals.push(None);
        match &evaluation.outcome {
            MetricOutcome::Proposal { replicas, name } => {
                if let Some(proposal) = proposals.last_mut() {
                    *proposal = Some(*replicas);
                }
                if metric_desired_replicas == 0 || *replicas > metric_desired_replicas {
                    metric_desired_replicas = *replicas;
                    winner = Some((index, name.clone()));
                }
            }
            MetricOutcome::Invalid(failure) => {
                if let Some(reason) = failure.reason {
                    draft.emit(EventType::Warning, reason, failure.inner.clone());
                }
                first_failure.get_or_insert_with(|| (index, failure.clone()));
                invalid = invalid.saturating_add(1);
            }
            MetricOutcome::Unknown(missing) => not_read.push(missing.clone()),
        }
        draft.step(Step::Metric(Box::new(evaluation)));
    }
    if !not_read.is_empty() {
        return Computed::Unknown(not_read);
    }
    let error = combined_error(invalid, specs.len(), first_failure.as_ref());
    let choice = if invalid >= specs.len() {
        Choice::AllInvalid
    } else if invalid > 0 && metric_desired_replicas < current {
        Choice::RefusedScaleDown
    } else {
        Choice::Winner
    };
    draft.step(Step::ChooseProposal(ChooseProposal {
        current,
        proposals,
        winner: winner.as_ref().map(|(index, _)| *index),
        first_invalid: first_failure.as_ref().map(|(index, _)| *index),
        metric_desired_replicas,
        choice,
        error: error.clone(),
    }));
    if choice == Choice::Winner {
        let name = winner.map(|(_, name)| name).unwrap_or_default();
        draft.set_condition(
            "ScalingActive",
            "True",
            "ValidMetricFound",
            format!("the HPA was able to successfully calculate a replica count from {name}"),
        );
        return Computed::Replicas {
            metric_desired_replicas,
            name,
            statuses,
        };
    }
    set_invalid_condition(draft, first_failure.as_ref().map(|(_, failure)| failure));
    match error {
        Some(error) => Computed::Failed { error, statuses },
        // No metrics at all: not an error from 1.27 on. The sync continues without a recommendation.
        None if context.cx.switches.texts.0 < 27 => {
            let error = "invalid metrics (0 invalid out of 0), first error is: <nil>".to_owned();
            Computed::Failed { error, statuses }
        }
        None => Computed::Replicas {
            metric_desired_replicas: -1,
            name: String::new(),
            statuses,
        },
    }
}

/// Sets ScalingActive from the first failed metric. If that metric's type is disabled, or the list of metrics is empty,
/// the condition has no type.
fn set_invalid_condition(draft: &mut Draft<'_>, failure: Option<&MetricFailure>) {
    match failure {
        Some(MetricFailure {
            reason: Some(reason),
            inner,
            ..
        }) => draft.set_formatted_condition(
            "ScalingActive",
            "False",
            reason,
            format!("the HPA was unable to compute the replica count: {inner}"),
        ),
        Some(MetricFailure { reason: None, .. }) | None => {
            draft.set_condition("", "", "", String::new());
        }
    }
}

fn combined_error(
    invalid: usize,
    total: usize,
    first: Option<&(usize, MetricFailure)>,
) -> Option<String> {
    let (_, failure) = first?;
    let outer = &failure.outer;
    Some(format!(
        "invalid metrics ({invalid} invalid out of {total}), first error is: {outer}"
    ))
}
