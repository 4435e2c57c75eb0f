//! HPA315 `scaledown-too-slow`.

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
    /// Flags a scale-down that takes more than 6 h (`time`) from `maxReplicas` to `minReplicas` without any demand: the
    /// engine reconciles at every sync, with the policies and the scale-down window.
    ///
    /// ## Why is this bad?
    /// All that time pods are paid for that nobody needs. With "1 pod in 30 minutes" 20 replicas are back at 2 after
    /// more than 8 hours.
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
    ///     scaleDown:
    ///       policies:
    ///         - type: Pods
    ///           value: 1
    ///           periodSeconds: 1800
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
    ///     scaleDown:
    ///       policies:
    ///         - type: Pods
    ///           value: 1
    ///           periodSeconds: 300
    /// ```
    ///
    /// ## Fix
    /// Allow more per period, or add a `Percent` policy.
    ///
    /// ## References
    /// - docs/controller.md, 7.3 to 7.5
    pub(crate) static RULE = {
        code: "HPA315",
        name: "scaledown-too-slow",
        summary: "scaling from the maximum to the minimum takes hours",
        severity: Severity::Info,
        thresholds: &[Threshold {
            name: "time",
            default: 21_600.0,
            unit: Unit::Seconds,
            summary: "the longest time from maxReplicas to minReplicas",
        }],
        check: Check::Hpa(check),
    }
}

fn check(cx: &Cx<'_, HpaSubject>) -> Outcome {
    let side = Side::down(cx).filter(|side| !side.is_disabled());
    let (Some(side), Some((min, max))) = (side, bounds(cx)) else {
        return Ok(Vec::new());
    };
    let limit =
        SignedDuration::try_from_secs_f64(cx.threshold("time")).unwrap_or(SignedDuration::MAX);
    let time = scaling_time_beyond(&cx.subject.spec, cx.config, side.direction, limit);
    let Some(time) = time else {
        return Ok(Vec::new());
    };
    let message = match time {
        ScalingTime::Reached(time) => {
            format!("scaling from {max} to {min} takes {}", duration(time))
        }
        ScalingTime::LongerThan(time) => {
            format!(
                "scaling from {max} to {min} takes more than {}",
                duration(time)
            )
        }
        ScalingTime::Stops(replicas) => {
            format!("scaling from {max} to {min} stops at {replicas}")
        }
    };
    let finding = cx
        .finding(side.field("policies"))
        .message(message)
        .help("allow more per period");
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
    fn six_hours_are_not_too_long() {
        let found = |max: i32| {
            let rules = "{stabilizationWindowSeconds: 0, policies: [{type: Pods, value: 1, periodSeconds: 1800}]}";
            findings_of(&RULE, 1, max, &format!("{{scaleDown: {rules}}}"))
        };
        // The first pod goes at once.
        assert!(found(14).is_empty());
        assert_eq!(
            found(15),
            ["info spec.behavior.scaleDown.policies: scaling from 15 to 1 takes 6 h 30 m"]
        );
    }
}
