//! HPA110 `wide-range-unlimited`.

use crate::{
    lint::{Check, ConfigurableNumber, Cx, HpaSubject, RuleOutcome, Severity, ThresholdUnit},
    recording::wire::ScalingRules,
};

crate::lint::declare_rule! {
    /// ## What it does
    /// Flags an HPA whose `maxReplicas` is at least 20 times its `minReplicas` (`factor`) while only the default limits of a
    /// scale-up apply: no policy, no window of its own.
    ///
    /// ## Why is this bad?
    /// The default limits allow the replicas to double every 15 s: from 1 to 100 in 6 syncs, a minute and a half. One wrong
    /// sample, such as a series that is counted twice, can do that.
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
    ///   maxReplicas: 100
    /// ```
    ///
    /// Use instead:
    /// ```yaml
    /// @@
    ///    maxReplicas: 100
    /// +  behavior:
    /// +    scaleUp:
    /// +      policies:
    /// +      - {type: Pods, value: 10, periodSeconds: 60}
    /// +    scaleDown:
    /// +      stabilizationWindowSeconds: 300
    /// ```
    ///
    /// ## Fix
    /// Add a scale-up policy, or lower `maxReplicas`.
    ///
    /// ## References
    /// - kubernetes#134518 (samples counted twice), #87199
    pub(crate) static RULE = {
        code: "HPA110",
        name: "wide-range-unlimited",
        summary: "a wide range with only the default scale-up limits",
        severity: Severity::Info,
        thresholds: &[ConfigurableNumber {
            name: "factor",
            default: 20.0,
            unit: ThresholdUnit::Ratio,
            summary: "maxReplicas as a multiple of minReplicas from which on a range is wide",
        }],
        check: Check::Hpa(check),
    }
}

fn check(cx: &Cx<'_, HpaSubject>) -> RuleOutcome {
    let spec = &cx.subject.spec;
    let (min, max) = (spec.min_replicas().max(1), spec.max_replicas);
    let factor = f64::from(max) / f64::from(min);
    let up = cx.subject.written.behavior.as_ref();
    let up = up.and_then(|behavior| behavior.scale_up.as_ref());
    if factor < cx.threshold("factor") || up.is_some_and(limits) {
        return Ok(Vec::new());
    }
    let factor = (factor * 10.0).floor() / 10.0;
    Ok(vec![
        cx.finding("spec.maxReplicas")
            .message(format!(
                "maxReplicas is {factor} times minReplicas and only the default scale-up limits apply"
            ))
            .help("add a policy to behavior.scaleUp, or lower maxReplicas")
            .label("spec.minReplicas", "the least"),
    ])
}

/// Whether somebody limited scaling up: with policies, with a window, or by forbidding it.
fn limits(up: &ScalingRules) -> bool {
    up.policies.is_some()
        || up
            .stabilization_window_seconds
            .is_some_and(|window| 0 < window)
        || up
            .select_policy
            .as_ref()
            .is_some_and(|select| select != "Max")
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::RULE;
    use crate::lint::testing::findings;

    fn hpa(min: i32, max: i32, behavior: &str) -> String {
        format!(
            "apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: {{name: web}}
spec:
  scaleTargetRef: {{apiVersion: apps/v1, kind: Deployment, name: web}}
  minReplicas: {min}
  maxReplicas: {max}
  behavior: {behavior}
"
        )
    }

    #[test]
    fn whatever_limits_scaling_up_is_enough() {
        for behavior in [
            "{scaleUp: {policies: [{type: Pods, value: 4, periodSeconds: 60}]}}",
            "{scaleUp: {stabilizationWindowSeconds: 60}}",
            "{scaleUp: {selectPolicy: Disabled}}",
            "{scaleUp: {selectPolicy: Min}}",
        ] {
            assert!(
                findings(&RULE, &hpa(1, 100, behavior)).is_empty(),
                "{behavior}"
            );
        }
        for behavior in [
            "",
            "{scaleDown: {stabilizationWindowSeconds: 60}}",
            "{scaleUp: {stabilizationWindowSeconds: 0, selectPolicy: Max}}",
        ] {
            assert_eq!(
                findings(&RULE, &hpa(2, 45, behavior)),
                [
                    "info spec.maxReplicas: maxReplicas is 22.5 times minReplicas and only the default scale-up limits \
                     apply"
                ]
            );
        }
    }

    #[test]
    fn zero_counts_as_one() {
        assert_eq!(findings(&RULE, &hpa(0, 20, "")).len(), 1);
        assert_eq!(findings(&RULE, &hpa(0, 19, "")).len(), 0);
    }

    proptest! {
        #[test]
        fn the_edge_is_twenty_times_the_minimum(min in 1..1000_i32) {
            prop_assert_eq!(findings(&RULE, &hpa(min, min * 20, "")).len(), 1);
            prop_assert_eq!(findings(&RULE, &hpa(min, min * 20 - 1, "")).len(), 0);
        }
    }
}
