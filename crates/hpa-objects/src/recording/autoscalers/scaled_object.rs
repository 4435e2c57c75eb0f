//! KEDA's `ScaledObject`.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::Value;

use super::pointer::at;
use crate::recording::{
    marks,
    wire::{Fallback, ScaledObject, Trigger},
};

/// Fields of a `ScaledObject` besides its bounds. An unreadable field does not affect the others.
pub fn scaled_object(object: &Value) -> ScaledObject {
    let triggers = object.pointer("/spec/triggers").and_then(Value::as_array);
    ScaledObject {
        idle_replicas: at(object, "/spec/idleReplicaCount"),
        cooldown_period: at(object, "/spec/cooldownPeriod"),
        polling_interval: at(object, "/spec/pollingInterval"),
        triggers: triggers.into_iter().flatten().map(trigger).collect(),
        fallback: at::<Fallback>(object, "/spec/fallback"),
        has_formula: at::<String>(object, "/spec/advanced/scalingModifiers/formula")
            .is_some_and(|formula| !formula.is_empty()),
        annotations: marks::of_object(object)
            .into_iter()
            .filter(|(name, _)| name.contains("keda.sh/"))
            .collect(),
        conditions: at(object, "/status/conditions").unwrap_or_default(),
        last_active: at(object, "/status/lastActiveTime"),
        failing: failing(object),
    }
}

fn trigger(object: &Value) -> Trigger {
    let metadata = object.get("metadata").and_then(Value::as_object);
    Trigger {
        trigger_type: at(object, "/type").unwrap_or_default(),
        name: at(object, "/name"),
        metric_type: at(object, "/metricType"),
        uses_cache: at(object, "/useCachedMetrics").unwrap_or_default(),
        metadata: metadata
            .into_iter()
            .flatten()
            .filter_map(|(name, value)| Some((name.clone(), value.as_str()?.to_owned())))
            .collect(),
    }
}

/// Keeps only thresholds, names and `PromQL` in the metadata of triggers: the rest can contain addresses and credentials.
pub(super) fn redacted(mut object: ScaledObject) -> ScaledObject {
    for trigger in &mut object.triggers {
        let thresholds: Vec<String> = trigger
            .metadata
            .keys()
            .filter_map(|name| name.strip_prefix(ACTIVATION))
            .map(str::to_lowercase)
            .collect();
        trigger.metadata.retain(|name, _| {
            name.starts_with(ACTIVATION)
                || thresholds.contains(&name.to_lowercase())
                || KEPT.contains(&name.as_str())
                || trigger.trigger_type == PROMETHEUS && QUERY.contains(&name.as_str())
        });
    }
    object
}

fn failing(object: &Value) -> BTreeMap<String, i32> {
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase", default)]
    #[derive(Default)]
    struct Health {
        number_of_failures: i32,
        status: String,
    }
    let health: BTreeMap<String, Health> = at(object, "/status/health").unwrap_or_default();
    health
        .into_iter()
        .filter(|(_, health)| health.status == "Failing")
        .map(|(name, health)| (name, health.number_of_failures))
        .collect()
}

/// The prefix of activation thresholds. The name of the threshold follows it.
const ACTIVATION: &str = "activation";

/// Keys that name the metric, say when a trigger is active, or how the number is interpreted.
const KEPT: [&str; 24] = [
    "consumerGroup",
    "containerName",
    "depthThreshold",
    "desiredReplicas",
    "end",
    "lagCount",
    "lagThreshold",
    "listLength",
    "listName",
    "messageCount",
    "metricName",
    "mode",
    "queueLength",
    "queueName",
    "start",
    "streamName",
    "subscriptionName",
    "targetMetricValue",
    "targetValue",
    "threshold",
    "timezone",
    "topic",
    "type",
    "value",
];

/// The type of the triggers whose query is kept. Queries of others can be of any database.
const PROMETHEUS: &str = "prometheus";

/// Keys of the query, and of what no result means.
const QUERY: [&str; 2] = ["ignoreNullValues", "query"];

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn addresses_and_credentials_of_a_trigger_are_not_kept() {
        let object = json!({
            "metadata": {"annotations": {
                "autoscaling.keda.sh/paused-scale-in": "true",
                "example.com/password": "hunter2",
            }},
            "spec": {"triggers": [{
                "type": "rabbitmq",
                "metadata": {
                    "host": "amqp://user:hunter2@rabbit", "password": "hunter2",
                    "queueName": "mail", "mode": "QueueLength", "value": "20",
                    "activationValue": "5", "activationFooCount": "1", "fooCount": "7",
                },
            }]},
            "status": {"health": {
                "s0-rabbitmq-mail": {"numberOfFailures": 4, "status": "Failing"},
                "s1-cron": {"numberOfFailures": 0, "status": "Happy"},
            }},
        });
        let read = redacted(scaled_object(&object));
        let kept: Vec<&str> = read.triggers[0]
            .metadata
            .keys()
            .map(String::as_str)
            .collect();
        assert_eq!(
            kept,
            [
                "activationFooCount",
                "activationValue",
                "fooCount",
                "mode",
                "queueName",
                "value"
            ]
        );
        assert_eq!(read.annotations.len(), 1);
        assert_eq!(
            read.failing,
            BTreeMap::from([("s0-rabbitmq-mail".to_owned(), 4)])
        );
    }
}
