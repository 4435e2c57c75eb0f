//! HPA314 `scaleup-too-slow`.

use jiff::SignedDuration;

use super::side::{Side, bounds};
use crate::{
    explain::clock::duration,
    inference::{ScalingTime, scaling_time_beyond},
    lint::{Basis, Check, Cx, HpaSubject, Outcome, Severity, Threshold, Unit},
    model::Provenance,
};

crate::lint::declare_rule! {
    /// ## What it does
    /// Flags a scale-up that takes more than 600 s (`time`) from `minReplicas` to `maxReplicas` with unlimited demand: the
    /// engine reconciles at every sync, with the policies and the scale-up window.
    ///
    /// ## Why is this bad?
    /// The time that pods need to start comes on top. With "1 pod a minute" 2 replicas reach 20 after 17 minutes: a
    /// burst of 8 minutes ends when half of them are there.
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
    ///   maxReplicas: 20
    ///   behavior:
    ///     scaleUp:
    ///       policies:
    ///         - type: Pods
    ///           value: 1
    ///           periodSeconds: 60
    /// ```
    ///
    /// Use instead:
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
    ///   maxReplicas: 20
    ///   behavior:
    ///     scaleUp:
    ///       policies:
    ///         - type: Pods
    ///           value: 4
    ///           periodSeconds: 60
    /// ```
    ///
    /// ## Fix
    /// Allow more per period, or add a `Percent` policy: `selectPolicy: Max`, the default, takes what allows more.
    ///
    /// ## References
    /// - kubernetes/kubernetes#39090
    /// - docs/controller.md, 7.3 to 7.5
    pub(crate) static RULE = {
        code: "HPA314",
        name: "scaleup-too-slow",
        summary: "scaling from the minimum to the maximum takes long",
        severity: Severity::Warning,
        yields_to: &["HPA304", "HPA305"],
        thresholds: &[Threshold {
            name: "time",
            default: 600.0,
            unit: Unit::Seconds,
            summary: "the longest time from minReplicas to maxReplicas",
        }],
        check: Check::Hpa(check),
    }
}

fn check(cx: &Cx<'_, HpaSubject>) -> Outcome {
    let side = Side::up(cx).filter(|side| !side.is_disabled());
    let (Some(side), Some((min, max))) = (side, bounds(cx)) else {
        return Ok(Vec::new());
    };
    let from = min.max(1);
    let limit =
        SignedDuration::try_from_secs_f64(cx.threshold("time")).unwrap_or(SignedDuration::MAX);
    let time = scaling_time_beyond(&cx.subject.spec, cx.config, side.direction, limit);
    let Some(time) = time else {
        return Ok(Vec::new());
    };
    let message = match time {
        ScalingTime::Reached(time) => {
            format!("scaling from {from} to {max} takes {}", duration(time))
        }
        ScalingTime::LongerThan(time) => {
            format!(
                "scaling from {from} to {max} takes more than {}",
                duration(time)
            )
        }
        ScalingTime::Stops(replicas) => {
            format!("scaling from {from} to {max} stops at {replicas}")
        }
    };
    let is_by_policies = side.written.policies.is_some();
    let finding = cx
        .finding(side.field(if is_by_policies {
            "policies"
        } else {
            "stabilizationWindowSeconds"
        }))
        .message(message)
        .help("allow more per period, or shorten the window");
    Ok(vec![
        if cx.config.sync_period.provenance == Provenance::Assumed {
            finding.basis(Basis::AssumedFlag)
        } else {
            finding
        },
    ])
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::rules::behavior::testing::findings_of;

    #[test]
    fn ten_minutes_are_not_too_long() {
        let found = |max: i32| {
            let policy = "{type: Pods, value: 1, periodSeconds: 60}";
            findings_of(
                &RULE,
                1,
                max,
                &format!("{{scaleUp: {{policies: [{policy}]}}}}"),
            )
        };
        // The first pod comes at once.
        assert!(found(12).is_empty());
        assert_eq!(
            found(13),
            ["warning spec.behavior.scaleUp.policies: scaling from 1 to 13 takes 11 m"]
        );
    }

    #[test]
    fn the_window_counts() {
        let policy = "{type: Pods, value: 1, periodSeconds: 60}";
        let behavior =
            format!("{{scaleUp: {{stabilizationWindowSeconds: 60, policies: [{policy}]}}}}");
        // The recommendation of the sync before the demand is a minute old at the fourth sync that sees it.
        assert_eq!(
            findings_of(&RULE, 1, 13, &behavior),
            ["warning spec.behavior.scaleUp.policies: scaling from 1 to 13 takes 11 m 45 s"]
        );
    }

    #[test]
    fn a_policy_that_overflows_stops_scale_up() {
        let policy = "{type: Pods, value: 2147483647, periodSeconds: 60}";
        let behavior = format!("{{scaleUp: {{policies: [{policy}]}}}}");
        assert_eq!(
            findings_of(&RULE, 1, 9, &behavior),
            ["warning spec.behavior.scaleUp.policies: scaling from 1 to 9 stops at 1"]
        );
    }
}
