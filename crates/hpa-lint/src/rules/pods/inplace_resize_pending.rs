//! HPA508 `inplace-resize-pending`.

use hpa_analysis::selected_pods;

use crate::{Check, Cx, HpaSubject, Missing, Needs, RuleOutcome, Severity};

crate::declare_rule! {
    /// ## What it does
    /// Flags pods of an HPA with a Utilization metric that have the condition `PodResizePending` or `PodResizeInProgress`
    /// (Kubernetes 1.33 and later).
    ///
    /// ## Why is this bad?
    /// Utilization is usage divided by the requests in the spec of the pod. After a resize the spec has the new request
    /// immediately. The container keeps the old one until the kubelet has applied the resize, which can be never on a full
    /// node. A doubled request halves the utilization on paper: 80% becomes 40%. The HPA then removes pods that are as busy
    /// as before.
    ///
    /// ## Example
    /// ```yaml excerpt
    /// kind: HorizontalPodAutoscaler
    /// # …
    ///     resource: {name: cpu, target: {type: Utilization, averageUtilization: 70}}
    /// # …
    /// kind: Pod
    /// metadata:
    ///   name: web-1a-b
    /// # …
    ///   conditions: [{type: PodResizePending, status: "True", reason: Deferred}, {type: Ready, status: "True", lastTransitionTime: "2026-11-02T09:00:30Z"}]
    /// ```
    ///
    /// Use instead:
    /// ```yaml excerpt
    /// # …
    /// kind: Pod
    /// metadata:
    ///   name: web-1a-b
    /// # …
    ///   conditions: [{type: Ready, status: "True", lastTransitionTime: "2026-11-02T09:00:30Z"}]
    /// ```
    ///
    /// ## Fix
    /// Wait, or read in the message of the condition why the resize is deferred or infeasible. If it cannot be done, set
    /// the old request again.
    ///
    /// ## References
    /// - Kubernetes docs: [Resize CPU and memory resources](https://kubernetes.io/docs/tasks/configure-pod-container/resize-container-resources/)
    /// - [kubernetes/kubernetes#142155](https://github.com/kubernetes/kubernetes/issues/142155)
    pub(crate) static RULE = {
        code: "HPA508",
        name: "inplace-resize-pending",
        summary: "a pod has a resize that is not in effect yet",
        severity: Severity::Info,
        needs: Needs::Live,
        check: Check::Hpa(check),
    }
}

fn check(cx: &Cx<'_, HpaSubject>) -> RuleOutcome {
    let mut metrics = cx.subject.spec.metrics.iter();
    let Some(index) = metrics.position(|metric| metric.percent().is_some()) else {
        return Ok(Vec::new());
    };
    let live = cx.live()?;
    if live.observation.pods.read().is_none() {
        return Err(Missing::Because("the pods could not be read".to_owned()));
    }
    let pods = selected_pods(&live.observation);
    let mut resized = pods.iter().filter(|pod| pod.resize.is_some());
    let Some(first) = resized.next() else {
        return Ok(Vec::new());
    };
    let (name, reason) = (&first.name, first.resize.as_deref().unwrap_or_default());
    let who = match resized.count() {
        0 => format!("pod {name} has a pending resize ({reason})"),
        more => format!("pod {name} and {more} more have a pending resize ({reason})"),
    };
    Ok(vec![
        cx.finding(format!("spec.metrics[{index}]"))
            .message(format!(
                "{who}, so utilization is computed from requests that are not in effect yet"
            ))
            .help("wait until the resize is done; if the node has no room for it, set the old requests again"),
    ])
}
