//! Why a metric has no value: `<unknown>` has several causes, and a server that is down is only one of them.

use hpa_analysis::{Proof, selected_pods};
use hpa_engine::model::{MetricSpec, label_selector::Wording};
use hpa_words::amount::count;

use super::{
    adapter,
    api::{ApiState, MetricsApi},
    metric_note::MetricNote,
};
use crate::{Decider, ExplainContext, MetricFacts, command::ShellCommand};

/// The notes on a failed metric, by cause.
pub(super) fn notes(cx: &ExplainContext<'_>, metric: &MetricFacts<'_>) -> Vec<MetricNote> {
    let Some(api) = MetricsApi::of(cx, metric) else {
        return Vec::new();
    };
    if metric.failure().is_none() {
        return healthy(cx, metric, &api).into_iter().collect();
    }
    let reported = reported(cx, metric);
    let mut sentences: Vec<String> = match FailureCause::of(metric) {
        Some(FailureCause::Refused) => refused(cx, &api),
        Some(FailureCause::Empty) => empty(cx, metric, &api).into_iter().collect(),
        Some(FailureCause::AfterTheRead) => {
            return after_the_read(cx, metric, &api)
                .into_iter()
                .chain(reported)
                .collect();
        }
        None => Vec::new(),
    };
    if sentences.is_empty() {
        return reported.into_iter().collect();
    }
    if is_in_verdict(cx, metric) {
        if api.state() == ApiState::Absent {
            return reported.into_iter().collect();
        }
    } else {
        sentences.extend(adapter::listed(cx, metric, "It"));
    }
    let command = (api.group != "metrics.k8s.io" || api.state() == ApiState::Available)
        .then(|| api.command())
        .flatten();
    sentences.extend(command.map(|command| format!("Ask it: {command}")));
    let notes = MetricNote::warning(sentences.join(" "));
    [notes].into_iter().chain(reported).collect()
}

/// Since when the controller has reported the failure in Events. It is a detail if the HPA's condition already says
/// since when it has not been scaling.
fn reported(cx: &ExplainContext<'_>, metric: &MetricFacts<'_>) -> Option<MetricNote> {
    let reason = metric.failure()?.reason?;
    let name = metric.name();
    let events = || {
        let events = cx.context.events.iter();
        let of_reason = events.filter(|event| event.reason == reason);
        of_reason
            .map(Proof::of)
            .filter(|proof| proof.message.contains(&name))
    };
    let first = events().filter_map(|proof| proof.first).min()?;
    let last = events().filter_map(|proof| proof.last).max()?;
    let number = events().fold(0_i32, |sum, proof| sum.saturating_add(proof.count));
    let least = if events().any(|proof| proof.is_combined) {
        "at least "
    } else {
        ""
    };
    let text = format!(
        "{reason} in Events since {} at least ({}), {least}{number} × until {}",
        cx.clock.time(first),
        cx.clock.ago(first),
        cx.clock.time(last)
    );
    let status = &cx.facts.observation.hpa.status;
    Some(if status.false_condition("ScalingActive").is_some() {
        MetricNote::detail(text)
    } else {
        MetricNote::normal(text)
    })
}

/// The cause in one sentence for the answer, if it is certain.
pub(crate) fn in_short(cx: &ExplainContext<'_>, metric: &MetricFacts<'_>) -> Option<String> {
    let api = MetricsApi::of(cx, metric)?;
    match (FailureCause::of(metric)?, api.state()) {
        (FailureCause::Refused, ApiState::Absent) => Some(format!(
            "Cause: {} (no API service serves {}).",
            not_installed(api.group),
            api.group
        )),
        (FailureCause::Refused, ApiState::Unavailable) => Some(format!(
            "Cause: {} serves it and is not available{}.",
            api.name(),
            api.since(cx)
                .map_or_else(String::new, |since| format!(" {since}"))
        )),
        (FailureCause::Refused | FailureCause::Empty, ApiState::Available) => {
            adapter::lacks(cx, metric, &api)
        }
        _ => None,
    }
}

/// The command to run if the API of a metric returns an error, or no value: where it answers, what it answers is the clue.
pub(crate) fn command(cx: &ExplainContext<'_>, metric: &MetricFacts<'_>) -> Option<ShellCommand> {
    let api = MetricsApi::of(cx, metric)?;
    let cause = FailureCause::of(metric).filter(|cause| *cause != FailureCause::AfterTheRead)?;
    let is_of_adapter = metric.spec.and_then(MetricSpec::identifier).is_some();
    Some(match (cause, api.state()) {
        (FailureCause::Refused, ApiState::Unavailable) => {
            ShellCommand::new("kubectl describe apiservice").arg(api.service_name())
        }
        (FailureCause::Refused, ApiState::Available) if api.has_answered() => api.raw(),
        (FailureCause::Empty, _) if is_of_adapter => api.raw(),
        (FailureCause::Refused, _) => ShellCommand::new("kubectl get apiservices"),
        _ => return None,
    })
}

/// Whether the API of a metric is not installed or not available; [`in_short`] says which.
pub(crate) fn is_missing(cx: &ExplainContext<'_>, metric: &MetricFacts<'_>) -> bool {
    let state = MetricsApi::of(cx, metric).map(|api| api.state());
    FailureCause::of(metric) == Some(FailureCause::Refused)
        && matches!(state, Some(ApiState::Absent | ApiState::Unavailable))
}

/// Whether the verdict says about this metric what [`in_short`] says.
fn is_in_verdict(cx: &ExplainContext<'_>, metric: &MetricFacts<'_>) -> bool {
    let is_requested = cx.rule.decider() == Decider::FailedMetric;
    let first = cx
        .facts
        .failed()
        .first()
        .map(|first| first.evaluation.index);
    is_requested && cx.written_instead().is_none() && first == Some(metric.evaluation.index)
}

/// At which step the metric failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum FailureCause {
    /// The API returned an error, or does not exist.
    Refused,
    /// The API returned no values.
    Empty,
    /// The API returned values, and a later step failed, mostly the requests.
    AfterTheRead,
}

impl FailureCause {
    fn of(metric: &MetricFacts<'_>) -> Option<Self> {
        metric.failure()?;
        let read = metric.read?;
        Some(if read.error.is_some() {
            Self::Refused
        } else if read.items == 0 {
            Self::Empty
        } else {
            Self::AfterTheRead
        })
    }
}

/// The state of an API that returned an error.
fn refused(cx: &ExplainContext<'_>, api: &MetricsApi<'_>) -> Vec<String> {
    let answered = api.answered();
    let since = api
        .since(cx)
        .map_or_else(String::new, |since| format!(" {since}"));
    match api.state() {
        ApiState::Absent => vec![format!(
            "no API service serves {}: {}, which is not the same as down.",
            api.group,
            not_installed(api.group)
        )],
        ApiState::Unavailable => {
            let why = api
                .why()
                .map_or_else(String::new, |why| format!(": {}", why.trim_end_matches('.')));
            vec![format!(
                "{}, which serves API service {}, is not available{since}{why}.",
                api.who(),
                api.service_name()
            )]
        }
        ApiState::Available => {
            let answered = answered.unwrap_or_else(|| "refused".to_owned());
            vec![format!(
                "{} has been available{since}, but {answered}.",
                api.who()
            )]
        }
        ApiState::Unknown => answered
            .map(|answered| {
                format!(
                    "{} {answered}; whether it is installed, and who serves it, cannot be read here.",
                    api.group
                )
            })
            .into_iter()
            .collect(),
    }
}

/// The API returned no values.
fn empty(
    cx: &ExplainContext<'_>,
    metric: &MetricFacts<'_>,
    api: &MetricsApi<'_>,
) -> Option<String> {
    let answered = api.answered()?;
    let who = api.who();
    if let Some(source) = metric.spec?.external_identifier() {
        let name = &source.name;
        let wording = Wording::of(cx.facts.observation.controller.version.value);
        let selector = source
            .selector
            .as_ref()
            .and_then(|selector| selector.to_selector(wording).ok())
            .filter(|selector| !selector.is_empty())
            .map_or_else(String::new, |selector| format!(" that {selector} matches"));
        return Some(format!(
            "{who} {answered}, with no series of {name}{selector}."
        ));
    }
    let selector = cx
        .facts
        .observation
        .scale
        .read()
        .map_or("", |scale| scale.selector.as_str());
    let pods = selected_pods(cx.facts.observation);
    if pods.is_empty() {
        return Some(format!(
            "{who} {answered}; it has no metrics because {selector} matches no pods."
        ));
    }
    let why = match pods.iter().filter_map(|pod| pod.started).min() {
        None => "none of them has started".to_owned(),
        Some(at) if cx.clock.now.duration_since(at) < FIRST_SAMPLE => format!(
            "the first of them started {} ago, and a first sample takes a minute or two",
            cx.clock.ago(at)
        ),
        Some(at) => format!(
            "the first of them started {} ago, so they should have some: the log of {} says what \
             it cannot scrape",
            cx.clock.ago(at),
            api.name()
        ),
    };
    Some(format!(
        "{who} {answered}, without metrics of the {} that {selector} matches: {why}.",
        count(pods.len(), "pod")
    ))
}

/// The API is fine, whatever `kubectl get hpa` shows.
fn after_the_read(
    cx: &ExplainContext<'_>,
    metric: &MetricFacts<'_>,
    api: &MetricsApi<'_>,
) -> Option<MetricNote> {
    let answered = api.answered()?;
    let items = metric.read?.items;
    let what = match (metric.groups, metric.spec?) {
        (Some(groups), _) => {
            let with = groups.pods.iter().filter(|pod| pod.usage.is_some());
            samples_of(with.count(), groups.pods.len())
        }
        (None, spec) if spec.is_total() => format!("{items} series"),
        (None, _) => {
            let pods = selected_pods(cx.facts.observation).len();
            samples_of(items.min(pods), pods)
        }
    };
    Some(MetricNote::normal(format!(
        "{} {answered}, with {what}: it is not why TARGETS shows <unknown>.",
        api.who()
    )))
}

/// `samples of all 4 pods`, `samples of 3 of the 4 pods`.
pub(super) fn samples_of(with: usize, pods: usize) -> String {
    match (with, pods) {
        (1, 1) => "a sample of the only pod".to_owned(),
        _ if with == pods => format!("samples of all {}", count(pods, "pod")),
        _ => format!("samples of {with} of the {}", count(pods, "pod")),
    }
}

/// Who answered (a detail).
fn healthy(
    cx: &ExplainContext<'_>,
    metric: &MetricFacts<'_>,
    api: &MetricsApi<'_>,
) -> Option<MetricNote> {
    metric.replicas()?;
    let answered = api.answered()?;
    let text = match api.state() {
        ApiState::Unknown => format!("{} {answered}", api.group),
        ApiState::Absent => format!("{} {answered}, though no API service is listed", api.group),
        ApiState::Unavailable => format!(
            "{} {answered}, though API service {} is not available{}",
            api.who(),
            api.service_name(),
            api.why().map_or_else(String::new, |why| format!(
                ": {}",
                why.trim_end_matches('.')
            ))
        ),
        ApiState::Available => format!(
            "{}: {}, available{}; {answered}",
            api.service_name(),
            api.who(),
            api.since(cx)
                .map_or_else(String::new, |since| format!(" {since}"))
        ),
    };
    Some(if api.is_slow() {
        MetricNote::normal(format!("{text}, and every sync waits for that"))
    } else {
        MetricNote::detail(text)
    })
}

/// What to install if nothing serves a metrics API.
fn not_installed(group: &str) -> &'static str {
    match group {
        "metrics.k8s.io" => "metrics-server is not installed",
        "custom.metrics.k8s.io" => "no adapter for Pods and Object metrics is installed",
        _ => "no adapter for External metrics is installed",
    }
}

/// How long a new pod may take to get its first sample: startup plus two scrapes at one-minute intervals.
const FIRST_SAMPLE: jiff::SignedDuration = jiff::SignedDuration::from_mins(2);
