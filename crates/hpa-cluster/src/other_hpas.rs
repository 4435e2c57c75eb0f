//! The other HPAs of a namespace, with the selectors that the controller compares: if two match one pod, it scales
//! neither.
//!
//! The controller remembers the selector of each HPA whose metrics it has computed. This module reads the selectors
//! from the current targets. An HPA on the same target needs no request. For others their scales are read while the
//! budget of requests lasts, else one list for each kind of workload. The rest is recorded as not read.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use futures::future;
use hpa_engine::model::{KnownKind, SnapshotField, label_selector::Wording};
use hpa_objects::recording::wire::{Hpa, LabelSelector, NotRead, ObjectMeta, OtherHpa};
use jiff::Timestamp;
use serde::Deserialize;

use super::{
    api_error::ResourceName,
    client::{Client, ClientError},
    discovery::Discovery,
    path::ApiPath,
    target::{self, TargetKey, TargetReads},
};

/// The inputs of the search.
pub(super) struct Search<'a> {
    /// The client.
    pub(super) client: &'a Client,
    /// Resolves kinds.
    pub(super) discovery: &'a Discovery,
    /// The HPA whose neighbors are searched.
    pub(super) hpa: &'a Hpa,
    /// All HPAs of its namespace.
    pub(super) all: &'a [Arc<Hpa>],
    /// Targets that were already read.
    pub(super) known: &'a BTreeMap<TargetKey, TargetReads>,
    /// When the current controller became leader.
    pub(super) leader_since: Option<Timestamp>,
    /// Wording of selectors.
    pub(super) wording: Wording,
}

/// How to find the selectors of targets that were not read yet.
#[derive(Debug)]
pub(super) enum SelectorPlan {
    /// Read the scale of each.
    Scales(BTreeSet<TargetKey>),
    /// List each of these kinds.
    Lists(BTreeSet<&'static str>),
}

impl Default for SelectorPlan {
    fn default() -> Self {
        Self::Lists(BTreeSet::new())
    }
}

impl SelectorPlan {
    /// The number of requests.
    pub(super) fn requests(&self) -> usize {
        match self {
            Self::Scales(targets) => targets.len(),
            Self::Lists(kinds) => kinds.len(),
        }
    }
}

impl Search<'_> {
    /// A plan with at most `budget` requests.
    pub(super) fn plan(&self, budget: usize) -> SelectorPlan {
        let unknown: BTreeSet<TargetKey> = self
            .others()
            .into_iter()
            .map(|(_, key)| key)
            .filter(|key| !self.known.contains_key(key))
            .collect();
        if unknown.len() <= budget {
            return SelectorPlan::Scales(unknown);
        }
        let is_there = |kind: &str| {
            unknown
                .iter()
                .any(|key| key.group == "apps" && key.kind == kind)
        };
        let usual = KnownKind::all().filter(|known| known.is_usual_target());
        let kinds = usual.map(|known| known.name).filter(|kind| is_there(kind));
        SelectorPlan::Lists(kinds.take(budget).collect())
    }

    /// Finds the other HPAs.
    pub(super) async fn run(&self, plan: &SelectorPlan) -> (Vec<Arc<OtherHpa>>, Option<NotRead>) {
        let mut selectors = match plan {
            SelectorPlan::Scales(targets) => self.read_scales(targets).await,
            SelectorPlan::Lists(kinds) => self.read_lists(kinds).await,
        };
        for (key, reads) in self.known {
            if let Some(scale) = &reads.scale {
                selectors.insert(key.clone(), scale.status.selector.clone());
            }
        }
        let (mut found, mut missing) = (Vec::new(), Vec::new());
        for (other, key) in self.others() {
            let name = other.metadata.name.clone();
            match selectors.get(&key) {
                Some(selector) => found.push(Arc::new(OtherHpa {
                    name,
                    selector: selector.clone(),
                })),
                None => missing.push(name),
            }
        }
        missing.sort_unstable();
        (found, unread(&missing, &self.hpa.metadata.name))
    }

    fn others(&self) -> Vec<(&Hpa, TargetKey)> {
        let all = self.all.iter().map(Arc::as_ref);
        all.filter(|other| other.metadata.name != self.hpa.metadata.name)
            .filter(|other| is_remembered(other, self.leader_since))
            .filter_map(|other| Some((other, target::key(other)?)))
            .collect()
    }

    async fn read_scales(&self, targets: &BTreeSet<TargetKey>) -> BTreeMap<TargetKey, String> {
        let reads = targets.iter().map(|key| async {
            let mappings = self
                .discovery
                .mappings(self.client, &key.group, &key.kind)
                .await
                .ok()?;
            let scale = target::read_scale(self.client, &mappings, &key.namespace, &key.name);
            Some((key.clone(), scale.await.ok()?.status.selector))
        });
        future::join_all(reads)
            .await
            .into_iter()
            .flatten()
            .collect()
    }

    async fn read_lists(&self, kinds: &BTreeSet<&'static str>) -> BTreeMap<TargetKey, String> {
        let lists = kinds.iter().map(|kind| async move {
            let workloads = self.list(kind).await.unwrap_or_default();
            let selectors = workloads.into_iter().filter_map(|workload| {
                let selector = workload.spec.selector.to_selector(self.wording).ok()?;
                let key = TargetKey {
                    namespace: workload.metadata.namespace?,
                    group: "apps".to_owned(),
                    kind: (*kind).to_owned(),
                    name: workload.metadata.name,
                };
                Some((key, selector.to_string()))
            });
            selectors.collect::<Vec<_>>()
        });
        future::join_all(lists)
            .await
            .into_iter()
            .flatten()
            .collect()
    }

    async fn list(&self, kind: &str) -> Result<Vec<ScaledWorkload>, ClientError> {
        let resource = &KnownKind::of(kind).resource();
        let about = ResourceName {
            group: "apps",
            resource,
            name: "",
        };
        let namespace = super::hpa_resource::namespace_of(self.hpa);
        let path = ApiPath::new("apps", "v1")
            .namespace(namespace)
            .segment(resource);
        self.client
            .list(
                "targets of other HPAs",
                path,
                about,
                Some(super::OPTIONAL_PATIENCE),
            )
            .await
    }
}

/// The record of HPAs whose selectors are not known, without `own`: a few names, or the number of many. `unknown` is
/// sorted.
pub(super) fn unread(unknown: &[String], own: &String) -> Option<NotRead> {
    let is_own = usize::from(unknown.binary_search(own).is_ok());
    let of = match unknown.len() - is_own {
        0 => return None,
        1..=FEW => {
            let others = unknown.iter().filter(|name| *name != own);
            let others: Vec<&str> = others.map(String::as_str).collect();
            others.join(", ")
        }
        many => format!("{many} of them"),
    };
    Some(NotRead {
        what: SnapshotField::OtherHpas,
        why: format!("the selectors of other HPAs of the namespace were not read: {of}"),
        remedy: None,
        is_forbidden: false,
    })
}

/// Up to this many names are listed.
const FEW: usize = 3;

/// Whether the current leader has computed metrics for this HPA. The condition `ScalingActive` is first written then;
/// if it says that scaling is disabled, only its earlier state counts.
pub(super) fn is_remembered(other: &Hpa, leader_since: Option<Timestamp>) -> bool {
    other
        .status
        .conditions
        .iter()
        .find(|condition| condition.condition_type == "ScalingActive")
        .is_some_and(|condition| {
            condition.reason != "ScalingDisabled"
                || leader_since.is_none()
                || leader_since < condition.last_transition_time
        })
}

#[derive(Deserialize)]
struct ScaledWorkload {
    metadata: ObjectMeta,
    spec: WorkloadSpec,
}

#[derive(Deserialize)]
struct WorkloadSpec {
    selector: LabelSelector,
}
