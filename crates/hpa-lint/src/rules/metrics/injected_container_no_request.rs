//! HPA205 `injected-container-no-request`.

use std::collections::BTreeSet;

use hpa_engine::model::Pod;
use hpa_words::amount::resource_in_prose;

use super::{
    entry::{Utilization, utilizations},
    injection::{self, Injected},
    target_pod::{TargetPod, is_of_template, live_pods, without_request},
};
use crate::{
    Basis, Check, Cx, Finding, HpaSubject, Needs, Rule, RuleOutcome, Severity, world::PodTemplate,
};

pub(crate) static RULE: Rule = Rule {
    code: "HPA205",
    name: "injected-container-no-request",
    summary: "an injected container has no request",
    severity: Severity::Error,
    needs: Needs::Related,
    check: Check::Hpa(check),
    docs: include_str!("injected_container_no_request.md"),
    file: file!(),
    ..Rule::BASE
};

fn check(cx: &Cx<'_, HpaSubject>) -> RuleOutcome {
    let mut metrics = utilizations(&cx.subject.spec);
    // Other containers do not affect a metric that names its container.
    metrics.retain(|metric| metric.container.is_none());
    if metrics.is_empty() {
        return Ok(Vec::new());
    }
    if let Some(pods) = live_pods(cx) {
        return Ok(of_pods(cx, &metrics, &pods));
    }
    let target = TargetPod::of(cx)?;
    let template = target.workload.pod_template()?;
    let mut findings = Vec::new();
    for metric in &metrics {
        if target.states_requests_as_a_whole(metric) {
            continue;
        }
        for injected in injection::of(cx.world, template, &target.workload.object.namespace) {
            if !injected.sets_request(template, metric.resource) {
                findings.push(unverified(cx, metric, &injected, (&target, template)));
            }
        }
    }
    Ok(findings)
}

fn of_pods(cx: &Cx<'_, HpaSubject>, metrics: &[Utilization<'_>], pods: &[&Pod]) -> Vec<Finding> {
    let switches = cx.switches();
    let mut findings = Vec::new();
    for metric in metrics {
        let mut known = BTreeSet::new();
        for pod in pods {
            for container in without_request(&switches, pod, metric) {
                let name = &*container.name;
                if is_of_template(cx, name) || !known.insert(name) {
                    continue;
                }
                let resource = resource_in_prose(metric.resource);
                findings.push(
                    cx.finding(metric.entry.field("target.averageUtilization"))
                        .basis(Basis::Live)
                        .message(format!(
                            "pod {} has the injected container {name} without a {resource} request, so {resource} \
                             utilization cannot be computed for any pod",
                            pod.name
                        ))
                        .help(
                            "set its request by annotation or in the injector, or use a ContainerResource metric",
                        ),
                );
            }
        }
    }
    findings
}

fn unverified(
    cx: &Cx<'_, HpaSubject>,
    metric: &Utilization<'_>,
    injected: &Injected<'_>,
    (target, template): (&TargetPod<'_>, &PodTemplate),
) -> Finding {
    let (key, resource) = (injected.key, resource_in_prose(metric.resource));
    let finding = cx.finding(metric.entry.field("target.averageUtilization"));
    let finding = if injected.has_default_request(template, metric.resource) {
        finding.severity(Severity::Info).message(format!(
            "{key} injects a container, so its {resource} request, the default of the injector, counts in the \
             utilization"
        ))
    } else {
        finding.severity(Severity::Warning).message(format!(
            "{key} injects a container whose {resource} request cannot be verified; without one, {resource} utilization \
             cannot be computed"
        ))
    };
    let finding = match injected.request_key(metric.resource) {
        Some(key) => finding.help(format!("set its request with the annotation {key}")),
        None => finding.help("set its request in the injector, or use a ContainerResource metric"),
    };
    match injected.namespace {
        Some(namespace) => finding.related(namespace.clone(), "metadata", key),
        None => finding.related(
            target.workload.object.clone(),
            "spec.template.metadata",
            key,
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::testing::{findings, hpa_and_workload, report_observed, table, table_of};

    const CPU: &str = "  metrics: [{type: Resource, resource: {name: cpu, target: {type: Utilization, averageUtilization: 80}}}]";

    #[test]
    fn a_namespace_may_inject_and_a_pod_may_refuse() {
        table(
            &RULE,
            |[template, namespace]| {
                format!(
                    "
apiVersion: autoscaling/v1
kind: HorizontalPodAutoscaler
metadata: {{name: web, namespace: shop}}
spec:
  scaleTargetRef: {{apiVersion: apps/v1, kind: Deployment, name: web}}
  maxReplicas: 3
---
apiVersion: apps/v1
kind: Deployment
metadata: {{name: web, namespace: shop}}
spec:
  template:
    metadata: {{{template}}}
    spec: {{containers: [{{name: app, resources: {{requests: {{cpu: 1}}}}}}]}}
---
apiVersion: v1
kind: Namespace
metadata: {{name: shop, {namespace}}}
"
                )
            },
            r"
a namespace of Istio | labels: {app: web} | labels: {istio-injection: enabled}
  info spec.metrics[0].resource.target.averageUtilization: istio-injection injects a container, so its CPU request, the default of the injector, counts in the utilization
a namespace of Linkerd | labels: {app: web} | annotations: {linkerd.io/inject: enabled}
  warning spec.metrics[0].resource.target.averageUtilization: linkerd.io/inject injects a container whose CPU request cannot be verified; without one, CPU utilization cannot be computed
a pod of Dapr | annotations: {dapr.io/enabled: 'true'} | => warning …
a pod of Vault | annotations: {vault.hashicorp.com/agent-inject: 'true'} | => info …
Vault without a request | annotations: {vault.hashicorp.com/agent-inject: 'true', vault.hashicorp.com/agent-requests-cpu: ''} | => warning …
a pod that refuses | labels: {sidecar.istio.io/inject: 'false'} | labels: {istio-injection: enabled}
a pod that sets the request | annotations: {sidecar.istio.io/proxyCPU: 10m} | labels: {istio-injection: enabled}
a request of the namespace | labels: {app: web} | annotations: {linkerd.io/inject: enabled, config.linkerd.io/proxy-cpu-request: 100m}
a pod inherits it | annotations: {linkerd.io/inject: enabled} | annotations: {linkerd.io/inject: enabled, config.linkerd.io/proxy-cpu-request: 100m}
another resource of the namespace | labels: {app: web} | annotations: {linkerd.io/inject: enabled, config.linkerd.io/proxy-memory-request: 20Mi} => warning …
what Istio reads only from pods | labels: {app: web} | annotations: {istio-injection: enabled, sidecar.istio.io/proxyCPU: 10m} => info …
",
        );
    }

    #[test]
    fn an_injected_container_that_the_template_has_itself_is_one_like_any_other() {
        let gateway = |container: &str| {
            let yaml = hpa_and_workload(
                "Deployment",
                CPU,
                &format!(
                    "  template:
    metadata: {{labels: {{sidecar.istio.io/inject: 'true'}}}}
    spec: {{containers: [{{name: {container}, resources: {{requests: {{cpu: 100m}}}}}}]}}"
                ),
            );
            findings(&RULE, &yaml).len()
        };
        assert_eq!(gateway("istio-proxy"), 0);
        assert_eq!(gateway("web"), 1);
    }

    #[test]
    fn in_a_cluster_the_pods_show_it() {
        let observed = |request: &str| {
            format!(
                "
apiVersion: autoscaling/v1
kind: HorizontalPodAutoscaler
metadata: {{name: web, namespace: shop}}
spec:
  scaleTargetRef: {{apiVersion: apps/v1, kind: Deployment, name: web}}
  maxReplicas: 3
---
apiVersion: apps/v1
kind: Deployment
metadata: {{name: web, namespace: shop}}
spec:
  replicas: 1
  selector: {{matchLabels: {{app: web}}}}
  template: {{spec: {{containers: [{{name: app, resources: {{requests: {{cpu: 1}}}}}}]}}}}
status: {{replicas: 1}}
---
apiVersion: v1
kind: Pod
metadata: {{name: web-1, namespace: shop, labels: {{app: web}}}}
spec:
  containers:
  - {{name: app, resources: {{requests: {{cpu: 1}}}}}}
  - {{name: mesh, resources: {{requests: {{{request}}}}}}}
status: {{phase: Running}}
"
            )
        };
        table_of(
            |[request]| report_observed(&RULE, &observed(request)),
            "
another resource |memory: 1Mi => error spec.metrics[0].resource.target.averageUtilization: pod web-1 has the injected container mesh without a CPU request, so CPU utilization cannot be computed for any pod
a request |cpu: 1m
",
        );
    }
}
