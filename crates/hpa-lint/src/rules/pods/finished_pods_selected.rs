//! HPA502 `finished-pods-selected`.

use crate::{
    engine::why_ignored,
    inference::selected_pods,
    lint::{Check, Cx, HpaSubject, Missing, Needs, RuleOutcome},
    model::{MetricSpec, Pod, PodPhase},
};

crate::lint::declare_rule! {
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
    let counts_sidecars = cx.switches().sidecar_requests;
    let finished: Vec<&Pod> = selected_pods(&live.observation)
        .into_iter()
        .filter(|pod| pod.deleted.is_none())
        .filter(|pod| match pod.phase {
            PodPhase::Succeeded if why_ignored(&cx.switches(), pod).is_none() => true,
            PodPhase::Failed | PodPhase::Succeeded => lacks_request(cx, pod, counts_sidecars),
            PodPhase::Other(_) | PodPhase::Pending | PodPhase::Running => false,
        })
        .collect();
    let Some(first) = finished.first() else {
        return Ok(Vec::new());
    };
    let target = &cx.subject.spec.scale_target;
    let message = match finished.len() {
        1 => format!(
            "1 finished pod ({}) matches the selector of {}/{}, so metrics still count it",
            first.name, target.kind, target.name
        ),
        n => format!(
            "{n} finished pods match the selector of {}/{}, so metrics still count them",
            target.kind, target.name
        ),
    };
    Ok(vec![
        cx.finding("spec.scaleTargetRef").message(message).help(
            "delete the finished pods; set ttlSecondsAfterFinished on Jobs, and give their pods other labels",
        ),
    ])
}

/// Whether a Utilization metric fails because of this pod.
fn lacks_request(cx: &Cx<'_, HpaSubject>, pod: &Pod, counts_sidecars: bool) -> bool {
    let mut resources = cx
        .subject
        .spec
        .metrics
        .iter()
        .filter_map(|metric| match metric {
            MetricSpec::Resource(source) => source
                .metric_target
                .average_utilization
                .map(|_| source.name.as_str()),
            _ => None,
        });
    resources.any(|resource| {
        let sidecars = pod.init_containers.iter();
        let mut counted = pod
            .containers
            .iter()
            .chain(sidecars.filter(|container| counts_sidecars && container.is_restartable));
        pod.requests.is_empty() && counted.any(|container| container.request(resource).is_none())
    })
}
