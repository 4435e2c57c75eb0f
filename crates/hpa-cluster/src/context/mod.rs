//! The context of the HPAs, read in parallel with everything else, so that a page does not wait longer for it.

mod api_services;
mod autoscalers;
mod downstream;
mod image_pulls;
mod metric_lists;

use std::sync::Arc;

use futures::future;
use serde::Deserialize;

pub(super) use self::autoscalers::Groups;
pub(super) use self::image_pulls::{Pulls, early_pulls};
use hpa_objects::recording::{
    Snapshot,
    wire::{ApiService, NotRead},
};

use self::{autoscalers::Autoscalers, downstream::Downstreams};
use super::{
    api_error::ResourceName,
    client::{Client, ClientError, Get},
};

/// The context of the HPAs of one namespace, or of all.
pub(super) struct SurroundingObjects {
    api_services: Result<Vec<ApiService>, NotRead>,
    autoscalers: Autoscalers,
    downstreams: Downstreams,
}

/// Reads the context of the HPAs of `namespace`; empty: of all namespaces. What cannot be read is recorded in the
/// snapshots.
pub(super) async fn read(
    client: &Client,
    namespace: &str,
    groups: impl Future<Output = Result<Groups, ClientError>>,
) -> SurroundingObjects {
    let (api_services, autoscalers, downstreams) = future::join3(
        api_services::read(client),
        async { autoscalers::read(client, namespace, &groups.await).await },
        downstream::read(client, namespace),
    )
    .await;
    SurroundingObjects {
        api_services,
        autoscalers,
        downstreams,
    }
}

impl SurroundingObjects {
    /// Adds the context of its HPA to `snapshot`.
    pub(super) fn share(&self, snapshot: &mut Snapshot) {
        let mut surroundings = snapshot.surroundings.take().unwrap_or_default();
        match &self.api_services {
            Ok(services) => surroundings.api_services = Some(services.clone()),
            Err(reason) => snapshot.not_read.push(reason.clone()),
        }
        let others = self.autoscalers.around(snapshot);
        surroundings
            .autoscalers
            .extend(others.into_iter().map(Arc::new));
        surroundings.downstream = self.downstreams.around(snapshot);
        snapshot.surroundings = Some(surroundings);
    }
}

/// How to read what matters only in some situations.
pub(super) enum Further<'a> {
    /// For each HPA that it concerns; with the image pulls that are already known.
    OfEach(Pulls),
    /// By lists of this namespace; empty: all namespaces.
    OfAll(&'a str),
}

/// Reads what matters only in some situations, which are known after everything else is read. `custom_version` is the
/// version of the custom metrics API that was requested; `None` if there is no such API.
pub(super) async fn read_further(
    client: &Client,
    custom_version: Option<&str>,
    further: Further<'_>,
    snapshots: &mut [Snapshot],
) {
    let (listed_namespace, pulls) = match further {
        // Only pages show how long image pulls took.
        Further::OfAll(namespace) => (Some(namespace), None),
        Further::OfEach(pulls) => (None, Some(pulls)),
    };
    let (lists, downstream, pulls) = future::join3(
        metric_lists::read(client, custom_version, snapshots),
        downstream::read_further(client, listed_namespace, snapshots),
        async {
            let known = pulls?;
            Some(image_pulls::read(client, snapshots, known).await)
        },
    )
    .await;
    lists.share(snapshots);
    downstream.share(snapshots);
    if let Some(pulls) = pulls {
        pulls.share(snapshots);
    }
}

/// The API groups that the server has, each with its versions. One request, however many optional kinds there are.
pub(super) async fn groups(client: &Client) -> Result<Groups, ClientError> {
    let list: GroupList = client
        .get(&Get {
            what: "discovery",
            path: "/apis".to_owned(),
            about: ResourceName::default(),
            patience: Some(super::OPTIONAL_PATIENCE),
        })
        .await?;
    Ok(list
        .groups
        .into_iter()
        .map(|group| {
            let versions = group.versions.into_iter().map(|one| one.version);
            (group.name, versions.collect())
        })
        .collect())
}

#[derive(Deserialize)]
struct GroupList {
    groups: Vec<DiscoveredGroup>,
}

#[derive(Deserialize)]
struct DiscoveredGroup {
    name: String,
    #[serde(default)]
    versions: Vec<ApiGroupVersion>,
}

#[derive(Deserialize)]
struct ApiGroupVersion {
    version: String,
}
