//! HPA319 `percent-over-100-down`.

use hpa_engine::model::PolicyType;

use super::side::Side;
use crate::{Check, Cx, ForScaledObject, HpaSubject, RuleOutcome, Severity};

crate::declare_rule! {
    /// ## What it does
    /// Flags a `Percent` policy of scale-down above 100.
    ///
    /// ## Why is this bad?
    /// The API server accepts it, but it limits nothing: of 10 replicas, 150% would leave −5, so `minReplicas` is the only
    /// limit.
    /// Often 15% was meant.
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
    ///       policies:
    ///         - type: Percent
    ///           value: 150
    ///           periodSeconds: 60
    /// ```
    ///
    /// Use instead:
    /// ```yaml
    /// @@
    ///          - type: Percent
    /// -          value: 150
    /// +          value: 15
    ///            periodSeconds: 60
    /// ```
    ///
    /// ## Fix
    /// Write a percentage of 100 or less.
    ///
    /// ## References
    /// - [docs/dev/controller.md](../dev/controller.md), 1.4 and 7.4
    pub(crate) static RULE = {
        code: "HPA319",
        name: "percent-over-100-down",
        summary: "scale-down by more than 100%",
        severity: Severity::Warning,
        check: Check::Hpa(check),
        for_scaled_object: ForScaledObject::ItsHpa,
    }
}

fn check(cx: &Cx<'_, HpaSubject>) -> RuleOutcome {
    let Some(side) = Side::down(cx).filter(|side| !side.is_disabled()) else {
        return Ok(Vec::new());
    };
    let policies = side.own_policies().iter().enumerate();
    Ok(policies
        .filter(|(_, policy)| policy.policy_type == PolicyType::Percent && 100 < policy.value)
        .map(|(index, policy)| {
            cx.finding(format!("{}.value", side.policy_path(index)))
                .message(format!(
                    "scale-down by {}% is more than all pods, so it limits nothing",
                    policy.value
                ))
                .help("set value to 100 or less")
        })
        .collect())
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::rules::behavior::testing::findings_of;

    #[test]
    fn a_hundred_percent_are_everything_and_up_may_be_more() {
        let found = |direction: &str, value: i32| {
            let policy = format!("{{type: Percent, value: {value}, periodSeconds: 60}}");
            findings_of(
                &RULE,
                1,
                9,
                &format!("{{{direction}: {{policies: [{policy}]}}}}"),
            )
            .len()
        };
        assert_eq!([100, 101].map(|value| found("scaleDown", value)), [0, 1]);
        assert_eq!(found("scaleUp", 900), 0);
    }
}
