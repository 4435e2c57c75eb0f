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
    use crate::testing::{DEPLOYMENT, HPA, report, texts};

    const CPU: &str = "{type: Resource, resource: {name: cpu, target: {type: Utilization, averageUtilization: 70}}}";

    fn found(metric: &str, vertical: &str) -> Vec<String> {
        let report = report(
            &RULE,
            &format!(
                "{HPA}  maxReplicas: 4
  metrics: [{metric}]
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
            ),
        );
        assert!(report.notes.is_empty(), "{:?}", report.notes);
        texts(&report)
    }

    #[test]
    fn every_mode_but_off_changes_requests() {
        for mode in ["Initial", "Recreate", "Auto", "InPlaceOrRecreate"] {
            let found = found(CPU, &format!("updatePolicy: {{updateMode: {mode}}}"));
            assert_eq!(
                found,
                [
                    "error spec.metrics[0]: VerticalPodAutoscaler web changes the CPU requests that this HPA measures against, so the two work against each other"
                ]
            );
        }
        assert_eq!(found(CPU, "").len(), 1);
        assert!(found(CPU, "updatePolicy: {updateMode: 'Off'}").is_empty());
    }

    #[test]
    fn a_mode_without_quotes_is_what_its_author_means() {
        for vertical in [
            "updatePolicy: {updateMode: Off}",
            "resourcePolicy: {containerPolicies: [{containerName: '*', mode: Off}]}",
        ] {
            let found = found(CPU, vertical);
            // HPA012 says that it needs quotes.
            assert_eq!(found.len(), 1, "{vertical}: {found:?}");
            assert!(found[0].contains("needs a string"), "{vertical}: {found:?}");
        }
    }

    #[test]
    fn one_pair_has_one_finding_that_names_all_resources() {
        let memory = CPU.replace("cpu", "memory");
        assert_eq!(
            found(&format!("{CPU}, {memory}"), ""),
            [
                "error spec.metrics[0]: VerticalPodAutoscaler web changes the CPU and memory requests that this HPA measures against, so the two work against each other"
            ]
        );
    }

    #[test]
    fn a_target_in_amounts_is_a_warning() {
        let metric = "{type: Resource, resource: {name: cpu, target: {type: AverageValue, averageValue: 1}}}";
        assert!(found(metric, "")[0].starts_with("warning"));
    }

    #[test]
    fn the_policies_of_containers_count() {
        let policies = |text: &str| format!("resourcePolicy: {{containerPolicies: [{text}]}}");
        let memory = "{containerName: '*', controlledResources: [memory]}";
        assert!(found(CPU, &policies(memory)).is_empty());
        let one_off = "{containerName: main, mode: 'Off'}";
        assert_eq!(found(CPU, &policies(one_off)).len(), 1);
        let both_off = format!("{one_off}, {{containerName: proxy, mode: 'Off'}}");
        assert!(found(CPU, &policies(&both_off)).is_empty());
        let main = "{type: ContainerResource, containerResource: {name: cpu, container: main,
            target: {type: Utilization, averageUtilization: 70}}}";
        assert!(found(main, &policies(one_off)).is_empty());
    }
}
