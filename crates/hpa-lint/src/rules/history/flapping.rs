//! HPA901 `flapping`.

use hpa_analysis::{replica_history, seconds};
use hpa_diagnosis::flapping::most_within;
use hpa_engine::model::SnapshotField;
use hpa_words::clock::rough;
use jiff::{SignedDuration, Timestamp};

use crate::{
    Basis, Check, ConfigurableNumber, Cx, HpaSubject, Missing, Needs, RuleOutcome, Severity,
    ThresholdUnit,
};

crate::declare_rule! {
    /// ## What it does
    /// Flags an HPA whose replicas changed direction at least 3 times (`reversals`) within 30 min (`window`): up after
    /// down, or down after up. It counts what a recording shows, or the Events `SuccessfulRescale` if
    /// these show more. Equal Events are kept as one, so it counts too few rather than too many. A change by another writer does not count.
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
                default: 3.0,
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
    let history = cx.subject.hpa.history.as_deref();
    let recorded = history.map_or(0, |history| most_within(&history.turns(), window));
    let reported = reported(cx, window);
    let in_events = reported.as_ref().copied().unwrap_or(0);
    let most = recorded.max(in_events);
    #[expect(clippy::cast_precision_loss, reason = "nothing turns 2^52 times")]
    if (most as f64) < cx.threshold("reversals") {
        let Some(history) = history else {
            return reported.map(|_| Vec::new());
        };
        history.require(
            window,
            &format!(", and in it the replicas changed direction {most} times"),
        )?;
        return Ok(Vec::new());
    }
    let basis = if in_events <= recorded {
        Basis::History
    } else {
        Basis::Live
    };
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

/// The highest number of changes of direction within any window that the Events of the HPA show.
fn reported(cx: &Cx<'_, HpaSubject>, window: SignedDuration) -> Result<usize, Missing> {
    let live = cx.live().map_err(|_| Missing::Recording)?;
    live.require(&SnapshotField::Events)?;
    let turns = replica_history(&live.context, live.now).turns;
    let turns: Vec<Timestamp> = turns.iter().map(|turn| turn.at).collect();
    Ok(most_within(&turns, window))
}
