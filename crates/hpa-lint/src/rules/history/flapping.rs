//! HPA901 `flapping`.

use hpa_analysis::{replica_history, seconds};
use hpa_engine::model::SnapshotField;
use hpa_words::clock::rough;
use jiff::{SignedDuration, Timestamp};

use crate::{
    Basis, Check, ConfigurableNumber, Cx, HpaSubject, Missing, Needs, RuleOutcome, Severity,
    ThresholdUnit,
};

crate::declare_rule! {
    /// ## What it does
    /// Flags an HPA whose replicas changed direction at least 4 times (`reversals`) within 30 min (`window`): up after
    /// down, or down after up. In a cluster it counts the Events `SuccessfulRescale`. Equal Events are kept as one, so it
    /// counts too few rather than too many. A change by another writer does not count.
    ///
    /// ## Why is this bad?
    /// Each change of direction stops pods that are needed again minutes later. Connections break, caches are cold, and
    /// startup CPU can cause the next change.
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
    ///   time                  replicas
    ///   2026-11-02T09:00:00Z  4
    ///   2026-11-02T09:05:00Z  6
    ///   2026-11-02T09:10:00Z  4
    ///   2026-11-02T09:15:00Z  6
    ///   2026-11-02T09:20:00Z  4
    ///   2026-11-02T09:25:00Z  6
    ///   2026-11-02T09:40:00Z  -
    /// ```
    ///
    /// Use instead:
    /// ```yaml history
    /// @@
    ///    2026-11-02T09:05:00Z  6
    /// -  2026-11-02T09:10:00Z  4
    /// -  2026-11-02T09:15:00Z  6
    /// -  2026-11-02T09:20:00Z  4
    /// -  2026-11-02T09:25:00Z  6
    /// +  2026-11-02T09:10:00Z  8
    ///    2026-11-02T09:40:00Z  -
    /// ```
    ///
    /// ## Fix
    /// Use a longer scale-down window, a policy that removes fewer pods at a time, or a wider tolerance (per HPA since
    /// Kubernetes 1.33).
    ///
    /// ## References
    /// - [kedacore/keda#3726](https://github.com/kedacore/keda/issues/3726)
    /// - Kubernetes docs: [Flapping](https://kubernetes.io/docs/tasks/run-application/horizontal-pod-autoscale/#flapping)
    pub(crate) static RULE = {
        code: "HPA901",
        name: "flapping",
        summary: "the replicas keep going up and down",
        severity: Severity::Warning,
        needs: Needs::History,
        thresholds: &[
            ConfigurableNumber {
                name: "reversals",
                default: 4.0,
                unit: ThresholdUnit::Count,
                summary: "changes of direction",
            },
            ConfigurableNumber {
                name: "window",
                default: 1800.0,
                unit: ThresholdUnit::Seconds,
                summary: "period in which they are counted",
            },
        ],
        check: Check::Hpa(check),
    }
}

fn check(cx: &Cx<'_, HpaSubject>) -> RuleOutcome {
    let window = seconds(cx.threshold("window"));
    let (turns, basis) = if let Some(history) = cx.subject.history.as_deref() {
        (history.turns(), Basis::History)
    } else {
        let live = cx.live().map_err(|_| Missing::Recording)?;
        live.require(&SnapshotField::Events)?;
        let turns = replica_history(&live.context, live.now).turns;
        (turns.iter().map(|turn| turn.at).collect(), Basis::Live)
    };
    let most = most_within(&turns, window);
    #[expect(clippy::cast_precision_loss, reason = "nothing turns 2^52 times")]
    if (most as f64) < cx.threshold("reversals") {
        if let Some(history) = cx.subject.history.as_deref() {
            history.require(
                window,
                &format!(", and in it the replicas changed direction {most} times"),
            )?;
        }
        return Ok(Vec::new());
    }
    Ok(vec![
        cx.finding("spec.behavior.scaleDown")
            .basis(basis)
            .message(format!(
                "the replicas changed direction {most} times within {}, so pods stop and start again for nothing",
                rough(window)
            ))
            .help("raise spec.behavior.scaleDown.stabilizationWindowSeconds, remove fewer pods at a time, or widen the tolerance"),
    ])
}

/// The highest number of changes of direction within any window.
fn most_within(turns: &[Timestamp], window: SignedDuration) -> usize {
    let mut first = 0;
    let mut most = 0;
    for (last, at) in turns.iter().enumerate() {
        while window < at.duration_since(turns[first]) {
            first += 1;
        }
        most = most.max(last + 1 - first);
    }
    most
}
