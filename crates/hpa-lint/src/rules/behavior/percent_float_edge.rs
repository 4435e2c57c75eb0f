//! HPA320 `percent-float-edge`.

use super::{
    dominance::MOST_STARTS,
    side::{Side, bounds, observation},
};
use crate::{
    engine::AfterMetrics,
    lint::{Check, Cx, HpaSubject, Missing, RuleOutcome, Severity},
    model::{Direction, PolicyType, ScalingPolicy},
};

crate::lint::declare_rule! {
    /// ## What it does
    /// Flags a `Percent` policy whose bound differs from exact arithmetic at some number of replicas from
    /// `minReplicas` to `maxReplicas`.
    ///
    /// ## Why is this bad?
    /// The controller computes in floating point, where 1.1 is a little more than 11/10: +10% of 100 replicas is
    /// 110.00000000000001, rounded up 111. Down, 1 − 0.8 is a little less than 1/5: −80% of 5 replicas leave 0
    /// instead of 1.
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
    ///   behavior:
    ///     scaleUp:
    ///       policies:
    ///         - type: Percent
    ///           value: 10
    ///           periodSeconds: 60
    /// ```
    ///
    /// Use instead:
    /// ```yaml
    /// @@
    ///          - type: Percent
    /// -          value: 10
    /// +          value: 25
    ///            periodSeconds: 60
    /// ```
    ///
    /// ## Fix
    /// Use a `Pods` policy or another percentage if the one pod matters.
    ///
    /// ## References
    /// - docs/dev/controller.md, 7.4
    pub(crate) static RULE = {
        code: "HPA320",
        name: "percent-float-edge",
        summary: "a percentage gives one pod more or less than it should",
        severity: Severity::Info,
        is_opt_in: true,
        check: Check::Hpa(check),
    }
}

fn check(cx: &Cx<'_, HpaSubject>) -> RuleOutcome {
    let Some((min, max)) = bounds(cx) else {
        return Ok(Vec::new());
    };
    let observation = observation(cx);
    let engine = AfterMetrics::of(&observation);
    let mut findings = Vec::new();
    for side in Side::enabled(cx) {
        for (index, policy) in side.own_policies().iter().enumerate() {
            if policy.policy_type != PolicyType::Percent {
                continue;
            }
            let tried = max.min(min.saturating_add(MOST_STARTS));
            let edge = (min..=tried).find_map(|start| {
                let actual = engine.policy_bound(policy, start, side.direction);
                let exact = exact(policy, start, side.direction);
                (i64::from(actual) != exact && i32::try_from(exact).is_ok())
                    .then_some((start, actual, exact))
            });
            let Some((start, actual, exact)) = edge else {
                if tried < max {
                    return Err(Missing::Because(format!(
                        "percentages are tried for up to {MOST_STARTS} numbers of replicas, and the range is {min}..{max}"
                    )));
                }
                continue;
            };
            findings.push(
                cx.finding(format!("{}.value", side.policy_path(index)))
                    .message(format!(
                        "{}% at {start} replicas gives {actual}; exact arithmetic gives {exact}",
                        policy.value
                    ))
                    .help("use a Pods policy or another percentage if the one pod matters"),
            );
        }
    }
    Ok(findings)
}

/// What a `Percent` policy would allow without rounding errors: up rounds up, down cuts the replicas that stay.
fn exact(policy: &ScalingPolicy, start: i32, direction: Direction) -> i64 {
    let (start, percent) = (i64::from(start), i64::from(policy.value));
    if direction == Direction::Up {
        -(-start * (100 + percent)).div_euclid(100)
    } else {
        start * (100 - percent) / 100
    }
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::rules::behavior::testing::findings_of;

    #[test]
    fn the_first_number_of_replicas_is_named() {
        let found = |direction: &str, max: i32, value: i32| {
            let policy = format!("{{type: Percent, value: {value}, periodSeconds: 60}}");
            findings_of(
                &RULE,
                1,
                max,
                &format!("{{{direction}: {{policies: [{policy}]}}}}"),
            )
        };
        assert!(found("scaleUp", 49, 10).is_empty());
        assert_eq!(
            found("scaleUp", 200, 10),
            [
                "info spec.behavior.scaleUp.policies[0].value: 10% at 50 replicas gives 56; exact arithmetic gives 55"
            ]
        );
        assert!(found("scaleDown", 4, 80).is_empty());
        assert_eq!(
            found("scaleDown", 5, 80),
            [
                "info spec.behavior.scaleDown.policies[0].value: 80% at 5 replicas gives 0; exact arithmetic gives 1"
            ]
        );
    }
}
