//! HPA321 `tolerance-scale`.

use hpa_engine::model::Direction;

use super::side::{Side, rounded};
use crate::{
    Check, ConfigurableNumber, Cx, ForScaledObject, HpaSubject, Rule, RuleOutcome, Severity,
    ThresholdUnit,
};

pub(crate) static RULE: Rule = Rule {
    code: "HPA321",
    name: "tolerance-scale",
    summary: "a tolerance that looks like a percentage",
    severity: Severity::Warning,
    worst: Some(Severity::Error),
    thresholds: &[ConfigurableNumber {
        name: "tolerance",
        default: 0.5,
        unit: ThresholdUnit::Ratio,
        summary: "the smallest tolerance that is reported",
    }],
    check: Check::Hpa(check),
    for_scaled_object: ForScaledObject::ItsHpa,
    docs: include_str!("tolerance_scale.md"),
    file: file!(),
    ..Rule::BASE
};

fn check(cx: &Cx<'_, HpaSubject>) -> RuleOutcome {
    let mut findings = Vec::new();
    for (side, tolerance) in Side::tolerances(cx) {
        if tolerance < cx.threshold("tolerance") {
            continue;
        }
        let never = side.direction == Direction::Down && 1.0 <= tolerance;
        let has_value_target = has_value_target(cx);
        let percent = |ratio: f64| rounded(ratio * 100.0);
        let consequence = match side.direction {
            Direction::Down if has_value_target => "it rarely scales down".to_owned(),
            Direction::Down if never => "it never scales down".to_owned(),
            Direction::Down => format!(
                "it scales down only below {}% of the target",
                percent(1.0 - tolerance)
            ),
            Direction::Up => format!(
                "it scales up only above {}% of the target",
                percent(1.0 + tolerance)
            ),
        };
        let finding = cx
            .finding(side.field("tolerance"))
            .message(format!(
                "tolerance {} means {}%, so {consequence}",
                rounded(tolerance),
                percent(tolerance)
            ))
            .help("set tolerance as a ratio, such as 0.1 for 10%");
        findings.push(if never && !has_value_target {
            finding.severity(Severity::Error)
        } else {
            finding
        });
    }
    Ok(findings)
}

/// With a `Value` target, the proposal is a multiple of the ready pods, which can be fewer than the replicas.
fn has_value_target(cx: &Cx<'_, HpaSubject>) -> bool {
    let mut metrics = cx.subject.spec.metrics.iter();
    metrics.any(|metric| match (metric.object(), metric.target()) {
        (Some(source), _) => source.metric_target.target_type == "Value",
        (None, target) => {
            metric.is_external() && target.is_some_and(|target| target.average_value.is_none())
        }
    })
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::{
        rules::behavior::testing::hpa,
        testing::{report_at, table, table_of},
    };

    #[test]
    fn half_is_a_warning_and_all_of_scale_down_an_error() {
        table(
            &RULE,
            |[direction, tolerance]| {
                hpa(
                    1,
                    9,
                    &format!("{{{direction}: {{tolerance: {tolerance}}}}}"),
                )
            },
            r"
less than half | scaleUp | 0.499
half | scaleUp | 500m => warning spec.behavior.scaleUp.tolerance: tolerance 0.5 means 50%, so it scales up only above 150% of the target
more than all | scaleUp | 7 => warning spec.behavior.scaleUp.tolerance: tolerance 7 means 700%, so it scales up only above 800% of the target
nearly all | scaleDown | 0.999 => warning …
all | scaleDown | 1 => error spec.behavior.scaleDown.tolerance: tolerance 1 means 100%, so it never scales down
with a target of type Value it is no error | scaleDown | 2}}\n  metrics: [{type: External, external: {metric: {name: depth}, target: {type: Value, value: 5}}}]\n  # {{ => warning …
",
        );
        table_of(
            |[minor]| report_at(&RULE, minor, &hpa(1, 9, "{scaleDown: {tolerance: 2}}")),
            r"
a version that does not know it | 32
a version that does not heed it | 34
a version that heeds it | 35 => error …
",
        );
    }
}
