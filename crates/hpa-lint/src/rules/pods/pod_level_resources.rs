//! HPA509 `pod-level-resources`.

use crate::{
    lint::{Check, Cx, HpaSubject, Needs, RuleOutcome, Severity},
    model::{MetricSpec, Quantity, find_resource},
};

crate::lint::declare_rule! {
    /// ## What it does
    /// Flags a target whose pod template has a pod-level request (`spec.resources.requests`) for the resource of a Utilization
    /// metric.
    ///
    /// ## Why is this bad?
    /// With the feature gate `PodLevelResources` (on by default from Kubernetes 1.34) the controller divides by the pod-level request,
    /// before that and without it by the sum over the containers. A pod with a pod-level request of 1 core and containers that
    /// request 500m together has half the utilization after an upgrade: 80% becomes 40%, and half of the pods go.
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
    /// Know which it is, and set the target for it. If the cluster may be either, make both numbers the same.
    ///
    /// ## References
    /// - Kubernetes, `replica_calculator.go`: `calculateRequests`; KEP-2837; kubernetes/kubernetes#142154
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
        let message = if switches.pod_level_requests {
            format!(
                "pod-level {resource} request {value} is the denominator instead of the container sum {sum}"
            )
        } else {
            format!(
                "pod-level {resource} request {value} does not count; the container sum {sum} is the denominator"
            )
        };
        let finding = cx
            .finding(format!("spec.metrics[{index}]"))
            .message(message)
            .help("it depends on version and feature gate PodLevelResources; set the target for the one that counts")
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
                "info spec.metrics[0]: pod-level cpu request 1 is the denominator instead of the container sum 400m"
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
                "info spec.metrics[0]: pod-level cpu request 1 does not count; the container sum 400m is the \
                 denominator"
            ]
        );
    }
}
