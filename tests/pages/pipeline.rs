//! What the page says about the metrics pipeline: whole pages, as users read them.

use hpa_engine::model::{
    ApiError, ApiRequest, ApiService, ExternalMetricValue, IndexedAnswer, MetricIdentifier,
    MetricList, MetricSpec, MetricTarget, PodsSource, Quantity, Reading,
};
use hpa_render::{Style, terminal::PageDetail};
use hpa_testing::{World, at};
use jiff::SignedDuration;

use crate::world::{AsPage, web};

const CUSTOM: &str = "custom.metrics.k8s.io";

fn served(
    mut world: World,
    version: &str,
    group: &str,
    service: &str,
    failure: Option<(&str, &str)>,
) -> World {
    let (reason, message) = failure.unwrap_or(("Passed", "all checks passed"));
    let services = &mut world.context.surroundings.api_services;
    services.get_or_insert_default().push(ApiService {
        name: format!("{version}.{group}"),
        group: group.to_owned(),
        version: version.to_owned(),
        service: Some(service.to_owned()),
        is_available: Some(failure.is_none()),
        reason: reason.to_owned(),
        message: message.to_owned(),
        since: Some(at("09:12:40")),
    });
    world
}

fn proposal(mut world: World, what: &str, path: &str, status: u16, milliseconds: i64) -> World {
    world.context.requests.push(ApiRequest {
        what: what.to_owned(),
        path: path.to_owned(),
        status: Some(status),
        took: SignedDuration::from_millis(milliseconds),
    });
    world
}

const PODS: &str = "/apis/metrics.k8s.io/v1beta1/namespaces/shop/pods?labelSelector=app%3Dweb";

fn quantity(text: &str) -> Quantity {
    Quantity::parse(text).unwrap()
}

#[test]
fn a_server_that_is_down_is_named_with_the_reason() {
    let mut world = served(
        web(6).utilization("cpu", 60).ready_pods(6, "100m", "50m"),
        "v1beta1",
        "metrics.k8s.io",
        "kube-system/metrics-server",
        Some((
            "FailedDiscoveryCheck",
            "failing or missing response from https://10.1.2.3:10250/apis/metrics.k8s.io/v1beta1: \
             dial tcp 10.1.2.3:10250: connect: connection refused",
        )),
    )
    .failing_since("09:12:40");
    world = proposal(world, "pod metrics", PODS, 503, 4);
    world.observation.pod_metrics = Reading::Failed(ApiError {
        message: "the server is currently unable to handle the request (get pods.metrics.k8s.io)"
            .to_owned(),
        reason: "ServiceUnavailable".to_owned(),
        code: 503,
    });
    insta::assert_snapshot!(world.page());
}

#[test]
fn a_missing_request_is_not_blamed_on_the_metrics_server() {
    let world = served(
        web(6)
            .utilization("cpu", 60)
            .ready_pods(6, "100m", "50m")
            .with_sidecar("proxy"),
        "v1beta1",
        "metrics.k8s.io",
        "kube-system/metrics-server",
        None,
    )
    .failing_since("09:12:40");
    let world = proposal(world, "pod metrics", PODS, 200, 12);
    insta::assert_snapshot!(world.page());
}

#[test]
fn a_metric_that_the_adapter_calls_otherwise_is_found_by_its_list() {
    let mut world = web(6).ready_pods(6, "100m", "50m");
    world
        .observation
        .hpa
        .spec
        .metrics
        .push(MetricSpec::Pods(PodsSource {
            metric: MetricIdentifier {
                name: "http_requests".to_owned(),
                selector: None,
            },
            metric_target: MetricTarget {
                target_type: "AverageValue".to_owned(),
                average_value: Some(quantity("100")),
                ..MetricTarget::default()
            },
        }));
    world.observation.custom_metrics.push(IndexedAnswer {
        index: 0,
        answer: Reading::Failed(ApiError {
            message: "the server could not find the metric http_requests for pods".to_owned(),
            reason: "NotFound".to_owned(),
            code: 404,
        }),
    });
    let world = served(
        world,
        "v1beta2",
        CUSTOM,
        "monitoring/prometheus-adapter",
        None,
    );
    let path = "/apis/custom.metrics.k8s.io/v1beta2/namespaces/shop/pods/*/http_requests?labelSelector=app%3Dweb";
    let mut world = proposal(world, "custom metric 1", path, 404, 38);
    world.context.surroundings.metric_lists = vec![MetricList {
        group: CUSTOM.to_owned(),
        version: "v1beta2".to_owned(),
        listed: 112,
        similar: vec![
            "namespaces/http_requests".to_owned(),
            "pods/http_requests_per_second".to_owned(),
        ],
        error: None,
    }];
    insta::assert_snapshot!(world.page());
    let mut wide = Style::plain();
    wide.width = 200;
    insta::assert_snapshot!(
        "a_metric_that_the_adapter_calls_otherwise_wide",
        world.text(PageDetail::default(), wide)
    );
}

#[test]
fn everything_about_metrics_that_are_well_is_there_for_those_who_ask() {
    let mut world = web(6)
        .utilization("cpu", 60)
        .ready_pods(5, "100m", "50m")
        .without_sample("web-05", "100m")
        .queue("queue_depth", "30", "10");
    if let Reading::Read(series) = &mut world.observation.external_metrics[0].answer {
        series[0].labels = vec![("queue".to_owned(), "mail".to_owned())];
        series.push(ExternalMetricValue {
            labels: vec![("queue".to_owned(), "spam".to_owned())],
            timestamp: Some(world.now),
            value: quantity("2500m"),
        });
    }
    let world = served(
        world,
        "v1beta1",
        "metrics.k8s.io",
        "kube-system/metrics-server",
        None,
    );
    let world = served(
        world,
        "v1beta1",
        "external.metrics.k8s.io",
        "keda/keda-operator-metrics-apiserver",
        None,
    );
    let world = proposal(world, "pod metrics", PODS, 200, 12);
    let path = "/apis/external.metrics.k8s.io/v1beta1/namespaces/shop/queue_depth";
    let world = proposal(world, "external metric 2", path, 200, 2400);
    let detail = PageDetail {
        is_verbose: true,
        ..PageDetail::default()
    };
    insta::assert_snapshot!(world.text(detail, Style::plain()));
}
