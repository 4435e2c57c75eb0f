//! HPA227 `pods-metric-is-counter`.

use super::entry::MetricEntry;
use crate::{Check, Cx, HpaSubject, RuleOutcome, Severity};

crate::declare_rule! {
    /// ## What it does
    /// Flags a Pods, Object or External metric whose name ends with `_total`, `_count` or `_sum`.
    /// It runs only if selected, because an adapter can serve a rate under the name of the counter.
    ///
    /// ## Why is this bad?
    /// A counter only grows.
    /// A target of 100 is passed after the first 100 requests.
    /// From then on every sync asks for more replicas, up to `maxReplicas`, until a restart resets the counter.
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
    ///     - type: Pods
    ///       pods:
    ///         metric:
    ///           name: http_requests_total
    ///         target:
    ///           type: AverageValue
    ///           averageValue: 100
    /// ```
    ///
    /// Use instead:
    /// ```yaml
    /// @@
    ///          metric:
    /// -          name: http_requests_total
    /// +          name: http_requests_per_second
    ///          target:
    /// ```
    ///
    /// ## Fix
    /// Serve and use a rate.
    ///
    /// ## References
    /// - [prometheus-adapter](https://github.com/kubernetes-sigs/prometheus-adapter)
    pub(crate) static RULE = {
        code: "HPA227",
        name: "pods-metric-is-counter",
        summary: "a metric looks like a counter that never falls",
        severity: Severity::Info,
        is_opt_in: true,
        check: Check::Hpa(check),
    }
}

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
