//! The metrics that an adapter lists: requested only if a metric gave no value, once for each API.

use futures::future;
use hpa_objects::recording::{
    Snapshot,
    wire::{IndexedAnswer, MetricList, MetricRead, MetricSpec},
};
use serde::Deserialize;

use crate::{
    OPTIONAL_PATIENCE,
    api_error::ResourceName,
    client::{Client, Get},
    path::ApiPath,
};

/// The lists of the adapters whose metrics gave no value.
pub(super) struct MetricLists {
    custom: Option<ListedMetrics>,
    external: Option<ListedMetrics>,
}

/// Reads the lists of the adapters whose metrics gave no value. `custom_version` is the version of the custom metrics
/// API that was requested; `None` if there is no such API.
pub(super) async fn read(
    client: &Client,
    custom_version: Option<&str>,
    snapshots: &[Snapshot],
) -> MetricLists {
    let needs = |needs: fn(&Snapshot) -> bool| snapshots.iter().any(needs);
    let (custom, external) = future::join(
        async {
            match custom_version {
                Some(version) if needs(needs_custom) => {
                    Some(ListedMetrics::read(client, CUSTOM, version).await)
                }
                _ => None,
            }
        },
        async {
            if needs(needs_external) {
                Some(ListedMetrics::read(client, EXTERNAL, "v1beta1").await)
            } else {
                None
            }
        },
    )
    .await;
    MetricLists { custom, external }
}

impl MetricLists {
    /// Adds them to the snapshots that they concern.
    pub(super) fn share(&self, snapshots: &mut [Snapshot]) {
        for snapshot in snapshots {
            let custom = self.custom.iter().filter(|_| needs_custom(snapshot));
            let external = self.external.iter().filter(|_| needs_external(snapshot));
            let lists: Vec<MetricList> = custom
                .chain(external)
                .map(|listed| listed.about(snapshot))
                .collect();
            if !lists.is_empty() {
                let surroundings = snapshot.surroundings.get_or_insert_default();
                surroundings.metric_lists = lists;
            }
        }
    }
}

const CUSTOM: &str = "custom.metrics.k8s.io";
const EXTERNAL: &str = "external.metrics.k8s.io";

/// Names that are kept for one HPA: enough to find the real name of the metric.
const KEPT: usize = 10;

/// The metrics that one API lists.
struct ListedMetrics {
    group: &'static str,
    version: String,
    names: Result<Vec<String>, String>,
}

impl ListedMetrics {
    async fn read(client: &Client, group: &'static str, version: &str) -> Self {
        let answer = client
            .get::<ApiResourceList>(&Get {
                what: "discovery",
                path: ApiPath::new(group, version).into_string(),
                about: ResourceName::default(),
                patience: Some(OPTIONAL_PATIENCE),
            })
            .await;
        Self {
            group,
            version: version.to_owned(),
            names: answer
                .map(|list| list.resources.into_iter().map(|one| one.name).collect())
                .map_err(|error| error.to_string()),
        }
    }

    /// The part that concerns the metrics of one HPA.
    fn about(&self, snapshot: &Snapshot) -> MetricList {
        let mut list = MetricList {
            group: self.group.to_owned(),
            version: self.version.clone(),
            ..MetricList::default()
        };
        match &self.names {
            Ok(names) => {
                let requested: Vec<&str> = snapshot
                    .hpa
                    .spec
                    .metrics
                    .iter()
                    .filter_map(|metric| name(metric, self.group))
                    .collect();
                list.listed = names.len();
                list.similar = similar(names, &requested);
            }
            Err(error) => list.error = Some(error.clone()),
        }
        list
    }
}

/// Whether a Pods or an Object metric gave no value.
fn needs_custom(snapshot: &Snapshot) -> bool {
    snapshot.custom_metrics.iter().any(gave_nothing)
}

/// Whether an External metric gave no value.
fn needs_external(snapshot: &Snapshot) -> bool {
    snapshot.external_metrics.iter().any(gave_nothing)
}

fn gave_nothing<T>(answer: &IndexedAnswer<T>) -> bool {
    answer.items.is_empty()
}

/// The name of a metric that the API of `group` serves.
fn name<'a>(metric: &'a MetricSpec, group: &str) -> Option<&'a str> {
    let (served_by, metric) = match metric.read()? {
        MetricRead::External(metric) => (EXTERNAL, metric),
        MetricRead::OfPods(metric) | MetricRead::OfObject(_, metric) => (CUSTOM, metric),
        MetricRead::Usages => return None,
    };
    (served_by == group).then_some(metric.name.as_str())
}

/// The listed names that equal, contain, or are contained in one of `requested`, ignoring case and punctuation; equal
/// names come first.
fn similar(names: &[String], requested: &[&str]) -> Vec<String> {
    // The single name under which KEDA lists all its metrics: the list is not informative.
    if let [only] = names
        && only == "externalmetrics"
    {
        return vec![only.clone()];
    }
    let mut found: Vec<(bool, &String)> = names
        .iter()
        .filter_map(|name| {
            let own = name.rsplit('/').next().unwrap_or(name);
            if requested.contains(&own) {
                return Some((false, name));
            }
            let plain = plain(own);
            let is_like = |requested: &&str| {
                let requested = self::plain(requested);
                3 <= plain.len().min(requested.len())
                    && (plain.contains(&requested) || requested.contains(&plain))
            };
            requested.iter().any(is_like).then_some((true, name))
        })
        .collect();
    found.sort();
    found.dedup();
    found.truncate(KEPT);
    found.into_iter().map(|(_, name)| name.clone()).collect()
}

fn plain(name: &str) -> String {
    name.chars()
        .filter(char::is_ascii_alphanumeric)
        .map(|letter| letter.to_ascii_lowercase())
        .collect()
}

#[derive(Deserialize)]
struct ApiResourceList {
    #[serde(default)]
    resources: Vec<ApiResource>,
}

#[derive(Deserialize)]
struct ApiResource {
    name: String,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_similar_whatever_their_case_and_punctuation() {
        let names = [
            "namespaces/http_requests",
            "pods/HTTP-Requests_total",
            "pods/memory",
            "services/requests",
            "pods/a",
        ]
        .map(ToOwned::to_owned);
        assert_eq!(
            similar(&names, &["http_requests"]),
            [
                "namespaces/http_requests",
                "pods/HTTP-Requests_total",
                "services/requests"
            ]
        );
    }
}
