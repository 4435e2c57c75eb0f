//! The pods of the scale target among those that its selector matches.

use hpa_analysis::own_pods;
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
    let own = own_pods(observation, cx.context);
    if own.iter().all(|pod| pod.owner.is_none()) && 0 < scale.status_replicas {
        // The target reports pods, but which ones is not known: recordings may lack owners.
        return None;
    }
    for pod in own {
        if pod.is_active() {
            active.push(pod);
        } else if !matches!(pod.phase, PodPhase::Failed | PodPhase::Succeeded) {
            terminating += 1;
        }
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
