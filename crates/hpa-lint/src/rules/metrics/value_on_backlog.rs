//! HPA220 `value-on-backlog`.

use super::{entry::MetricEntry, words::words};
use crate::{Check, Cx, HpaSubject, Rule, RuleOutcome, Severity};

pub(crate) static RULE: Rule = Rule {
    code: "HPA220",
    name: "value-on-backlog",
    summary: "a Value target on a backlog runs to maxReplicas",
    severity: Severity::Warning,
    check: Check::Hpa(check),
    docs: include_str!("value_on_backlog.md"),
    file: file!(),
    ..Rule::BASE
};

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
