//! HPA213 `target-low`.

use hpa_words::amount::resource_in_prose;

use super::entry::utilizations;
use crate::{
    Check, ConfigurableNumber, Cx, HpaSubject, Rule, RuleOutcome, Severity, ThresholdUnit,
};

pub(crate) static RULE: Rule = Rule {
    code: "HPA213",
    name: "target-low",
    summary: "a target keeps most of the requests unused",
    severity: Severity::Info,
    thresholds: &[ConfigurableNumber {
        name: "percent",
        default: 30.0,
        unit: ThresholdUnit::Percent,
        summary: "the lowest target that is not reported",
    }],
    check: Check::Hpa(check),
    docs: include_str!("target_low.md"),
    file: file!(),
    ..Rule::BASE
};

fn check(cx: &Cx<'_, HpaSubject>) -> RuleOutcome {
    let percent = cx.threshold("percent");
    let metrics = utilizations(&cx.subject.spec);
    let low = metrics
        .iter()
        .filter(|metric| f64::from(metric.target) < percent);
    Ok(low
        .map(|metric| {
            let (target, resource) = (metric.target, metric.resource);
            cx.finding(metric.entry.field("target.averageUtilization"))
                .message(format!(
                    "target {target}% keeps about {}% of the requested {} idle",
                    100_i32.saturating_sub(target),
                    resource_in_prose(resource)
                ))
                .help("raise averageUtilization, or lower the requests to what the pods need")
        })
        .collect())
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::testing::{HPA_V2BETA1, findings};

    #[test]
    fn thirty_percent_is_not_low() {
        let with = |target: i32| {
            let yaml = format!(
                "{HPA_V2BETA1}  maxReplicas: 3
  metrics: [{{type: Resource, resource: {{name: cpu, targetAverageUtilization: {target}}}}}]
"
            );
            findings(&RULE, &yaml).len()
        };
        assert_eq!([29, 30].map(with), [1, 0]);
    }
}
