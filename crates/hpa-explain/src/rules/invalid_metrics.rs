//! Metrics fail: all of them, or one that blocks scaling down.

use hpa_analysis::{AlterationKind, condition_since};
use hpa_engine::{
    model::{Direction, MetricSpec},
    trace::{ClassifiedPod, GroupPods, PodReason, RequestGap},
};
use hpa_words::amount::{names, resource_in_prose};
use jiff::Timestamp;

use super::{NOT_SCALING, RuleWords};
use crate::{
    ExplainContext, Facts, MetricFacts, StepKind,
    command::{ShellCommand, of_pods},
    context::{pipeline, pods},
    failure_cause::cause,
    not_counted::{self, are_young, checks, few_ready, finished, uncounted, waits_since},
    situation::Situation,
    unmet::ready,
};

pub(super) const ALL: RuleWords = RuleWords {
    held_by: Some("no metric can be computed"),
    needed_first: Some("after a metric can be computed"),
    failed: NOT_SCALING,
    label: |_| "metric_fails",
    short: |cx, _| Some(unreadable(&cx.facts).into()),
    sentences: all_invalid,
    recovers: |_| false,
    why_nothing: |_| "",
    advice: |_| None,
    command,
    before_command: |_| None,
    steps: |is_single| {
        if is_single {
            &[(StepKind::MetricFailure, false)]
        } else {
            &[(StepKind::Choice, false)]
        }
    },
    what_ifs: &[],
};

/// A failed metric blocks only scaling down: scaling up works.
pub(super) const BLOCKING: RuleWords = RuleWords {
    held_by: Some("a metric still fails"),
    needed_first: None,
    failed: "CANNOT SCALE DOWN, stays at",
    short: |cx, _| Some(format!("not down: {}", failing(&cx.facts)).into()),
    sentences: blocks_scale_down,
    before_command: |_| None,
    steps: |_| &[(StepKind::Choice, false)],
    what_ifs: &[AlterationKind::FailingMetrics],
    ..ALL
};

fn all_invalid(cx: &ExplainContext<'_>, situation: Option<&Situation>) -> Vec<String> {
    let failed = cx.facts.failed();
    let since = since(cx, "ScalingActive");
    let Some(first) = failed.first() else {
        return vec![format!(
            "The HPA has no metric, so it cannot scale up or down{since}."
        )];
    };
    let no_usable_pod = no_usable_pod(cx, first);
    let resumes = match no_usable_pod {
        Some(_) => " The HPA resumes by itself when a pod is ready and has metrics.",
        None => "",
    };
    let (what, rest) = no_usable_pod.unwrap_or_else(|| broken(cx, first, situation));
    let what = with_others(cx, what, &failed);
    let sentence = if resumes.is_empty() {
        format!("{what}, so the HPA cannot scale up or down{since}.")
    } else {
        format!("{what}{since}.{resumes}")
    };
    with_remedies(cx, sentence, rest, &failed)
}

/// What is wrong with the first failed metric, and that the others fail: `CPU cannot be read, and neither can memory`.
fn with_others(cx: &ExplainContext<'_>, what: String, failed: &[&MetricFacts<'_>]) -> String {
    let Some((first, others)) = failed.split_first() else {
        return what;
    };
    let is_said = |one: &&&MetricFacts<'_>| {
        pods::without_request(cx, one).is_some_and(|(other, _)| other == what)
    };
    let others: Vec<_> = others.iter().filter(|one| !is_said(one)).collect();
    let named: Vec<String> = others.iter().map(|metric| metric.in_prose()).collect();
    let fails = others.first().map_or("read", |metric| metric.what_fails());
    let is_same = others.iter().all(|metric| metric.what_fails() == fails);
    let fails = if is_same { fails } else { "computed" };
    let cannot = format!("cannot be {}", first.what_fails());
    match named.as_slice() {
        [] => what,
        _ if first.what_fails() == fails && what.ends_with(&cannot) => {
            let all: Vec<String> = [first.subject()].into_iter().chain(named).collect();
            format!("{} {cannot}", names(&all, MOST_NAMED))
        }
        named => format!("{what}, and {} cannot be {fails}", names(named, MOST_NAMED)),
    }
}

/// What fails, what to do about each metric, and details of the first.
fn with_remedies(
    cx: &ExplainContext<'_>,
    what: String,
    mut rest: Vec<String>,
    failed: &[&MetricFacts<'_>],
) -> Vec<String> {
    let others = remedies(cx, failed.get(1..).unwrap_or_default());
    let details = rest.split_off(rest.len().min(1));
    let others = others.into_iter().filter(|one| !rest.contains(one));
    let others: Vec<String> = others.collect();
    [vec![what], rest, others, details].concat()
}

/// What to do about metrics that fail, each once.
fn remedies(cx: &ExplainContext<'_>, failed: &[&MetricFacts<'_>]) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    for one in failed.iter().filter_map(|metric| in_short(cx, metric)) {
        if !all.contains(&one) {
            all.push(one);
        }
    }
    all
}

fn blocks_scale_down(cx: &ExplainContext<'_>, situation: Option<&Situation>) -> Vec<String> {
    let failed = cx.facts.failed();
    let since = since(cx, "ScalingActive");
    let Some(first) = failed.first() else {
        return Vec::new();
    };
    let (what, rest) = broken(cx, first, situation);
    let what = with_others(cx, what, &failed);
    let min = cx.facts.min();
    let winner = cx.facts.winner();
    let how = winner.and_then(MetricFacts::how);
    let how = how.map_or_else(String::new, |how| format!(" ({how})"));
    // The metric may have failed earlier: while another metric asks for as many replicas, the condition stays True.
    let held = if since.is_empty() {
        String::new()
    } else {
        format!(", held{since}")
    };
    let up = if may_go_up(cx) {
        " It still scales up."
    } else {
        ""
    };
    let asks = cx.asks();
    let sentence = if cx.facts.current() <= Some(min) {
        format!(
            "{what}, which blocks scaling down{since}, as minReplicas {min} does: {asks}{how}.{up}"
        )
    } else {
        let beyond = cx.beyond_bounds();
        format!(
            "{what}, and {asks}{how}{beyond}: an HPA does not scale down while a metric fails{held}.{up}"
        )
    };
    with_remedies(cx, sentence, rest, &failed)
}

/// What is wrong with a failed metric, without a final period, and the sentences with cause and fix, unless the situation has
/// them.
fn broken(
    cx: &ExplainContext<'_>,
    metric: &MetricFacts<'_>,
    situation: Option<&Situation>,
) -> (String, Vec<String>) {
    if let Some(requests) = pods::without_request(cx, metric) {
        return requests;
    }
    if let Some(pods) = no_usable_pod(cx, metric) {
        return pods;
    }
    let what = format!("{} cannot be {}", metric.subject(), metric.what_fails());
    if situation.is_some() && is_none_ready(cx, metric) {
        return (what, Vec::new());
    }
    let cause = metric.failure().map(cause).unwrap_or_default();
    let remedy = remedy(cx, metric);
    // If the API itself is missing, the error of the request adds nothing.
    let mut sentences = Vec::new();
    sentences.extend(remedy);
    if !pipeline::is_missing(cx, metric) {
        sentences.extend(
            few_ready(cx)
                .filter(|_| is_none_ready(cx, metric))
                .map(|few| few + "."),
        );
        sentences.push(format!("The controller says: {cause}."));
    }
    (what, sentences)
}

/// Whether no pod is ready, so that the metrics API has no pod either.
pub(crate) fn is_none_ready(cx: &ExplainContext<'_>, metric: &MetricFacts<'_>) -> bool {
    let is_read = metric.read.is_some_and(|read| read.error.is_none());
    let is_of_pods = metric.spec.is_some_and(MetricSpec::is_of_each_pod);
    is_read && is_of_pods && ready(cx) == Some(0)
}

/// Pods match but none of them counts: `No pod is ready: 2 are Pending (15 s) and 3 are terminating. so the HPA has no
/// CPU usage to scale on`, and what to check.
fn no_usable_pod(
    cx: &ExplainContext<'_>,
    metric: &MetricFacts<'_>,
) -> Option<(String, Vec<String>)> {
    let groups = metric.groups?;
    let is_read = metric.read.is_some_and(|read| read.error.is_none());
    if !is_read
        || groups.ready != 0
        || groups.pods.is_empty()
        || pods::without_request(cx, metric).is_some()
    {
        return None;
    }
    let facts = &cx.facts;
    let is_ready = |pod: &ClassifiedPod| {
        let pod = facts.pod(pod.pod);
        pod.is_some_and(|pod| pod.deleted.is_none() && pod.is_ready())
    };
    let all = groups.pods.len();
    let states = states(cx, groups);
    let what = match states.as_slice() {
        [(_, state)] if all == 1 => format!("The only pod {state}"),
        [_] if groups.pods.iter().any(|pod| UNREADY.contains(&pod.reason)) => {
            let age = for_so_long(cx, groups, &UNREADY);
            format!("None of the {all} pods is ready{age}")
        }
        _ => {
            let states: Vec<String> = states
                .iter()
                .map(|(number, state)| format!("{number} {state}"))
                .collect();
            let states = names(&states, states.len());
            if groups.pods.iter().any(is_ready) {
                format!("No pod has usable metrics: {states}")
            } else {
                format!("No pod is ready: {states}")
            }
        }
    };
    let what = format!("{what}, so the HPA has no {} to scale on", usage_of(metric));
    let rest = if are_young(facts, groups, cx.clock) {
        let pods = uncounted(facts, groups);
        let pods: Vec<&str> = pods.iter().flatten().map(|(_, pod)| &*pod.name).collect();
        let check = format!("Give new pods a minute, then check {}.", names(&pods, 2));
        // A pod without usable metrics may be ready.
        if groups.pods.iter().any(is_ready) {
            vec![check]
        } else {
            vec![format!("Until then the service might be down. {check}")]
        }
    } else {
        let checks = checks(facts, groups, cx.clock, "Check");
        [checks.check, checks.others].concat()
    };
    Some((what, rest))
}

/// `CPU usage`, `memory usage`, `value of hits`.
fn usage_of(metric: &MetricFacts<'_>) -> String {
    let Some(resource) = metric.resource() else {
        return format!("value of {}", metric.in_prose());
    };
    let container = metric.spec.and_then(MetricSpec::container);
    let of = container.map_or_else(String::new, |name| format!(" of container {name}"));
    format!("{} usage{of}", resource_in_prose(resource))
}

/// Why pods that run are not ready.
const UNREADY: [PodReason; 3] = [
    PodReason::NeverReady,
    PodReason::NoReadyConditionOrStart,
    PodReason::NotReadyInInitialization,
];

/// `are Pending (15 s)` of 2, `are terminating` of 3: every pod is in one of them.
fn states(cx: &ExplainContext<'_>, groups: &GroupPods) -> Vec<(usize, String)> {
    let without_metrics = finished(&cx.facts, groups).len();
    let be = |number: usize| if number == 1 { "is" } else { "are" };
    let have = |number: usize| if number == 1 { "has" } else { "have" };
    let count = |reasons: &[PodReason]| {
        let pods = groups.pods.iter();
        pods.filter(|pod| reasons.contains(&pod.reason)).count()
    };
    let age = |reasons: &[PodReason]| for_so_long(cx, groups, reasons);
    let pending = [PodReason::Pending];
    let early = count(&[PodReason::SampleBeforeReady]);
    let missing = count(&[PodReason::NoSample]).saturating_sub(without_metrics);
    let finished = count(&[PodReason::Succeeded]).saturating_add(without_metrics);
    let failed = count(&[PodReason::Failed]);
    let deleted = count(&[PodReason::Deleted]);
    [
        (
            count(&pending),
            format!("{} Pending{}", be(count(&pending)), age(&pending)),
        ),
        (
            count(&UNREADY),
            format!("{} not ready{}", be(count(&UNREADY)), age(&UNREADY)),
        ),
        (early, format!("{} been ready for too short", have(early))),
        (missing, format!("{} no metrics", have(missing))),
        (finished, format!("{} finished", have(finished))),
        (failed, format!("{} failed", have(failed))),
        (deleted, format!("{} terminating", be(deleted))),
    ]
    .into_iter()
    .filter(|(number, _)| 0 < *number)
    .collect()
}

/// ` (15 s)`, or ` (up to 15 s)` if the pods differ; empty if the time is not known.
fn for_so_long(cx: &ExplainContext<'_>, groups: &GroupPods, reasons: &[PodReason]) -> String {
    let pods = groups.pods.iter();
    let since: Option<Vec<Timestamp>> = pods
        .filter(|pod| reasons.contains(&pod.reason))
        .map(|classified| waits_since(classified, cx.facts.pod(classified.pod)?))
        .collect();
    let mut ages = since.unwrap_or_default();
    ages.sort();
    let ages: Vec<String> = ages.into_iter().map(|at| cx.clock.ago(at)).collect();
    match (ages.first(), ages.last()) {
        (Some(longest), Some(shortest)) if longest == shortest => format!(" ({longest})"),
        (Some(longest), Some(_)) => format!(" (up to {longest})"),
        _ => String::new(),
    }
}

/// ` (since 10:01:03, 31 min ago)` if the condition is False and the time belongs to this reason.
fn since(cx: &ExplainContext<'_>, condition_type: &str) -> String {
    if !cx.has_status_of_spec() {
        return String::new();
    }
    let status = &cx.facts.observation.hpa.status;
    status
        .false_condition(condition_type)
        .and_then(|condition| condition_since(cx.facts.observation, cx.context, condition))
        .filter(|at| *at <= cx.clock.now)
        .map_or_else(String::new, |at| {
            format!(" (since {}, {})", cx.clock.time(at), cx.clock.ago(at))
        })
}

/// The fix for a common failure, if the error or the state of the API identifies it.
fn remedy(cx: &ExplainContext<'_>, metric: &MetricFacts<'_>) -> Option<String> {
    pipeline::mismatch(cx, metric)
        .or_else(|| pipeline::in_short(cx, metric))
        .or_else(|| remedy_of_gap(cx, metric))
        .or_else(|| {
            let is_without_pods = is_none_ready(cx, metric);
            remedy_of_error(&metric.failure()?.inner).filter(|_| !is_without_pods)
        })
        .or_else(|| {
            let is_of_api = metric.what_fails() == "read" && !is_none_ready(cx, metric);
            is_of_api.then(|| "Check the server of this metrics API and its logs.".to_owned())
        })
}

/// The fix for a container without a request; up to 1.25 the controller does not say which container it is.
fn remedy_of_gap(cx: &ExplainContext<'_>, metric: &MetricFacts<'_>) -> Option<String> {
    let Some(RequestGap::Container(container)) = &metric.requests?.gap else {
        return None;
    };
    let resource = metric.name();
    Some(if cx.facts.trace.switches.missing_request_names_pod {
        format!(
            "Fix: set a {resource} request for container {container}, or use a ContainerResource metric on another one."
        )
    } else {
        format!("Fix: set a {resource} request for every container of every pod.")
    })
}

/// The fix according to the API server's message.
fn remedy_of_error(error: &str) -> Option<String> {
    if error.contains("the server could not find the requested resource")
        || error.contains("no custom metrics API")
    {
        return Some(
            "The metrics API is not installed, or it does not have this metric.".to_owned(),
        );
    }
    if error.contains("the server is currently unable to handle the request") {
        return Some("The server of the metrics API is down.".to_owned());
    }
    if error.contains("no metrics returned from resource metrics API") {
        return Some(
            "The metrics API answers, but has no sample of these pods: check metrics-server and its logs."
                .to_owned(),
        );
    }
    let is_empty = error.contains("no metrics returned from");
    is_empty.then(|| {
        "The metrics API answers, but has no value: check the configuration and the logs of the adapter."
            .to_owned()
    })
}

/// Why the metrics that fail do, and what to do about it, a sentence each.
pub(crate) fn causes(cx: &ExplainContext<'_>) -> Vec<String> {
    remedies(cx, &cx.facts.failed())
}

fn in_short(cx: &ExplainContext<'_>, metric: &MetricFacts<'_>) -> Option<String> {
    if let Some((what, fix)) = pods::without_request(cx, metric) {
        return Some(
            fix.into_iter()
                .find(|one| one.starts_with("Fix"))
                .unwrap_or(what),
        );
    }
    remedy(cx, metric).or_else(|| {
        Some(format!(
            "The controller says: {}.",
            cause(metric.failure()?)
        ))
    })
}

/// `CPU cannot be read`, `CPU and External metric hits cannot be computed`; none: no metric fails.
pub(crate) fn failed_metrics(facts: &Facts<'_>) -> Option<String> {
    let failed = facts.failed();
    let first = failed.first()?.what_fails();
    let is_same = failed.iter().all(|metric| metric.what_fails() == first);
    let names_of = failed.iter().enumerate();
    let names_of = names_of.map(|(place, metric)| match place {
        0 => metric.subject(),
        _ => metric.in_prose(),
    });
    let names_of: Vec<String> = names_of.collect();
    let what = if is_same { first } else { "computed" };
    Some(format!("{} cannot be {what}", names(&names_of, MOST_NAMED)))
}

/// At most this many metrics that fail are named.
const MOST_NAMED: usize = 3;

fn unreadable(facts: &Facts<'_>) -> String {
    match facts.failed().as_slice() {
        [only] => format!("{} cannot be {}", only.name(), only.what_fails()),
        failed => format!("{} metrics fail", failed.len()),
    }
}

/// `cpu fails`, `2 metrics fail`.
fn failing(facts: &Facts<'_>) -> String {
    match facts.failed().as_slice() {
        [only] => format!("{} fails", only.name()),
        failed => format!("{} metrics fail", failed.len()),
    }
}

/// The command about the first metric that fails.
pub(crate) fn command(cx: &ExplainContext<'_>) -> Option<ShellCommand> {
    let failed = cx.facts.failed();
    let first = failed.first()?;
    pipeline::command(cx, first)
        .or_else(|| {
            let groups = first.groups.filter(|groups| groups.ready == 0);
            let command = groups.and_then(|groups| not_counted::command(cx, groups));
            let is_for_pods = groups.is_some() || is_none_ready(cx, first);
            command.or_else(|| is_for_pods.then(|| of_pods(cx, "kubectl get pods"))?)
        })
        .or_else(|| {
            let has_answered = first.read.is_some_and(|read| read.error.is_none());
            match first.what_fails() {
                "read" if has_answered && first.resource().is_some() => {
                    of_pods(cx, "kubectl top pods")
                }
                "read" => Some(ShellCommand::new("kubectl get apiservices")),
                _ => None,
            }
        })
}

/// Whether the HPA could scale up.
fn may_go_up(cx: &ExplainContext<'_>) -> bool {
    !cx.facts.is_off(Direction::Up) && cx.facts.current() < Some(cx.facts.max())
}

/// `CPU cannot be read: no scale-down until it can.`, or what that does not change now; none: no metric fails.
///
/// Where another metric decides, it asks for no fewer replicas than there are.
pub(crate) fn what_they_block(cx: &ExplainContext<'_>) -> Option<String> {
    let facts = &cx.facts;
    let failed = failed_metrics(facts)?;
    let min = facts.min();
    let asks_for_more = facts.current() < facts.proposal();
    let effect = if asks_for_more && may_go_up(cx) {
        "only scaling up works".to_owned()
    } else if facts.current() <= Some(min) && request_gap(facts).is_none() {
        let not_up = if may_go_up(cx) { ", not up" } else { "" };
        format!("that blocks scaling down, as minReplicas {min} does{not_up}")
    } else if facts.is_off(Direction::Down) {
        "that blocks scaling down, as scaleDown.selectPolicy does".to_owned()
    } else if asks_for_more && cx.facts.is_off(Direction::Up) {
        "no scale-down either".to_owned()
    } else {
        format!("no scale-down until {}", until(cx))
    };
    Some(format!("{failed}: {effect}."))
}

/// What must happen before the HPA scales down again, after `until`.
fn until(cx: &ExplainContext<'_>) -> String {
    let failed = cx.facts.failed();
    if failed.iter().all(|metric| is_none_ready(cx, metric)) {
        return "a pod is ready".to_owned();
    }
    match request_gap(&cx.facts) {
        Some((container, resource)) => format!(
            "container {container} has a {} request",
            resource_in_prose(resource)
        ),
        None if failed.len() == 1 => "it can".to_owned(),
        None => "they can".to_owned(),
    }
}

/// The container without a request, and of which resource, if that is all that fails.
fn request_gap<'a>(facts: &Facts<'a>) -> Option<(&'a str, &'a str)> {
    let failed = facts.failed();
    let [only] = failed.as_slice() else {
        return None;
    };
    match only.requests?.gap.as_ref()? {
        RequestGap::Container(container) => Some((container, only.resource()?)),
        _ => None,
    }
}
