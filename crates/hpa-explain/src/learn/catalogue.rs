//! The pages in the order of a sync, and which of them a step, a function or a rule belongs to.

use hpa_engine::trace::Upstream;

use super::{topic::Topic, topics::ALL};
use crate::{DOCS, StepKind, StepView};

/// All pages, in the order of a sync.
pub fn topics() -> impl Iterator<Item = &'static Topic> {
    ALL.iter()
}

/// The page with this id, or of this function of the controller, case-insensitively.
pub fn find(text: &str) -> Option<&'static Topic> {
    let by_id = topics().find(|topic| topic.id.eq_ignore_ascii_case(text));
    by_id.or_else(|| {
        topics().find(|topic| {
            let mut functions = topic.functions.iter();
            functions.any(|function| function.function.eq_ignore_ascii_case(text))
        })
    })
}

/// The page that explains a step of the ladder.
pub fn topic_of_step(step: &StepView) -> Option<&'static Topic> {
    let by_kind = match step.kind {
        StepKind::AddBackPods | StepKind::AdjustedRatio | StepKind::Adjustment => {
            "adjusted-average"
        }
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

/// The pages that a `lint` rule is based on.
pub fn topics_of_rule(code: &str) -> impl Iterator<Item = &'static Topic> {
    topics().filter(move |topic| topic.rules.contains(&code))
}

/// Name of the page's file in `docs/algorithm`.
pub fn page_name(topic: &Topic) -> String {
    format!("{}.md", topic.id)
}

/// The address of the page in the repository.
pub fn address(topic: &Topic) -> String {
    format!("{DOCS}algorithm/{}", page_name(topic))
}
