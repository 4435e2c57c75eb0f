//! The first step: the HPAs, the control plane, the Events; and what the next steps ask it.

use std::collections::BTreeMap;

use futures::{StreamExt as _, future, stream};
use hpa_objects::recording::{
    HpaEvent,
    wire::{Hpa, KubernetesEvent, NotRead},
};

use super::conditional::when;
use crate::{
    PARALLEL,
    client::{Client, ClientError},
    control_plane::ControlPlane,
    discovery::Discovery,
    error::ClusterError,
    events,
    metrics::{self, MetricsReader, needs_custom_metrics},
    selection::{self, Matcher, SelectedHpas, Selection, namespace},
    state::{ClusterState, EVENTS, Hpas},
    target::{self, TargetKey, TargetMap},
};

/// Version of the custom metrics API.
pub(super) type CustomVersion = Result<String, ClientError>;

/// The results of the first step.
pub(super) struct Gathering<'a> {
    pub(super) client: &'a Client,
    pub(super) discovery: Discovery,
    /// The namespace that is read; empty: all namespaces.
    pub(super) namespace: &'a str,
    pub(super) selected: SelectedHpas,
    pub(super) plane: ControlPlane,
    /// Events by namespace and name of their HPA, oldest first. Of listed HPAs they are read later.
    pub(super) events: Result<EventsByHpa, NotRead>,
}

impl<'a> Gathering<'a> {
    /// Runs the first step. `keeps_objects`: whether the whole objects of the HPAs are needed.
    pub(super) async fn start(
        client: &'a Client,
        selection: &'a Selection,
        keeps_objects: bool,
    ) -> Result<Self, ClusterError> {
        let namespace = namespace(client, selection);
        let (selected, plane, events) = future::try_join3(
            selection::select(client, selection, keeps_objects),
            async { Ok(ControlPlane::read(client).await) },
            async {
                let read = events::read(client, namespace, selection.single_name());
                Ok(when(!keeps_objects, read).await.unwrap_or(Ok(Vec::new())))
            },
        )
        .await?;
        Ok(Self {
            client,
            discovery: Discovery::default(),
            namespace,
            selected,
            plane,
            events: events.map(by_hpa),
        })
    }

    /// Requested only if the answer is needed.
    pub(super) async fn custom_version(&self) -> CustomVersion {
        if self.selected.hpas().any(needs_custom_metrics) {
            metrics::custom_version(self.client).await
        } else {
            Ok(String::new())
        }
    }

    /// Reads each target once, even if several HPAs have it.
    pub(super) async fn read_targets(&self) -> TargetMap {
        let references: BTreeMap<TargetKey, &Hpa> = self
            .selected
            .hpas()
            .filter_map(|hpa| Some((target::key(hpa)?, hpa)))
            .collect();
        stream::iter(references)
            .map(|(key, hpa)| async {
                let reference = &hpa.spec.scale_target_ref;
                let reads = target::read(
                    self.client,
                    &self.discovery,
                    &key.namespace,
                    reference,
                    self.plane.wording,
                );
                let reads = reads.await;
                (key, reads)
            })
            .buffered(PARALLEL)
            .collect()
            .await
    }

    /// The HPAs and their targets, as far as they were read.
    pub(super) fn state(&self, targets: TargetMap) -> ClusterState {
        let unlisted = self.selected.others_not_read(self.namespace);
        let hpas = Hpas::new(Matcher::default());
        let mut state = ClusterState::new(self.plane.clone(), unlisted, hpas);
        state
            .unread
            .set(EVENTS, self.events.as_ref().err().cloned());
        state.targets.found = targets;
        for hpa in self.selected.written() {
            state.put_hpa(hpa);
        }
        state.pods.settle();
        state
    }

    pub(super) fn metrics_reader<'b>(
        &'b self,
        namespace: &'b str,
        custom_version: &'b CustomVersion,
    ) -> MetricsReader<'b> {
        MetricsReader {
            client: self.client,
            discovery: &self.discovery,
            namespace,
            wording: self.plane.wording,
            patience: None,
            custom_version,
        }
    }
}

/// Events by namespace and name of their HPA.
pub(super) type EventsByHpa = BTreeMap<(String, String), Vec<KubernetesEvent>>;

pub(super) fn by_hpa(events: Vec<HpaEvent>) -> EventsByHpa {
    let mut by_hpa = EventsByHpa::new();
    for HpaEvent {
        namespace,
        hpa,
        event,
    } in events
    {
        by_hpa.entry((namespace, hpa)).or_default().push(event);
    }
    by_hpa
}
