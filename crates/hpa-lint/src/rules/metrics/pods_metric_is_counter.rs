//! HPA227 `pods-metric-is-counter`.

use super::entry::MetricEntry;
use crate::{Check, Cx, HpaSubject, Rule, RuleOutcome, Severity};

pub(crate) static RULE: Rule = Rule {
    code: "HPA227",
    name: "pods-metric-is-counter",
    summary: "a metric looks like a counter that never falls",
    severity: Severity::Info,
    is_opt_in: true,
    check: Check::Hpa(check),
    docs: include_str!("pods_metric_is_counter.md"),
    file: file!(),
    ..Rule::BASE
};

fn check(cx: &Cx<'_, HpaSubject>) -> RuleOutcome {
    let named = MetricEntry::all(&cx.subject.spec)
        .filter_map(|entry| Some((entry, entry.identifier()?.name.as_str())));
    let counters = named.filter(|(_, name)| {
        let ends = ["_total", "_count", "_sum"];
        ends.iter().any(|end| name.ends_with(end))
    });
    Ok(counters
        .map(|(entry, name)| {
            cx.finding(entry.field("metric.name"))
                .message(format!("{name} looks like a counter, which only grows, so the replicas would never fall"))
                .help(format!("use the rate of {name}"))
        })
        .collect())
}
