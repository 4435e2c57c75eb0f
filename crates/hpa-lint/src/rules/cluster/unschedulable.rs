//! HPA706 `unschedulable`.

use hpa_analysis::seconds;
use hpa_diagnosis::pods_not_running::{FINDING_NO_NODE, Unscheduled, unscheduled};
use hpa_engine::model::Reading;

use crate::{
    Check, ConfigurableNumber, Cx, HpaSubject, Missing, Needs, RuleOutcome, Severity, ThresholdUnit,
};

crate::declare_rule! {
    /// ## What it does
    /// Flags an HPA if pods of its target have waited for a node for more than 2 min (`duration`) and fewer pods are ready
    /// than replicas are wanted.
    ///
    /// ## Why is this bad?
    /// The HPA counts these pods, so it assumes that it has scaled. Before scaling up, a pod without a sample counts as
    /// 0%, so the HPA can hold where it should scale up. With two pods at 80% and one that waits, it sees
    /// (80 + 80 + 0) ÷ 3 = 53%.
    ///
    /// ## Example
    /// ```yaml excerpt
    /// # … read at 10:00:00
    /// kind: Deployment
    /// # …
    /// spec:
    ///   replicas: 3
    /// # … two of the three pods are ready, the third waits
    /// kind: Pod
    /// metadata:
    ///   name: web-6f-c
    ///   namespace: shop
    ///   creationTimestamp: "2026-11-02T09:50:00Z"
    /// # …
    /// status:
    ///   phase: Pending
    ///   conditions:
    ///   - type: PodScheduled
    ///     status: "False"
    ///     reason: Unschedulable
    ///     message: '0/3 nodes are available: 3 Insufficient cpu.'
    /// ```
    ///
    /// Use instead:
    /// ```yaml excerpt
    /// kind: Deployment
    /// # …
    /// spec:
    ///   replicas: 2
    /// # … two pods, both ready
    /// ```
    ///
    /// ## Fix
    /// Add nodes, lower the requests, or lower `maxReplicas` to what the nodes can run.
    ///
    /// ## References
    /// - [kubernetes/kubernetes#82285](https://github.com/kubernetes/kubernetes/issues/82285)
    pub(crate) static RULE = {
        code: "HPA706",
        name: "unschedulable",
        summary: "pods of the target cannot be scheduled",
        severity: Severity::Error,
        needs: Needs::Live,
        thresholds: &[
            ConfigurableNumber {
                name: "duration",
                default: FINDING_NO_NODE,
                unit: ThresholdUnit::Seconds,
                summary: "how long a pod must wait",
            },
        ],
        check: Check::Hpa(check),
    }
}

fn check(cx: &Cx<'_, HpaSubject>) -> RuleOutcome {
    let live = cx.live()?;
    let observation = &live.observation;
    if let Reading::NotRead(reason) = &observation.pods {
        return Err(Missing::from(reason));
    }
    let Some(scale) = observation.scale.read() else {
        return Ok(Vec::new());
    };
    let takes = seconds(cx.threshold("duration"));
    let found = unscheduled(observation, &live.context, live.now, takes);
    let Some(Unscheduled {
        mut waiting, ready, ..
    }) = found
    else {
        return Ok(Vec::new());
    };
    // Of exactly that age it has not waited longer.
    waiting.retain(|pod| pod.created.is_some_and(|at| takes < live.since(at)));
    let is_short = ready < usize::try_from(scale.spec_replicas).unwrap_or(0);
    if !is_short || waiting.is_empty() {
        return Ok(Vec::new());
    }
    let message = waiting.iter().find_map(|pod| pod.waiting.as_deref());
    let number = waiting.len();
    let pods = if number == 1 { "pod" } else { "pods" };
    Ok(vec![
        cx.finding("spec.scaleTargetRef")
            .message(format!(
                "{number} {pods} cannot be scheduled, so the load stays on fewer pods. {}",
                message
                    .unwrap_or("no reason is given")
                    .trim_end_matches('.')
            ))
            .help("add nodes, lower the requests, or lower maxReplicas to what the nodes can run"),
    ])
}
