//! HPA008 `object-two-targets`.

use crate::{Check, Cx, FixStep, HpaSubject, RuleOutcome};

crate::declare_rule! {
    /// ## What it does
    /// Flags an Object metric with both `value` and `averageValue`.
    ///
    /// ## Why is this bad?
    /// Only the number that `target.type` names counts.
    /// With `type: Value`, `value: 100` and `averageValue: 10`, the target is a total of 100, and the 10 has no effect.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: autoscaling/v2
    /// kind: HorizontalPodAutoscaler
    /// metadata:
    ///   name: web
    /// spec:
    ///   scaleTargetRef:
    ///     apiVersion: apps/v1
    ///     kind: Deployment
    ///     name: web
    ///   maxReplicas: 10
    ///   metrics:
    ///   - type: Object
    ///     object:
    ///       describedObject: {apiVersion: networking.k8s.io/v1, kind: Ingress, name: web}
    ///       metric: {name: requests_per_second}
    ///       target: {type: Value, value: "100", averageValue: "10"}
    /// ```
    ///
    /// Use instead:
    /// ```yaml
    /// @@
    ///        metric: {name: requests_per_second}
    /// -      target: {type: Value, value: "100", averageValue: "10"}
    /// +      target: {type: Value, value: "100"}
    /// ```
    ///
    /// ## Fix
    /// Remove the number that does not count.
    ///
    /// ## References
    /// - [`validateObjectSource` in validation.go](https://github.com/kubernetes/kubernetes/blob/master/pkg/apis/autoscaling/validation/validation.go)
    /// - [`computeStatusForObjectMetric` in horizontal.go](https://github.com/kubernetes/kubernetes/blob/master/pkg/controller/podautoscaler/horizontal.go)
    pub(crate) static RULE = {
        code: "HPA008",
        name: "object-two-targets",
        summary: "an Object metric with two targets, of which only one counts",
        is_fixable: true,
        check: Check::Hpa(check),
    }
}

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
