//! HPA326 `policy-longer-than-window`.

use hpa_engine::model::{Direction, Provenance};
use jiff::SignedDuration;

use super::side::Side;
use crate::{Basis, Check, Cx, ForScaledObject, HpaSubject, RuleOutcome, Severity};

crate::declare_rule! {
    /// ## What it does
    /// Flags a scale-down policy whose `periodSeconds` is more than four times the stabilization window.
    /// If the window is not set, the controller's flag counts (300 s unless declared).
    ///
    /// ## Why is this bad?
    /// The window decides when a scale-down starts, and the policy how it goes on.
    /// With a window of 60 s and "2 pods per 600 s", the first 2 pods go after 1 min.
    /// The next 2 go only 10 min later.
    /// So the window hardly matters, although a reader expects it to.
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
    ///       stabilizationWindowSeconds: 60
    ///       policies:
    ///         - type: Pods
    ///           value: 2
    ///           periodSeconds: 600
    /// ```
    ///
    /// Use instead:
    /// ```yaml
    /// @@
    ///      scaleDown:
    /// -      stabilizationWindowSeconds: 60
    /// +      stabilizationWindowSeconds: 300
    ///        policies:
    /// ```
    ///
    /// ## Fix
    /// Shorten the period, or lengthen the window.
    ///
    /// ## References
    /// - [docs/dev/controller.md](../dev/controller.md), 7.3 and 7.4
    pub(crate) static RULE = {
        code: "HPA326",
        name: "policy-longer-than-window",
        summary: "a scale-down policy has a far longer period than the window",
        severity: Severity::Info,
        is_opt_in: true,
        check: Check::Hpa(check),
        for_scaled_object: ForScaledObject::ItsHpa,
    }
}

fn check(cx: &Cx<'_, HpaSubject>) -> RuleOutcome {
    let Some(side) = Side::down(cx).filter(|side| !side.is_disabled()) else {
        return Ok(Vec::new());
    };
    let window = cx.subject.spec.window(Direction::Down, cx.config);
    let longest = window.value.saturating_mul(4);
    if longest <= SignedDuration::ZERO {
        return Ok(Vec::new());
    }
    let policies = side.own_policies().iter().enumerate();
    Ok(policies
        .filter(|(_, policy)| longest < SignedDuration::from_secs(policy.period_seconds.into()))
        .map(|(index, policy)| {
            let finding = cx
                .finding(format!("{}.periodSeconds", side.policy_path(index)))
                .message(format!(
                    "periodSeconds {} is more than four times the scale-down window {} s, so the window hardly \
                     matters",
                    policy.period_seconds,
                    window.value.as_secs()
                ))
                .help(format!(
                    "set periodSeconds to {} or less, or lengthen the window",
                    longest.as_secs()
                ));
            match window.provenance {
                Provenance::Observed => {
                    finding.label(side.field("stabilizationWindowSeconds"), "the window")
                }
                Provenance::Assumed => finding.basis(Basis::AssumedFlag),
                _ => finding,
            }
        })
        .collect())
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::rules::behavior::testing::findings_of;

    #[test]
    fn four_times_the_window_is_not_too_long() {
        let found = |window: &str, period: i32| {
            let policies = format!("policies: [{{type: Pods, value: 1, periodSeconds: {period}}}]");
            findings_of(
                &RULE,
                1,
                9,
                &format!("{{scaleDown: {{{window} {policies}}}}}"),
            )
            .len()
        };
        let window = "stabilizationWindowSeconds: 60,";
        assert_eq!([240, 241].map(|period| found(window, period)), [0, 1]);
        assert_eq!([1200, 1201].map(|period| found("", period)), [0, 1]);
        assert_eq!(found("stabilizationWindowSeconds: 0,", 60), 0);
    }
}
