//! HPA902 `saturated`.

use hpa_analysis::seconds;
use hpa_diagnosis::short_at_max::{FINDING_PERCENT, FINDING_WINDOW};
use hpa_words::clock::rough;

use crate::{
    Check, ConfigurableNumber, Cx, History, HpaSubject, Needs, RuleOutcome, Severity,
    ThresholdUnit, rules::higher_maximum::no_higher_maximum,
};

crate::declare_rule! {
    /// ## What it does
    /// Flags an HPA whose metrics asked for more than `maxReplicas` during at least 10% (`percent`) of the last 7 days
    /// (`window`).
    ///
    /// ## Why is this bad?
    /// `maxReplicas` is meant for rare peaks. 10% of 7 days is 16.8 h in which the load was not met.
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
    ///   time                  replicas  proposal
    ///   2026-10-26T10:00:00Z  6         6
    ///   2026-10-30T10:00:00Z  10        14
    ///   2026-10-31T10:00:00Z  6         6
    ///   2026-11-02T10:00:00Z  -         -
    /// ```
    ///
    /// Use instead:
    /// ```yaml history
    /// @@
    ///    2026-10-30T10:00:00Z  10        14
    /// -  2026-10-31T10:00:00Z  6         6
    /// +  2026-10-30T12:00:00Z  6         6
    ///    2026-11-02T10:00:00Z  -         -
    /// ```
    ///
    /// ## Fix
    /// Raise `maxReplicas` if the cluster has room, or make the pods larger or faster.
    ///
    /// ## References
    /// - [kubernetes-monitoring/kubernetes-mixin](https://github.com/kubernetes-monitoring/kubernetes-mixin): alert `KubeHpaMaxedOut`
    pub(crate) static RULE = {
        code: "HPA902",
        name: "saturated",
        summary: "the metrics ask for more than maxReplicas too often",
        severity: Severity::Warning,
        needs: Needs::History,
        thresholds: &[
            ConfigurableNumber {
                name: "percent",
                default: FINDING_PERCENT,
                unit: ThresholdUnit::Percent,
                summary: "share of the time",
            },
            ConfigurableNumber {
                name: "window",
                default: FINDING_WINDOW,
                unit: ThresholdUnit::Seconds,
                summary: "period that is checked",
            },
        ],
        check: Check::Hpa(check),
    }
}

fn check(cx: &Cx<'_, HpaSubject>) -> RuleOutcome {
    let history = cx.history()?;
    let window = seconds(cx.threshold("window"));
    let percent = History::percent(history.newest(window), |sample| {
        sample
            .proposal
            .is_some_and(|proposal| sample.max < proposal)
    });
    history.require(
        window,
        &format!(
            ", and in it the metrics asked for more than maxReplicas {percent:.1}% of the time"
        ),
    )?;
    if percent < cx.threshold("percent") {
        return Ok(Vec::new());
    }
    // The last state of the recording shows whether more pods would help.
    let live = cx.live().ok();
    let advice = live.and_then(no_higher_maximum).unwrap_or_else(|| {
        "raise maxReplicas if the cluster has room, or make the pods larger or faster".to_owned()
    });
    Ok(vec![
        cx.finding("spec.maxReplicas")
            .message(format!(
                "the metrics asked for more than maxReplicas during {percent:.1}% of {}, so the load was not met during that time",
                rough(window)
            ))
            .help(advice),
    ])
}
