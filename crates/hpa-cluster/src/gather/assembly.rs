//! The last step: reads what needs the selector of an HPA's target, and builds its snapshot.

use futures::future;
use hpa_engine::model::KnownKind;
use hpa_objects::recording::{
    Snapshot,
    wire::{Hpa, KubernetesEvent, NotRead},
};

use super::{
    CustomVersion, Gathering,
    conditional::{take, when},
};
use crate::{
    hpa_resource::namespace_of,
    metrics::needs_pod_metrics,
    other_hpas::Search,
    pods, replica_sets,
    state::{ClusterState, key_of},
};

/// The data that all HPAs share.
pub(super) struct Assembly<'a> {
    pub(super) gathering: &'a Gathering<'a>,
    /// The HPAs and their targets.
    pub(super) state: &'a ClusterState,
    pub(super) custom_version: &'a CustomVersion,
}

impl Assembly<'_> {
    /// Reads the rest about one HPA and builds its snapshot. `shared`: whether the pods of its namespace were read.
    pub(super) async fn snapshot(
        &self,
        hpa: &Hpa,
        shared: Option<&Result<(), NotRead>>,
    ) -> Option<Snapshot> {
        let client = self.gathering.client;
        let namespace = namespace_of(hpa);
        let mut snapshot = self.state.known(client, &key_of(hpa))?;
        snapshot.kubernetes_events = self.events(hpa);
        let selector = self.state.selector_of(hpa);
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
            reader.metrics(hpa, has_selector.then_some(&*text)),
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
            match shared {
                Ok(()) => snapshot.pods = self.state.pods.selected(namespace, &text),
                Err(reason) => snapshot.not_read.push(reason.clone()),
            }
            if let Some(metrics) = self.state.metrics.get(namespace) {
                metrics.share_usages(selector, &mut snapshot);
            }
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
        for (index, answer) in metrics {
            answer.store(index, &mut snapshot);
        }
        Some(snapshot)
    }

    pub(super) fn search<'b>(&'b self, hpa: &'b Hpa) -> Option<Search<'b>> {
        let gathering = self.gathering;
        Some(Search {
            client: gathering.client,
            discovery: &gathering.discovery,
            hpa,
            all: gathering.selected.all.get(namespace_of(hpa))?,
            known: &self.state.targets.found,
            leader_since: gathering.plane.leader_since(),
            wording: gathering.plane.wording,
        })
    }

    fn events(&self, hpa: &Hpa) -> Vec<KubernetesEvent> {
        let key = (namespace_of(hpa).to_owned(), hpa.metadata.name.clone());
        let events = self.gathering.events.as_ref().ok();
        let events = events.and_then(|events| events.get(&key));
        events.cloned().unwrap_or_default()
    }
}

/// Requests for one HPA, besides discovery and version.
const BUDGET: usize = 10;

/// The fixed ones among them: HPAs, Events, leader, pods of the controller, scale, target, pods.
const FIRST_REQUESTS: usize = 7;
