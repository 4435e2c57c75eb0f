//! HPA808 `status-stale`.

use hpa_analysis::{Assessment, ComparisonOutcome};
use hpa_words::clock::rough;

use crate::{Check, Cx, HpaSubject, Missing, Needs, RuleOutcome, Severity};

crate::declare_rule! {
    /// ## What it does
    /// Flags an HPA whose spec the controller has not processed yet. Since Kubernetes 1.37 that is `observedGeneration`
    /// below `generation`. Before 1.37 no controller writes that field. The rule then looks for a status that does not fit
    /// a spec that was edited at least two syncs ago.
    ///
    /// ## Why is this bad?
    /// The status describes an older spec. Syncs come every 15 s by default, so this ends by itself unless the controller
    /// is down or far behind.
    ///
    /// ## Example
    /// ```yaml live kube=1.37
    /// apiVersion: autoscaling/v2
    /// kind: HorizontalPodAutoscaler
    /// metadata:
    ///   name: web
    ///   namespace: shop
    ///   generation: 4
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
    /// status:
    ///   observedGeneration: 3
    ///   currentReplicas: 2
    ///   desiredReplicas: 2
    ///   conditions:
    ///   - type: AbleToScale
    ///     status: "True"
    ///     reason: ReadyForNewScale
    ///     message: 'recommended size matches current size'
    ///     lastTransitionTime: "2026-11-02T08:00:00Z"
    ///   - type: ScalingActive
    ///     status: "True"
    ///     reason: ValidMetricFound
    ///     message: 'the HPA was able to successfully calculate a replica count'
    ///     lastTransitionTime: "2026-11-02T08:00:00Z"
    /// ```
    ///
    /// Use instead:
    /// ```yaml live kube=1.37
    /// @@
    ///  status:
    /// -  observedGeneration: 3
    /// +  observedGeneration: 4
    ///    currentReplicas: 2
    /// ```
    ///
    /// ## Fix
    /// Wait for a sync. If nothing changes, check kube-controller-manager.
    ///
    /// ## References
    /// - Kubernetes, [`horizontal.go`](https://github.com/kubernetes/kubernetes/blob/master/pkg/controller/podautoscaler/horizontal.go): `setStatus`
    /// - [kubernetes/kubernetes#138228](https://github.com/kubernetes/kubernetes/issues/138228)
    pub(crate) static RULE = {
        code: "HPA808",
        name: "status-stale",
        summary: "the status is older than the spec",
        severity: Severity::Warning,
        needs: Needs::Live,
        check: Check::Hpa(check),
    }
}

fn check(cx: &Cx<'_, HpaSubject>) -> RuleOutcome {
    let live = cx.live()?;
    let evidence = if cx.config.feature_gates.hpa_generation.value {
        behind(live)
    } else {
        unfitting(cx, live)?
    };
    Ok(evidence
        .map(|evidence| {
            cx.finding("spec")
                .message(format!("the status is older than the spec, so it describes an earlier one: {evidence}"))
                .help("wait for the next sync; if nothing changes, check whether kube-controller-manager is down or far behind")
        })
        .into_iter()
        .collect())
}

fn behind(live: &Assessment) -> Option<String> {
    let hpa = &live.observation.hpa;
    let (observed, generation) = (hpa.status.observed_generation?, hpa.generation?);
    (hpa.is_observed() == Some(false))
        .then(|| format!("observedGeneration {observed}, generation {generation}"))
}

/// A status that cannot belong to this spec. An old write time alone proves nothing: the controller does not write an
/// unchanged status.
fn unfitting(cx: &Cx<'_, HpaSubject>, live: &Assessment) -> Result<Option<String>, Missing> {
    if live.analysis.cross_check.agreement != ComparisonOutcome::SpecEdited {
        return Ok(None);
    }
    let edit = live.context.hpa_edited_by.as_ref();
    let edited = edit
        .and_then(|edit| edit.time)
        .ok_or_else(|| Missing::unknown("when the spec was edited"))?;
    let ago = live.since(edited);
    let syncs = cx.sync_period().value.saturating_mul(2);
    Ok((syncs <= ago).then(|| {
        let by = edit.map(|edit| edit.manager.as_str()).unwrap_or_default();
        format!(
            "{by} edited the spec {} ago, and the status does not fit it",
            rough(ago)
        )
    }))
}
