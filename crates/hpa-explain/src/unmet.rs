//! The demand that is not met.

use std::cmp::Reverse;

use hpa_diagnosis::{pods_not_running::existing_pods, short_at_max::short_at_max};
use hpa_engine::trace::Decision;

use crate::{ExplainContext, Facts};

/// Demand that is not met.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Unmet {
    /// Replicas that the metrics ask for beyond the maximum; none: that is not known.
    pub above_max: Option<i32>,
    /// Whether `maxReplicas` refuses them now: the replicas are there, or go there.
    pub is_at_max: bool,
    /// Replicas that the target should have now and that are not ready; none: that is not known.
    pub not_ready: Option<i32>,
}

impl Unmet {
    pub(super) fn of(cx: &ExplainContext<'_>) -> Self {
        let ready = cx.facts.current().zip(ready(cx));
        Self {
            above_max: Self::above_max(&cx.facts),
            is_at_max: short_at_max(cx.facts.trace, cx.facts.max()).is_some(),
            not_ready: ready.map(|(desired, ready)| desired.saturating_sub(ready).max(0)),
        }
    }

    /// Replicas that the metrics ask for beyond the maximum; none: that is not known, because a metric fails that might ask for more
    /// than the others, or because the metrics are not asked at all. An HPA that is off asks for nothing.
    pub fn above_max(facts: &Facts<'_>) -> Option<i32> {
        if facts.trace.decision == Decision::Disabled {
            return Some(0);
        }
        let above = facts.proposal()?.saturating_sub(facts.max()).max(0);
        let have_all_asked = facts.metrics.iter().all(|one| one.replicas().is_some());
        (0 < above || have_all_asked).then_some(above)
    }

    /// Both, as far as they are known; none: nothing is known to be lacking, and not both are known.
    pub fn total(self) -> Option<i32> {
        let known = self.known();
        (0 < known || self.is_complete()).then_some(known)
    }

    /// The least that both can be together: what is not known counts as 0.
    pub fn known(self) -> i32 {
        let above_max = self.above_max.unwrap_or(0);
        above_max.saturating_add(self.not_ready.unwrap_or(0))
    }

    /// Whether both are known.
    pub fn is_complete(self) -> bool {
        self.above_max.is_some() && self.not_ready.is_some()
    }

    /// What lines are ordered by: what lacks most comes first, and what might lack something before what lacks nothing.
    pub fn by_total(self) -> (Reverse<i32>, bool) {
        let total = self.total();
        (Reverse(total.unwrap_or(0)), total.is_some())
    }
}

/// What the target says of its ready pods, else what these say.
pub(super) fn ready(cx: &ExplainContext<'_>) -> Option<i32> {
    let target = cx.context.target.as_ref();
    if let Some(ready) = target.and_then(|target| target.ready_replicas) {
        return Some(ready);
    }
    let observation = cx.facts.observation;
    observation.scale.read()?;
    observation.pods.read()?;
    let pods = existing_pods(observation, cx.context);
    let ready = pods.into_iter().filter(|pod| pod.is_ready());
    i32::try_from(ready.count()).ok()
}
