//! HPA219 `mixed-metrics-freeze`.

use super::{
    api::{Api, api},
    entry::MetricEntry,
};
use crate::{Check, Cx, HpaSubject, Rule, RuleOutcome, Severity};

pub(crate) static RULE: Rule = Rule {
    code: "HPA219",
    name: "mixed-metrics-freeze",
    summary: "metrics from several APIs: one that fails blocks scale-down",
    severity: Severity::Info,
    is_opt_in: true,
    check: Check::Hpa(check),
    docs: include_str!("mixed_metrics_freeze.md"),
    file: file!(),
    ..Rule::BASE
};

fn check(cx: &Cx<'_, HpaSubject>) -> RuleOutcome {
    let mut apis: Vec<Api> = Vec::new();
    for api in MetricEntry::all(&cx.subject.spec).map(api) {
        if api != Api::Unknown && !apis.contains(&api) {
            apis.push(api);
        }
    }
    let n = apis.len();
    if n < 2 {
        return Ok(Vec::new());
    }
    Ok(vec![
        cx.finding("spec.metrics")
            .message(format!(
                "metrics come from {n} APIs, so while one of them fails, nothing scales down"
            ))
            .help("alert on ScalingActive=False and on metric errors"),
    ])
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::testing::{HPA_V2BETA1, findings};

    #[test]
    fn pods_and_object_metrics_share_an_api() {
        let yaml = &format!("{HPA_V2BETA1}  maxReplicas: 3
  metrics:
  - {{type: Pods, pods: {{metricName: requests, targetAverageValue: 10}}}}
  - {{type: Object, object: {{metricName: hits, target: {{kind: Service, name: web}}, targetValue: 10}}}}
");
        assert!(findings(&RULE, yaml).is_empty());
    }
}
