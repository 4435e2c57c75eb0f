//! HPA502 `finished-pods-selected`.

use hpa_analysis::selected_pods;
use hpa_engine::{
    engine::why_ignored,
    model::{Pod, PodPhase},
};
use hpa_words::amount::{count, names};

use super::missing_request::missing_request;
use crate::{Check, Cx, HpaSubject, Missing, Needs, RuleOutcome};

crate::declare_rule! {
    /// ## What it does
    /// Flags finished pods that the selector matches: pods that succeeded, up to Kubernetes 1.37, and in every version
    /// finished pods that fail a Utilization metric because a container has no request.
    ///
    /// ## Why is this bad?
    /// Up to Kubernetes 1.37, a pod that succeeded stays among the pods of the HPA until it is deleted. It has no sample, so
    /// the controller assumes its usage: 0 before scaling up, and before scaling down at least 100% of its request, or the `averageValue`.
    ///
    /// Take 4 pods at 90%, a target of 60% and 2 finished pods. The ratio is 4 × 90 ÷ (6 × 60) = 1 instead of 1.5, so the
    /// HPA does not scale up.
    ///
    /// Failed pods, and from 1.38 on all finished pods, do not enter the average, but their requests are still added up. One
    /// without a request fails the metric.
    ///
    /// ## Example
    /// ```yaml excerpt
    /// kind: Deployment
    /// # …
    ///   selector: {matchLabels: {app: web}}
    /// # …
    /// kind: Pod
    /// metadata:
    ///   name: report-x
    ///   namespace: shop
    ///   labels: {app: web}
    ///   creationTimestamp: "2026-11-02T09:00:00Z"
    ///   ownerReferences: [{apiVersion: batch/v1, kind: Job, name: report, controller: true}]
    /// # …
    /// status:
    ///   phase: Succeeded
    /// ```
    ///
    /// Use instead:
    /// ```yaml excerpt
    /// kind: Deployment
    /// # …
    ///   selector: {matchLabels: {app: web}}
    /// # … only the pods of the Deployment have this label
    /// ```
    ///
    /// ## Fix
    /// Delete finished pods. Set `ttlSecondsAfterFinished` on Jobs, and give the pods of Jobs other labels than those of
    /// the target.
    ///
    /// ## References
    /// - Kubernetes, [`replica_calculator.go`](https://github.com/kubernetes/kubernetes/blob/master/pkg/controller/podautoscaler/replica_calculator.go): `groupPods`
    /// - [kubernetes/kubernetes#129866](https://github.com/kubernetes/kubernetes/issues/129866), [kubernetes/kubernetes#141298](https://github.com/kubernetes/kubernetes/issues/141298), [kubernetes/kubernetes#87935](https://github.com/kubernetes/kubernetes/issues/87935), [kubernetes/kubernetes#55630](https://github.com/kubernetes/kubernetes/issues/55630)
    pub(crate) static RULE = {
        code: "HPA502",
        name: "finished-pods-selected",
        summary: "finished pods match the selector of the target",
        needs: Needs::Live,
        check: Check::Hpa(check),
    }
}

fn check(cx: &Cx<'_, HpaSubject>) -> RuleOutcome {
    let live = cx.live()?;
    let not_read = live.observation.scale.not_read();
    if let Some(not_read) = live.observation.pods.not_read().or(not_read) {
        return Err(Missing::NotRead {
            what: not_read.what.to_string(),
            why: not_read.why.clone(),
        });
    }
    let finished: Vec<&Pod> = selected_pods(&live.observation)
        .into_iter()
        .filter(|pod| pod.deleted.is_none())
        .filter(|pod| matches!(pod.phase, PodPhase::Failed | PodPhase::Succeeded))
        .collect();
    let Some(message) = fails_a_metric(cx, &finished).or_else(|| counts(cx, &finished)) else {
        return Ok(Vec::new());
    };
    Ok(vec![
        cx.finding("spec.scaleTargetRef").message(message).help(
            "delete the finished pods; set ttlSecondsAfterFinished on Jobs, and give their pods other labels",
        ),
    ])
}

/// Finished pods whose missing request fails a metric, whether the controller ignores them otherwise or not.
fn fails_a_metric(cx: &Cx<'_, HpaSubject>, finished: &[&Pod]) -> Option<String> {
    let missing = finished.iter().find_map(|pod| missing_request(cx, pod))?;
    let lacks = |pod: &&&Pod| missing_request(cx, pod).as_ref() == Some(&missing);
    let lacking: Vec<&Pod> = finished.iter().filter(lacks).copied().collect();
    let has = if lacking.len() == 1 { "has" } else { "have" };
    Some(format!(
        "{} and {has} no {}, so {} cannot be computed",
        matches_selector(cx, &lacking),
        missing.what(),
        missing.metric()
    ))
}

/// Finished pods that the controller does not ignore.
fn counts(cx: &Cx<'_, HpaSubject>, finished: &[&Pod]) -> Option<String> {
    let switches = cx.switches();
    let is_counted = |pod: &&&Pod| why_ignored(&switches, pod).is_none();
    let counted: Vec<&Pod> = finished.iter().filter(is_counted).copied().collect();
    let them = if counted.len() == 1 { "it" } else { "them" };
    (!counted.is_empty()).then(|| {
        let matches = matches_selector(cx, &counted);
        format!("{matches}, so metrics still count {them}")
    })
}

/// `2 finished pods (report-1 and report-2) match the selector of Deployment/web`.
fn matches_selector(cx: &Cx<'_, HpaSubject>, finished: &[&Pod]) -> String {
    let target = &cx.subject.spec.scale_target;
    let named: Vec<&str> = finished.iter().map(|pod| pod.name.as_str()).collect();
    format!(
        "{} ({}) {} the selector of {}/{}",
        count(finished.len(), "finished pod"),
        names(&named, 3),
        if finished.len() == 1 {
            "matches"
        } else {
            "match"
        },
        target.kind,
        target.name
    )
}
