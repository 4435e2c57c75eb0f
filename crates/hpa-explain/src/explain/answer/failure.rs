//! Answers where something is broken: the scale, the selector, a metric, the write, or our own reading.

use crate::{
    explain::{
        ExplainContext, MetricFacts,
        amount::names,
        around::{pipeline, pods},
        page::name_of,
        short_answer::is_target_missing,
    },
    inference::{condition_since, last_refusal},
    model::{MetricSpec, NotRead, SnapshotField},
    trace::{Decision, MetricFailure, RequestGap, ScaleWrite, SelectorVerdict},
};

pub(super) fn scale_not_readable(cx: &ExplainContext<'_>) -> Vec<String> {
    let hpa = &cx.facts.observation.hpa;
    let target = &hpa.spec.scale_target;
    let error = cx.facts.read_scale.and_then(|scale| scale.error.as_ref());
    let message = error.map_or("", |error| error.message.trim_end_matches('.'));
    if is_target_missing(&cx.facts) {
        return vec![
            format!(
                "{target} does not exist in namespace {}, so there is nothing to scale ({message}).",
                hpa.namespace
            ),
            format!("Fix scaleTargetRef, or create {target}."),
        ];
    }
    vec![
        format!("The scale of {target} cannot be read: {message}."),
        "The HPA does not scale until it can.".to_owned(),
    ]
}

pub(super) fn selector(cx: &ExplainContext<'_>) -> Vec<String> {
    let target = &cx.facts.observation.hpa.spec.scale_target;
    match cx.facts.selector.map(|selector| &selector.verdict) {
        Some(SelectorVerdict::Ambiguous { hpas }) => {
            let prefix = format!("{}/", cx.facts.observation.hpa.namespace);
            let short: Vec<&str> = hpas
                .iter()
                .map(|hpa| hpa.strip_prefix(&prefix).unwrap_or(hpa))
                .collect();
            let named = match short.len() {
                ..=MOST_NAMED => short.join(", "),
                _ => names(&short, MOST_NAMED),
            };
            let neither = if hpas.len() == 2 {
                "neither"
            } else {
                "none of them"
            };
            let own = cx.facts.observation.hpa.name.as_str();
            let others = &cx.context.surroundings.autoscalers;
            let has_same_target = |name: &str| {
                let mut others = others.iter();
                others.any(|other| other.kind == "HorizontalPodAutoscaler" && other.name == name)
            };
            let mut all = short.iter();
            let (what, remedy) = if all.all(|name| *name == own || has_same_target(name)) {
                (
                    format!("scale {target}"),
                    "Keep one, and move the metrics of the rest into it.",
                )
            } else {
                (
                    "select the same pods".to_owned(),
                    "Give their targets selectors that do not overlap, or delete all HPAs but one.",
                )
            };
            vec![
                format!(
                    "{} HPAs {what} ({named}), so the controller scales by {neither} (AmbiguousSelector).",
                    hpas.len()
                ),
                remedy.to_owned(),
            ]
        }
        Some(SelectorVerdict::Unparsable(error)) => vec![
            format!("The selector in the scale of {target} cannot be parsed: {error}."),
            "Nothing is scaled until that is repaired.".to_owned(),
        ],
        _ => vec![
            format!("The scale of {target} has no selector, so the HPA cannot know its pods."),
            "A CRD needs labelSelectorPath in its scale subresource, and a value there.".to_owned(),
        ],
    }
}

pub(super) fn all_invalid(cx: &ExplainContext<'_>) -> Vec<String> {
    let failed = cx.facts.failed();
    let mut sentences = match failed.as_slice() {
        [] => vec!["The HPA has no metric to ask.".to_owned()],
        [only] => vec![format!(
            "{} cannot be read: {}.",
            only.full_name(),
            only.failure().map(cause).unwrap_or_default()
        )],
        [first, ..] => vec![format!(
            "None of the {} metrics can be read; {}: {}.",
            failed.len(),
            first.full_name(),
            first.failure().map(cause).unwrap_or_default()
        )],
    };
    sentences.push(format!(
        "Without any metric the HPA neither scales up nor down{}.",
        since(cx, "ScalingActive")
    ));
    let failed = cx.facts.failed();
    sentences.extend(failed.iter().find_map(|metric| remedy(cx, metric)));
    sentences
}

pub(super) fn blocks_scale_down(cx: &ExplainContext<'_>) -> Vec<String> {
    let failed = cx.facts.failed();
    let broken: Vec<String> = failed.iter().map(|metric| metric.full_name()).collect();
    let mut sentences = vec![format!(
        "{}, but {} cannot be read, and an HPA with a failing metric never scales down{}.",
        cx.proposal_text(),
        names(&broken, 2),
        since(cx, "ScalingActive")
    )];
    if let Some(failure) = failed.first().and_then(|metric| metric.failure()) {
        sentences.push(format!("The error: {}.", cause(failure)));
        sentences.extend(remedy(cx, failed[0]));
    }
    sentences
}

pub(super) fn write_refused(cx: &ExplainContext<'_>) -> String {
    match cx.facts.rescale.map(|rescale| &rescale.write) {
        Some(ScaleWrite::Refused(error)) => {
            let message = error.message.trim_end_matches('.');
            if last_refusal(cx.facts.observation).is_none() {
                return format!("But the API server refuses to change the scale: {message}.");
            }
            // The condition's transition is no time to tell: it turns back and forth within every sync.
            format!(
                "But the API server refused the last change of the scale, and most likely refuses this one: {message}."
            )
        }
        _ => String::new(),
    }
}

pub(super) fn inputs_not_readable(cx: &ExplainContext<'_>) -> Vec<String> {
    let Decision::Unknown { missing, .. } = &cx.facts.trace.decision else {
        return Vec::new();
    };
    let noted = cx.context.not_read.iter().filter(|one| one.what.decides());
    let mut what: Vec<String> = missing
        .iter()
        .chain(noted)
        .map(|one| name_of(&one.what))
        .collect();
    what.sort();
    what.dedup();
    let mut sentences = vec![format!(
        "What decides cannot be read here: {}.",
        names(&what, 3)
    )];
    if missing.iter().any(|one| one.is_forbidden) {
        sentences.push("The rights that are missing stand below.".to_owned());
        let is_scale = |one: &NotRead| one.what == SnapshotField::Scale && one.is_forbidden;
        if missing.iter().any(is_scale) {
            let metrics = &cx.facts.observation.hpa.spec.metrics;
            sentences.push(needed_after_scale(metrics));
        }
    } else if missing.iter().any(|one| one.remedy.is_some()) {
        sentences.push("What is missing stands below.".to_owned());
    } else if let Some(first) = missing.first() {
        sentences.push(format!("Why: {}.", first.why.trim_end_matches('.')));
    }
    let status = &cx.facts.observation.hpa.status;
    if !status.conditions.is_empty() && cx.has_status_of_spec() {
        let values: Vec<String> = cx
            .facts
            .observation
            .hpa
            .spec
            .metrics
            .iter()
            .zip(&status.current_metrics)
            .map(|(metric, status)| crate::explain::status_text(metric, status))
            .collect();
        let values = if values.is_empty() {
            String::new()
        } else {
            format!(", {}", values.join(", "))
        };
        sentences.push(format!(
            "The controller last wrote: desired {}{values}.",
            status.desired_replicas
        ));
    }
    sentences
}

/// The rights to read what is asked for only where the scale says which pods: they would be missed next.
fn needed_after_scale(metrics: &[MetricSpec]) -> String {
    let mut rights = Vec::new();
    for metric in metrics {
        let also = match metric {
            MetricSpec::ContainerResource(_) | MetricSpec::Resource(_) => {
                "list pods.metrics.k8s.io".to_owned()
            }
            MetricSpec::Pods(source) => {
                format!("get pods/{} in custom.metrics.k8s.io", source.metric.name)
            }
            MetricSpec::External(_) | MetricSpec::Object(_) | MetricSpec::Unknown { .. } => {
                continue;
            }
        };
        if !rights.contains(&also) {
            rights.push(also);
        }
    }
    rights.insert(0, "list pods".to_owned());
    format!("Also needed: {}.", rights.join(", "))
}

/// The controller's error without the wrappers that only repeat which metric it is.
pub fn cause(failure: &MetricFailure) -> String {
    const BEGINNINGS: [&str; 9] = [
        "unable to fetch metrics from ",
        "no metrics returned ",
        "did not receive metrics ",
        "missing request for ",
        "missing pod-level request for ",
        "container ",
        "no pods returned ",
        "unable to get pods ",
        "failed to get container metrics: ",
    ];
    let text = failure.inner.as_str();
    let start = BEGINNINGS
        .iter()
        .filter_map(|beginning| {
            let start = text.find(&format!(": {beginning}"))?;
            Some(start + ": ".len())
        })
        .min();
    text[start.unwrap_or_default()..]
        .trim_end_matches('.')
        .to_owned()
}

/// ` (since 10:01:03, 31 min ago)`, if the condition is False, and has been for this reason.
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

/// What repairs the common failures, if the error or the state of the API says which it is.
fn remedy(cx: &ExplainContext<'_>, metric: &MetricFacts<'_>) -> Option<String> {
    pipeline::mismatch(cx, metric)
        .or_else(|| pipeline::in_short(cx, metric))
        .or_else(|| pods::missing_request_remedy(cx, metric))
        .or_else(|| remedy_of_gap(cx, metric))
        .or_else(|| remedy_of_error(&metric.failure()?.inner))
}

/// What a container without a request needs; up to 1.25 the controller does not say which it is.
fn remedy_of_gap(cx: &ExplainContext<'_>, metric: &MetricFacts<'_>) -> Option<String> {
    let Some(RequestGap::Container(container)) = &metric.requests?.gap else {
        return None;
    };
    let resource = metric.name();
    Some(if cx.facts.trace.switches.missing_request_names_pod {
        format!(
            "Give container {container} a {resource} request, or use a ContainerResource metric on another one."
        )
    } else {
        format!("Give every container of every pod a {resource} request.")
    })
}

/// By the message of the API server.
fn remedy_of_error(error: &str) -> Option<String> {
    if error.contains("the server could not find the requested resource")
        || error.contains("no custom metrics API")
    {
        return Some("The metrics API is not installed, or does not know this metric.".to_owned());
    }
    if error.contains("the server is currently unable to handle the request") {
        return Some(
            "The server behind the metrics API is down: kubectl get apiservices.".to_owned(),
        );
    }
    None
}

/// So many HPAs are named, and the others counted.
const MOST_NAMED: usize = 5;
