//! HPA302 `scaledown-window-short`.

use super::side::Side;
use crate::{
    Check, ConfigurableNumber, Cx, ForScaledObject, HpaSubject, RuleOutcome, Severity,
    ThresholdUnit,
};

crate::declare_rule! {
    /// ## What it does
    /// Flags a scale-down window above 0 and below 60 s (`window`).
    /// A window that is not longer than the sync period has no effect at all; HPA327 reports it.
    ///
    /// ## Why is this bad?
    /// Metrics are scraped every 15 to 60 s, and the controller syncs every 15 s, so a sample can be a minute old.
    /// A window of 30 s holds one earlier recommendation, often computed from the same sample.
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
    ///       stabilizationWindowSeconds: 30
    /// ```
    ///
    /// Use instead:
    /// ```yaml
    /// @@
    ///      scaleDown:
    /// -      stabilizationWindowSeconds: 30
    /// +      stabilizationWindowSeconds: 120
    /// ```
    ///
    /// ## Fix
    /// Make the window longer than a few samples, such as 120 s. Or set it to 0, and limit the rate with a policy.
    ///
    /// ## References
    /// - [kubernetes#110317](https://github.com/kubernetes/kubernetes/issues/110317)
    /// - [docs/dev/controller.md](../dev/controller.md), 7.3
    pub(crate) static RULE = {
        code: "HPA302",
        name: "scaledown-window-short",
        summary: "the scale-down window is too short to smooth anything",
        severity: Severity::Info,
        yields_to: &["HPA327"],
        thresholds: &[ConfigurableNumber {
            name: "window",
            default: 60.0,
            unit: ThresholdUnit::Seconds,
            summary: "the shortest window that is not reported",
        }],
        check: Check::Hpa(check),
        for_scaled_object: ForScaledObject::ItsHpa,
    }
}

fn check(cx: &Cx<'_, HpaSubject>) -> RuleOutcome {
    let Some((side, seconds)) = Side::down(cx).and_then(Side::with_window) else {
        return Ok(Vec::new());
    };
    if seconds <= 0 || cx.threshold("window") <= f64::from(seconds) {
        return Ok(Vec::new());
    }
    Ok(vec![
        cx.finding(side.field("stabilizationWindowSeconds"))
            .message(format!(
                "the scale-down window is {seconds} s, too short for more than a few samples, so it hardly \
                 smooths anything"
            ))
            .help("set stabilizationWindowSeconds to 120, or to 0 with a policy that limits the rate"),
    ])
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::rules::behavior::testing::findings_of;

    #[test]
    fn windows_from_one_second_to_just_below_a_cycle_are_short() {
        let found = |seconds: i32| {
            let behavior = format!("{{scaleDown: {{stabilizationWindowSeconds: {seconds}}}}}");
            findings_of(&RULE, 1, 9, &behavior).len()
        };
        assert_eq!([0, 1, 59, 60].map(found), [0, 1, 1, 0]);
    }
}
