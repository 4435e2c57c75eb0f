//! HPA303 `scaledown-window-long`.

use super::side::Side;
use crate::{
    Check, ConfigurableNumber, Cx, ForScaledObject, HpaSubject, RuleOutcome, Severity,
    ThresholdUnit,
};

crate::declare_rule! {
    /// ## What it does
    /// Flags a scale-down window above 1800 s (`window`). The API server accepts up to 3600 s.
    ///
    /// ## Why is this bad?
    /// The highest recommendation of the window counts.
    /// With 3600 s, a peak of a single sync keeps its pods for an hour.
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
    ///       stabilizationWindowSeconds: 3600
    /// ```
    ///
    /// Use instead:
    /// ```yaml
    /// @@
    ///      scaleDown:
    /// -      stabilizationWindowSeconds: 3600
    /// +      stabilizationWindowSeconds: 600
    /// ```
    ///
    /// ## Fix
    /// Shorten the window, and slow scale-down with a policy that removes a few pods at a time.
    ///
    /// ## References
    /// - [docs/dev/controller.md](../dev/controller.md), 7.3
    pub(crate) static RULE = {
        code: "HPA303",
        name: "scaledown-window-long",
        summary: "the scale-down window is very long",
        severity: Severity::Info,
        thresholds: &[ConfigurableNumber {
            name: "window",
            default: 1800.0,
            unit: ThresholdUnit::Seconds,
            summary: "the longest window that is not reported",
        }],
        check: Check::Hpa(check),
        for_scaled_object: ForScaledObject::ItsHpa,
    }
}

fn check(cx: &Cx<'_, HpaSubject>) -> RuleOutcome {
    let Some((side, seconds)) = Side::down(cx).and_then(Side::with_window) else {
        return Ok(Vec::new());
    };
    if f64::from(seconds) <= cx.threshold("window") {
        return Ok(Vec::new());
    }
    Ok(vec![
        cx.finding(side.field("stabilizationWindowSeconds"))
            .message(format!(
                "the scale-down window is {seconds} s, so one peak keeps its pods that long"
            ))
            .help(
                "set stabilizationWindowSeconds to 300, and add a policy such as \
                 {type: Percent, value: 10, periodSeconds: 60}",
            ),
    ])
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::rules::behavior::testing::findings_of;

    #[test]
    fn half_an_hour_is_not_too_long() {
        let found = |seconds: i32| {
            let behavior = format!("{{scaleDown: {{stabilizationWindowSeconds: {seconds}}}}}");
            findings_of(&RULE, 1, 9, &behavior).len()
        };
        assert_eq!([1800, 1801].map(found), [0, 1]);
    }
}
