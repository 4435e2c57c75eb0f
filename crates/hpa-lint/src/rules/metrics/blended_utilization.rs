//! HPA206 `blended-utilization`.

use std::cmp::Reverse;

use hpa_engine::engine::utilization_percent;
use hpa_words::amount::resource_in_prose;

use super::{entry::utilizations, target_pod::TargetPod};
use crate::{
    Check, ConfigurableNumber, Cx, HpaSubject, Needs, Rule, RuleOutcome, Severity, ThresholdUnit,
};

pub(crate) static RULE: Rule = Rule {
    code: "HPA206",
    name: "blended-utilization",
    summary: "utilization averages over containers of similar weight",
    severity: Severity::Info,
    needs: Needs::Related,
    thresholds: &[ConfigurableNumber {
        name: "second-share",
        default: 20.0,
        unit: ThresholdUnit::Percent,
        summary: "the smallest share of a second container that is reported",
    }],
    check: Check::Hpa(check),
    docs: include_str!("blended_utilization.md"),
    file: file!(),
    ..Rule::BASE
};

fn check(cx: &Cx<'_, HpaSubject>) -> RuleOutcome {
    let mut metrics = utilizations(&cx.subject.spec);
    metrics.retain(|metric| metric.container.is_none());
    if metrics.is_empty() {
        return Ok(Vec::new());
    }
    let target = TargetPod::of(cx)?;
    let counted = target.counted(None);
    let mut findings = Vec::new();
    for metric in metrics {
        let resource = metric.resource;
        let overflow = target.switches.overflow();
        let mut requests: Vec<(i64, &str)> = counted
            .iter()
            .filter_map(|one| Some((one.request(resource)?.milli_value(overflow), &*one.name)))
            .collect();
        requests.sort_by_key(|(request, _)| Reverse(*request));
        let (Ok(sum), [_, (second, container), ..]) = (target.request(&metric), &requests[..])
        else {
            continue;
        };
        let Some(percent) = utilization_percent(*second, sum) else {
            continue;
        };
        if f64::from(percent) < cx.threshold("second-share") {
            continue;
        }
        let n = counted.len();
        findings.push(
            cx.finding(metric.entry.field("target.averageUtilization"))
                .message(format!(
                    "{} utilization averages over {n} containers, and {container} holds {percent}% of the requests, \
                     so it can hide a busy container",
                    resource_in_prose(resource)
                ))
                .help("if one container does the work, use a ContainerResource metric for it")
                .related(
                    target.workload.object.clone(),
                    target.resources_path(container),
                    format!("{percent}% of the {} requests", resource_in_prose(resource)),
                ),
        );
    }
    Ok(findings)
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::testing::{DEPLOYMENT, HPA_V1, table};

    #[test]
    fn a_fifth_of_the_requests_is_much() {
        table(
            &RULE,
            |[proxy]| {
                format!(
                    "{HPA_V1}  maxReplicas: 3
{DEPLOYMENT}spec:
  template:
    spec:
      containers:
      - {{name: app, resources: {{requests: {{cpu: 400m}}}}}}
      - {{name: proxy, resources: {{requests: {{cpu: {proxy}}}}}}}
"
                )
            },
            r"
less | 99m
a fifth | 100m => info spec.metrics[0].resource.target.averageUtilization: CPU utilization averages over 2 containers, and proxy holds 20% of the requests, so it can hide a busy container
",
        );
    }
}
