//! HPA226 `tiny-denominator`.

use hpa_engine::{
    engine::utilization_percent,
    model::{Quantity, quantity::Format},
};

use super::{entry::utilizations, target_pod::TargetPod};
use crate::{
    Check, ConfigurableNumber, Cx, HpaSubject, Needs, Rule, RuleOutcome, Severity, ThresholdUnit,
};

pub(crate) static RULE: Rule = Rule {
    code: "HPA226",
    name: "tiny-denominator",
    summary: "the requests are so small that noise decides",
    severity: Severity::Info,
    needs: Needs::Related,
    thresholds: &[ConfigurableNumber {
        name: "requests",
        default: 20.0,
        unit: ThresholdUnit::Milli,
        summary: "the largest sum of CPU requests that is reported",
    }],
    check: Check::Hpa(check),
    docs: include_str!("tiny_denominator.md"),
    file: file!(),
    ..Rule::BASE
};

fn check(cx: &Cx<'_, HpaSubject>) -> RuleOutcome {
    let mut metrics = utilizations(&cx.subject.spec);
    metrics.retain(|metric| metric.resource == "cpu");
    if metrics.is_empty() {
        return Ok(Vec::new());
    }
    let target = TargetPod::of(cx)?;
    let mut findings = Vec::new();
    for metric in &metrics {
        let Ok(milli) = target.request(metric) else {
            continue;
        };
        let requests = f64::from(i32::try_from(milli).unwrap_or(i32::MAX));
        if cx.threshold("requests") < requests {
            continue;
        }
        // None if nothing is requested at all.
        let Some(points) = utilization_percent(1, milli) else {
            continue;
        };
        let sum = Quantity::from_milli(milli, Format::DecimalSI);
        findings.push(
            cx.finding(metric.entry.field("target.averageUtilization"))
                .message(format!(
                    "the CPU requests add up to {sum}, so 1m of usage is {points} percentage points and noise decides"
                ))
                .help("set resources.requests.cpu to what the pods use under load"),
        );
    }
    Ok(findings)
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::testing::{DEPLOYMENT, HPA_V1, table};

    #[test]
    fn twenty_thousandths_are_tiny() {
        table(
            &RULE,
            |[request]| format!(
            "{HPA_V1}  maxReplicas: 3
{DEPLOYMENT}spec: {{template: {{spec: {{containers: [{{name: app, resources: {{requests: {{cpu: {request}}}}}}}]}}}}}}
"
            ),
            "
tiny |20m => info spec.metrics[0].resource.target.averageUtilization: the CPU requests add up to 20m, so 1m of usage is 5 percentage points and noise decides
enough |21m
that is for HPA204 |0
",
        );
    }
}
