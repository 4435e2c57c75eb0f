//! The last step: reads what needs the selector of an HPA's target, and builds its snapshot.

use std::{collections::BTreeMap, sync::Arc};

use futures::future;
use hpa_engine::model::{KnownKind, Neighbors};
use hpa_objects::recording::{
    Snapshot, of_hpa,
    wire::{Autoscaler, Hpa, KubernetesEvent},
};

use super::{
    CustomVersion, Gathering,
    conditional::{take, when},
    metric_answers::read_metrics,
    shared_pods::SharedPods,
};
use crate::{
    hpa_resource::namespace_of,
    metrics::needs_pod_metrics,
    other_hpas::Search,
    pods, replica_sets,
    state::Known,
    target::{self, TargetKey, TargetMap},
};

/// The data that all HPAs share.
pub(super) struct Assembly<'a> {
    pub(super) gathering: &'a Gathering<'a>,
    pub(super) targets: &'a TargetMap,
    pub(super) custom_version: &'a CustomVersion,
    /// The HPAs of each target.
    by_target: BTreeMap<TargetKey, Neighbors<Autoscaler>>,
}

impl<'a> Assembly<'a> {
    pub(super) fn new(
        gathering: &'a Gathering<'a>,
        targets: &'a TargetMap,
        custom_version: &'a CustomVersion,
    ) -> Self {
        let mut by_target: BTreeMap<TargetKey, Vec<Arc<Autoscaler>>> = BTreeMap::new();
        for hpa in gathering.selected.all.values().flatten() {
            if let Some(key) = target::key(hpa) {
                by_target.entry(key).or_default().push(of_hpa(hpa).into());
            }
        }
        let by_target = by_target.into_iter();
        let shared = by_target.map(|(key, hpas)| (key, Neighbors::of_each_other(hpas)));
        Self {
            gathering,
            targets,
            custom_version,
            by_target: shared.collect(),
        }
    }

    /// Reads the rest about one HPA and builds its snapshot.
    pub(super) async fn snapshot(&self, hpa: &Hpa, shared: Option<&SharedPods>) -> Snapshot {
        let client = self.gathering.client;
        let namespace = namespace_of(hpa);
        let mut snapshot = self.known(hpa);
        let selector = self.gathering.selector(hpa, self.targets);
        let text = selector
            .as_ref()
            .map(ToString::to_string)
            .unwrap_or_default();
        let has_selector = selector.is_some();
        let reads_pods = has_selector && shared.is_none();
        let reader = self
            .gathering
            .metrics_reader(namespace, self.custom_version);
        let budget = BUDGET.saturating_sub(FIRST_REQUESTS + hpa.spec.metrics.len());
        let search = self.search(hpa);
        let plan = search
            .as_ref()
            .map(|search| search.plan(budget))
            .unwrap_or_default();
        let reads_sets = has_selector
            && KnownKind::of(&hpa.spec.scale_target_ref.kind).is_deployment()
            && plan.requests() < budget;
        let (pods, usages, metrics, others, sets) = future::join5(
            when(reads_pods, pods::read(client, namespace, &text)),
            when(
                reads_pods && needs_pod_metrics(hpa),
                reader.pod_metrics(&text),
            ),
            read_metrics(&reader, hpa, &text, has_selector),
            async {
                match &search {
                    Some(search) => search.run(&plan).await,
                    None => (Vec::new(), None),
                }
            },
            when(reads_sets, replica_sets::owners(client, namespace, &text)),
        )
        .await;
        if let (Some(shared), Some(selector)) = (shared, &selector) {
            shared.share(selector, &mut snapshot);
        }
        let not_read = &mut snapshot.not_read;
        if let Some(pods) = pods {
            take(not_read, pods, |pods| snapshot.pods = pods.into());
        }
        if let Some(usages) = usages {
            take(not_read, usages, |usages| {
                snapshot.pod_metrics = Some(usages);
            });
        }
        if let (Some(sets), Some(target)) = (sets, &mut snapshot.target) {
            take(not_read, sets, |sets| target.intermediate_owners = sets);
        }
        snapshot.other_hpas = others.0.into();
        not_read.extend(others.1);
        metrics.store(&mut snapshot);
        snapshot
    }

    /// A snapshot with what is known so far.
    fn known(&self, hpa: &Hpa) -> Snapshot {
        let gathering = self.gathering;
        Known {
            client: gathering.client,
            plane: &gathering.plane,
            not_read: &gathering.not_read,
            hpa,
            writes: gathering.selected.writes.of(hpa),
            rivals: self.rivals(hpa),
            events: self.events(hpa),
            target: target::key(hpa).and_then(|key| self.targets.get(&key).cloned()),
        }
        .snapshot()
    }

    /// The other HPAs with the same target, from the list of HPAs.
    fn rivals(&self, hpa: &Hpa) -> Neighbors<Autoscaler> {
        let rivals = target::key(hpa).and_then(|key| self.by_target.get(&key));
        rivals
            .map(|rivals| rivals.without(&hpa.metadata.name))
            .unwrap_or_default()
    }

    pub(super) fn search<'b>(&'b self, hpa: &'b Hpa) -> Option<Search<'b>> {
        let gathering = self.gathering;
        Some(Search {
            client: gathering.client,
            discovery: &gathering.discovery,
            hpa,
            all: gathering.selected.all.get(namespace_of(hpa))?,
            known: self.targets,
            leader_since: gathering.plane.leader_since(),
            wording: gathering.plane.wording,
        })
    }

    fn events(&self, hpa: &Hpa) -> Vec<KubernetesEvent> {
        let key = (namespace_of(hpa).to_owned(), hpa.metadata.name.clone());
        self.gathering.events.get(&key).cloned().unwrap_or_default()
    }
}

/// Requests for one HPA, besides discovery and version.
const BUDGET: usize = 10;

/// The fixed ones among them: HPAs, Events, leader, pods of the controller, scale, target, pods.
const FIRST_REQUESTS: usize = 7;
