//! HPA007 `ignored-target-type`.

use hpa_engine::model::{MetricSpec, MetricTarget};

use crate::{Check, Cx, HpaSubject, Rule, RuleOutcome};

pub(crate) static RULE: Rule = Rule {
    code: "HPA007",
    name: "ignored-target-type",
    summary: "target.type differs from the number that is set",
    is_fixable: true,
    check: Check::Hpa(check),
    docs: include_str!("ignored_target_type.md"),
    file: file!(),
    ..Rule::BASE
};

fn check(cx: &Cx<'_, HpaSubject>) -> RuleOutcome {
    let metrics = cx.subject.spec.metrics.iter().enumerate();
    Ok(metrics
        .filter_map(|(index, metric)| {
            let (source, target) = (metric.field()?, metric.target()?);
            let (field, agreeing) = deciding(metric, target)?;
            let fields = [
                target.value.is_some(),
                target.average_value.is_some(),
                target.average_utilization.is_some(),
            ];
            if fields.into_iter().filter(|is_set| *is_set).count() != 1 {
                // HPA005 reports that.
                return None;
            }
            let metric_type = &target.target_type;
            if metric_type == agreeing || metric_type.is_empty() {
                return None;
            }
            let path = format!("spec.metrics[{index}].{source}.target.type");
            let mut finding = cx
                .finding(path.clone())
                .message(format!(
                    "target.type is {metric_type}, but only {field} is set, so the metric scales as {agreeing}"
                ))
                .help(format!("set target.type to {agreeing}"))
                .label(
                    format!("spec.metrics[{index}].{source}.target.{field}"),
                    "decides",
                );
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

/// The number that the controller uses, and the type that matches it. The controller checks them in this order.
fn deciding(metric: &MetricSpec, target: &MetricTarget) -> Option<(&'static str, &'static str)> {
    if metric.object().is_some() {
        // HPA006 is about these.
        None
    } else if target.average_value.is_some() {
        Some(("averageValue", "AverageValue"))
    } else if metric.percent().is_some() {
        Some(("averageUtilization", "Utilization"))
    } else if metric.is_external() && target.value.is_some() {
        Some(("value", "Value"))
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::testing::{hpa_with_metric, table};

    #[test]
    fn each_kind_of_metric_has_the_number_that_decides() {
        table(
            &RULE,
            |[metric]| hpa_with_metric("v2", &format!("{{type: {metric}}}")),
            r"
an External metric | External, external: {metric: {name: q}, target: {type: AverageValue, value: 1}}
  warning spec.metrics[0].external.target.type: target.type is AverageValue, but only value is set, so the metric scales as Value
a Pods metric | Pods, pods: {metric: {name: q}, target: {type: Value, averageValue: 1}}
  warning spec.metrics[0].pods.target.type: target.type is Value, but only averageValue is set, so the metric scales as AverageValue
a container's metric | ContainerResource, containerResource: {name: cpu, container: main, target: {type: Value, averageUtilization: 1}}
  warning spec.metrics[0].containerResource.target.type: target.type is Value, but only averageUtilization is set, so the metric scales as Utilization
an Object metric goes by the type | Object, object: {describedObject: {kind: Service, name: web}, metric: {name: q}, target: {type: Value, averageValue: 1}}
",
        );
    }
}
