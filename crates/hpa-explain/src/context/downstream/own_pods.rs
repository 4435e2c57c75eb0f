//! The pods of the scale target among those that its selector matches.

use hpa_analysis::{Belonging, ownership, selected_pods};
use hpa_engine::model::{Pod, PodPhase};

use crate::ExplainContext;

/// The pods of the scale target.
pub(super) struct OwnPods<'a> {
    /// `spec.replicas` of the scale.
    pub(super) desired: i32,
    /// Pods that are neither finished nor terminating.
    pub(super) active: Vec<&'a Pod>,
    /// Pods that are terminating.
    pub(super) terminating: usize,
}

/// The pods of the target, if scale and pods could be read and the pods have owners.
pub(super) fn of<'a>(cx: &ExplainContext<'a>) -> Option<OwnPods<'a>> {
    let observation = cx.facts.observation;
    let scale = observation.scale.read()?;
    observation.pods.read()?;
    let (mut active, mut terminating) = (Vec::new(), 0);
    for pod in selected_pods(observation) {
        let is_over = matches!(pod.phase, PodPhase::Failed | PodPhase::Succeeded);
        if is_over || !may_belong(cx, pod) {
            continue;
        }
        if pod.deleted.is_some() {
            terminating += 1;
        } else {
            active.push(pod);
        }
    }
    if active.is_empty() && terminating == 0 && 0 < scale.status_replicas {
        // The target reports pods, but which ones is not known: recordings may lack owners.
        return None;
    }
    Some(OwnPods {
        desired: scale.spec_replicas,
        active,
        terminating,
    })
}

impl<'a> OwnPods<'a> {
    /// How many pods are ready.
    pub(super) fn ready(&self) -> usize {
        self.active.iter().filter(|pod| pod.is_ready()).count()
    }

    /// The pods without a node.
    pub(super) fn without_node(&self) -> Vec<&'a Pod> {
        let mut pods = self.active.clone();
        pods.retain(|pod| !pod.has_node());
        pods
    }

    /// The pod that was created last: further pods will be like it.
    pub(super) fn newest(&self) -> Option<&'a Pod> {
        self.active.iter().copied().max_by_key(|pod| pod.created)
    }

    /// Wanted pods that do not exist.
    pub(super) fn missing(&self) -> i32 {
        let created = i32::try_from(self.active.len()).unwrap_or(i32::MAX);
        self.desired.saturating_sub(created).max(0)
    }
}

/// Whether the target owns the pod, or may own it through owners that were not read.
fn may_belong(cx: &ExplainContext<'_>, pod: &Pod) -> bool {
    let belonging = ownership(pod, cx.facts.observation, cx.context).belonging;
    pod.owner.is_some() && belonging != Belonging::Other
}
