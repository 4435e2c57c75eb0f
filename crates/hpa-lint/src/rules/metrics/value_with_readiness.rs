//! HPA221 `value-with-readiness`.

use super::entry::MetricEntry;
use crate::lint::{Check, Cx, HpaSubject, RuleOutcome, Severity};

crate::lint::declare_rule! {
    /// ## What it does
    /// Flags a `Value` target of an Object or External metric.
    ///
    /// ## Why is this bad?
    /// The proposal is usage over target times the *ready* pods, not times the replicas. 10 replicas of which 4 are
    /// ready at a usage of twice the target give ceil(2 × 4) = 8: the overload that made pods unready removes two. If
    /// none is ready the proposal is 0, and the HPA goes to its minimum.
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
    /// Use `AverageValue`, which asks for usage over target without looking at pods, or make sure that overload does
    /// not make pods unready.
    ///
    /// ## References
    /// - `getUsageRatioReplicaCount` in `pkg/controller/podautoscaler/replica_calculator.go`
    /// - kubernetes/kubernetes #130130
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
                    "a Value target on {name} multiplies by ready pods; unready pods shrink the proposal"
                ))
                .help("use AverageValue")
        })
        .collect())
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::lint::testing::findings;

    #[test]
    fn of_an_object_the_type_decides_and_of_others_the_average_is_first() {
        let yaml = "
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: {name: web}
spec:
  scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web}
  maxReplicas: 3
  metrics:
  - type: Object
    object:
      metric: {name: hits}
      describedObject: {kind: Service, name: web}
      target: {type: AverageValue, value: 10, averageValue: 5}
  - type: External
    external: {metric: {name: jobs}, target: {type: AverageValue, value: 10}}
";
        assert_eq!(
            findings(&RULE, yaml),
            [
                "info spec.metrics[1].external.target.value: a Value target on jobs multiplies by ready \
             pods; unready pods shrink the proposal"
            ]
        );
    }
}
