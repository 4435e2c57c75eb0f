//! Reads many HPAs with a number of requests that does not depend on their number.
//!
//! Each kind is listed once, for the namespace or for all; Events only where they can matter. Targets are found in the
//! lists and their scales are computed from them. Each listed object is also passed on, so that no caller has to keep
//! whole lists. Only distinct custom and external metrics, and scales that objects do not contain, need a request each.

mod events;
mod kinds;
mod lists;
mod metrics;
mod others;
mod pods;
pub(crate) mod targets;

use std::{cell::RefCell, collections::BTreeMap};

use events::HpaEvents;
use futures::future;
use hpa_objects::recording::{
    Snapshot,
    wire::{Hpa, IntermediateOwner},
};
use lists::{Lists, Sets};
pub(crate) use metrics::{AnswerFailure, MetricsRequest, SharedMetrics};
use others::Others;
use serde_json::Value;
use tokio::sync::{OnceCell, SetOnce};

use super::{
    CustomVersion, Gathering, PARALLEL, TargetMap,
    assembly::Assembly,
    shared_pods::{PodSelectors, SharedPods},
};
use crate::{
    client::{Client, ClientError},
    context::Groups,
};

/// A result of a list.
#[derive(Clone, Debug)]
pub enum ListedObject {
    /// An object.
    Found {
        /// `apiVersion`.
        api_version: String,
        /// `kind`.
        kind: String,
        /// The whole object.
        value: Value,
    },
    /// Objects of this kind could not be read.
    NotRead {
        /// `kind`.
        kind: String,
        /// The reason, and what would help.
        why: String,
    },
}

/// Receives the results of lists.
pub(super) type Take<'a> = RefCell<&'a mut dyn FnMut(ListedObject)>;

/// What to list.
#[derive(Clone, Copy)]
pub(super) struct ObjectLists<'t, 'd> {
    /// Whether objects of a kind are needed besides those that decide.
    pub(super) is_needed: fn(&str) -> bool,
    pub(super) take: &'t Take<'d>,
}

/// The ReplicaSets of each selector, by namespace.
type Owners = BTreeMap<String, BTreeMap<String, Vec<IntermediateOwner>>>;

/// The data from the lists.
pub(super) struct Bulk {
    /// ReplicaSets that own pods or cannot create them, for each selector, by namespace.
    owners: Owners,
    /// The selectors of the HPAs of each namespace.
    others: Others,
    /// Custom and external metrics.
    metrics: SharedMetrics,
    events: HpaEvents,
}

/// Data that is read once for all HPAs.
pub(super) struct BulkReads<'a> {
    pub(super) bulk: Bulk,
    pub(super) targets: TargetMap,
    pub(super) custom_version: CustomVersion,
    pub(super) shared: BTreeMap<&'a str, SharedPods>,
}

impl<'a> BulkReads<'a> {
    /// Lists everything, finds the targets in the lists, and reads the metrics that need a request each. All lists
    /// start immediately; their results wait for the HPAs, and those of pods for the targets.
    pub(super) async fn read(
        client: &Client,
        namespace: &str,
        started: &'a SetOnce<Gathering<'_>>,
        objects: ObjectLists<'_, '_>,
        groups: impl Future<Output = Result<Groups, ClientError>>,
    ) -> Self {
        let selectors = SetOnce::new();
        let targets = async {
            let lists = Lists {
                client,
                namespace,
                started,
                objects,
                found: OnceCell::new(),
                sets: RefCell::default(),
            };
            let (found, sets) = lists.read(groups).await;
            let gathering = started.wait().await;
            let targets = found.finish(gathering).await;
            let of_pods = pods::selectors(gathering, &targets);
            let owners = owners(sets, &of_pods);
            // It is set only here.
            drop(selectors.set(of_pods));
            (targets, owners)
        };
        let decided = async {
            let custom_version = async { started.wait().await.custom_version().await };
            let ((targets, owners), custom_version) = future::join(targets, custom_version).await;
            let gathering = started.wait().await;
            let metrics = read_metrics(gathering, &targets, &custom_version).await;
            (targets, owners, custom_version, metrics)
        };
        let pods = async { pods::read(started.wait().await, &selectors).await };
        let events = async { HpaEvents::read(started.wait().await).await };
        let ((targets, owners, custom_version, metrics), pods, events) =
            future::join3(decided, pods, events).await;
        let gathering = started.wait().await;
        let others = Others::of(gathering, &targets);
        Self {
            bulk: Bulk {
                owners,
                others,
                metrics,
                events,
            },
            targets,
            custom_version,
            shared: pods::shared(gathering, selectors.into_inner().unwrap_or_default(), pods),
        }
    }
}

/// Custom and external metrics.
async fn read_metrics(
    gathering: &Gathering<'_>,
    targets: &TargetMap,
    custom_version: &CustomVersion,
) -> SharedMetrics {
    let hpas = gathering.selected.hpas.iter();
    let requested: Vec<MetricsRequest<'_>> = hpas
        .map(|hpa| MetricsRequest {
            hpa,
            selector: gathering
                .selector(hpa, targets)
                .map(|selector| selector.to_string()),
        })
        .collect();
    SharedMetrics::read(&requested, gathering.metrics_reader("", custom_version)).await
}

impl Bulk {
    /// Adds the data of its HPA to `snapshot`.
    pub(super) async fn assemble(
        &self,
        assembly: &Assembly<'_>,
        hpa: &Hpa,
        shared: Option<&SharedPods>,
        snapshot: &mut Snapshot,
    ) {
        let gathering = assembly.gathering;
        let namespace = super::namespace_of(hpa);
        let selector = gathering.selector(hpa, assembly.targets);
        if let (Some(shared), Some(selector)) = (shared, &selector) {
            shared.share(selector, snapshot);
        }
        if let (Some(selector), Some(target)) = (&selector, &mut snapshot.target)
            && hpa.spec.scale_target_ref.kind == "Deployment"
        {
            let owners = self.owners.get(namespace);
            let owners = owners.and_then(|owners| owners.get(&selector.to_string()));
            target.intermediate_owners = owners.cloned().unwrap_or_default();
        }
        self.others.share(namespace, snapshot);
        self.events.share(namespace, hpa, snapshot);
        let reader = gathering.metrics_reader(namespace, assembly.custom_version);
        let selector = selector.map(|selector| selector.to_string());
        for index in self.metrics.share(hpa, selector.as_deref(), snapshot) {
            // Only a request for these pods shows the controller's answer.
            if let (Some(source), Some(selector)) = (&hpa.spec.metrics[index].pods, &selector) {
                let answer = reader.custom_pods_metric(index, source, selector).await;
                metrics::store_custom(index, answer, snapshot);
            }
        }
    }
}

/// The ReplicaSets of each selector.
fn owners(sets: Sets, selectors: &BTreeMap<&str, PodSelectors>) -> Owners {
    let mut owners = Owners::new();
    for (namespace, sets) in sets {
        let Some(selectors) = selectors.get(namespace.as_str()) else {
            continue;
        };
        let texts = selectors.texts_by_place();
        let owners = owners.entry(namespace).or_default();
        for (labels, set) in sets {
            for place in selectors.matching(&labels) {
                let text = texts[place].to_owned();
                owners.entry(text).or_default().push(set.clone());
            }
        }
    }
    owners
}
