//! HPA204 `zero-request`.

use hpa_words::amount::resource_in_prose;

use super::{entry::utilizations, target_pod::TargetPod};
use crate::{Check, Cx, HpaSubject, Needs, Rule, RuleOutcome, Severity};

pub(crate) static RULE: Rule = Rule {
    code: "HPA204",
    name: "zero-request",
    summary: "the requests that count add up to 0",
    severity: Severity::Error,
    needs: Needs::Related,
    check: Check::Hpa(check),
    docs: include_str!("zero_request.md"),
    file: file!(),
    ..Rule::BASE
};

fn check(cx: &Cx<'_, HpaSubject>) -> RuleOutcome {
    let metrics = utilizations(&cx.subject.spec);
    if metrics.is_empty() {
        return Ok(Vec::new());
    }
    let target = TargetPod::of(cx)?;
    let zero = metrics
        .iter()
        .filter(|metric| target.request(metric) == Ok(0));
    // Up to 1.34, an absent container requests 0; HPA207 reports it.
    let zero = zero.filter(|metric| !target.counted(metric.container).is_empty());
    Ok(zero
        .map(|metric| {
            let resource = metric.resource;
            let path = match &target.counted(metric.container)[..] {
                [only] => target.resources_path(&only.name),
                _ => "spec.template.spec".to_owned(),
            };
            cx.finding(metric.entry.field("target.averageUtilization"))
                .message(format!(
                    "the {} requests of all counted containers add up to 0, so {} utilization cannot be computed",
                    resource_in_prose(resource),
                    resource_in_prose(resource)
                ))
                .help(format!("set resources.requests.{resource} above 0, or use averageValue"))
                .related(
                    target.workload.object.clone(),
                    path,
                    format!("requests no {}", resource_in_prose(resource)),
                )
        })
        .collect())
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::testing::{DEPLOYMENT, HPA_V2BETA1, table};

    #[test]
    fn one_container_with_a_request_is_enough() {
        table(
            &RULE,
            |[request]| {
                format!(
                    "{HPA_V2BETA1}  maxReplicas: 3
  metrics: [{{type: Resource, resource: {{name: memory, targetAverageUtilization: 60}}}}]
{DEPLOYMENT}spec:
  template:
    spec:
      containers:
      - {{name: app, resources: {{requests: {{memory: {request}}}}}}}
      - {{name: proxy, resources: {{requests: {{memory: 0}}}}}}
"
                )
            },
            r"
none | 0 => error spec.metrics[0].resource.target.averageUtilization: the memory requests of all counted containers add up to 0, so memory utilization cannot be computed
one | 1Mi
",
        );
    }
}
