//! HPA212 `target-high`.

use super::{entry::utilizations, target_pod::TargetPod};
use crate::{
    Check, ConfigurableNumber, Cx, ForScaledObject, HpaSubject, Rule, RuleOutcome, Severity,
    ThresholdUnit,
};

pub(crate) static RULE: Rule = Rule {
    code: "HPA212",
    name: "target-high",
    summary: "a target leaves little reserve while new pods start",
    severity: Severity::Info,
    yields_to: &["HPA209", "HPA210"],
    thresholds: &[ConfigurableNumber {
        name: "percent",
        default: 90.0,
        unit: ThresholdUnit::Percent,
        summary: "the highest target that is not reported",
    }],
    check: Check::Hpa(check),
    for_scaled_object: ForScaledObject::ItsHpa,
    docs: include_str!("target_high.md"),
    file: file!(),
    ..Rule::BASE
};

fn check(cx: &Cx<'_, HpaSubject>) -> RuleOutcome {
    let percent = cx.threshold("percent");
    let is_high = |target: i32| percent < f64::from(target) && target <= 100;
    let metrics = utilizations(&cx.subject.spec);
    let high = metrics.iter().filter(|metric| is_high(metric.target));
    let unlimited = high.filter(|metric| {
        TargetPod::of(cx).map_or(true, |target| {
            let template = &target.template;
            template.limit(metric.resource, metric.container).is_none()
        })
    });
    Ok(unlimited
        .map(|metric| {
            let target = metric.target;
            cx.finding(metric.entry.field("target.averageUtilization"))
                .message(format!(
                    "target {target}% leaves little reserve, so pods use more than they requested while new ones \
                     start"
                ))
                .help("set averageUtilization to a value from 60 to 80, which suits most services")
        })
        .collect())
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::testing::{DEPLOYMENT, HPA_V1, findings};

    fn with(target: i32, limits: &str) -> usize {
        let yaml = format!(
            "{HPA_V1}  maxReplicas: 3
  targetCPUUtilizationPercentage: {target}
{DEPLOYMENT}spec: {{template: {{spec: {{containers: [{{name: app, resources: {{{limits}}}}}]}}}}}}
"
        );
        findings(&RULE, &yaml).len()
    }

    #[test]
    fn beyond_ninety_and_up_to_a_hundred_without_limits() {
        let counts = [90, 91, 100, 101].map(|target| with(target, ""));
        assert_eq!(counts, [0, 1, 1, 0]);
        assert_eq!(with(95, "requests: {cpu: 1}"), 1);
        assert_eq!(with(95, "limits: {cpu: 1}"), 0);
    }
}
