//! HPA203 `request-implicit`.

use hpa_words::amount::resource_in_prose;

use super::{entry::utilizations, target_pod::TargetPod};
use crate::{Check, Cx, HpaSubject, Needs, Rule, RuleOutcome, Severity, world::RequestOrigin};

pub(crate) static RULE: Rule = Rule {
    code: "HPA203",
    name: "request-implicit",
    summary: "a request comes only from a limit or a LimitRange",
    severity: Severity::Info,
    needs: Needs::Related,
    check: Check::Hpa(check),
    docs: include_str!("request_implicit.md"),
    file: file!(),
    ..Rule::BASE
};

fn check(cx: &Cx<'_, HpaSubject>) -> RuleOutcome {
    let metrics = utilizations(&cx.subject.spec);
    if metrics.is_empty() {
        return Ok(Vec::new());
    }
    let target = TargetPod::of(cx)?;
    let mut findings = Vec::new();
    for metric in &metrics {
        let resource = metric.resource;
        if target.states_requests_as_a_whole(metric) {
            continue;
        }
        for container in target.counted(metric.container) {
            let name = &container.name;
            let origin = match target.template.request_origin(name, resource) {
                Some(RequestOrigin::Limit) => "its limit".to_owned(),
                Some(RequestOrigin::LimitRange(range)) => range.object.to_string(),
                None => continue,
            };
            findings.push(
                cx.finding(metric.entry.field("target.averageUtilization"))
                    .message(format!(
                        "the {} request of container {name} comes only from {origin}, so a change there changes what \
                         the target means",
                        resource_in_prose(resource)
                    ))
                    .help(format!("set resources.requests.{resource} of container {name}"))
                    .related(
                        target.workload.object.clone(),
                        target.resources_path(name),
                        format!("no {} request is written", resource_in_prose(resource)),
                    ),
            );
        }
    }
    Ok(findings)
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::testing::{HPA_V1, findings};

    #[test]
    fn a_limit_range_gives_what_is_not_written() {
        let yaml = &format!(
            "{HPA_V1}  maxReplicas: 3
---
apiVersion: apps/v1
kind: Deployment
metadata: {{name: web}}
spec:
  template:
    spec:
      containers: [{{name: app, resources: {{requests: {{cpu: 1}}}}}}, {{name: proxy}}]
---
apiVersion: v1
kind: LimitRange
metadata: {{name: defaults}}
spec: {{limits: [{{type: Container, default: {{cpu: 200m}}}}]}}
"
        );
        assert_eq!(
            findings(&RULE, yaml),
            [
                "info spec.metrics[0].resource.target.averageUtilization: the CPU request of container proxy \
                 comes only from LimitRange/defaults, so a change there changes what the target means"
            ]
        );
    }
}
