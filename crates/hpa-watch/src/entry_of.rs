//! Builds the history entry of a read.

use std::sync::Arc;

use hpa_analysis::own_pods;
use hpa_engine::{
    model::{Direction, Observation, Pod, PodPhase},
    trace::{LimitPath, MetricOutcome, ToleranceCheck},
};
use hpa_explain::{
    ExplainContext, Facts, MetricFacts, Urgency, Verdict, failure_cause, metric_full_name,
};
use hpa_words::clock::Clock;
use jiff::{Timestamp, tz::TimeZone};

use crate::{EntryId, HistoryEntry, MetricPoint, PodCounts, SeenHpa};

/// The entry of a read of an HPA, without its alarms.
pub(super) fn entry(
    seen: &SeenHpa,
    id: EntryId,
    at: Timestamp,
    is_reconcile: bool,
) -> HistoryEntry {
    let clock = clock(at);
    let cx = ExplainContext::of(&seen.assessment, &clock);
    let facts = &cx.facts;
    let verdict = Verdict::of(&cx);
    let (urgency, answer) = Urgency::with_words(&cx);
    HistoryEntry {
        id,
        at,
        is_reconcile,
        action: verdict.action,
        rule: cx.rule,
        urgency,
        answer,
        headline: verdict.headline,
        current: facts.current(),
        desired: verdict.to,
        range: verdict.range,
        written: cx.contradiction(),
        proposal: facts.proposal(),
        stabilized: facts.stabilize.map(|stabilize| stabilize.stabilized),
        limits: limits(facts),
        min: facts.min(),
        max: facts.max(),
        pods: pods(&cx),
        metrics: metrics(facts),
        agreement: seen.agreement.clone(),
        alarms: Arc::default(),
    }
}

/// The output contains no time of day, so the zone does not matter.
fn clock(now: Timestamp) -> Clock {
    Clock::new(TimeZone::UTC, now)
}

/// The bounds, with the one ahead limited by the policies.
fn limits(facts: &Facts<'_>) -> Option<(i32, i32)> {
    let limit = facts.limit?;
    let (min, max) = (limit.min, limit.max);
    Some(match limit.path {
        LimitPath::NoBehavior { scale_up_limit } => (min, scale_up_limit.min(max)),
        LimitPath::Behavior {
            direction: Some(direction),
            limit: Some(limit),
            ..
        } => match direction {
            Direction::Down => (limit.max(min), max),
            Direction::Up => (min, limit.min(max)),
        },
        LimitPath::Behavior { .. } => (min, max),
    })
}

fn pods(cx: &ExplainContext<'_>) -> PodCounts {
    let facts = &cx.facts;
    let mut counts = PodCounts::default();
    for pod in own_pods(facts.observation, cx.context) {
        if pod.phase == PodPhase::Succeeded {
            continue;
        }
        counts.all += 1;
        *class(&mut counts, pod) += 1;
    }
    let missing = |metric: &MetricFacts<'_>| Some(metric.groups?.missing);
    counts.no_metrics = facts
        .winner()
        .and_then(missing)
        .or_else(|| facts.metrics.iter().find_map(missing))
        .unwrap_or_default();
    counts
}

fn class<'a>(counts: &'a mut PodCounts, pod: &Pod) -> &'a mut usize {
    if pod.deleted.is_some() || pod.phase == PodPhase::Failed {
        &mut counts.ignored
    } else if pod.is_ready() {
        &mut counts.ready
    } else if !pod.has_node() {
        &mut counts.unscheduled
    } else if pod.phase == PodPhase::Pending {
        &mut counts.starting
    } else {
        &mut counts.not_ready
    }
}

fn metrics(facts: &Facts<'_>) -> Vec<MetricPoint> {
    let winner = facts.choice.and_then(|choice| choice.winner);
    let specs = facts.observation.hpa.spec.metrics.len();
    let evaluated = facts
        .metrics
        .iter()
        .map(|metric| metric.evaluation.index.saturating_add(1));
    let number = evaluated.max().unwrap_or_default().max(specs);
    (0..number)
        .map(|index| {
            let mut metrics = facts.metrics.iter();
            match metrics.find(|metric| metric.evaluation.index == index) {
                Some(metric) => point(metric, winner == Some(index)),
                None => unasked(facts.observation, index),
            }
        })
        .collect()
}

fn point(metric: &MetricFacts<'_>, is_winner: bool) -> MetricPoint {
    let check = metric.adjusted_tolerance.or(metric.tolerance);
    MetricPoint {
        name: metric.full_name(),
        ratio: metric.ratio.map(|ratio| ratio.usage_ratio),
        tolerance: check.map(ToleranceCheck::band),
        value: metric.current_text(),
        target: metric.metric_target_text(),
        proposal: metric.replicas(),
        failure: match &metric.evaluation.outcome {
            MetricOutcome::Invalid(failure) => Some(failure_cause(failure)),
            MetricOutcome::Proposal { .. } => None,
            MetricOutcome::Unknown(not_read) => Some(format!("not read: {}", not_read.why)),
        },
        is_winner,
    }
}

/// A metric that the controller did not evaluate: it gave up before, or the bounds decided.
fn unasked(observation: &Observation, index: usize) -> MetricPoint {
    MetricPoint {
        name: metric_full_name(&observation.hpa.spec.metrics, index),
        ratio: None,
        tolerance: None,
        value: None,
        target: None,
        proposal: None,
        failure: None,
        is_winner: false,
    }
}
