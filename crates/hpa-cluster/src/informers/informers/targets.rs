//! Which kinds are watched, and reads of targets that their watches do not provide.

use std::{collections::BTreeSet, rc::Rc};

use futures::FutureExt as _;
use hpa_engine::model::HpaKey;

use super::{
    super::{
        reads::{self, RequestResult},
        subject::{WatchId, WatchTask, What, resource},
    },
    Informers,
};
use crate::{
    client::ClientError,
    discovery::Mapping,
    state::{GroupKind, KindState, group_kind},
    target::TargetKey,
};

impl Informers<'_> {
    pub(super) fn want_scale(&mut self, key: TargetKey) {
        let Some(begun) = self.state.targets.begin_reading(&key) else {
            // The answer may be from before the change.
            self.again.insert(key);
            return;
        };
        let (client, discovery) = (self.client, Rc::clone(&self.discovery));
        let read = async move { reads::scale(client, &discovery, (key, begun)).await };
        self.waiting.push_back(read.boxed_local());
    }

    pub(super) fn want_target(&mut self, key: TargetKey) {
        let Some(reference) = self.state.reference(&key) else {
            return;
        };
        let Some(begun) = self.state.targets.begin_reading(&key) else {
            return;
        };
        let (client, discovery) = (self.client, Rc::clone(&self.discovery));
        let wording = self.state.plane.wording;
        let key = (key, begun);
        let read = async move { reads::target(client, &discovery, key, reference, wording).await };
        self.waiting.push_back(read.boxed_local());
    }

    pub(super) fn take_read(&mut self, read: RequestResult) {
        match read {
            RequestResult::Kind(kind, mappings) => self.take_kind(&kind, mappings),
            RequestResult::Target((key, begun), reads) => {
                let around = self.state.take_read(&key, begun, *reads);
                self.report_related(around);
                if self.again.remove(&key) && self.state.targets.is_found(&key) {
                    self.want_scale(key);
                }
            }
        }
    }

    pub(super) fn take_kind(
        &mut self,
        kind: &GroupKind,
        mappings: Result<Vec<Mapping>, ClientError>,
    ) {
        if let Some(KindState::Watched(_)) = self.state.targets.kinds.get(kind) {
            return;
        }
        let known = match mappings {
            Ok(mappings) if mappings[0].is_namespaced && mappings[0].has_scale => {
                let first = &mappings[0];
                let resource = resource(&kind.0, &first.version, &kind.1, &first.resource);
                let subject =
                    WatchTask::new(What::Objects, resource, self.namespace, String::new());
                self.watch(subject);
                KindState::Watched(mappings)
            }
            Ok(_) => KindState::Alone,
            Err(error) => KindState::Unknown(error),
        };
        self.is_restless = true;
        let is_unknown = matches!(known, KindState::Unknown(_));
        let before = self.state.targets.kinds.insert(kind.clone(), known);
        let hpas = self.refresh_targets(|key| group_kind(key) == *kind);
        if is_unknown && matches!(before, Some(KindState::Requested)) {
            self.report_related(hpas);
        }
    }

    pub(super) fn refresh_kind(&mut self, id: WatchId) {
        let watch = &self.watches[id.0];
        if watch.what == What::Quotas {
            let refused = self.state.of_quotas("");
            self.affect(refused);
        } else if watch.what == What::Objects {
            let kind = (watch.kind.group.clone(), watch.kind.kind.clone());
            self.refresh_targets(|key| group_kind(key) == kind);
        }
    }

    /// Recomputes what these targets select. Returns their HPAs.
    pub(super) fn refresh_targets(
        &mut self,
        is_selected: impl Fn(&TargetKey) -> bool,
    ) -> BTreeSet<HpaKey> {
        let targets = self.state.hpas.targets();
        let targets: Vec<TargetKey> = targets.filter(|key| is_selected(key)).cloned().collect();
        targets
            .iter()
            .flat_map(|target| self.state.retarget(target))
            .collect()
    }

    pub(super) fn ask_kind(&mut self, kind: GroupKind) {
        self.state
            .targets
            .kinds
            .insert(kind.clone(), KindState::Requested);
        let (client, discovery) = (self.client, Rc::clone(&self.discovery));
        let read = async move { reads::kind(client, &discovery, kind).await };
        self.waiting.push_back(read.boxed_local());
    }
}
