//! HPA008 `object-two-targets`.

use crate::{Check, Cx, FixStep, HpaSubject, Rule, RuleOutcome};

pub(crate) static RULE: Rule = Rule {
    code: "HPA008",
    name: "object-two-targets",
    summary: "an Object metric with two targets, of which only one counts",
    is_fixable: true,
    check: Check::Hpa(check),
    docs: include_str!("object_two_targets.md"),
    file: file!(),
    ..Rule::BASE
};

fn check(cx: &Cx<'_, HpaSubject>) -> RuleOutcome {
    let metrics = cx.subject.spec.metrics.iter().enumerate();
    Ok(metrics
        .filter_map(|(index, metric)| {
            let source = metric.object()?;
            let target = &source.metric_target;
            if target.value.is_none() || target.average_value.is_none() {
                return None;
            }
            let (used, other) = match target.target_type.as_str() {
                "Value" => ("value", "averageValue"),
                "AverageValue" => ("averageValue", "value"),
                // HPA006 reports that neither counts.
                _ => return None,
            };
            // v2beta1 requires a value, so it is not superfluous there.
            let path = format!("spec.metrics[{index}].object.target.{other}");
            if !cx.subject.is_written(&path) {
                return None;
            }
            Some(
                cx.finding(path.clone())
                    .message(format!(
                        "value and averageValue are both set, but only {used} counts, so {other} has no effect"
                    ))
                    .help(format!(
                        "remove {other}, or set target.type to {} if it is meant",
                        if other == "value" { "Value" } else { "AverageValue" }
                    ))
                    .label(
                        format!("spec.metrics[{index}].object.target.{used}"),
                        "counts",
                    )
                    .fix(FixStep::Remove { path }),
            )
        })
        .collect())
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::testing::{HPA_V2BETA1, findings};

    #[test]
    fn an_old_version_always_has_a_value_and_is_not_blamed_for_it() {
        let yaml = &format!(
            "{HPA_V2BETA1}  maxReplicas: 3
  metrics:
  - type: Object
    object:
      target: {{apiVersion: v1, kind: Service, name: web}}
      metricName: hits
      averageValue: 10
"
        );
        assert!(findings(&RULE, yaml).is_empty());
    }
}
