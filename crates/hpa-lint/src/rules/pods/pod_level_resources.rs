//! HPA509 `pod-level-resources`.

use crate::{
    lint::{Check, Cx, HpaSubject, Needs, RuleOutcome, Severity},
    model::{MetricSpec, Quantity, find_resource},
    rules::resource_in_prose,
};

crate::lint::declare_rule! {
    /// ## What it does
    /// Flags a target whose pod template has a pod-level request (`spec.resources.requests`) for the resource of a
    /// Utilization metric.
    ///
    /// ## Why is this bad?
    /// With the feature gate `PodLevelResources` (on by default since Kubernetes 1.34) the controller divides by the
    /// pod-level request. Before 1.34, and without the gate, it divides by the sum over the containers. Take a pod-level
    /// request of 1 core and containers that request 500m together. An upgrade halves the utilization: 80% becomes 40%, and
    /// the HPA removes half of the pods.
    ///
    /// Up to Kubernetes 1.37 the overhead of the pod's RuntimeClass counts on top of a pod-level request. From 1.38 on it does
    /// not, so the utilization goes up with the upgrade.
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
    ///   - type: Resource
    ///     resource: {name: cpu, target: {type: Utilization, averageUtilization: 70}}
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
    ///       resources: {requests: {cpu: 1}}
    ///       containers:
    ///       - name: main
    ///         resources: {requests: {cpu: 100m}}
    /// ```
    ///
    /// Use instead:
    /// ```yaml
    /// @@
    ///      spec:
    /// -      resources: {requests: {cpu: 1}}
    ///        containers:
    /// ```
    ///
    /// ## Fix
    /// Set the metric target for the request that counts in your version. If your clusters differ, make both requests
    /// equal.
    ///
    /// ## References
    /// - Kubernetes, [`replica_calculator.go`](https://github.com/kubernetes/kubernetes/blob/master/pkg/controller/podautoscaler/replica_calculator.go): `calculateRequests`
    /// - [KEP-2837](https://github.com/kubernetes/enhancements/issues/2837)
    /// - [kubernetes/kubernetes#142154](https://github.com/kubernetes/kubernetes/issues/142154)
    pub(crate) static RULE = {
        code: "HPA509",
        name: "pod-level-resources",
        summary: "a pod-level request is the denominator of utilization",
        severity: Severity::Info,
        needs: Needs::Related,
        check: Check::Hpa(check),
    }
}

fn check(cx: &Cx<'_, HpaSubject>) -> RuleOutcome {
    let metrics = cx.subject.spec.metrics.iter().enumerate();
    let utilizations: Vec<(usize, &str)> = metrics
        .filter_map(|(index, metric)| match metric {
            MetricSpec::Resource(source) => {
                source.metric_target.average_utilization?;
                Some((index, source.name.as_str()))
            }
            _ => None,
        })
        .collect();
    if utilizations.is_empty() {
        return Ok(Vec::new());
    }
    let workload = cx.template_workload()?;
    let template = workload.pod_template()?;
    let switches = cx.switches();
    let findings = utilizations.into_iter().filter_map(|(index, resource)| {
        let value = find_resource(&template.requests, resource)?;
        let requests = template
            .counted(switches.sidecar_requests)
            .filter_map(|container| container.request(resource));
        let sum = requests.fold(None, |sum: Option<Quantity>, request| {
            Some(sum.map_or_else(|| request.clone(), |sum| sum.plus(request)))
        });
        let sum = sum.map_or_else(|| "0".to_owned(), |sum| sum.to_string());
        let in_prose = resource_in_prose(resource);
        let message = if switches.pod_level_requests {
            format!(
                "utilization is a percentage of the pod-level {in_prose} request {value}; before Kubernetes 1.34 it is a percentage of the \
                 containers' sum {sum}"
            )
        } else {
            format!(
                "utilization is a percentage of the containers' {in_prose} sum {sum}; since Kubernetes 1.34 it is a percentage of the \
                 pod-level request {value}"
            )
        };
        let finding = cx
            .finding(format!("spec.metrics[{index}]"))
            .message(message)
            .help("set averageUtilization for the request that counts in your version, or make both requests equal")
            .related(
                workload.object.clone(),
                "spec.template.spec.resources.requests",
                "the request of the pod as a whole",
            );
        Some(finding)
    });
    Ok(findings.collect())
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::{
        lint::testing::{findings, hpa_and_workload, report_with, texts},
        model::{ControllerConfig, Input, KubeVersion},
    };

    #[test]
    fn which_request_counts_depends_on_the_version() {
        let container = "{name: a, resources: {requests: {cpu: 200m}}}";
        let containers = format!("[{container}, {container}]");
        let spec = format!(
            "  template: {{spec: {{resources: {{requests: {{cpu: 1}}}}, containers: {containers}}}}}"
        );
        let yaml = hpa_and_workload("Deployment", "", &spec);
        assert_eq!(
            findings(&RULE, &yaml),
            [
                "info spec.metrics[0]: utilization is a percentage of the pod-level CPU request 1; before Kubernetes 1.34 it is a percentage of the containers' sum 400m"
            ]
        );
        let before = report_with(&RULE, &yaml, |settings| {
            let version = KubeVersion {
                minor: 33,
                patch: None,
            };
            settings.configs = vec![ControllerConfig::defaults(Input::given(version))];
        });
        assert_eq!(
            texts(&before),
            [
                "info spec.metrics[0]: utilization is a percentage of the containers' CPU sum 400m; since Kubernetes 1.34 it is a percentage of the pod-level request 1"
            ]
        );
    }
}
