//! Reads many HPAs with a number of requests that does not depend on their number.
//!
//! Each kind is listed once, for the namespace or for all; Events only where they can matter. Targets are found in the
//! lists and their scales are computed from them. Each listed object is also passed on, so that no caller has to keep
//! whole lists. Only distinct custom and external metrics, and scales that objects do not contain, need a request each.

mod events;
mod kinds;
mod lists;
mod others;
mod pods;
mod targets;

use std::{cell::RefCell, collections::BTreeMap};

use events::HpaEvents;
use futures::future;
use hpa_objects::recording::wire::IntermediateOwner;
use lists::{Lists, Sets};
use others::Others;
use tokio::sync::{OnceCell, SetOnce};

use super::{
    CustomVersion, Gathering, TargetMap,
    shared_pods::{PodSelectors, SharedPods},
};
use crate::{
    client::{Client, ClientError},
    context::Groups,
    state::{MetricsRequest, SharedMetrics},
};

pub use lists::ListedObject;
pub(super) use lists::ObjectLists;

/// The ReplicaSets of each selector, by namespace.
type Owners = BTreeMap<String, BTreeMap<String, Vec<IntermediateOwner>>>;

/// The data from the lists.
pub(super) struct Bulk {
    /// ReplicaSets that own pods or cannot create them, for each selector, by namespace.
    pub(super) owners: Owners,
    /// The selectors of the HPAs of each namespace.
    pub(super) others: Others,
    /// Custom and external metrics.
    pub(super) metrics: SharedMetrics,
    pub(super) events: HpaEvents,
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
