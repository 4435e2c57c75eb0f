//! What a watch reports, applied to the known state.

use hpa_engine::model::HpaKey;
use serde_json::Value;

use super::{
    super::{
        object::Kept,
        subject::{WatchId, What},
    },
    Informers,
};
use crate::{
    client::ClientError,
    state::{Effect, GroupKind, Name},
    written_hpa::WrittenHpa,
};

impl Informers<'_> {
    /// Takes the current state of an object from a watch.
    pub(super) fn put(&mut self, watch: WatchId, name: Name, kept: Kept) -> Effect {
        match kept {
            Kept::Hpa(written) => self.state.put_hpa(*written),
            Kept::Pod(pod) => self.state.put_pod(name, pod),
            Kept::Event(Some(event)) => self.state.put_event(name, *event),
            Kept::Event(None) => Effect::default(),
            Kept::Quota(quota) => self.state.put_quota(name, Some(*quota)),
            Kept::Object(mut value) => {
                let kind = &self.watches[watch.0].kind;
                // Objects in a list do not contain it.
                if let Some(object) = value.as_object_mut() {
                    for (field, text) in [("apiVersion", &kind.api_version), ("kind", &kind.kind)] {
                        let entry = object.entry(field);
                        entry.or_insert_with(|| Value::String(text.clone()));
                    }
                }
                let kind = self.kind(watch);
                self.state.put_object(&kind, &name, &value)
            }
        }
    }

    /// Removes an object that a watch does not have any more.
    pub(super) fn remove(&mut self, watch: WatchId, name: &Name) -> Effect {
        match self.watches[watch.0].what {
            What::Hpas => {
                let (namespace, name) = name.clone();
                self.state.remove_hpa(&HpaKey { namespace, name })
            }
            What::Pods => self.state.remove_pod(name),
            What::Events => {
                self.state.remove_event(name);
                Effect::default()
            }
            What::Quotas => self.state.put_quota(name.clone(), None),
            What::Objects => self.state.remove_object(&self.kind(watch), name),
        }
    }

    /// Takes the current state of an HPA that is read individually.
    pub(super) fn take_hpa(&mut self, name: String, read: Result<Option<WrittenHpa>, ClientError>) {
        let mut watches = self.names.iter().filter(|(_, of)| **of == name);
        if watches.any(|(watch, _)| self.watches[watch.0].is_complete) {
            // What the watch has reported meanwhile is newer.
            return;
        }
        let namespace = self.namespace.to_owned();
        let effect = match read {
            Ok(Some(written)) => self.state.put_hpa(written),
            Ok(None) => self.state.remove_hpa(&HpaKey { namespace, name }),
            // The watch has already reported that it cannot be read.
            Err(_) => return,
        };
        self.affect(effect);
    }

    /// Records whether the objects of a watch are known.
    pub(super) fn note_unread(&mut self, watch: WatchId) {
        let watch = &self.watches[watch.0];
        let kind = (&*watch.kind.group, &*watch.kind.kind);
        self.state.unread.set(kind, watch.not_read());
    }

    fn kind(&self, watch: WatchId) -> GroupKind {
        let kind = &self.watches[watch.0].kind;
        (kind.group.clone(), kind.kind.clone())
    }
}
