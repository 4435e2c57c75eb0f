//! Reads everything about HPAs and builds snapshots.
//!
//! There are three steps, each of parallel requests. The first reads what does not depend on the HPA: the HPAs of the
//! namespace, Events, version, leader, flags. The second reads the targets and their scales. The third reads what
//! needs the selector of the scale: pods, metrics, ReplicaSets, other HPAs. For one HPA these are at most ten requests
//! besides discovery and the version, plus those for pods beyond 500 and for more than four metrics. For many HPAs
//! nearly everything is listed: the lists start with the first step, and their results wait for it.

mod assembly;
mod bulk;
mod conditional;
mod gathering;

use std::{cell::RefCell, collections::BTreeMap};

use assembly::Assembly;
use bulk::BulkReads;
use conditional::when;
use futures::{FutureExt as _, StreamExt as _, future, stream};
use gathering::{CustomVersion, Gathering};
use hpa_objects::recording::{Snapshot, wire::NotRead};
use tokio::sync::SetOnce;

use super::{
    PARALLEL,
    client::Client,
    context::{self, Further, Pulls},
    error::ClusterError,
    hpa_resource::namespace_of,
    metrics::needs_pod_metrics,
    pods,
    selection::{Selection, namespace},
    state::{ClusterState, Metrics, SelectorUsages, note_skew},
};

pub use bulk::ListedObject;

/// How much of the answers a snapshot keeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SnapshotDetail {
    /// What decisions and pages need: no environment variables, no unrelated annotations, no arguments.
    Redacted,
    /// The whole answers as well.
    Whole,
}

/// How much is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GatherScope {
    /// What decides.
    Decision,
    /// The context as well, for pages.
    Surroundings,
}

/// Reads everything about the selected HPAs: one current snapshot each. What cannot be read is named in the snapshot;
/// an error means that there is nothing to show.
pub async fn gather(
    client: &Client,
    selection: &Selection,
    detail: SnapshotDetail,
    scope: GatherScope,
) -> Result<Vec<Snapshot>, ClusterError> {
    if detail == SnapshotDetail::Whole {
        client.keep_answers();
    }
    gather_with(client, selection, scope, None).await
}

/// Reads many HPAs with a number of requests that does not depend on their number: it lists where [`gather`] reads
/// each target. Every object of every list is passed to `take`. Only distinct custom or external metrics, and targets
/// whose object does not contain the scale, still need one request each. Kinds of which `is_needed` is false are listed
/// only where the decision needs them.
pub async fn gather_bulk(
    client: &Client,
    selection: &Selection,
    is_needed: fn(&str) -> bool,
    take: &mut dyn FnMut(ListedObject),
) -> Result<Vec<Snapshot>, ClusterError> {
    let take = RefCell::new(take);
    let lists = bulk::ObjectLists {
        is_needed,
        take: &take,
    };
    gather_with(client, selection, GatherScope::Surroundings, Some(lists)).await
}

async fn gather_with(
    client: &Client,
    selection: &Selection,
    scope: GatherScope,
    lists: Option<bulk::ObjectLists<'_, '_>>,
) -> Result<Vec<Snapshot>, ClusterError> {
    // Requested once, and only if the answer is needed.
    let groups = context::groups(client).shared();
    let started = SetOnce::new();
    let decision = async {
        let start = async {
            let gathering = Gathering::start(client, selection, lists.is_some()).await?;
            // It is set only here.
            drop(started.set(gathering));
            Ok::<_, ClusterError>(())
        };
        let bulk = async {
            let groups = groups.clone();
            let namespace = namespace(client, selection);
            let bulk = BulkReads::read(client, namespace, &started, lists?, groups);
            Box::pin(bulk).await
        };
        let ((), bulk) = Box::pin(future::try_join(start, bulk.map(Ok))).await?;
        let gathering = started.wait().await;
        let hpas: BTreeMap<String, usize> = gathering
            .selected
            .all
            .iter()
            .map(|(namespace, hpas)| (namespace.clone(), hpas.len()))
            .collect();
        let ((snapshots, custom_version), pulls) = future::join(gathering.finish(bulk), async {
            if scope == GatherScope::Surroundings && lists.is_none() {
                context::early_pulls(client, &gathering.selected.hpas).await
            } else {
                Pulls::default()
            }
        })
        .await;
        Ok((snapshots, custom_version, hpas, pulls))
    };
    let around = async {
        if scope == GatherScope::Decision {
            return Ok(None);
        }
        let namespace = namespace(client, selection);
        let around = context::read(client, namespace, groups.clone()).await;
        Ok::<_, ClusterError>(Some(around))
    };
    let ((mut snapshots, custom_version, hpas, pulls), around) =
        Box::pin(future::try_join(decision, around)).await?;
    if let Some(around) = around {
        for snapshot in &mut snapshots {
            around.share(snapshot);
            let number = hpas.get(namespace_of(&snapshot.hpa)).copied();
            snapshot
                .surroundings
                .get_or_insert_default()
                .hpas_of_namespace = number;
        }
        let custom_version = custom_version.as_deref().ok();
        let further = match lists {
            None => Further::OfEach(pulls),
            Some(_) => Further::OfAll(namespace(client, selection)),
        };
        context::read_further(client, custom_version, further, &mut snapshots).await;
    }
    for snapshot in &mut snapshots {
        snapshot.time = client.now();
        note_skew(client, snapshot);
    }
    // Requests are shared. So that a recording of many HPAs does not repeat them, the first snapshot gets them all.
    if let Some(first) = snapshots.first_mut() {
        first.requests = client.take_requests().iter().map(Into::into).collect();
        first.answers = client.take_answers();
    }
    Ok(snapshots)
}

impl Gathering<'_> {
    async fn finish(&self, bulk: Option<BulkReads>) -> (Vec<Snapshot>, CustomVersion) {
        if let Some(bulk) = bulk {
            let hpas = self.selected.hpas();
            let snapshots = hpas.filter_map(|hpa| bulk.snapshot(self.client, hpa));
            return (snapshots.collect(), bulk.custom_version);
        }
        let (targets, custom_version) =
            future::join(self.read_targets(), self.custom_version()).await;
        let mut state = self.state(targets);
        let shared = self.read_shared_pods(&mut state, &custom_version).await;
        let assembly = Assembly {
            gathering: self,
            state: &state,
            custom_version: &custom_version,
        };
        let snapshots = stream::iter(self.selected.hpas())
            .map(|hpa| assembly.snapshot(hpa, shared.get(namespace_of(hpa))))
            .buffered(PARALLEL)
            .filter_map(future::ready)
            .collect()
            .await;
        (snapshots, custom_version)
    }

    /// Fills the state with one list of pods, and one of usages, for each namespace in which HPAs select different pods.
    /// Returns these namespaces, and where the pods could not be read.
    async fn read_shared_pods(
        &self,
        state: &mut ClusterState,
        custom_version: &CustomVersion,
    ) -> BTreeMap<&str, Result<(), NotRead>> {
        let mut needs_usages: BTreeMap<&str, bool> = BTreeMap::new();
        for hpa in self.selected.hpas() {
            let namespace = namespace_of(hpa);
            if state.pods.selectors(namespace).nth(1).is_some() {
                let needs_usages = needs_usages.entry(namespace).or_default();
                *needs_usages |= needs_pod_metrics(hpa) && state.selector_of(hpa).is_some();
            }
        }
        let reads: Vec<_> = stream::iter(needs_usages)
            .map(|(namespace, needs_usages)| async move {
                let reader = self.metrics_reader(namespace, custom_version);
                let pods = pods::read(self.client, namespace, "");
                let usages = when(needs_usages, reader.pod_metrics(""));
                (namespace, future::join(pods, usages).await)
            })
            .buffered(PARALLEL)
            .collect()
            .await;
        let mut shared = BTreeMap::new();
        for (namespace, (pods, usages)) in reads {
            let known = &mut state.pods;
            let read = pods.map(|pods| {
                for pod in pods {
                    known.put_selected(namespace, pod);
                }
            });
            shared.insert(namespace, read);
            let mut metrics = Metrics {
                usages: usages.map(|answer| SelectorUsages::new(answer, String::new())),
                ..Metrics::default()
            };
            metrics.index(namespace, &state.pods);
            state.metrics.insert(namespace.to_owned(), metrics);
        }
        shared
    }
}
