//! HPA202 `missing-request`.

use std::collections::BTreeSet;

use hpa_engine::{model::Pod, trace::RequestGap};
use hpa_words::amount::resource_in_prose;

use super::{
    entry::{Utilization, utilizations},
    target_pod::{TargetPod, is_of_template, live_pods, without_request},
};
use crate::{Check, Cx, Finding, HpaSubject, Needs, Rule, RuleOutcome, Severity};

pub(crate) static RULE: Rule = Rule {
    code: "HPA202",
    name: "missing-request",
    summary: "a container that counts has no request",
    severity: Severity::Error,
    needs: Needs::Related,
    check: Check::Hpa(check),
    docs: include_str!("missing_request.md"),
    file: file!(),
    ..Rule::BASE
};

fn check(cx: &Cx<'_, HpaSubject>) -> RuleOutcome {
    let metrics = utilizations(&cx.subject.spec);
    if metrics.is_empty() {
        return Ok(Vec::new());
    }
    if let Some(pods) = live_pods(cx) {
        return Ok(of_pods(cx, &metrics, &pods));
    }
    let target = TargetPod::of(cx)?;
    let mut findings = Vec::new();
    for metric in &metrics {
        let resource = metric.resource;
        match target.request(metric) {
            Ok(_) | Err(RequestGap::Absent(_)) => {}
            Err(RequestGap::Pod) => findings.push(of_pod_level(cx, metric, &target)),
            Err(RequestGap::Container(_)) => {
                cx.world.require("LimitRange")?;
                let pod = &target.template.pod;
                for container in without_request(&target.switches, pod, metric) {
                    findings.push(finding(cx, metric, &container.name).related(
                        target.workload.object.clone(),
                        target.resources_path(&container.name),
                        format!("no {} request", resource_in_prose(resource)),
                    ));
                }
            }
        }
    }
    Ok(findings)
}

/// Pods in a cluster have all defaults. HPA205 reports injected containers.
fn of_pods(cx: &Cx<'_, HpaSubject>, metrics: &[Utilization<'_>], pods: &[&Pod]) -> Vec<Finding> {
    let switches = cx.switches();
    let mut findings = Vec::new();
    for metric in metrics {
        let containers: BTreeSet<&str> = pods
            .iter()
            .flat_map(|pod| without_request(&switches, pod, metric))
            .map(|container| container.name.as_str())
            .filter(|name| is_of_template(cx, name))
            .collect();
        findings.extend(containers.iter().map(|name| finding(cx, metric, name)));
    }
    findings
}

fn finding(cx: &Cx<'_, HpaSubject>, metric: &Utilization<'_>, container: &str) -> Finding {
    let resource = resource_in_prose(metric.resource);
    let message = if cx.is_complete {
        format!(
            "container {container} has no {resource} request, so {resource} utilization cannot be computed for \
             any pod"
        )
    } else {
        format!(
            "container {container} has no {resource} request; unless a LimitRange that is not in the given files sets \
             one, {resource} utilization cannot be computed for any pod"
        )
    };
    let finding = cx
        .finding(metric.entry.field("target.averageUtilization"))
        .severity(cx.severity_of_missing())
        .message(message);
    let key = metric.resource;
    finding.help(if metric.container.is_some() {
        format!("set resources.requests.{key} of container {container}, or use averageValue")
    } else {
        format!(
            "set resources.requests.{key} of container {container}, or use averageValue or a ContainerResource metric \
             for another container"
        )
    })
}

fn of_pod_level(
    cx: &Cx<'_, HpaSubject>,
    metric: &Utilization<'_>,
    target: &TargetPod<'_>,
) -> Finding {
    let resource = resource_in_prose(metric.resource);
    cx.finding(metric.entry.field("target.averageUtilization"))
        .severity(cx.severity_of_missing())
        .message(format!(
            "neither the pod-level requests nor any container requests {resource}, so {resource} utilization cannot be \
             computed for any pod"
        ))
        .help(format!(
            "set spec.template.spec.resources.requests.{}",
            metric.resource
        ))
        .related(
            target.workload.object.clone(),
            "spec.template.spec.resources",
            format!("no {resource} request"),
        )
}

#[cfg(test)]
mod tests {
    use hpa_engine::model::{self, KubeVersion};

    use super::RULE;
    use crate::testing::{HPA_V1, report_with, table, table_of};

    fn with(containers: &str, more: &str) -> String {
        format!(
            "{HPA_V1}  maxReplicas: 3
  targetCPUUtilizationPercentage: 60
---
apiVersion: apps/v1
kind: Deployment
metadata: {{name: web, namespace: shop}}
spec: {{template: {{spec: {{{containers}}}}}}}
---
{more}
"
        )
        .replace(
            "metadata: {name: web}",
            "metadata: {name: web, namespace: shop}",
        )
    }

    #[test]
    fn limits_ranges_and_requests_of_the_pod_are_requests() {
        table(
            &RULE,
            |[containers, more]| with(containers, more),
            r"
no request | containers: [{name: app}] |
  warning spec.metrics[0].resource.target.averageUtilization: container app has no CPU request; unless a LimitRange that is not in the given files sets one, CPU utilization cannot be computed for any pod
a limit | containers: [{name: app, resources: {limits: {cpu: 1}}}] |
a request of the pod | containers: [{name: app}], resources: {requests: {cpu: 1}} |
a limit of the pod | containers: [{name: app}], resources: {limits: {cpu: 1}} |
a LimitRange | containers: [{name: app}] | {apiVersion: v1, kind: LimitRange, metadata: {name: defaults, namespace: shop}, spec: {limits: [{type: Container, defaultRequest: {cpu: 100m}}]}}
a LimitRange of another namespace | containers: [{name: app}] | {apiVersion: v1, kind: LimitRange, metadata: {name: defaults, namespace: other}, spec: {limits: [{type: Container, defaultRequest: {cpu: 100m}}]}}
  warning …
",
        );
        table_of(
            |[minor, containers]| {
                report_with(&RULE, &with(containers, ""), |settings| {
                    let (minor, patch) = (minor.parse().unwrap(), None);
                    settings.configs[0].version = model::Input::given(KubeVersion { minor, patch });
                    settings.is_complete = true;
                })
            },
            r"
everything is known | 36 | containers: [{name: app}]
  error spec.metrics[0].resource.target.averageUtilization: container app has no CPU request, so CPU utilization cannot be computed for any pod
sidecars do not count yet | 28 | containers: [{name: app, resources: {requests: {cpu: 1}}}], initContainers: [{name: proxy, restartPolicy: Always}, {name: prepare}]
sidecars count | 29 | containers: [{name: app, resources: {requests: {cpu: 1}}}], initContainers: [{name: proxy, restartPolicy: Always}, {name: prepare}] => error …container proxy…
",
        );
    }
}
