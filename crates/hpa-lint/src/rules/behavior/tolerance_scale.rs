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
    use hpa_engine::model::{Input, KubeVersion};

    use super::RULE;
    use crate::{
        rules::behavior::testing::{findings_of, hpa},
        testing::{report_with, texts},
    };

    #[test]
    fn half_is_a_warning_and_all_on_the_way_down_an_error() {
        let found = |direction: &str, tolerance: &str| {
            findings_of(
                &RULE,
                1,
                9,
                &format!("{{{direction}: {{tolerance: {tolerance}}}}}"),
            )
        };
        assert!(found("scaleUp", "0.499").is_empty());
        let half =
            "tolerance: tolerance 0.5 means 50%, so it scales up only above 150% of the target";
        assert_eq!(
            found("scaleUp", "500m"),
            [format!("warning spec.behavior.scaleUp.{half}")]
        );
        assert_eq!(
            found("scaleUp", "7"),
            [
                "warning spec.behavior.scaleUp.tolerance: tolerance 7 means 700%, so it scales up only above 800% \
                 of the target"
            ]
        );
        assert!(found("scaleDown", "0.999")[0].starts_with("warning"));
        assert_eq!(
            found("scaleDown", "1"),
            [
                "error spec.behavior.scaleDown.tolerance: tolerance 1 means 100%, so it never scales down"
            ]
        );
    }

    #[test]
    fn with_a_value_target_it_is_no_error() {
        let behavior = "{scaleDown: {tolerance: 2}}
  metrics:
    - type: External
      external: {metric: {name: depth}, target: {type: Value, value: 5}}";
        assert!(findings_of(&RULE, 1, 9, behavior)[0].starts_with("warning"));
    }

    #[test]
    fn versions_that_do_not_heed_it_are_not_judged() {
        let found = |minor: u32| {
            let yaml = hpa(1, 9, "{scaleDown: {tolerance: 2}}");
            let report = report_with(&RULE, &yaml, |settings| {
                let version = KubeVersion { minor, patch: None };
                *settings = crate::LintSettings::new(Input::given(version));
                settings.enabled = [RULE.code].into();
            });
            texts(&report).len()
        };
        assert_eq!([32, 34, 35].map(found), [0, 0, 1]);
    }
}
