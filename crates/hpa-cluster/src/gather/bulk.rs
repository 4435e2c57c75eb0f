//! Reads many HPAs with a number of requests that does not depend on their number.
//!
//! Each kind is listed once, for the namespace or for all; Events only where they can matter. Targets are found in the
//! lists and their scales are computed from them. Each listed object is also passed on, so that no caller has to keep
//! whole lists. Only distinct custom and external metrics, and scales that objects do not contain, need a request each.

mod events;
mod kinds;
mod lists;
mod pods;
mod targets;

use std::{cell::RefCell, collections::BTreeSet, rc::Rc};

use events::HpaEvents;
use futures::future;
use hpa_objects::recording::{
    Snapshot,
    wire::{Hpa, NotRead},
};
use lists::{Lists, Sets};
use tokio::sync::{OnceCell, SetOnce};

use super::{CustomVersion, Gathering};
use crate::{
    client::{Client, ClientError},
    context::Groups,
    hpa_resource::namespace_of,
    metric_requests::{self, MetricsRequest},
    metrics::needs_pod_metrics,
    replica_sets,
    state::{ClusterState, Metrics, PODS, key_of},
    target::{TargetKey, TargetMap},
};

pub use lists::ListedObject;
pub(super) use lists::ObjectLists;

/// Data that is read once for all HPAs.
pub(super) struct BulkReads {
    state: ClusterState,
    events: HpaEvents,
    pub(super) custom_version: CustomVersion,
}

impl BulkReads {
    /// Lists everything, finds the targets in the lists, and reads the metrics that need a request each. All lists
    /// start immediately; their results wait for the HPAs, and those of pods for the targets.
    pub(super) async fn read(
        client: &Client,
        namespace: &str,
        started: &SetOnce<Gathering<'_>>,
        objects: ObjectLists<'_, '_>,
        groups: impl Future<Output = Result<Groups, ClientError>>,
    ) -> Option<Self> {
        let state = SetOnce::new();
        let targets = async {
            let lists = Lists {
                client,
                namespace,
                started,
                objects,
                found: OnceCell::new(),
                sets: RefCell::default(),
                sets_not_read: RefCell::default(),
            };
            let (found, sets) = lists.read(groups).await;
            let gathering = started.wait().await;
            let targets = found.finish(gathering).await;
            // It is set only here.
            drop(state.set(RefCell::new(listed(gathering, targets, sets))));
        };
        let metrics = async {
            let custom_version = async { started.wait().await.custom_version().await };
            let (state, custom_version) = future::join(state.wait(), custom_version).await;
            let gathering = started.wait().await;
            let requested = requested(gathering, &state.borrow());
            let reader = gathering.metrics_reader("", &custom_version);
            let metrics = metric_requests::read(&requested, reader).await;
            (metrics, custom_version)
        };
        let pods = async { pods::read(started.wait().await, &state).await };
        let events = async { HpaEvents::read(started.wait().await).await };
        let ((), (mut metrics, custom_version), mut pods, events) =
            future::join4(targets, metrics, pods, events).await;
        let gathering = started.wait().await;
        let mut state = state.into_inner()?.into_inner();
        state.unread.set(PODS, pods.not_read());
        let reader = gathering.metrics_reader("", &custom_version);
        let requested = requested(gathering, &state);
        metric_requests::read_missing(&mut metrics, &requested, reader).await;
        let others = Rc::new(metrics);
        let hpas = || gathering.selected.hpas();
        let needing = hpas().filter(|hpa| needs_pod_metrics(hpa));
        let needing: BTreeSet<&str> = needing.map(namespace_of).collect();
        for namespace in hpas().map(namespace_of).collect::<BTreeSet<&str>>() {
            let usages = needing.contains(namespace);
            let mut metrics = Metrics {
                usages: usages.then(|| pods.take_usages(namespace)).flatten(),
                others: Rc::clone(&others),
                ..Metrics::default()
            };
            metrics.index(namespace, &state.pods);
            state.metrics.insert(namespace.to_owned(), metrics);
        }
        Some(Self {
            state,
            events,
            custom_version,
        })
    }

    /// The HPA as the controller would find it.
    pub(super) fn snapshot(&self, client: &Client, hpa: &Hpa) -> Option<Snapshot> {
        let mut snapshot = self.state.snapshot(client, &key_of(hpa))?;
        self.events.share(namespace_of(hpa), hpa, &mut snapshot);
        Some(snapshot)
    }
}

/// The HPAs, their targets and the ReplicaSets of these.
fn listed(
    gathering: &Gathering<'_>,
    targets: TargetMap,
    sets: Result<Sets, NotRead>,
) -> ClusterState {
    let missing = targets
        .iter()
        .filter(|(_, reads)| reads.scale_error.is_some());
    let missing: BTreeSet<TargetKey> = missing.map(|(key, _)| key.clone()).collect();
    let mut state = gathering.state(targets);
    // Among many, HPAs whose target does not exist are not named.
    for target in &missing {
        for (hpa, _) in state.hpas.of_target(target) {
            state.unknown.remove(hpa);
        }
    }
    let sets = sets.unwrap_or_else(|reason| {
        let kind = (replica_sets::GROUP, replica_sets::KIND);
        state.unread.set(kind, Some(reason));
        Sets::default()
    });
    for (namespace, sets) in sets {
        for (labels, set) in sets {
            if !state.pods.matching(&namespace, &labels).is_empty() {
                let name = (namespace.clone(), set.name.clone());
                state.targets.sets.put(&name, Some((labels, set)));
            }
        }
    }
    state
}

/// The HPAs whose metrics are needed.
fn requested<'a>(gathering: &'a Gathering<'_>, state: &ClusterState) -> Vec<MetricsRequest<'a>> {
    let hpas = gathering.selected.hpas();
    hpas.map(|hpa| {
        let selector = state.selector_of(hpa).map(|selector| selector.to_string());
        let pods = |selector: &String| state.pods.selected(namespace_of(hpa), selector);
        MetricsRequest {
            hpa,
            pods: selector.as_ref().map(pods).unwrap_or_default(),
            selector,
        }
    })
    .collect()
}
