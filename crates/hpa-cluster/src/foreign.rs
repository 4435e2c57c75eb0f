//! Requests to servers other than the Kubernetes API: behind the API server's proxy, or elsewhere.

use std::{collections::BTreeMap, time::Duration};

use http::{
    HeaderMap, Request, StatusCode,
    header::{ACCEPT, CONTENT_TYPE, LOCATION},
};
use http_body_util::BodyExt as _;
use serde::Deserialize;

use super::{
    access::{Permission, is_forbidden},
    address,
    api_error::ResourceName,
    bounded::innermost,
    client::{Client, JSON, header},
    path::ApiPath,
};

/// A GET request.
#[derive(Clone, Copy, Debug)]
pub struct Fetch<'a> {
    /// Path and query.
    pub path: &'a str,
    /// Headers added to those of every request.
    pub headers: &'a HeaderMap,
    /// Longest answer that is read, in bytes.
    pub most_bytes: usize,
    /// Longest time until the whole answer has arrived.
    pub patience: Duration,
}

/// The answer.
#[derive(Clone, Debug)]
pub struct Fetched {
    /// HTTP status.
    pub status: StatusCode,
    /// All headers.
    pub headers: HeaderMap,
    /// The answer's `Content-Type`.
    pub content_type: String,
    /// The target of a redirect, without secrets.
    pub location: String,
    /// The body.
    pub body: Vec<u8>,
}

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FetchError {
    /// There is no connection, or it broke; the reason is a sentence without a full stop.
    #[error("{0}")]
    NoAnswer(String),
    /// It takes too long.
    #[error("no answer within {0:?}")]
    TooLate(Duration),
    /// The answer has more bytes than are allowed.
    #[error("the answer has more than {0} bytes")]
    TooLong(usize),
}

/// A Service, with the fields that identify a server.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Eq)]
#[serde(default)]
pub struct Service {
    metadata: ServiceMetadata,
    spec: ServiceSpec,
}

#[derive(Clone, Debug, Default, Deserialize, PartialEq, Eq)]
#[serde(default)]
struct ServiceMetadata {
    name: String,
    namespace: String,
    labels: Option<BTreeMap<String, String>>,
}

#[derive(Clone, Debug, Default, Deserialize, PartialEq, Eq)]
#[serde(default, rename_all = "camelCase")]
struct ServiceSpec {
    #[serde(rename = "clusterIP")]
    cluster_ip: String,
    ports: Option<Vec<ServicePort>>,
}

/// A port of a Service.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Eq)]
#[serde(default, rename_all = "camelCase")]
pub struct ServicePort {
    /// Its name; empty: it has none.
    pub name: String,
    /// Its number.
    pub port: u16,
    /// Its application protocol, such as `https`; empty: not set.
    pub app_protocol: String,
}

/// Why Services could not be listed.
#[derive(Clone, Debug)]
pub struct NotListed {
    /// The reason in one line.
    pub why: String,
    /// The missing RBAC rule, if that is the reason.
    pub rule: Option<String>,
}

impl Service {
    /// Its namespace.
    pub fn namespace(&self) -> &str {
        &self.metadata.namespace
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.metadata.name
    }

    /// The value of a label; empty if it is missing.
    pub fn label(&self, name: &str) -> &str {
        let labels = self.metadata.labels.as_ref();
        labels
            .and_then(|labels| labels.get(name))
            .map_or("", String::as_str)
    }

    /// Whether it is headless: it has no cluster IP.
    pub fn is_headless(&self) -> bool {
        self.spec.cluster_ip == "None"
    }

    /// Its ports.
    pub fn ports(&self) -> &[ServicePort] {
        self.spec.ports.as_deref().unwrap_or_default()
    }
}

impl Client {
    /// Reads a path that is not the Kubernetes API's. Redirects are not followed.
    pub async fn fetch(&self, fetch: Fetch<'_>) -> Result<Fetched, FetchError> {
        tokio::time::timeout(fetch.patience, self.fetch_whole(fetch))
            .await
            .unwrap_or(Err(FetchError::TooLate(fetch.patience)))
    }

    async fn fetch_whole(&self, fetch: Fetch<'_>) -> Result<Fetched, FetchError> {
        let mut request = Request::get(fetch.path).header(ACCEPT, JSON);
        if let Some(headers) = request.headers_mut() {
            headers.extend(fetch.headers.clone());
        }
        let response = self.send_request(request, fetch.path).await;
        let response = response.map_err(|error| FetchError::NoAnswer(error.to_string()))?;
        let mut fetched = Fetched {
            status: response.status(),
            headers: response.headers().clone(),
            content_type: header(&response, CONTENT_TYPE).to_owned(),
            location: address::redacted(header(&response, LOCATION)),
            body: Vec::new(),
        };
        let mut body = response.into_body();
        while let Some(frame) = body.frame().await {
            let frame =
                frame.map_err(|error| FetchError::NoAnswer(self.broke_off(&innermost(&error))))?;
            let Some(bytes) = frame.data_ref() else {
                continue;
            };
            if fetch.most_bytes < fetched.body.len() + bytes.len() {
                return Err(FetchError::TooLong(fetch.most_bytes));
            }
            fetched.body.extend_from_slice(bytes);
        }
        Ok(fetched)
    }

    /// Lists the Services of a namespace (empty: of all) that a label selector matches.
    pub async fn services(
        &self,
        namespace: &str,
        selector: &str,
    ) -> Result<Vec<Service>, NotListed> {
        let path = ApiPath::new("", "v1")
            .namespace_or_all(namespace)
            .segment("services")
            .query("labelSelector", selector);
        let about = ResourceName {
            group: "",
            resource: "services",
            name: "",
        };
        let listed = self.list("services", path, about, Some(LISTING)).await;
        listed.map_err(|error| {
            let permission = Permission {
                verb: "list",
                group: "",
                resource: "services",
                namespace,
            };
            NotListed {
                why: error.to_string(),
                rule: is_forbidden(&error).then(|| permission.rule()),
            }
        })
    }
}

/// Longest time for listing Services.
const LISTING: Duration = Duration::from_secs(30);
