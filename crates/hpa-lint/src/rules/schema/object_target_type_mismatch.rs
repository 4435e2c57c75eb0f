//! HPA006 `object-target-type-mismatch`.

use hpa_engine::model::ObjectSource;

use crate::{Check, Cx, HpaSubject, Rule, RuleOutcome, Severity};

pub(crate) static RULE: Rule = Rule {
    code: "HPA006",
    name: "object-target-type-mismatch",
    summary: "an Object metric whose target.type names a number that is not set",
    severity: Severity::Error,
    is_fixable: true,
    check: Check::Hpa(check),
    docs: include_str!("object_target_type_mismatch.md"),
    file: file!(),
    ..Rule::BASE
};

fn check(cx: &Cx<'_, HpaSubject>) -> RuleOutcome {
    let metrics = cx.subject.spec.metrics.iter().enumerate();
    Ok(metrics
        .filter_map(|(index, metric)| Some((index, metric.object()?)))
        .filter_map(|(index, source)| {
            let field = mismatch(source)?;
            let name = &source.metric.name;
            let metric_type = &source.metric_target.target_type;
            let path = format!("spec.metrics[{index}].object.target.type");
            let agreeing = if field == "value" {
                "Value"
            } else {
                "AverageValue"
            };
            let mut finding = cx
                .finding(path.clone())
                .message(format!(
                    "object metric {name} has target.type {metric_type} but sets {field}, so it cannot be \
                     computed in any sync"
                ))
                .label(format!("spec.metrics[{index}].object.target.{field}"), "set");
            if has_both(source) {
                return Some(finding.help(
                    "remove value and set target.type to AverageValue, or remove averageValue and set it to Value",
                ));
            }
            finding = finding.help(match metric_type.as_str() {
                "Value" => "set target.type to AverageValue, or set value instead".to_owned(),
                "AverageValue" => "set target.type to Value, or set averageValue instead".to_owned(),
                _ => format!("set target.type to {agreeing}"),
            });
            if cx.subject.is_written(&path) {
                finding = finding.fix(crate::FixStep::SetScalar {
                    path,
                    text: agreeing.to_owned(),
                });
            }
            Some(finding)
        })
        .collect())
}

/// Whether both numbers are set, so that only the author knows which one was meant.
fn has_both(source: &ObjectSource) -> bool {
    let target = &source.metric_target;
    target.value.is_some() && target.average_value.is_some()
}

/// The number that is set, if the type names another one. The API server rejects a target without any number.
fn mismatch(source: &ObjectSource) -> Option<&'static str> {
    let target = &source.metric_target;
    match target.target_type.as_str() {
        "Value" if target.value.is_some() => None,
        "AverageValue" if target.average_value.is_some() => None,
        "Value" | "AverageValue" | "Utilization" if target.average_value.is_some() => {
            Some("averageValue")
        }
        "AverageValue" | "Utilization" if target.value.is_some() => Some("value"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::testing::{findings, hpa_with_metric, report};

    fn hpa(target: &str) -> String {
        let metric = format!(
            "{{type: Object, object: {{describedObject: {{apiVersion: v1, kind: Service, name: web}}, metric: {{name: \
             hits}}, target: {target}}}}}"
        );
        hpa_with_metric("v2", &metric)
    }

    #[test]
    fn the_type_must_name_the_number_that_is_set() {
        let cases = [
            (
                "{type: AverageValue, value: 1}",
                "AverageValue but sets value",
            ),
            (
                "{type: Utilization, value: 1}",
                "Utilization but sets value",
            ),
            (
                "{type: Utilization, averageValue: 1}",
                "Utilization but sets averageValue",
            ),
        ];
        for (target, expected) in cases {
            let expected = format!(
                "error spec.metrics[0].object.target.type: object metric hits has target.type {expected}, so it \
                 cannot be computed in any sync"
            );
            assert_eq!(findings(&RULE, &hpa(target)), [expected]);
        }
    }

    #[test]
    fn which_of_two_numbers_is_right_is_left_to_people() {
        let steps = |target: &str| report(&RULE, &hpa(target)).findings[0].finding.fix.len();
        assert_eq!(steps("{type: Utilization, averageValue: 100}"), 1);
        assert_eq!(
            steps("{type: Utilization, value: 2k, averageValue: 100}"),
            0
        );
    }

    #[test]
    fn two_numbers_of_which_the_type_names_one_are_fine_here_and_none_is_refused_anyway() {
        for target in [
            "{type: Value, value: 1, averageValue: 2}",
            "{type: AverageValue, value: 1, averageValue: 2}",
            "{type: Value}",
        ] {
            assert!(findings(&RULE, &hpa(target)).is_empty(), "{target}");
        }
    }
}
