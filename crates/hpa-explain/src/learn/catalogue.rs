//! The pages in the order of a pass, and which of them a step, a function or a rule belongs to.

use crate::{
    explain::{StepKind, StepView},
    trace::Upstream,
};

use super::{topic::Topic, topics::ALL};

/// All pages, in the order of a pass.
pub fn topics() -> impl Iterator<Item = &'static Topic> {
    ALL.iter().copied().flatten()
}

/// The page of this id, or of this function of the controller; in any case.
pub fn find(text: &str) -> Option<&'static Topic> {
    let by_id = topics().find(|topic| topic.id.eq_ignore_ascii_case(text));
    by_id.or_else(|| {
        topics().find(|topic| {
            let mut functions = topic.functions.iter();
            functions.any(|function| function.function.eq_ignore_ascii_case(text))
        })
    })
}

/// The page that tells what a step of the ladder does.
pub fn topic_of_step(step: &StepView) -> Option<&'static Topic> {
    let by_kind = match step.kind {
        StepKind::AddBackPods | StepKind::AdjustedRatio | StepKind::Adjustment => "second-look",
        StepKind::RaiseFromZero => "zero-replicas",
        StepKind::Result => "rescale",
        StepKind::CompareBounds => "bounds",
        StepKind::ReadScale
        | StepKind::FirstRecommendation
        | StepKind::Pods
        | StepKind::ReadMetric
        | StepKind::GroupPods
        | StepKind::SumRequests
        | StepKind::UsageRatio
        | StepKind::Tolerance
        | StepKind::CountReadyPods
        | StepKind::Proposal
        | StepKind::MetricFailure
        | StepKind::Choice
        | StepKind::Stabilize
        | StepKind::Limits => return of_function(step.upstream?),
    };
    find(by_kind)
}

/// The page that a function belongs to.
fn of_function(function: Upstream) -> Option<&'static Topic> {
    topics().find(|topic| topic.functions.contains(&function))
}

/// The pages that a rule of `lint` rests on.
pub fn topics_of_rule(code: &str) -> impl Iterator<Item = &'static Topic> {
    topics().filter(move |topic| topic.rules.iter().any(|(rule, _)| *rule == code))
}

/// The functions that decide nothing about replicas, and what they do instead.
pub fn plumbing() -> &'static [(Upstream, &'static str)] {
    PLUMBING
}

const PLUMBING: &[(Upstream, &str)] = &[
    (
        Upstream::horizontal("NewHorizontalController"),
        "puts the controller together",
    ),
    (
        Upstream::horizontal("Run"),
        "starts the workers and waits for the caches",
    ),
    (
        Upstream::horizontal("maxInt32"),
        "the larger of two numbers",
    ),
    (
        Upstream::horizontal("minInt32"),
        "the smaller of two numbers",
    ),
    (
        Upstream::selector_store("newHPASelectorStore"),
        "makes the store of selectors",
    ),
    (
        Upstream::selector_store("newBiMultimapSelectorTracker"),
        "makes the store that there is without the gate HPAOptimizedSelectorStore",
    ),
    (
        Upstream::metrics_client("NewRESTMetricsClient"),
        "puts the clients of the metrics APIs together",
    ),
    (
        Upstream::replica_calculator("NewReplicaCalculator"),
        "puts the calculator together",
    ),
    (
        Upstream::replica_calculator("String"),
        "writes tolerances into the log",
    ),
];
