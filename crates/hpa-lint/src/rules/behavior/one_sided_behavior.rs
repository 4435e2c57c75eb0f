//! HPA318 `one-sided-behavior`.

use super::side::Side;
use crate::{Check, Cx, ForScaledObject, HpaSubject, RuleOutcome, Severity};

crate::declare_rule! {
    /// ## What it does
    /// Flags `behavior` with only `scaleUp` or only `scaleDown`.
    ///
    /// ## Why is this bad?
    /// With any `behavior`, the other direction gets explicit defaults, which differ from an HPA without `behavior`.
    /// Scale-up: n replicas can become max(n + 4, 2n) in 15 s instead of max(2n, 4). So 1 becomes 5 instead of 4, and 3
    /// become 7 instead of 6.
    /// Scale-down: an old recommendation no longer raises the replicas above the current number.
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
    ///   behavior:
    ///     scaleDown:
    ///       stabilizationWindowSeconds: 120
    /// ```
    ///
    /// Use instead:
    /// ```yaml
    /// @@
    ///    behavior:
    /// +    scaleUp:
    /// +      stabilizationWindowSeconds: 0
    /// +      policies:
    /// +        - type: Pods
    /// +          value: 4
    /// +          periodSeconds: 15
    /// +        - type: Percent
    /// +          value: 100
    /// +          periodSeconds: 15
    ///      scaleDown:
    /// ```
    ///
    /// ## Fix
    /// Write both directions. If the defaults are intended, ignore the rule.
    ///
    /// ## References
    /// - [docs/dev/controller.md](../dev/controller.md), 1.3, 7.2 and 7.4
    pub(crate) static RULE = {
        code: "HPA318",
        name: "one-sided-behavior",
        summary: "only one direction of behavior is set",
        severity: Severity::Info,
        check: Check::Hpa(check),
        for_scaled_object: ForScaledObject::ItsHpa,
    }
}

fn check(cx: &Cx<'_, HpaSubject>) -> RuleOutcome {
    let (side, other) = match (Side::up(cx), Side::down(cx)) {
        (Some(side), None) => (side, "scaleDown"),
        (None, Some(side)) => (side, "scaleUp"),
        _ => return Ok(Vec::new()),
    };
    let given = side.path.rsplit('.').next().unwrap_or(side.path);
    let defaults = if other == "scaleUp" {
        "4 pods or 100% per 15 s"
    } else {
        "100% per 15 s"
    };
    Ok(vec![
        cx.finding("spec.behavior")
            .message(format!(
                "only {given} is set, so {other} gets the API server's defaults: {defaults}"
            ))
            .help(format!(
                "set spec.behavior.{other} if these defaults are not intended"
            )),
    ])
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::rules::behavior::testing::findings_of;

    #[test]
    fn behavior_without_any_side_and_with_both_is_not_one_sided() {
        assert!(findings_of(&RULE, 1, 9, "{}").is_empty());
        assert!(findings_of(&RULE, 1, 9, "{scaleUp: {}, scaleDown: {}}").is_empty());
        assert_eq!(
            findings_of(&RULE, 1, 9, "{scaleUp: {}}"),
            [
                "info spec.behavior: only scaleUp is set, so scaleDown gets the API server's defaults: 100% per 15 s"
            ]
        );
    }
}
