//! HPA312 `selectpolicy-single`.

use hpa_engine::engine::AfterMetrics;

use super::side::{Side, with_fix};
use crate::{Check, Cx, FixStep, ForScaledObject, HpaSubject, RuleOutcome, Severity};

crate::declare_rule! {
    /// ## What it does
    /// Flags `selectPolicy: Max` or `Min` for a direction with only one policy.
    ///
    /// ## Why is this bad?
    /// With one policy, `Max` and `Min` give the same result. A reader looks for the second policy.
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
    ///       selectPolicy: Min
    ///       policies:
    ///         - type: Pods
    ///           value: 2
    ///           periodSeconds: 60
    /// ```
    ///
    /// Use instead:
    /// ```yaml
    /// @@
    ///            periodSeconds: 60
    /// +        - type: Percent
    /// +          value: 10
    /// +          periodSeconds: 60
    /// ```
    ///
    /// ## Fix
    /// Remove `selectPolicy`. `--fix` does this.
    ///
    /// ## References
    /// - [docs/dev/controller.md](../dev/controller.md), 7.4
    pub(crate) static RULE = {
        code: "HPA312",
        name: "selectpolicy-single",
        summary: "selectPolicy with one policy",
        severity: Severity::Info,
        is_opt_in: true,
        is_fixable: true,
        check: Check::Hpa(check),
        for_scaled_object: ForScaledObject::ItsHpa,
    }
}

fn check(cx: &Cx<'_, HpaSubject>) -> RuleOutcome {
    Ok(Side::enabled(cx)
        .filter_map(|side| {
            let select = side.written.select_policy.as_deref()?;
            if AfterMetrics::policies(Some(side.rules), side.direction).len() != 1 {
                return None;
            }
            let path = side.field("selectPolicy");
            let finding = cx
                .finding(path.clone())
                .message(format!(
                    "selectPolicy {select} has no effect with one policy"
                ))
                .help("remove selectPolicy");
            // Without the policies, the direction might be empty.
            Some(if side.written.policies.is_some() {
                with_fix(cx, finding, FixStep::Remove { path })
            } else {
                finding
            })
        })
        .collect())
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::rules::behavior::testing::findings_of;

    #[test]
    fn policies_that_the_api_server_fills_in_count() {
        assert!(findings_of(&RULE, 1, 9, "{scaleUp: {selectPolicy: Min}}").is_empty());
        assert_eq!(
            findings_of(&RULE, 1, 9, "{scaleDown: {selectPolicy: Min}}").len(),
            1
        );
    }
}
