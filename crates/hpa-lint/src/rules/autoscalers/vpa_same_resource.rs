//! HPA608 `vpa-same-resource`.

use hpa_engine::model::{MetricSpec, MetricTarget};
use hpa_words::amount::resource_in_prose;

use super::beside::{VerticalBeside, verticals};
use crate::{Check, Cx, Finding, HpaSubject, Missing, Needs, Rule, RuleOutcome, Severity};

pub(crate) static RULE: Rule = Rule {
    code: "HPA608",
    name: "vpa-same-resource",
    summary: "a VerticalPodAutoscaler changes the requests that the HPA measures against",
    severity: Severity::Error,
    needs: Needs::Related,
    check: Check::Hpa(check),
    docs: include_str!("vpa_same_resource.md"),
    file: file!(),
    ..Rule::BASE
};

fn check(cx: &Cx<'_, HpaSubject>) -> RuleOutcome {
    let metrics: Vec<MeasuredMetric<'_>> = (0..)
        .zip(&cx.subject.spec.metrics)
        .filter_map(|(index, metric)| MeasuredMetric::of(index, metric))
        .collect();
    if metrics.is_empty() {
        return Ok(Vec::new());
    }
    let verticals = verticals(cx);
    if verticals.is_empty() {
        cx.world.require("VerticalPodAutoscaler")?;
    }
    let mut findings = Vec::new();
    for vertical in verticals.iter().filter(|one| one.mode != "Off") {
        let mut controlled = Vec::new();
        for metric in &metrics {
            if controls(cx, vertical, metric)? {
                controlled.push(metric);
            }
        }
        findings.extend(finding(cx, vertical, &controlled));
    }
    Ok(findings)
}

/// One finding for the pair, whatever number of metrics it is about.
fn finding(
    cx: &Cx<'_, HpaSubject>,
    vertical: &VerticalBeside<'_>,
    controlled: &[&MeasuredMetric<'_>],
) -> Option<Finding> {
    let of_requests = |one: &&&MeasuredMetric<'_>| one.target.average_value.is_none();
    let by_requests: Vec<&&MeasuredMetric<'_>> = controlled.iter().filter(of_requests).collect();
    let is_serious = !by_requests.is_empty();
    let named = if is_serious {
        by_requests
    } else {
        controlled.iter().collect()
    };
    let (first, others) = named.split_first()?;
    let mut resources: Vec<&str> = named
        .iter()
        .map(|one| resource_in_prose(one.resource))
        .collect();
    resources.sort_unstable();
    resources.dedup();
    let resources = resources.join(" and ");
    let name = &vertical.object.name;
    let finding = cx.finding(format!("spec.metrics[{}]", first.index));
    let finding = if is_serious {
        finding.message(format!(
            "VerticalPodAutoscaler {name} changes the {resources} requests that this HPA measures against, so the two work \
             against each other"
        ))
    } else {
        finding.severity(Severity::Warning).message(format!(
            "VerticalPodAutoscaler {name} resizes {resources} and this HPA scales on {resources}, so the two can work against \
             each other"
        ))
    };
    let finding = finding
        .help("set controlledResources of the VPA to other resources, or updateMode: \"Off\"")
        .related(
            vertical.object.clone(),
            "spec.resourcePolicy",
            format!("controls {resources} with updateMode {}", vertical.mode),
        );
    let others = others
        .iter()
        .map(|one| format!("spec.metrics[{}]", one.index));
    Some(others.fold(finding, |finding, path| {
        finding.label(path, "is also measured against them")
    }))
}

/// A metric measured at the pods.
struct MeasuredMetric<'a> {
    index: usize,
    resource: &'a str,
    container: Option<&'a str>,
    target: &'a MetricTarget,
}

impl<'a> MeasuredMetric<'a> {
    fn of(index: usize, metric: &'a MetricSpec) -> Option<Self> {
        Some(Self {
            index,
            resource: metric.resource()?,
            container: metric.container(),
            target: metric.target()?,
        })
    }
}

/// Whether the VPA changes the requests of a counted container.
fn controls(
    cx: &Cx<'_, HpaSubject>,
    vertical: &VerticalBeside<'_>,
    metric: &MeasuredMetric<'_>,
) -> Result<bool, Missing> {
    let policies = vertical.policies;
    if let Some(container) = metric.container {
        return Ok(policies.controls(container, metric.resource));
    }
    if policies.policies.is_empty() {
        return Ok(policies.controls("", metric.resource));
    }
    let template = cx.pod_template()?;
    let mut counted = template.counted(cx.switches().sidecar_requests);
    Ok(counted.any(|container| policies.controls(&container.name, metric.resource)))
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::testing::{DEPLOYMENT, HPA, table};

    #[test]
    fn every_mode_but_off_changes_requests() {
        table(
            &RULE,
            |[metrics, vertical]| {
                let cpu = "{type: Resource, resource: {name: cpu, target: {type: Utilization, averageUtilization: 70}}}";
                let metrics = metrics
                    .replace("CPU", cpu)
                    .replace("MEMORY", &cpu.replace("cpu", "memory"));
                format!(
                    "{HPA}  maxReplicas: 4
  metrics: [{metrics}]
---
apiVersion: autoscaling.k8s.io/v1
kind: VerticalPodAutoscaler
metadata: {{name: web}}
spec:
  targetRef: {{apiVersion: apps/v1, kind: Deployment, name: web}}
  {vertical}
{DEPLOYMENT}spec:
  template:
    spec:
      containers: [{{name: main}}, {{name: proxy}}]
"
                )
            },
            r"
at the start | CPU | updatePolicy: {updateMode: Initial}
  error spec.metrics[0]: VerticalPodAutoscaler web changes the CPU requests that this HPA measures against, so the two work against each other
by new pods | CPU | updatePolicy: {updateMode: Recreate}
  error spec.metrics[0]: VerticalPodAutoscaler web changes the CPU requests that this HPA measures against, so the two work against each other
as it likes | CPU | updatePolicy: {updateMode: Auto}
  error spec.metrics[0]: VerticalPodAutoscaler web changes the CPU requests that this HPA measures against, so the two work against each other
in place | CPU | updatePolicy: {updateMode: InPlaceOrRecreate}
  error spec.metrics[0]: VerticalPodAutoscaler web changes the CPU requests that this HPA measures against, so the two work against each other
no mode | CPU | => error …
off | CPU | updatePolicy: {updateMode: 'Off'}
off without quotes is what its author means, but HPA012 | CPU | updatePolicy: {updateMode: Off} => error …needs a string…
so it is for a container | CPU | resourcePolicy: {containerPolicies: [{containerName: '*', mode: Off}]} => error …needs a string…
one finding names all resources | CPU, MEMORY |
  error spec.metrics[0]: VerticalPodAutoscaler web changes the CPU and memory requests that this HPA measures against, so the two work against each other
a target in amounts | {type: Resource, resource: {name: cpu, target: {type: AverageValue, averageValue: 1}}} | => warning …
another resource | CPU | resourcePolicy: {containerPolicies: [{containerName: '*', controlledResources: [memory]}]}
one of two containers is off | CPU | resourcePolicy: {containerPolicies: [{containerName: main, mode: 'Off'}]} => error …
both are off | CPU | resourcePolicy: {containerPolicies: [{containerName: main, mode: 'Off'}, {containerName: proxy, mode: 'Off'}]}
the metric is of the one that is off | {type: ContainerResource, containerResource: {name: cpu, container: main, target: {type: Utilization, averageUtilization: 70}}} | resourcePolicy: {containerPolicies: [{containerName: main, mode: 'Off'}]}
",
        );
    }
}
