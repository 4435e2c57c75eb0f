//! The metrics API of a metric: who serves it, whether it is available, and the request that was made.

use hpa_engine::model::{ApiRequest, ApiService};
use hpa_words::clock::duration;
use jiff::{SignedDuration, Unit};

use crate::{ExplainContext, MetricFacts, command::ShellCommand};

/// The metrics API that serves a metric.
#[derive(Clone, Copy, Debug)]
pub(super) struct MetricsApi<'a> {
    /// Its group.
    pub(super) group: &'static str,
    /// Whether the API services were read.
    is_read: bool,
    /// The API service that serves it, if there is one.
    service: Option<&'a ApiService>,
    /// The request for the metric; `None` if another HPA's page has it, or no request was made.
    request: Option<&'a ApiRequest>,
    /// HTTP status if the API answered with an error.
    refused: Option<u16>,
}

/// Whether an API is available.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ApiState {
    /// The API services were not read.
    Unknown,
    /// No API service serves the group.
    Absent,
    /// The API service exists, but its server is not available.
    Unavailable,
    /// The server is available.
    Available,
}

impl<'a> MetricsApi<'a> {
    /// The API of `metric`; `None` for a metric of an unknown type.
    pub(super) fn of(cx: &ExplainContext<'a>, metric: &MetricFacts<'_>) -> Option<Self> {
        let group = metric.spec?.api_group()?;
        let services = cx.context.surroundings.api_services.as_deref();
        let request = request(cx, metric, group);
        let of_group = || {
            services
                .unwrap_or_default()
                .iter()
                .filter(|service| service.group == group)
        };
        // The requested version, if there are several.
        let is_requested = |service: &&ApiService| {
            let prefix = format!("/apis/{group}/{}/", service.version);
            request.is_some_and(|request| request.path.starts_with(&prefix))
        };
        Some(Self {
            group,
            is_read: services.is_some(),
            service: of_group().find(is_requested).or_else(|| of_group().next()),
            request,
            refused: metric.read.and_then(|read| Some(read.error.as_ref()?.code)),
        })
    }

    /// Whether the API is available.
    pub(super) fn state(&self) -> ApiState {
        match self.service {
            _ if !self.is_read => ApiState::Unknown,
            None => ApiState::Absent,
            Some(service) if service.is_available == Some(true) => ApiState::Available,
            Some(_) => ApiState::Unavailable,
        }
    }

    /// Who serves it: `Service monitoring/prom (prometheus-adapter, by its name)`.
    pub(super) fn who(&self) -> String {
        match self.service.map(|service| service.service.as_deref()) {
            Some(Some(service)) => match product(service) {
                Some(product) => format!("Service {service} ({product}, by its name)"),
                None => format!("Service {service}"),
            },
            Some(None) => "the API server itself".to_owned(),
            None => self.group.to_owned(),
        }
    }

    /// The name alone: `prometheus-adapter`, or that of the Service.
    pub(super) fn name(&self) -> String {
        let service = self.service.and_then(|service| service.service.as_deref());
        match service {
            Some(service) => product(service).unwrap_or(service).to_owned(),
            None => self.group.to_owned(),
        }
    }

    /// `since 09:12:40 (31 min)`, as far as it is known.
    pub(super) fn since(&self, cx: &ExplainContext<'_>) -> Option<String> {
        let at = self.service?.since?;
        Some(format!(
            "since {} ({})",
            cx.clock.time(at),
            cx.clock.ago(at)
        ))
    }

    /// Reason and message of the condition: `FailedDiscoveryCheck: no response`.
    pub(super) fn why(&self) -> Option<String> {
        let service = self.service?;
        let parts: Vec<&str> = [service.reason.as_str(), service.message.as_str()]
            .into_iter()
            .filter(|part| !part.is_empty())
            .collect();
        (!parts.is_empty()).then(|| parts.join(": "))
    }

    /// Name of the API service.
    pub(super) fn service_name(&self) -> &'a str {
        self.service.map_or("", |service| &service.name)
    }

    /// `answered 404 in 3 ms`, `answered in 12 ms`; `None` if no server was asked.
    pub(super) fn answered(&self) -> Option<String> {
        let Some(request) = self.request else {
            return self.is_read.then(|| match self.refused {
                Some(code) if code != 0 => format!("answered {code}"),
                Some(_) => "refused".to_owned(),
                None => "answered".to_owned(),
            });
        };
        let took = duration(
            request
                .took
                .round(Unit::Millisecond)
                .unwrap_or(request.took)
                .max(SignedDuration::from_millis(1)),
        );
        Some(match request.status {
            Some(200) => format!("answered in {took}"),
            Some(status) => format!("answered {status} in {took}"),
            None => format!("gave no answer within {took}"),
        })
    }

    /// The resource in the request's path: `services` in `…/namespaces/shop/services/frontend/hits`.
    pub(super) fn resource(&self) -> Option<&'a str> {
        let (_, place) = self.request?.path.split_once("/namespaces/")?;
        place.split('/').nth(1)
    }

    /// Whether the answer takes so long that it delays every sync of the controller.
    pub(super) fn is_slow(&self) -> bool {
        self.request.is_some_and(|request| SLOW <= request.took)
    }

    /// The command that sends the same request: `kubectl get --raw '/apis/…'`.
    pub(super) fn command(&self) -> Option<String> {
        Some(format!("kubectl get --raw '{}'", self.request?.path))
    }

    /// The same for the answer; without a request the list of the API's metrics.
    pub(super) fn raw(&self) -> ShellCommand {
        let path = self.request.map(|request| request.path.clone());
        let version = self.service.map_or("v1beta1", |service| &service.version);
        let list = || format!("/apis/{}/{version}", self.group);
        ShellCommand::new("kubectl get --raw").arg(path.unwrap_or_else(list))
    }

    /// Whether the request for the metric itself got an answer, be it an error.
    pub(super) fn has_answered(&self) -> bool {
        self.request.is_some_and(|request| {
            request.status.is_some() && request.path.contains("/namespaces/")
        })
    }
}

/// A request that takes this long is slow: it delays the controller's workers in every sync.
const SLOW: SignedDuration = SignedDuration::from_secs(2);

/// The request for a metric, possibly among those of several HPAs. If there is none, the failed discovery of its API.
fn request<'a>(
    cx: &ExplainContext<'a>,
    metric: &MetricFacts<'_>,
    group: &str,
) -> Option<&'a ApiRequest> {
    let number = metric.evaluation.index.saturating_add(1);
    let what = match group {
        "metrics.k8s.io" => "pod metrics".to_owned(),
        "custom.metrics.k8s.io" => format!("custom metric {number}"),
        _ => format!("external metric {number}"),
    };
    let place = format!("/namespaces/{}/", cx.facts.observation.hpa.namespace);
    let requests = &cx.context.requests;
    requests
        .iter()
        .find(|request| request.what == what && request.path.contains(&place))
        .or_else(|| {
            let discovery = format!("/apis/{group}");
            requests
                .iter()
                .find(|request| request.path == discovery && request.status != Some(200))
        })
}

/// The product that runs as a Service, if the Service's usual name reveals it.
fn product(service: &str) -> Option<&'static str> {
    const PRODUCTS: [(&str, &str); 15] = [
        ("keda", "KEDA's metrics API server"),
        ("datadog", "Datadog Cluster Agent"),
        ("stackdriver", "Custom Metrics Stackdriver Adapter"),
        (
            "alibaba-cloud-metrics-adapter",
            "Alibaba Cloud Metrics Adapter",
        ),
        (
            "azure-k8s-metrics-adapter",
            "Azure Kubernetes Metrics Adapter",
        ),
        ("k8s-cloudwatch-adapter", "Kubernetes CloudWatch Adapter"),
        ("kube-metrics-adapter", "kube-metrics-adapter"),
        ("newrelic", "New Relic Metrics Adapter"),
        ("dynatrace", "Dynatrace"),
        ("sysdig", "Sysdig"),
        ("crane", "Crane metric-adapter"),
        ("prometheus-adapter", "prometheus-adapter"),
        ("prometheus-metrics-adapter", "prometheus-adapter"),
        ("metrics-server", "metrics-server"),
        ("heapster", "Heapster"),
    ];
    PRODUCTS
        .into_iter()
        .find(|(part, _)| service.contains(part))
        .map(|(_, product)| product)
}
