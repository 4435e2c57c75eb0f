//! Which trigger serves which metric, and its two thresholds.

use hpa_engine::model::{MetricSpec, MetricTarget, Trigger};
use hpa_words::amount::count;

use super::owner::Keda;
use crate::{
    context::{NoteView, NoteWeight},
    metric_names::{MetricName, metric_names},
};

/// One note for each metric that KEDA serves.
pub(super) fn notes(keda: &Keda<'_>) -> Vec<NoteView> {
    let metrics = &keda.cx.facts.observation.hpa.spec.metrics;
    let external = metrics.iter().filter(|metric| metric.is_external()).count();
    metrics
        .iter()
        .zip(metric_names(metrics))
        .enumerate()
        .filter_map(|(index, (metric, name))| {
            let (text, is_plain) = text(keda, &name, metric)?;
            let is_deciding = keda
                .cx
                .facts
                .metrics
                .iter()
                .filter(|one| one.evaluation.index == index)
                .any(|one| one.failure().is_some())
                || keda
                    .cx
                    .facts
                    .winner()
                    .is_some_and(|winner| winner.evaluation.index == index);
            let weight = if is_plain || (MANY < external && !is_deciding) {
                NoteWeight::Detail
            } else {
                NoteWeight::Normal
            };
            Some(Keda::note(weight, text))
        })
        .collect()
}

/// The trigger of a metric, and whether the metric's name already says so.
fn text(keda: &Keda<'_>, name: &MetricName, metric: &MetricSpec) -> Option<(String, bool)> {
    let name = &name.short;
    if let Some(resource) = metric.resource() {
        let mut triggers = keda.object.triggers.iter();
        let number = triggers.position(|trigger| trigger.trigger_type == resource)?;
        return Some((format!("{name} is trigger {number}."), true));
    }
    let source = metric.external_identifier()?;
    if source.name == "composite-metric" {
        let triggers = count(keda.object.triggers.len(), "trigger");
        let text = format!("{name} is the formula of advanced.scalingModifiers over {triggers}.");
        return Some((text, false));
    }
    let number = number(&source.name)?;
    let text = match keda.object.triggers.get(number) {
        None => format!(
            "{name} is trigger {number}, which ScaledObject {} no longer has: KEDA has not updated the HPA.",
            keda.name
        ),
        Some(trigger) => format!(
            "{name} is trigger {number}, {}: scales at {}; {}.",
            described(trigger),
            scaling(metric.target()?),
            activation(keda, trigger)
        ),
    };
    Some((text, false))
}

/// The index in `s0-rabbitmq-mail`.
fn number(metric: &str) -> Option<usize> {
    metric.strip_prefix('s')?.split_once('-')?.0.parse().ok()
}

/// `rabbitmq (queueName mail, mode QueueLength)`.
fn described(trigger: &Trigger) -> String {
    let mut parts: Vec<String> = trigger
        .name
        .iter()
        .map(|name| format!("named {name}"))
        .collect();
    parts.extend(
        trigger
            .metadata
            .iter()
            .filter(|(name, _)| NAMES.contains(&name.as_str()))
            .map(|(name, value)| format!("{name} {value}")),
    );
    if trigger.uses_cache {
        parts.push("useCachedMetrics".to_owned());
    }
    if parts.is_empty() {
        trigger.trigger_type.clone()
    } else {
        format!("{} ({})", trigger.trigger_type, parts.join(", "))
    }
}

/// The threshold of the HPA.
fn scaling(metric_target: &MetricTarget) -> String {
    match (&metric_target.average_value, &metric_target.value) {
        (Some(average), _) => format!("{average} a replica (AverageValue)"),
        (None, Some(value)) => format!("{value} in all (Value)"),
        (None, None) => "no threshold".to_owned(),
    }
}

/// The threshold of KEDA's own step.
fn activation(keda: &Keda<'_>, trigger: &Trigger) -> String {
    let set = trigger
        .metadata
        .iter()
        .find(|(name, _)| name.starts_with("activation"));
    match (set, keda.has_a_step()) {
        (Some((name, value)), true) => format!("active above {value} ({name})"),
        (Some((name, value)), false) => format!(
            "{name} {value} has no effect, as minReplicaCount is {}",
            keda.min
        ),
        (None, true) if trigger.trigger_type == "cron" => "active from start to end".to_owned(),
        (None, true) => "active above 0".to_owned(),
        (None, false) => "whether it is active has no effect".to_owned(),
    }
}

/// Keys of the metadata that name what is measured.
const NAMES: [&str; 13] = [
    "consumerGroup",
    "containerName",
    "desiredReplicas",
    "end",
    "listName",
    "metricName",
    "mode",
    "queueName",
    "start",
    "streamName",
    "subscriptionName",
    "timezone",
    "topic",
];

/// Up to this many metrics are all listed.
const MANY: usize = 3;
