//! HPA909 `request-drift`.

use hpa_engine::model::MetricSpec;

use crate::{
    Check, ConfigurableNumber, Cx, HpaSubject, Needs, RuleOutcome, Severity, ThresholdUnit,
    rules::resource_in_prose,
};

crate::declare_rule! {
    /// ## What it does
    /// Flags a Utilization metric if the requests of its pods changed by at least 20% (`percent`) during a recording while
    /// the target percentage stayed the same.
    ///
    /// ## Why is this bad?
    /// The target is a percentage of the requests: 50% of 200m is 100m, and 50% of 400m is 200m. If a
    /// VerticalPodAutoscaler or a tool doubles the requests, each pod gets twice the load before the HPA adds one.
    ///
    /// ## Example
    /// ```yaml history
    /// apiVersion: autoscaling/v2
    /// kind: HorizontalPodAutoscaler
    /// metadata:
    ///   name: web
    ///   namespace: shop
    /// spec:
    ///   scaleTargetRef:
    ///     apiVersion: apps/v1
    ///     kind: Deployment
    ///     name: web
    ///   minReplicas: 2
    ///   maxReplicas: 10
    ///   metrics:
    ///   - type: Resource
    ///     resource:
    ///       name: cpu
    ///       target:
    ///         type: Utilization
    ///         averageUtilization: 50
    /// ---
    /// # Each line holds until the next.
    /// history: |
    ///   time                  replicas  request  target
    ///   2026-11-02T08:00:00Z  4         200      50
    ///   2026-11-02T09:00:00Z  4         400      50
    ///   2026-11-02T10:00:00Z  -         -        -
    /// ```
    ///
    /// Use instead:
    /// ```yaml history
    /// @@
    ///    2026-11-02T08:00:00Z  4         200      50
    /// -  2026-11-02T09:00:00Z  4         400      50
    /// +  2026-11-02T09:00:00Z  4         400      25
    ///    2026-11-02T10:00:00Z  -         -        -
    /// ```
    ///
    /// ## Fix
    /// Scale the target with the requests, or use `averageValue`, which does not depend on them.
    ///
    /// ## References
    /// - [robusta-dev/krr#169](https://github.com/robusta-dev/krr/issues/169)
    pub(crate) static RULE = {
        code: "HPA909",
        name: "request-drift",
        summary: "the requests changed and the target did not",
        severity: Severity::Info,
        needs: Needs::History,
        thresholds: &[
            ConfigurableNumber {
                name: "percent",
                default: 20.0,
                unit: ThresholdUnit::Percent,
                summary: "change of the requests from which this is reported",
            },
        ],
        check: Check::Hpa(check),
    }
}

fn check(cx: &Cx<'_, HpaSubject>) -> RuleOutcome {
    let history = cx.history()?;
    let mut requests = history.samples.iter().filter_map(|sample| sample.request);
    let (Some((before, target)), Some((after, still))) = (requests.next(), requests.next_back())
    else {
        return Ok(Vec::new());
    };
    if target != still || before <= 0 {
        return Ok(Vec::new());
    }
    #[expect(clippy::cast_precision_loss, reason = "a change in percent")]
    let percent = (after - before) as f64 * 100.0 / before as f64;
    if percent.abs() < cx.threshold("percent") {
        return Ok(Vec::new());
    }
    let metrics = &cx.subject.spec.metrics;
    let index = metrics
        .iter()
        .position(|metric| metric.percent().is_some())
        .unwrap_or_default();
    let resource = metrics.get(index).map_or("", MetricSpec::short_name);
    let resource = resource_in_prose(resource);
    Ok(vec![
        cx.finding(format!("spec.metrics[{index}]"))
            .message(format!(
                "{resource} requests changed by {percent:+.0}% while the target stayed at {target}%, so the HPA scales at another load \
                 than before"
            ))
            .help(format!(
                "set averageUtilization to {target} × old request ÷ new request, or use averageValue"
            )),
    ])
}
