//! HPA907 `slow-reaction`.

use hpa_words::clock::rough;

use crate::{
    Check, ConfigurableNumber, Cx, HpaSubject, Needs, RuleOutcome, Severity, ThresholdUnit,
};

crate::declare_rule! {
    /// ## What it does
    /// Flags an HPA if more than 1 in 10 scale-ups take longer than 180 s (`duration`). The time runs from when the
    /// metrics ask for more replicas until one more pod is ready. At least 3 scale-ups are needed.
    ///
    /// ## Why is this bad?
    /// A load that doubles within a minute is over, or has done its harm, before the pods are ready. The time has several
    /// parts: windows and policies of the HPA, the scheduler, images, and the startup of the application.
    ///
    /// ## Example
    /// ```yaml history
    /// apiVersion: autoscaling/v2
    /// kind: HorizontalPodAutoscaler
    /// metadata:
    ///   name: web
    ///   namespace: shop
    /// spec:
    ///   scaleTargetRef:
    ///     apiVersion: apps/v1
    ///     kind: Deployment
    ///     name: web
    ///   minReplicas: 2
    ///   maxReplicas: 10
    ///   metrics:
    ///   - type: Resource
    ///     resource:
    ///       name: cpu
    ///       target:
    ///         type: Utilization
    ///         averageUtilization: 50
    /// ---
    /// # Each line holds until the next.
    /// history: |
    ///   time                  replicas  proposal  ready
    ///   2026-11-02T09:00:00Z  4         4         4
    ///   2026-11-02T09:10:00Z  4         6         4
    ///   2026-11-02T09:10:30Z  6         6         4
    ///   2026-11-02T09:15:00Z  6         6         6
    ///   2026-11-02T09:20:00Z  6         8         6
    ///   2026-11-02T09:20:30Z  8         8         6
    ///   2026-11-02T09:25:00Z  8         8         8
    ///   2026-11-02T09:30:00Z  8         10        8
    ///   2026-11-02T09:30:30Z  10        10        8
    ///   2026-11-02T09:35:00Z  10        10        10
    ///   2026-11-02T09:50:00Z  -         -         -
    /// ```
    ///
    /// Use instead:
    /// ```yaml history
    /// @@
    ///    2026-11-02T09:10:30Z  6         6         4
    /// -  2026-11-02T09:15:00Z  6         6         6
    /// +  2026-11-02T09:11:00Z  6         6         6
    ///    2026-11-02T09:20:00Z  6         8         6
    ///    2026-11-02T09:20:30Z  8         8         6
    /// -  2026-11-02T09:25:00Z  8         8         8
    /// +  2026-11-02T09:21:00Z  8         8         8
    ///    2026-11-02T09:30:00Z  8         10        8
    ///    2026-11-02T09:30:30Z  10        10        8
    /// -  2026-11-02T09:35:00Z  10        10        10
    /// +  2026-11-02T09:31:00Z  10        10        10
    ///    2026-11-02T09:50:00Z  -         -         -
    /// ```
    ///
    /// ## Fix
    /// Lower the target to keep more in reserve, shorten the startup, or scale ahead of known peaks. `kubectl hpa explain`
    /// shows the parts of the time.
    ///
    /// ## References
    /// - [kubernetes/kubernetes#72372](https://github.com/kubernetes/kubernetes/issues/72372), [kubernetes/kubernetes#110317](https://github.com/kubernetes/kubernetes/issues/110317)
    pub(crate) static RULE = {
        code: "HPA907",
        name: "slow-reaction",
        summary: "it takes long from the load to ready pods",
        severity: Severity::Info,
        needs: Needs::History,
        thresholds: &[
            ConfigurableNumber {
                name: "duration",
                default: 180.0,
                unit: ThresholdUnit::Seconds,
                summary: "time that 9 of 10 scale-ups must not exceed",
            },
        ],
        check: Check::Hpa(check),
    }
}

fn check(cx: &Cx<'_, HpaSubject>) -> RuleOutcome {
    let mut reactions = cx.history()?.reactions();
    reactions.sort_unstable();
    if reactions.len() < FEWEST {
        return Ok(Vec::new());
    }
    let rank = (reactions.len() * 9).div_ceil(10) - 1;
    let p90 = reactions[rank];
    if p90.as_secs_f64() <= cx.threshold("duration") {
        return Ok(Vec::new());
    }
    Ok(vec![
        cx.finding("spec.metrics")
            .message(format!(
                "a new pod is ready {} after the metrics ask for it (90th percentile), so pods come late for a peak",
                rough(p90)
            ))
            .help("lower the target, shorten the startup of the pods, or scale ahead of known peaks"),
    ])
}

/// Fewer scale-ups are not representative.
const FEWEST: usize = 3;
