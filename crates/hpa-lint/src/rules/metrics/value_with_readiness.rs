//! HPA221 `value-with-readiness`.

use super::entry::MetricEntry;
use crate::{Check, Cx, HpaSubject, RuleOutcome, Severity};

crate::declare_rule! {
    /// ## What it does
    /// Flags a `Value` target of an Object or External metric.
    ///
    /// ## Why is this bad?
    /// The recommendation is usage divided by target, multiplied by the *ready* pods, not by the replicas.
    /// With 10 replicas of which 4 are ready, and usage of twice the target, it is 2 × 4 = 8.
    /// So an overload that makes pods not ready removes 2 replicas.
    /// If no pod is ready, the recommendation is 0 and the HPA goes to `minReplicas`.
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
    ///   minReplicas: 2
    ///   maxReplicas: 10
    ///   metrics:
    ///     - type: Object
    ///       object:
    ///         describedObject:
    ///           apiVersion: networking.k8s.io/v1
    ///           kind: Ingress
    ///           name: web
    ///         metric:
    ///           name: hits
    ///         target:
    ///           type: Value
    ///           value: 2k
    /// ```
    ///
    /// Use instead:
    /// ```yaml
    /// @@
    ///          target:
    /// -          type: Value
    /// -          value: 2k
    /// +          type: AverageValue
    /// +          averageValue: 100
    /// ```
    ///
    /// ## Fix
    /// Use `AverageValue`, which divides usage by target without counting pods.
    /// Or make sure that pods stay ready under overload.
    ///
    /// ## References
    /// - [`getUsageRatioReplicaCount` in replica_calculator.go](https://github.com/kubernetes/kubernetes/blob/master/pkg/controller/podautoscaler/replica_calculator.go)
    /// - [kubernetes#130130](https://github.com/kubernetes/kubernetes/issues/130130)
    pub(crate) static RULE = {
        code: "HPA221",
        name: "value-with-readiness",
        summary: "a Value target is multiplied by the pods that are ready",
        severity: Severity::Info,
        yields_to: &["HPA220"],
        check: Check::Hpa(check),
    }
}

fn check(cx: &Cx<'_, HpaSubject>) -> RuleOutcome {
    let values = MetricEntry::all(&cx.subject.spec).filter(|entry| entry.is_value());
    Ok(values
        .filter_map(|entry| Some((entry, &entry.identifier()?.name)))
        .map(|(entry, name)| {
            cx.finding(entry.field("target.value"))
                .message(format!(
                    "a Value target on {name} is multiplied by the ready pods, so pods that are not ready lower the \
                     recommendation"
                ))
                .help("use type AverageValue")
        })
        .collect())
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::testing::{HPA, findings};

    #[test]
    fn of_an_object_the_type_decides_and_of_others_the_average_is_first() {
        let yaml = &format!(
            "{HPA}  maxReplicas: 3
  metrics:
  - type: Object
    object:
      metric: {{name: hits}}
      describedObject: {{kind: Service, name: web}}
      target: {{type: AverageValue, value: 10, averageValue: 5}}
  - type: External
    external: {{metric: {{name: jobs}}, target: {{type: AverageValue, value: 10}}}}
"
        );
        assert_eq!(
            findings(&RULE, yaml),
            [
                "info spec.metrics[1].external.target.value: a Value target on jobs is multiplied by the ready \
                 pods, so pods that are not ready lower the recommendation"
            ]
        );
    }
}
