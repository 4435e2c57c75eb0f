//! What to poll.

use std::collections::BTreeSet;

use tokio::time::Instant;

use super::{
    super::{
        metrics::MetricsPlan,
        reads::{AskPlane, Poll},
    },
    Informers, LEADER_PERIOD,
};
use crate::{
    state::{GroupKind, KindState, group_kind},
    target,
};

impl Informers<'_> {
    /// The reads in a poll of this namespace.
    pub(super) fn plan(&self, namespace: &str) -> Poll {
        let state = &self.state;
        let mut metrics = MetricsPlan::new(namespace, state.plane.wording);
        let mut targets = BTreeSet::new();
        for (key, hpa) in state.hpas.selected_in(namespace) {
            let selector = state.selector_of(hpa);
            metrics.add(hpa, selector, state.is_awaited(key), &state.pods);
            targets.extend(target::key(hpa));
        }
        let kinds: BTreeSet<GroupKind> = targets
            .iter()
            .map(group_kind)
            .filter(|kind| matches!(state.targets.kinds.get(kind), Some(KindState::Unknown(_))))
            .collect();
        let alone = state.next_alone(namespace).into_iter();
        let scales = targets.iter().filter(|key| {
            state.targets.is_found(key)
                && !state.targets.has_scale(key)
                && !state.targets.reading.contains(key)
        });
        let unread = self
            .names
            .iter()
            .filter(|(id, _)| namespace == self.namespace && !self.watches[id.0].is_complete);
        Poll {
            namespace: namespace.to_owned(),
            metrics,
            wording: state.plane.wording,
            plane: self.plan_plane(),
            kinds: kinds.into_iter().collect(),
            targets: alone
                .filter_map(|key| Some((key.clone(), state.reference(&key)?)))
                .collect(),
            scales: scales.cloned().collect(),
            begun: state.targets.begin(),
            hpas: unread.map(|(_, name)| (*name).to_owned()).collect(),
        }
    }
    fn plan_plane(&self) -> Option<AskPlane> {
        let now = Instant::now();
        if now < self.leader_at.get() {
            return None;
        }
        self.leader_at.set(now + LEADER_PERIOD);
        let plane = &self.state.plane;
        Some(if plane.is_incomplete {
            AskPlane::All
        } else {
            AskPlane::Leader(plane.leader.clone())
        })
    }
}
