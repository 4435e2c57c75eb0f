//! HPA505 `non-cpu-startup`.

use super::start::longest_start;
use crate::{
    lint::{
        Check, ConfigurableNumber, Cx, HpaSubject, Needs, RuleOutcome, Severity, ThresholdUnit,
    },
    model::MetricSpec,
};

crate::lint::declare_rule! {
    /// ## What it does
    /// Flags an HPA with a Pods metric whose target's probes allow a start of more than 120 s (`start`): the largest
    /// `initialDelaySeconds + failureThreshold × periodSeconds` of the startup probes of its containers, or
    /// `initialDelaySeconds + successThreshold × periodSeconds` of their readiness probes, whose failures do not end a start.
    ///
    /// ## Why is this bad?
    /// Only CPU samples of starting pods are left out. A Pods metric is taken from a pod as soon as it exports one: a queue length or
    /// a latency of a pod that warms up enters the average, and 0 of pods that do not serve yet pulls it down.
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
    ///   - type: Pods
    ///     pods: {metric: {name: requests_per_second}, target: {type: AverageValue, averageValue: "50"}}
    /// ---
    /// apiVersion: apps/v1
    /// kind: Deployment
    /// metadata:
    ///   name: web
    /// spec:
    ///   selector: {matchLabels: {app: web}}
    ///   template:
    ///     metadata: {labels: {app: web}}
    ///     spec:
    ///       containers:
    ///       - name: main
    ///         startupProbe: {httpGet: {path: /, port: 80}, failureThreshold: 30}
    /// ```
    ///
    /// Use instead:
    /// ```yaml
    /// @@
    ///        - name: main
    /// -        startupProbe: {httpGet: {path: /, port: 80}, failureThreshold: 30}
    /// +        startupProbe: {httpGet: {path: /, port: 80}, failureThreshold: 10}
    /// ```
    ///
    /// ## Fix
    /// Export the metric only once the pod is ready, or filter the query by readiness.
    ///
    /// ## References
    /// - Kubernetes, `replica_calculator.go`: `groupPods`; kubernetes/kubernetes#87199
    pub(crate) static RULE = {
        code: "HPA505",
        name: "non-cpu-startup",
        summary: "a metric of pods has no start-up grace, and the pods start slowly",
        severity: Severity::Info,
        needs: Needs::Related,
        thresholds: &[
            ConfigurableNumber { name: "start", default: 120.0, unit: ThresholdUnit::Seconds, summary: "start that is slow beyond that" },
        ],
        check: Check::Hpa(check),
    }
}

fn check(cx: &Cx<'_, HpaSubject>) -> RuleOutcome {
    let metrics = cx.subject.spec.metrics.iter().enumerate();
    let of_pods: Vec<(usize, &str)> = metrics
        .filter_map(|(index, metric)| match metric {
            MetricSpec::Pods(source) => Some((index, source.metric.name.as_str())),
            _ => None,
        })
        .collect();
    if of_pods.is_empty() {
        return Ok(Vec::new());
    }
    let workload = cx.template_workload()?;
    let Some(start) = longest_start(workload.pod_template()?) else {
        return Ok(Vec::new());
    };
    #[expect(clippy::cast_possible_truncation, reason = "seconds of a start")]
    let most = cx.threshold("start") as i64;
    if start.seconds <= most {
        return Ok(Vec::new());
    }
    let findings = of_pods.into_iter().map(|(index, name)| {
        cx.finding(format!("spec.metrics[{index}]"))
            .message(format!(
                "{name} has no start-up grace, and pods may take {} s to start",
                start.seconds
            ))
            .help("export it only once a pod is ready, or filter the query by readiness")
            .related(
                workload.object.clone(),
                start.path.clone(),
                "allows that long a start",
            )
    });
    Ok(findings.collect())
}
