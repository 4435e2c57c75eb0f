//! A metric cannot be read.

use hpa_diagnosis::failing_metric::Blocked;
use hpa_engine::model::MetricStatus;
use hpa_explain::{MetricFacts, failure_cause};

use super::{
    AlarmKind,
    cause::AlarmCause,
    conditions::{AlarmCondition, AlarmContext, without_numbers},
};

/// Holds for each metric that fails, and says what follows from it.
pub(super) fn check(cx: &AlarmContext<'_>) -> Vec<AlarmCondition> {
    let effect = match Blocked::of(cx.facts.trace) {
        Some(Blocked::Scaling) => "nothing is scaled",
        Some(Blocked::ScalingDown) | None => "nothing is scaled down",
    };
    cx.facts
        .metrics
        .iter()
        .filter_map(|metric| condition(cx, metric, effect))
        .collect()
}

fn condition(
    cx: &AlarmContext<'_>,
    metric: &MetricFacts<'_>,
    effect: &str,
) -> Option<AlarmCondition> {
    let cause = failure_cause(metric.failure()?);
    let name = metric.full_name();
    let status = &cx.facts.observation.hpa.status;
    let is_written = matches!(
        status.current_metrics.get(metric.evaluation.index),
        Some(MetricStatus::Failed)
    );
    // The condition is false as long as nothing can be scaled, whichever metric causes it.
    let active = cx
        .condition("ScalingActive")
        .filter(|active| active.status == "False" && active.reason != "ScalingDisabled");
    Some(AlarmCondition {
        since: active.and_then(|active| cx.since(active)),
        gist: without_numbers(&cause),
        // An API that starts again has other errors for a moment.
        settles: cx.period,
        subject: name.clone(),
        cause: of_api(cx, metric),
        ..cx.of_decision(
            AlarmKind::InvalidMetric,
            format!(
                "{name} cannot be {}: {effect} ({cause})",
                metric.what_fails()
            ),
            is_written || active.is_some(),
        )
    })
}

/// The failure of the API, which affects all HPAs of the namespace that use it. A custom or external metric that the
/// API does not know affects only this metric.
fn of_api(cx: &AlarmContext<'_>, metric: &MetricFacts<'_>) -> Option<AlarmCause> {
    let error = metric.read?.error.as_ref()?;
    let spec = metric.spec?;
    let api = spec.api_group()?;
    if spec.resource().is_none() && error.code < FIRST_SERVER_ERROR {
        return None;
    }
    let key = format!("{api} of {}", cx.hpa.latest.hpa.namespace);
    let answer = match error.code {
        0 => "cannot be read".to_owned(),
        code => format!("answers {code}"),
    };
    Some(AlarmCause {
        text: format!("{key} {answer}"),
        key,
    })
}

/// HTTP statuses from here on are failures of the server.
const FIRST_SERVER_ERROR: u16 = 500;
