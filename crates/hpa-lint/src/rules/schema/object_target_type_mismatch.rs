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
    use crate::testing::{hpa_with_metric, table};

    #[test]
    fn the_type_must_name_the_number_that_is_set() {
        table(
            &RULE,
            |[target]| {
                let metric = format!(
                    "{{type: Object, object: {{describedObject: {{apiVersion: v1, kind: Service, name: web}}, metric: {{name: hits}}, target: {{{target}}}}}}}"
                );
                hpa_with_metric("v2", &metric)
            },
            r"
an average without it | type: AverageValue, value: 1
  error spec.metrics[0].object.target.type: object metric hits has target.type AverageValue but sets value, so it cannot be computed in any sync
utilization with a value | type: Utilization, value: 1
  error spec.metrics[0].object.target.type: object metric hits has target.type Utilization but sets value, so it cannot be computed in any sync
utilization with an average | type: Utilization, averageValue: 1
  error spec.metrics[0].object.target.type: object metric hits has target.type Utilization but sets averageValue, so it cannot be computed in any sync
  fix: [SetScalar { … }]
which of two is right is left to people | type: Utilization, value: 2k, averageValue: 100 => error …
  fix: none
the type names one of two | type: Value, value: 1, averageValue: 2
the type names the other | type: AverageValue, value: 1, averageValue: 2
none is refused anyway | type: Value
",
        );
    }
}
