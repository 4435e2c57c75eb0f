//! Servers that are not the Kubernetes API: those that the API server passes requests on to, and those elsewhere.

use std::{collections::BTreeMap, time::Duration};

use http::{
    HeaderMap, Request, StatusCode,
    header::{CONTENT_TYPE, LOCATION},
};
use http_body_util::BodyExt as _;
use serde::Deserialize;

use super::{
    access::{Right, is_forbidden},
    address,
    api_error::ResourceName,
    bounded::innermost,
    client::{Client, header},
    path::ApiPath,
};

/// A GET of whatever it is.
#[derive(Clone, Copy, Debug)]
pub struct Fetch<'a> {
    /// Path and query.
    pub path: &'a str,
    /// Headers beside those of every request.
    pub headers: &'a HeaderMap,
    /// Longest answer that is read, in bytes.
    pub most_bytes: usize,
    /// Longest time until the answer has come, whole.
    pub patience: Duration,
}

/// What came of it.
#[derive(Clone, Debug)]
pub struct Fetched {
    /// Status of HTTP.
    pub status: StatusCode,
    /// All headers.
    pub headers: HeaderMap,
    /// The type that the answer claims to be of.
    pub content_type: String,
    /// Where it sends the request, without secrets.
    pub location: String,
    /// The answer.
    pub body: Vec<u8>,
}

/// Why nothing came of it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FetchError {
    /// There is no connection, or it broke off. Says so in a sentence without a full stop.
    #[error("{0}")]
    NoAnswer(String),
    /// It takes too long.
    #[error("no answer within {0:?}")]
    TooLate(Duration),
    /// The answer has more bytes than may be read.
    #[error("the answer has more than {0} bytes")]
    TooLong(usize),
}

/// A Service, as far as a server can be found by it.
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
    /// What is spoken there, such as `https`; empty: not said.
    pub app_protocol: String,
}

/// Why Services were not listed.
#[derive(Clone, Debug)]
pub struct NotListed {
    /// In one line.
    pub why: String,
    /// The RBAC rule that is missing, if that is why.
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

    /// The value of a label; empty: it has none.
    pub fn label(&self, name: &str) -> &str {
        let labels = self.metadata.labels.as_ref();
        labels
            .and_then(|labels| labels.get(name))
            .map_or("", String::as_str)
    }

    /// Whether it has no address of its own.
    pub fn is_headless(&self) -> bool {
        self.spec.cluster_ip == "None"
    }

    /// Its ports.
    pub fn ports(&self) -> &[ServicePort] {
        self.spec.ports.as_deref().unwrap_or_default()
    }
}

impl Client {
    /// Reads a path that is not the Kubernetes API's. Nobody follows where it sends the request.
    pub async fn fetch(&self, fetch: Fetch<'_>) -> Result<Fetched, FetchError> {
        tokio::time::timeout(fetch.patience, self.fetch_whole(fetch))
            .await
            .unwrap_or(Err(FetchError::TooLate(fetch.patience)))
    }

    async fn fetch_whole(&self, fetch: Fetch<'_>) -> Result<Fetched, FetchError> {
        let mut request = Request::get(fetch.path);
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
            let right = Right {
                verb: "list",
                group: "",
                resource: "services",
                namespace,
            };
            NotListed {
                why: error.to_string(),
                rule: is_forbidden(&error).then(|| right.rule()),
            }
        })
    }
}

/// How long a list of Services takes at most.
const LISTING: Duration = Duration::from_secs(30);
