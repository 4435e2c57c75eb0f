//! HPA322 `tolerance-zero`.

use super::side::{Side, rounded};
use crate::{
    Check, ConfigurableNumber, Cx, ForScaledObject, HpaSubject, RuleOutcome, Severity,
    ThresholdUnit,
};

crate::declare_rule! {
    /// ## What it does
    /// Flags a tolerance below 0.01 (`tolerance`).
    /// It is not reported if the declared version does not use tolerances of an HPA.
    ///
    /// ## Why is this bad?
    /// The ratio of a utilization moves in steps of one percentage point: 1/70 = 0.014 at a target of 70%.
    /// With a scale-up tolerance of 0, a single point above the target adds a pod: ⌈10 × 71 ÷ 70⌉ = 11.
    /// The new pod takes the point away again.
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
    ///     - type: Resource
    ///       resource:
    ///         name: cpu
    ///         target:
    ///           type: Utilization
    ///           averageUtilization: 70
    ///   behavior:
    ///     scaleUp:
    ///       tolerance: 0
    /// ```
    ///
    /// Use instead:
    /// ```yaml
    /// @@
    ///      scaleUp:
    /// -      tolerance: 0
    /// +      tolerance: 0.05
    /// ```
    ///
    /// ## Fix
    /// Write 0.02 or more.
    ///
    /// ## References
    /// - [KEP-4951](https://kep.k8s.io/4951)
    /// - [docs/dev/controller.md](../dev/controller.md), 3.1
    pub(crate) static RULE = {
        code: "HPA322",
        name: "tolerance-zero",
        summary: "a tolerance that is too small to absorb noise",
        severity: Severity::Warning,
        thresholds: &[ConfigurableNumber {
            name: "tolerance",
            default: 0.01,
            unit: ThresholdUnit::Ratio,
            summary: "the smallest tolerance that is not reported",
        }],
        check: Check::Hpa(check),
        for_scaled_object: ForScaledObject::ItsHpa,
    }
}

fn check(cx: &Cx<'_, HpaSubject>) -> RuleOutcome {
    Ok(Side::tolerances(cx)
        .filter(|(_, tolerance)| (0.0..cx.threshold("tolerance")).contains(tolerance))
        .map(|(side, tolerance)| {
            cx.finding(side.field("tolerance"))
                .message(format!(
                    "tolerance {} on {} reacts to every percentage point, so noise changes the replicas",
                    rounded(tolerance),
                    side.name
                ))
                .help("set tolerance to 0.02 or more")
        })
        .collect())
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::rules::behavior::testing::findings_of;

    #[test]
    fn one_percent_is_enough() {
        let found = |tolerance: &str| {
            findings_of(
                &RULE,
                1,
                9,
                &format!("{{scaleDown: {{tolerance: {tolerance}}}}}"),
            )
        };
        assert!(found("10m").is_empty());
        assert_eq!(
            found("9m"),
            [
                "warning spec.behavior.scaleDown.tolerance: tolerance 0.009 on scale-down reacts to every \
                 percentage point, so noise changes the replicas"
            ]
        );
    }
}
