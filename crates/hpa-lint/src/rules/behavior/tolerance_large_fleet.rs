//! HPA324 `tolerance-large-fleet`.

use hpa_engine::{engine::AfterMetrics, model::Provenance};

use super::side::{Side, bounds, observation, rounded};
use crate::{
    Basis, Check, ConfigurableNumber, Cx, ForScaledObject, HpaSubject, RuleOutcome, Severity,
    ThresholdUnit,
};

crate::declare_rule! {
    /// ## What it does
    /// Flags an HPA whose scale-down tolerance can keep 50 or more idle pods (`pods`) at `maxReplicas`.
    /// If the tolerance is not set, the controller's flag counts (0.1 unless declared).
    /// It is not reported if the declared version does not use tolerances of an HPA.
    ///
    /// ## Why is this bad?
    /// The tolerance is a share of the replicas: 10% of 10 pods is 1 pod, and 10% of 800 pods is 80.
    /// With 800 replicas at 90% of the target, 720 would be enough, but the HPA keeps all 800.
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
    ///   maxReplicas: 800
    ///   metrics:
    ///     - type: Resource
    ///       resource:
    ///         name: cpu
    ///         target:
    ///           type: Utilization
    ///           averageUtilization: 70
    /// ```
    ///
    /// Use instead:
    /// ```yaml
    /// @@
    ///            averageUtilization: 70
    /// +  behavior:
    /// +    scaleUp:
    /// +      tolerance: 0.1
    /// +    scaleDown:
    /// +      tolerance: 0.02
    /// ```
    ///
    /// ## Fix
    /// Set a smaller `behavior.scaleDown.tolerance`.
    ///
    /// ## References
    /// - [KEP-4951](https://kep.k8s.io/4951)
    /// - [kubernetes#116984](https://github.com/kubernetes/kubernetes/issues/116984)
    /// - [docs/dev/controller.md](../dev/controller.md), 3.1
    pub(crate) static RULE = {
        code: "HPA324",
        name: "tolerance-large-fleet",
        summary: "the tolerance keeps many idle pods",
        severity: Severity::Info,
        yields_to: &["HPA321"],
        thresholds: &[ConfigurableNumber {
            name: "pods",
            default: 50.0,
            unit: ThresholdUnit::Count,
            summary: "the smallest number of idle pods that is reported",
        }],
        check: Check::Hpa(check),
        for_scaled_object: ForScaledObject::ItsHpa,
    }
}

fn check(cx: &Cx<'_, HpaSubject>) -> RuleOutcome {
    let side = Side::down(cx);
    let is_disabled = side.is_some_and(|side| side.is_disabled());
    let Some((_, max)) = bounds(cx).filter(|(min, max)| min < max && !is_disabled) else {
        return Ok(Vec::new());
    };
    if !cx.switches().per_hpa_tolerance {
        return Ok(Vec::new());
    }
    let observation = observation(cx);
    let engine = AfterMetrics::of(&observation);
    let idle = max - fewest_needed(engine, max);
    if f64::from(idle) < cx.threshold("pods") {
        return Ok(Vec::new());
    }
    let (_, tolerance) = engine.tolerances();
    let written = side.filter(|side| side.written.tolerance.is_some());
    let path = written.map_or("spec.maxReplicas".to_owned(), |side| {
        side.field("tolerance")
    });
    let finding = cx
        .finding(path)
        .message(format!(
            "tolerance {} can keep up to {idle} idle pods at {max} replicas",
            rounded(tolerance.value)
        ))
        .help("set a smaller spec.behavior.scaleDown.tolerance, such as 0.02");
    Ok(vec![if tolerance.provenance == Provenance::Assumed {
        finding.basis(Basis::AssumedFlag)
    } else {
        finding
    }])
}

/// The fewest pods that the usage can need while all replicas stay. The ratio grows with them.
fn fewest_needed(engine: AfterMetrics<'_>, replicas: i32) -> i32 {
    let (mut outside, mut within) = (-1, replicas);
    while outside + 1 < within {
        let middle = i32::midpoint(outside, within);
        if engine.is_within_tolerance(f64::from(middle) / f64::from(replicas)) {
            within = middle;
        } else {
            outside = middle;
        }
    }
    within
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::{
        Basis,
        rules::behavior::testing::{findings_of, hpa},
        testing::report,
    };

    #[test]
    fn the_flag_counts_where_no_tolerance_is_set() {
        assert!(findings_of(&RULE, 1, 499, "{}").is_empty());
        let report = report(&RULE, &hpa(1, 500, "{}"));
        let finding = &report.findings[0].finding;
        assert_eq!(
            finding.message,
            "tolerance 0.1 can keep up to 50 idle pods at 500 replicas"
        );
        assert_eq!(
            (&*finding.path, finding.basis),
            ("spec.maxReplicas", Basis::AssumedFlag)
        );
    }

    #[test]
    fn a_tolerance_beyond_all_keeps_all() {
        assert_eq!(
            findings_of(&RULE, 1, 60, "{scaleDown: {tolerance: 3}}"),
            [
                "info spec.behavior.scaleDown.tolerance: tolerance 3 can keep up to 60 idle pods at 60 replicas"
            ]
        );
    }
}
