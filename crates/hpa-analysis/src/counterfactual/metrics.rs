//! Removes metrics: each failing one, each winning one.

use hpa_engine::{
    model::Observation,
    trace::{MetricOutcome, Trace},
};

use super::{Alteration, AlterationKind, Today};
use crate::probe::proposal;

/// Each metric alone, and all of them together if one alone may not change anything. Never removes the last metric.
pub(super) fn alterations(
    today: Today<'_>,
    includes: &impl Fn(AlterationKind) -> bool,
) -> Vec<Alteration> {
    let all = today.observation.hpa.spec.metrics.len();
    let mut found = Vec::new();
    for (kind, indices, are_failing) in [
        (
            AlterationKind::FailingMetrics,
            failing(&today.analysis.trace),
            true,
        ),
        (
            AlterationKind::WinningMetrics,
            winning(&today.analysis.trace),
            false,
        ),
    ] {
        if !includes(kind) || all < 2 {
            continue;
        }
        let without = |indices: Vec<usize>| Alteration::WithoutMetrics {
            indices,
            are_failing,
        };
        found.extend(indices.iter().map(|index| without(vec![*index])));
        if 1 < indices.len() && indices.len() < all {
            found.push(without(indices));
        }
    }
    found
}

/// Removes metrics and the answers to their requests.
pub(super) fn remove(observation: &mut Observation, indices: &[usize]) {
    let mut index = 0;
    observation.hpa.spec.metrics.retain(|_| {
        index += 1;
        !indices.contains(&(index - 1))
    });
    let position = |index: usize| {
        let is_there = !indices.contains(&index);
        is_there.then(|| index - indices.iter().filter(|deleted| **deleted < index).count())
    };
    let moved = |index: &mut usize| {
        let new = position(*index);
        *index = new.unwrap_or_default();
        new.is_some()
    };
    observation
        .custom_metrics
        .retain_mut(|answer| moved(&mut answer.index));
    observation
        .external_metrics
        .retain_mut(|answer| moved(&mut answer.index));
}

fn failing(trace: &Trace) -> Vec<usize> {
    trace
        .metrics()
        .filter(|metric| matches!(metric.outcome, MetricOutcome::Invalid(_)))
        .map(|metric| metric.index)
        .collect()
}

/// The metrics with the highest recommendation.
fn winning(trace: &Trace) -> Vec<usize> {
    let most = trace
        .choice()
        .filter(|choice| choice.winner.is_some())
        .map(|choice| choice.metric_desired_replicas);
    trace
        .metrics()
        .filter(|metric| most.is_some() && proposal(metric) == most)
        .map(|metric| metric.index)
        .collect()
}
