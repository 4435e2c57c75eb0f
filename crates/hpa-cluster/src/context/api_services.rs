//! The API services of the metrics APIs.

use hpa_engine::model::SnapshotField;
use hpa_objects::recording::wire::{ApiService, NotRead};
use serde::Deserialize;

use crate::{
    OPTIONAL_PATIENCE,
    access::{Permission, not_read},
    api_error::ResourceName,
    client::Client,
    path::ApiPath,
};

/// Reads the API services of the metrics APIs, by name.
pub(super) async fn read(client: &Client) -> Result<Vec<ApiService>, NotRead> {
    let about = ResourceName {
        group: GROUP,
        resource: "apiservices",
        name: "",
    };
    let path = ApiPath::new(GROUP, "v1").segment("apiservices");
    let services: Vec<WrittenApiService> = client
        .list("API services", path, about, Some(OPTIONAL_PATIENCE))
        .await
        .map_err(|error| {
            let permission = Permission {
                verb: "list",
                group: GROUP,
                resource: "apiservices",
                namespace: "",
            };
            not_read(&error, SnapshotField::ApiServices, permission)
        })?;
    let mut services: Vec<ApiService> = services
        .into_iter()
        .filter(|service| METRICS.contains(&service.spec.group.as_str()))
        .map(Into::into)
        .collect();
    services.sort_by(|one, other| one.name.cmp(&other.name));
    Ok(services)
}

const GROUP: &str = "apiregistration.k8s.io";

/// The groups of the metrics APIs.
const METRICS: [&str; 3] = [
    "metrics.k8s.io",
    "custom.metrics.k8s.io",
    "external.metrics.k8s.io",
];

#[derive(Deserialize)]
struct WrittenApiService {
    metadata: ApiServiceMetadata,
    spec: Spec,
    #[serde(default)]
    status: ApiServiceStatus,
}

#[derive(Deserialize)]
struct ApiServiceMetadata {
    name: String,
}

#[derive(Deserialize)]
struct Spec {
    #[serde(default)]
    group: String,
    #[serde(default)]
    version: String,
    service: Option<ServiceReference>,
}

#[derive(Deserialize)]
struct ServiceReference {
    #[serde(default)]
    namespace: String,
    #[serde(default)]
    name: String,
}

#[derive(Default, Deserialize)]
struct ApiServiceStatus {
    #[serde(default)]
    conditions: Vec<ApiServiceCondition>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ApiServiceCondition {
    #[serde(rename = "type")]
    condition_type: String,
    status: String,
    #[serde(default)]
    reason: String,
    #[serde(default)]
    message: String,
    last_transition_time: Option<jiff::Timestamp>,
}

impl From<WrittenApiService> for ApiService {
    fn from(written: WrittenApiService) -> Self {
        let available = written
            .status
            .conditions
            .into_iter()
            .find(|condition| condition.condition_type == "Available");
        let mut service = Self {
            name: written.metadata.name,
            group: written.spec.group,
            version: written.spec.version,
            service: written
                .spec
                .service
                .map(|service| format!("{}/{}", service.namespace, service.name)),
            ..Self::default()
        };
        if let Some(available) = available {
            service.is_available = Some(available.status == "True");
            service.reason = available.reason;
            service.message = available.message;
            service.since = available.last_transition_time;
        }
        service
    }
}
