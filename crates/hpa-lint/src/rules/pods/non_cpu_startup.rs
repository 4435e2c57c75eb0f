//! HPA505 `non-cpu-startup`.

use super::start::longest_start;
use crate::{
    Check, ConfigurableNumber, Cx, HpaSubject, Needs, RuleOutcome, Severity, ThresholdUnit,
};

crate::declare_rule! {
    /// ## What it does
    /// Flags an HPA with a Pods metric whose target's probes allow a startup of more than 120 s (`start`). It takes the
    /// longest startup that the probes of the containers allow:
    ///
    /// - startup probes: `initialDelaySeconds + failureThreshold × periodSeconds`
    /// - readiness probes: `initialDelaySeconds + successThreshold × periodSeconds`, because a failing readiness probe does
    ///   not end a startup
    ///
    /// ## Why is this bad?
    /// The controller leaves out samples of starting pods only for CPU. It takes a Pods metric from a pod as soon as the
    /// pod exports it. A queue length or a latency of a pod that warms up enters the average. A 0 from pods that do not
    /// serve yet lowers the average.
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
    /// - Kubernetes, [`replica_calculator.go`](https://github.com/kubernetes/kubernetes/blob/master/pkg/controller/podautoscaler/replica_calculator.go): `groupPods`
    /// - [kubernetes/kubernetes#87199](https://github.com/kubernetes/kubernetes/issues/87199)
    pub(crate) static RULE = {
        code: "HPA505",
        name: "non-cpu-startup",
        summary: "a Pods metric counts starting pods, and the pods start slowly",
        severity: Severity::Info,
        needs: Needs::Related,
        thresholds: &[
            ConfigurableNumber { name: "start", default: 120.0, unit: ThresholdUnit::Seconds, summary: "startup above which this is reported" },
        ],
        check: Check::Hpa(check),
    }
}

fn check(cx: &Cx<'_, HpaSubject>) -> RuleOutcome {
    let metrics = cx.subject.spec.metrics.iter().enumerate();
    let of_pods: Vec<(usize, &str)> = metrics
        .filter(|(_, metric)| metric.is_pods())
        .map(|(index, metric)| (index, metric.short_name()))
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
                "metric {name} also counts starting pods, which can take {} s to start, so they can distort the average",
                start.seconds
            ))
            .help("export the metric only once a pod is ready, or filter its query by readiness")
            .related(
                workload.object.clone(),
                start.path.clone(),
                "allows this startup",
            )
    });
    Ok(findings.collect())
}
