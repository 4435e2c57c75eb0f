//! Reading for many HPAs with a number of requests that does not depend on how many they are.
//!
//! One list for each kind, of the namespace or of all. The targets are found in the lists and their scales are worked
//! out from them; whatever is listed is handed over as well, an object at a time, so that nobody has to keep whole
//! lists. What still takes a request each: distinct custom and external metrics, and scales that objects don't tell.

mod kinds;
mod metrics;
mod others;
mod pods;
pub(crate) mod targets;

use std::{cell::RefCell, collections::BTreeMap, mem};

use futures::{StreamExt as _, stream};
use kinds::ListedKind;
pub(crate) use metrics::{AnswerFailure, MetricsRequest, SharedMetrics};
use others::Others;
use serde_json::Value;
use targets::FoundTargets;

use super::{
    CustomVersion, Gathering, PARALLEL, TargetMap,
    assembly::Assembly,
    shared_pods::{PodSelectors, SharedPods},
};
use crate::{
    access,
    client::ClientError,
    recording::{
        Snapshot,
        wire::{Hpa, IntermediateOwner},
    },
    surroundings::Groups,
};

/// What a list gave.
#[derive(Clone, Debug)]
pub enum ListedObject {
    /// An object.
    Found {
        /// `apiVersion`.
        api_version: String,
        /// `kind`.
        kind: String,
        /// All of it.
        value: Value,
    },
    /// Objects of this kind are not known.
    NotRead {
        /// `kind`.
        kind: String,
        /// Why, and what would help.
        why: String,
    },
}

/// Takes what lists give.
pub(super) type Take<'a> = RefCell<&'a mut dyn FnMut(ListedObject)>;

/// ReplicaSets and their labels, by namespace.
type Sets = BTreeMap<String, Vec<(BTreeMap<String, String>, IntermediateOwner)>>;

/// The ReplicaSets of each selector, by namespace.
type Owners = BTreeMap<String, BTreeMap<String, Vec<IntermediateOwner>>>;

/// What was listed.
pub(super) struct Bulk {
    /// ReplicaSets that own pods or cannot make them, with their labels, by namespace.
    sets: Sets,
    /// The same for each selector, by namespace.
    owners: Owners,
    /// The selectors of the HPAs of each namespace.
    others: Others,
    /// Custom and external metrics.
    metrics: SharedMetrics,
}

impl Bulk {
    /// Lists everything, and finds the targets among it.
    pub(super) async fn read(
        gathering: &Gathering<'_>,
        take: &Take<'_>,
        groups: impl Future<Output = Result<Groups, ClientError>>,
    ) -> (Self, TargetMap) {
        let groups = groups.await;
        let found = FoundTargets::requested(gathering);
        let (mut kinds, unknown) = kinds::of_server(&groups, found.has_custom_kind());
        found.add_other_kinds(gathering, &mut kinds).await;
        let found = RefCell::new(found);
        let sets = RefCell::new(Sets::new());
        if let Err(error) = &groups {
            for kind in unknown {
                (take.borrow_mut())(ListedObject::NotRead {
                    kind: kind.to_owned(),
                    why: error.to_string(),
                });
            }
        }
        stream::iter(&kinds)
            .for_each_concurrent(PARALLEL, |kind| {
                let (found, sets) = (&found, &sets);
                async move { list(gathering, kind, found, sets, take).await }
            })
            .await;
        let targets = found.into_inner().finish(gathering).await;
        let bulk = Self {
            sets: sets.into_inner(),
            owners: Owners::new(),
            others: Others::of(gathering, &targets),
            metrics: SharedMetrics::default(),
        };
        (bulk, targets)
    }

    /// Reads the pods and usages of all HPAs, and the metrics that have a request each.
    pub(super) async fn read_pods<'a>(
        &mut self,
        gathering: &'a Gathering<'_>,
        targets: &TargetMap,
        custom_version: &'a CustomVersion,
    ) -> BTreeMap<&'a str, SharedPods> {
        let requested: Vec<MetricsRequest<'_>> = gathering
            .selected
            .hpas
            .iter()
            .map(|hpa| MetricsRequest {
                hpa,
                selector: gathering
                    .selector(hpa, targets)
                    .map(|selector| selector.to_string()),
            })
            .collect();
        let selectors = pods::selectors(gathering, targets);
        self.owners = owners(mem::take(&mut self.sets), &selectors);
        let (shared, metrics) = futures::future::join(
            pods::read(gathering, selectors, custom_version),
            SharedMetrics::read(&requested, gathering.metrics_reader("", custom_version)),
        )
        .await;
        self.metrics = metrics;
        shared
    }

    /// Adds to `snapshot` what belongs to its HPA.
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
        let reader = gathering.metrics_reader(namespace, assembly.custom_version);
        let selector = selector.map(|selector| selector.to_string());
        for index in self.metrics.share(hpa, selector.as_deref(), snapshot) {
            // Only a request for these pods tells what the controller is answered.
            if let (Some(source), Some(selector)) = (&hpa.spec.metrics[index].pods, &selector) {
                let answer = reader.pods_metric(index, source, selector).await;
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

/// Lists one kind and gives each object to those who want it.
async fn list(
    gathering: &Gathering<'_>,
    kind: &ListedKind,
    found: &RefCell<FoundTargets<'_>>,
    sets: &RefCell<Sets>,
    take: &Take<'_>,
) {
    let api_version = kind.api_version();
    let read = kind.list(gathering.client, gathering.namespace, |value| {
        let (namespace, name) = kinds::name(&value);
        let is_target =
            found
                .borrow_mut()
                .offer(&kind.group, &kind.kind, &namespace, &name, &value);
        if kind.kind == "ReplicaSet"
            && let Some(set) = targets::replica_set(&value)
        {
            sets.borrow_mut().entry(namespace).or_default().push(set);
        }
        if is_target || !targets::is_made_by_another(&kind.kind, &value) {
            (take.borrow_mut())(ListedObject::Found {
                api_version: api_version.clone(),
                kind: kind.kind.clone(),
                value,
            });
        }
    });
    if let Err(reason) = read.await {
        (take.borrow_mut())(ListedObject::NotRead {
            kind: kind.kind.clone(),
            why: access::description(&reason),
        });
        found
            .borrow_mut()
            .note_refused(&kind.group, &kind.kind, reason);
    }
}
