//! HPA220 `value-on-backlog`.

use super::{entry::MetricEntry, words::words};
use crate::{Check, Cx, HpaSubject, RuleOutcome, Severity};

crate::declare_rule! {
    /// ## What it does
    /// Flags a `Value` target of an Object or External metric whose name suggests a backlog.
    /// The words are queue, backlog, lag, pending, depth, messages and inflight.
    /// It is not flagged if another word suggests a rate, a time or a share.
    ///
    /// ## Why is this bad?
    /// A `Value` target multiplies the ready pods by usage divided by target.
    /// A backlog does not shrink because more pods exist, but only after they have worked it off.
    /// With a target of 100 and a backlog that stays at 200, 2 pods become 4, then 8, then 16, up to `maxReplicas`.
    /// An `averageValue` of 50 asks for 200 / 50 = 4 replicas, and for 4 again in the next sync.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: autoscaling/v2
    /// kind: HorizontalPodAutoscaler
    /// metadata:
    ///   name: web
    /// spec:
    ///   scaleTargetRef:
    ///     apiVersion: apps/v1
    ///     kind: Deployment
    ///     name: web
    ///   minReplicas: 2
    ///   maxReplicas: 10
    ///   metrics:
    ///     - type: External
    ///       external:
    ///         metric:
    ///           name: rabbitmq_queue_messages_ready
    ///           selector:
    ///             matchLabels:
    ///               queue: mail
    ///         target:
    ///           type: Value
    ///           value: 100
    /// ```
    ///
    /// Use instead:
    /// ```yaml
    /// @@
    ///          target:
    /// -          type: Value
    /// -          value: 100
    /// +          type: AverageValue
    /// +          averageValue: 50
    /// ```
    ///
    /// ## Fix
    /// Use `AverageValue` with the backlog that one pod should handle.
    ///
    /// ## References
    /// - [`GetExternalMetricReplicas` in replica_calculator.go](https://github.com/kubernetes/kubernetes/blob/master/pkg/controller/podautoscaler/replica_calculator.go)
    /// - [kubernetes#79272](https://github.com/kubernetes/kubernetes/issues/79272), [kubernetes#87797](https://github.com/kubernetes/kubernetes/issues/87797), [kubernetes#123296](https://github.com/kubernetes/kubernetes/issues/123296)
    pub(crate) static RULE = {
        code: "HPA220",
        name: "value-on-backlog",
        summary: "a Value target on a backlog runs to maxReplicas",
        severity: Severity::Warning,
        check: Check::Hpa(check),
    }
}

fn check(cx: &Cx<'_, HpaSubject>) -> RuleOutcome {
    let values = MetricEntry::all(&cx.subject.spec).filter(|entry| entry.is_value());
    let backlogs = values.filter_map(|entry| {
        let name = &entry.identifier()?.name;
        is_backlog(name).then_some((entry, name))
    });
    Ok(backlogs
        .map(|(entry, name)| {
            cx.finding(entry.field("target.value"))
                .message(format!(
                    "a Value target on {name} is multiplied by the ready pods, so it asks for more replicas in every \
                     sync while the backlog lasts"
                ))
                .help("use type AverageValue with the backlog that one pod should handle")
        })
        .collect())
}

fn is_backlog(name: &str) -> bool {
    let words = words(name);
    let has = |of: &[&str]| words.iter().any(|word| of.contains(&&**word));
    has(&[
        "queue", "queues", "backlog", "lag", "pending", "depth", "messages", "inflight",
    ]) && !has(RATES)
        && !has(TIMES)
        && !has(SHARES)
}

const RATES: &[&str] = &["rate", "per"];

const TIMES: &[&str] = &[
    "age",
    "duration",
    "latency",
    "milliseconds",
    "ms",
    "seconds",
    "time",
    "wait",
];

const SHARES: &[&str] = &["percent", "ratio", "utilization"];

#[cfg(test)]
mod tests {
    #[test]
    fn words_of_a_name_count_and_rates_times_and_shares_are_no_backlog() {
        for name in [
            "kafka_consumergroup_lag",
            "ApproximateNumberOfMessagesVisible",
            "s0-rabbitmq-queue",
            "pubsub.googleapis.com|subscription|num_undelivered_messages",
            "queueLength",
            "waiting_messages",
            "timeline-queue",
        ] {
            assert!(super::is_backlog(name), "{name}");
        }
        for name in [
            "feature_flags",
            "messages_per_second",
            "queue_latency_seconds",
            "queue_wait_time_ms",
            "queueWaitMilliseconds",
            "queue_utilization",
            "queue-fill-ratio",
            "queue.used.percent",
            "http_requests",
            "rate(messages)",
        ] {
            assert!(!super::is_backlog(name), "{name}");
        }
    }
}
