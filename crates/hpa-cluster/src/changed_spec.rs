//! Additional reads for a changed spec.

use futures::future;
use hpa_engine::model::{KnownKind, KubeVersion, Selector, label_selector::Wording};
use hpa_objects::recording::{MissingReads, Snapshot};

use super::{
    client::{Client, ClientError},
    discovery::Discovery,
    hpa_resource::namespace_of,
    metrics::{self, MetricsReader},
    pods, replica_sets, target,
};

/// Reads what a snapshot lacks after its spec was changed. Nothing is read twice, so that both decisions use the same
/// answers.
pub async fn read_missing(client: &Client, snapshot: &mut Snapshot, missing: &MissingReads) {
    if missing.is_empty() {
        return;
    }
    let version: Option<KubeVersion> = snapshot.controller.version.parse().ok();
    let reading = SpecReading {
        client,
        discovery: Discovery::default(),
        namespace: namespace_of(&snapshot.hpa).to_owned(),
        wording: Wording::of(version.unwrap_or(KubeVersion::NEWEST)),
    };
    if missing.target {
        reading.target(snapshot).await;
    }
    let selector = snapshot
        .scale
        .as_ref()
        .map(|scale| scale.status.selector.clone())
        .filter(|selector| !selector.is_empty() && reading.is_selector(selector));
    if missing.target
        && let Some(selector) = &selector
    {
        reading.pods(snapshot, selector).await;
    }
    reading
        .metrics(snapshot, missing, selector.as_deref())
        .await;
}

struct SpecReading<'a> {
    client: &'a Client,
    discovery: Discovery,
    namespace: String,
    wording: Wording,
}

impl SpecReading<'_> {
    fn is_selector(&self, text: &str) -> bool {
        Selector::parse(text, self.wording).is_ok()
    }

    async fn target(&self, snapshot: &mut Snapshot) {
        let reference = &snapshot.hpa.spec.scale_target_ref;
        let reads = target::read(
            self.client,
            &self.discovery,
            &self.namespace,
            reference,
            self.wording,
        )
        .await;
        snapshot.scale = reads.scale;
        snapshot.scale_error = reads.scale_error;
        snapshot.target = reads.target;
        snapshot.not_read.extend(reads.not_read);
    }

    async fn pods(&self, snapshot: &mut Snapshot, selector: &str) {
        let has_sets = KnownKind::of(&snapshot.hpa.spec.scale_target_ref.kind).is_deployment();
        let sets = async {
            if !has_sets {
                return None;
            }
            Some(replica_sets::owners(self.client, &self.namespace, selector).await)
        };
        let pods = pods::read(self.client, &self.namespace, selector);
        let (pods, sets) = future::join(pods, sets).await;
        match pods {
            Ok(pods) => snapshot.pods = pods.into(),
            Err(reason) => snapshot.not_read.push(reason),
        }
        match (sets, &mut snapshot.target) {
            (Some(Ok(sets)), Some(target)) => target.intermediate_owners = sets,
            (Some(Err(reason)), _) => snapshot.not_read.push(reason),
            _ => {}
        }
    }

    async fn metrics(
        &self,
        snapshot: &mut Snapshot,
        missing: &MissingReads,
        selector: Option<&str>,
    ) {
        let custom_version: Result<String, ClientError> = if missing.custom.is_empty() {
            Ok(String::new())
        } else {
            metrics::custom_version(self.client).await
        };
        let reader = MetricsReader {
            client: self.client,
            discovery: &self.discovery,
            namespace: &self.namespace,
            wording: self.wording,
            custom_version: &custom_version,
            patience: None,
        };
        let specs = snapshot.hpa.spec.metrics.clone();
        if let Some(selector) = selector.filter(|_| missing.pod_metrics) {
            match reader.pod_metrics(selector).await {
                Ok(answer) => snapshot.pod_metrics = Some(answer),
                Err(reason) => snapshot.not_read.push(reason),
            }
        }
        for &index in missing.custom.iter().chain(&missing.external) {
            if let Some(read) = specs[index].read()
                && let Some(answer) = reader.metric(index, read, selector).await
            {
                answer.store(index, snapshot);
            }
        }
    }
}
