//! HPA230 `unsupported-resource`.

use super::entry::MetricEntry;
use crate::{Check, Cx, FixStep, HpaSubject, Rule, RuleOutcome, Severity};

pub(crate) static RULE: Rule = Rule {
    code: "HPA230",
    name: "unsupported-resource",
    summary: "a resource that the resource metrics API does not serve",
    severity: Severity::Warning,
    worst: Some(Severity::Error),
    is_fixable: true,
    check: Check::Hpa(check),
    docs: include_str!("unsupported_resource.md"),
    file: file!(),
    ..Rule::BASE
};

fn check(cx: &Cx<'_, HpaSubject>) -> RuleOutcome {
    let resources =
        MetricEntry::all(&cx.subject.spec).filter_map(|entry| Some((entry, entry.resource()?.0)));
    let unsupported = resources.filter(|(_, name)| !matches!(*name, "cpu" | "memory"));
    Ok(unsupported
        .map(|(entry, name)| {
            let path = entry.field("name");
            let finding = cx.finding(path.clone()).message(format!(
                "metrics-server provides only cpu and memory, so resource metric {name} cannot be read"
            ));
            match entry.meant_resource() {
                Some(known) => finding
                    .severity(Severity::Error)
                    .help(format!("write {known}"))
                    .fix(FixStep::SetScalar {
                        path,
                        text: known.to_owned(),
                    }),
                None => finding.help("use a Pods or External metric instead"),
            }
        })
        .collect())
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::testing::{HPA, HPA_V2BETA1, findings, report_with};

    /// A name in another case is that mistake alone: no rule asks for requests of such a resource.
    #[test]
    fn pods_need_no_request_for_a_name_in_another_case() {
        for (kind, container) in [("Resource", ""), ("ContainerResource", "container: web, ")] {
            let source = format!("{}{}", kind[..1].to_lowercase(), &kind[1..]);
            let yaml = format!(
                "apiVersion: apps/v1
kind: Deployment
metadata: {{name: web}}
spec:
  selector: {{matchLabels: {{app: web}}}}
  template:
    metadata: {{labels: {{app: web}}, annotations: {{sidecar.istio.io/inject: 'true'}}}}
    spec: {{containers: [{{name: web, resources: {{requests: {{cpu: 1, memory: 1Gi}}}}}}]}}
---
{HPA}  maxReplicas: 3
  metrics: [{{type: {kind}, {source}: {{name: Memory, {container}target: {{type: Utilization, averageUtilization: 60}}}}}}]
"
            );
            let report = report_with(&RULE, &yaml, |settings| {
                let metrics =
                    crate::rules::catalogue().filter(|rule| rule.code.starts_with("HPA2"));
                settings.enabled = metrics.map(|rule| rule.code).chain(["HPA004"]).collect();
            });
            let found: Vec<_> = report.findings.iter().map(|one| &one.finding).collect();
            let [only] = &found[..] else {
                panic!("{found:#?}");
            };
            assert_eq!(only.help, "write memory");
        }
    }

    #[test]
    fn names_of_resources_are_in_lower_case() {
        let yaml = &format!(
            "{HPA_V2BETA1}  maxReplicas: 3
  metrics: [{{type: Resource, resource: {{name: CPU, targetAverageValue: 1}}}}]
"
        );
        assert_eq!(
            findings(&RULE, yaml),
            [
                "error spec.metrics[0].resource.name: metrics-server provides only cpu and memory, so resource \
                 metric CPU cannot be read"
            ]
        );
    }
}
