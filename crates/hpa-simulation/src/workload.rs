//! The target's own controllers: ReplicaSet, Deployment and StatefulSet.

use std::{cmp::Ordering, collections::BTreeMap};

use jiff::Timestamp;

use crate::{
    Millis, Workload,
    pods::{PodFactory, SimulatedPod, Stage},
};

/// The target: `replicas` pods of its newest template.
pub(crate) struct Target {
    /// `spec.replicas`.
    pub(crate) replicas: i32,
    /// The number of its newest template.
    pub(crate) revision: u32,
    pub(crate) workload: Workload,
    /// The most pods that may exist; none: as many as are wanted.
    pub(crate) most: Option<usize>,
}

impl Target {
    /// Creates and deletes the pods that are due.
    pub(crate) fn reconcile(
        &self,
        pods: &mut Vec<SimulatedPod>,
        factory: &mut PodFactory<'_>,
        now: Millis,
        start: Timestamp,
    ) {
        let desired = self.replicas.max(0) as usize;
        match self.workload {
            Workload::Deployment { surge, unavailable } => {
                let is_rollout = pods
                    .iter()
                    .any(|pod| pod.deleted.is_none() && pod.revision != self.revision);
                if is_rollout {
                    self.roll(pods, factory, desired, (surge, unavailable), (now, start));
                } else {
                    let live = live(pods).count();
                    self.create(pods, factory, desired.saturating_sub(live), now);
                    delete(pods, live.saturating_sub(desired), |_| true, now, start);
                }
            }
            Workload::StatefulSet { is_parallel } => {
                self.step(pods, factory, desired, is_parallel, (now, start));
            }
        }
    }

    /// The most pods that [`reconcile`](Self::reconcile) creates.
    pub(crate) fn most_to_create(&self, pods: &[SimulatedPod]) -> usize {
        let desired = self.replicas.max(0) as usize;
        let wanted = match self.workload {
            Workload::Deployment { surge, .. } => {
                let is_old = |pod: &SimulatedPod| pod.revision != self.revision;
                let surge = if live(pods).any(is_old) { surge } else { 0 };
                (desired + surge_of(desired, surge)).saturating_sub(live(pods).count())
            }
            Workload::StatefulSet { is_parallel } => {
                let within = |pod: &&SimulatedPod| (pod.ordinal as usize) < desired;
                let missing = desired.saturating_sub(pods.iter().filter(within).count());
                if is_parallel { missing } else { missing.min(1) }
            }
        };
        wanted.min(self.room(pods))
    }

    /// One step of a rolling update. Upstream: `rolloutRolling` of the Deployment controller.
    fn roll(
        &self,
        pods: &mut Vec<SimulatedPod>,
        factory: &mut PodFactory<'_>,
        desired: usize,
        (surge, unavailable): (u32, u32),
        (now, start): (Millis, Timestamp),
    ) {
        let surge = surge_of(desired, surge);
        let mut unavailable = desired * unavailable as usize / 100;
        if surge == 0 && unavailable == 0 {
            unavailable = 1;
        }
        let is_new = |pod: &SimulatedPod| pod.revision == self.revision;
        let all = live(pods).count();
        let new = live(pods).filter(|pod| is_new(pod)).count();
        let more = desired
            .saturating_sub(new)
            .min((desired + surge).saturating_sub(all));
        self.create(pods, factory, more, now);
        let least = desired.saturating_sub(unavailable);
        let new_unready = live(pods)
            .filter(|pod| is_new(pod) && pod.stage != Stage::Ready)
            .count();
        let may_go = live(pods).count().saturating_sub(least + new_unready);
        let old_unready = live(pods)
            .filter(|pod| !is_new(pod) && pod.stage != Stage::Ready)
            .count()
            .min(may_go);
        delete(pods, old_unready, |pod| !is_new(pod), now, start);
        let ready = live(pods).filter(|pod| pod.stage == Stage::Ready).count();
        let old = live(pods).filter(|pod| !is_new(pod)).count();
        let fewer = ready.saturating_sub(least).min(old);
        delete(pods, fewer, |pod| !is_new(pod), now, start);
        let new = live(pods).filter(|pod| is_new(pod)).count();
        delete(pods, new.saturating_sub(desired), is_new, now, start);
    }

    /// One step of a StatefulSet. Upstream: `updateStatefulSet` of its controller.
    fn step(
        &self,
        pods: &mut Vec<SimulatedPod>,
        factory: &mut PodFactory<'_>,
        desired: usize,
        is_parallel: bool,
        (now, start): (Millis, Timestamp),
    ) {
        let desired = desired as u32;
        // Of pods with the same ordinal, the first one counts.
        let found: BTreeMap<u32, bool> = pods
            .iter()
            .rev()
            .map(|pod| (pod.ordinal, pod.serves()))
            .collect();
        for ordinal in 0..desired {
            match found.get(&ordinal) {
                None if self.room(pods) == 0 => return,
                None => pods.push(factory.create(now, self.revision, Some(ordinal))),
                Some(true) => continue,
                Some(false) => {}
            }
            if !is_parallel {
                return;
            }
        }
        let beyond = pods
            .iter()
            .map(|pod| pod.ordinal)
            .filter(|ordinal| desired <= *ordinal)
            .max();
        if beyond.is_some() {
            for pod in pods
                .iter_mut()
                .filter(|pod| desired <= pod.ordinal && pod.deleted.is_none())
            {
                if is_parallel || Some(pod.ordinal) == beyond {
                    pod.delete(now, start);
                }
            }
            return;
        }
        // A rolling update goes from the highest ordinal down, one pod at a time.
        if pods.iter().all(SimulatedPod::serves)
            && let Some(pod) = pods
                .iter_mut()
                .filter(|pod| pod.revision != self.revision)
                .max_by_key(|pod| pod.ordinal)
        {
            pod.delete(now, start);
        }
    }

    fn create(
        &self,
        pods: &mut Vec<SimulatedPod>,
        factory: &mut PodFactory<'_>,
        count: usize,
        now: Millis,
    ) {
        let count = count.min(self.room(pods));
        pods.extend((0..count).map(|_| factory.create(now, self.revision, None)));
    }

    /// How many more pods may exist.
    fn room(&self, pods: &[SimulatedPod]) -> usize {
        let room = |most: usize| most.saturating_sub(live(pods).count());
        self.most.map_or(usize::MAX, room)
    }
}

/// Pods beyond `desired` during a rollout. Upstream: `ResolveFenceposts`.
fn surge_of(desired: usize, percent: u32) -> usize {
    (desired * percent as usize).div_ceil(100)
}

fn live(pods: &[SimulatedPod]) -> impl Iterator<Item = &SimulatedPod> {
    pods.iter().filter(|pod| pod.deleted.is_none())
}

/// Deletes `count` of the pods that `may_go` accepts, in the order of the ReplicaSet controller.
fn delete(
    pods: &mut [SimulatedPod],
    count: usize,
    may_go: impl Fn(&SimulatedPod) -> bool,
    now: Millis,
    start: Timestamp,
) {
    if count == 0 {
        return;
    }
    let mut candidates: Vec<usize> = (0..pods.len())
        .filter(|index| pods[*index].deleted.is_none() && may_go(&pods[*index]))
        .collect();
    candidates.sort_by(|a, b| first_to_go(&pods[*a], &pods[*b], now));
    for index in candidates.into_iter().take(count) {
        pods[index].delete(now, start);
    }
}

/// Which of two pods is deleted first. Upstream: `ActivePodsWithRanks.Less` in `controller_utils.go`. Ignores deletion
/// costs and how many pods share a node. For pods that became ready in the same second, upstream also compares restarts
/// and age; for others only how long they have been ready, and the UID. That order is not transitive, so this always
/// uses the latter.
fn first_to_go(a: &SimulatedPod, b: &SimulatedPod, now: Millis) -> Ordering {
    let is_pending = |pod: &SimulatedPod| pod.stage < Stage::Running;
    let is_ready = |pod: &SimulatedPod| pod.stage == Stage::Ready;
    let order = a
        .has_node()
        .cmp(&b.has_node())
        .then_with(|| is_pending(b).cmp(&is_pending(a)))
        .then_with(|| is_ready(a).cmp(&is_ready(b)));
    if order.is_ne() {
        return order;
    }
    if is_ready(a) {
        let order = magnitude(now - a.ready_since).cmp(&magnitude(now - b.ready_since));
        return order.then_with(|| a.tie.cmp(&b.tie));
    }
    let order = b.status.start.restarts.cmp(&a.status.start.restarts);
    if order.is_ne() {
        return order;
    }
    let order = magnitude(now - a.created).cmp(&magnitude(now - b.created));
    order.then_with(|| a.tie.cmp(&b.tie))
}

/// Ages are compared by powers of two (gate LogarithmicScaleDown, on since 1.22).
fn magnitude(age: Millis) -> i64 {
    if age <= 0 {
        return -1;
    }
    libm::log2(age as f64 * 1e6) as i64
}
