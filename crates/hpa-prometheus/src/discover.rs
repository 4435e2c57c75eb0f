//! Finds a monitoring server in the cluster by the labels that charts and operators set on its Service.

use std::time::Duration;

use futures::{StreamExt as _, stream};
use hpa_cluster::{Client, NotListed, Service, ServicePort};
use jiff::Timestamp;

use super::{
    Kind, MonitoringError, Place, Scheme, Selector, Server, ServicePlace, Settings, query::Api,
};

/// Series that the server should have.
#[derive(Clone, Debug)]
pub struct RequiredSeries {
    /// Their selector.
    pub selector: Selector,
    /// The time.
    pub at: Timestamp,
}

/// Connects to the monitoring server in the settings, or finds one: the first that has the required series, else the
/// first that answers.
pub async fn connect<'a>(
    client: &'a Client,
    settings: &Settings,
    required: Option<&RequiredSeries>,
) -> Result<Server<'a>, MonitoringError> {
    let mut api = match &settings.place {
        Place::Auto => return discover(client, settings, required).await,
        Place::Service(place) => Api::through(client, place.clone(), settings),
        Place::Url(place) => Api::direct(place, client.timeout(), settings).await?,
    };
    api.identify().await?;
    Ok(Server::new(api, settings.cluster_labels.clone()))
}

async fn discover<'a>(
    client: &'a Client,
    settings: &Settings,
    required: Option<&RequiredSeries>,
) -> Result<Server<'a>, MonitoringError> {
    let (services, missing) = services(client).await;
    let places = candidates(&services);
    let mut answers = stream::iter(places.iter().take(MOST_CANDIDATES))
        .map(|place| try_place(client, place, settings, required))
        .buffered(MOST_AT_ONCE);
    let (mut servers, mut failures) = (Vec::new(), Vec::new());
    while let Some(answer) = answers.next().await {
        match answer {
            Ok((server, true)) => {
                // They are in order of preference, so no later one is better.
                servers.insert(0, (server, true));
                break;
            }
            Ok(answering) => servers.push(answering),
            Err(error) if error.is_about_the_place() => failures.push(error),
            Err(error) => return Err(error),
        }
    }
    drop(answers);
    let mut servers = servers.into_iter();
    let Some((mut server, has_required)) = servers.next() else {
        return Err(none_found(&missing, failures));
    };
    if let (false, Some(required)) = (has_required, required) {
        let name = required.selector.names().join(", ");
        let labels: Vec<String> = settings
            .cluster_labels
            .iter()
            .map(|(label, value)| format!("{label}={value:?}"))
            .collect();
        let labels = if labels.is_empty() {
            String::new()
        } else {
            format!(" with --cluster-label {}", labels.join(", "))
        };
        server.notes.push(format!(
            "{} has no {name} for this HPA{labels}",
            server.place()
        ));
    }
    let others: Vec<&str> = servers
        .as_slice()
        .iter()
        .map(|(one, _)| one.place())
        .collect();
    if !others.is_empty() {
        let note = format!("other servers answer as well: {}", others.join(", "));
        server.notes.push(note);
    }
    Ok(server)
}

/// Connects to a place, and checks whether it has the required series.
async fn try_place<'a>(
    client: &'a Client,
    place: &ServicePlace,
    settings: &Settings,
    required: Option<&RequiredSeries>,
) -> Result<(Server<'a>, bool), MonitoringError> {
    let open = async |scheme| {
        let place = ServicePlace {
            scheme,
            ..place.clone()
        };
        let mut api = Api::through(client, place, settings);
        let patience = api.patience;
        api.patience = patience.min(PATIENCE);
        api.identify().await?;
        Ok((api, patience))
    };
    let opened = match (open(place.scheme).await, place.scheme) {
        (Err(MonitoringError::NotPrometheus { help_text, .. }), Scheme::Http)
            if help_text.contains("https:") =>
        {
            open(Scheme::Https).await
        }
        (opened, _) => opened,
    };
    let (api, patience) = opened?;
    let mut server = Server::new(api, settings.cluster_labels.clone());
    let mut has_required = true;
    if let Some(required) = required {
        let found = server.probe(&required.selector, required.at).await?;
        has_required = found.values().any(|presence| 0 < presence.series);
    }
    server.api.patience = patience;
    Ok((server, has_required))
}

/// The candidate Services, and why others were not listed.
async fn services(client: &Client) -> (Vec<Service>, Vec<NotListed>) {
    let (mut services, mut missing) = (Vec::new(), Vec::new());
    let mut lists = stream::iter(SELECTORS)
        .map(|selector| client.services("", selector))
        .buffered(MOST_AT_ONCE);
    while let Some(list) = lists.next().await {
        match list {
            Ok(list) => services.extend(list),
            Err(error) => missing.push(error),
        }
    }
    drop(lists);
    if !missing.iter().any(|missing| missing.rule.is_some()) {
        return (services, missing);
    }
    let own = client.namespace();
    let namespaces = NAMESPACES
        .into_iter()
        .chain((!NAMESPACES.contains(&own)).then_some(own));
    let mut lists = stream::iter(namespaces)
        .map(|namespace| client.services(namespace, ""))
        .buffered(MOST_AT_ONCE);
    while let Some(list) = lists.next().await {
        services.extend(list.unwrap_or_default());
    }
    (services, missing)
}

/// The candidate places, the most likely first.
fn candidates(services: &[Service]) -> Vec<ServicePlace> {
    let mut ranked: Vec<(usize, ServicePlace)> = services
        .iter()
        .filter_map(|service| {
            let kind = kind_of(service)?;
            let port = port_of(service, kind)?;
            let rank = KINDS.iter().position(|known| *known == kind)? * 2
                + usize::from(service.is_headless());
            Some((rank, place_of(service, kind, port)))
        })
        .collect();
    ranked.sort_by(|(rank, one), (other_rank, other)| {
        let name = |place: &ServicePlace| (place.namespace.clone(), place.name.clone());
        rank.cmp(other_rank)
            .then_with(|| name(one).cmp(&name(other)))
    });
    ranked.dedup();
    ranked.into_iter().map(|(_, place)| place).collect()
}

/// The server behind a Service, by its labels.
fn kind_of(service: &Service) -> Option<Kind> {
    let (app, name) = (
        service.label("app"),
        service.label("app.kubernetes.io/name"),
    );
    let component = service.label("app.kubernetes.io/component");
    let is_prometheus = PROMETHEUS_APPS.contains(&app)
        || app == "prometheus" && service.label("component") == "server"
        || name == "prometheus" && matches!(component, "" | "server" | "prometheus")
        || service.label("operated-prometheus") == "true";
    if is_prometheus {
        return Some(Kind::Prometheus);
    }
    let is_thanos = matches!(app, "thanos-query" | "thanos-querier")
        || name == "thanos-query"
        || name == "thanos" && matches!(component, "query" | "query-frontend" | "query-layer");
    if is_thanos {
        return Some(Kind::Thanos);
    }
    let is_victoria =
        app == "vmselect" || matches!(name, "vmsingle" | "victoria-metrics-single" | "vmselect");
    if is_victoria {
        return Some(Kind::VictoriaMetrics);
    }
    let is_mimir = name == "mimir" && matches!(component, "query-frontend" | "gateway" | "nginx");
    is_mimir.then_some(Kind::Mimir)
}

/// The port that serves the API.
fn port_of(service: &Service, kind: Kind) -> Option<&ServicePort> {
    let ports = service.ports();
    let is_usual = |port: &&ServicePort| match kind {
        Kind::Prometheus => port.port == 9090,
        Kind::Thanos => matches!(port.port, 9090 | 9091 | 10902),
        Kind::VictoriaMetrics => matches!(port.port, 8428 | 8429 | 8481),
        _ => matches!(port.port, 8080 | 80),
    };
    let is_named = |port: &&ServicePort| PORT_NAMES.contains(&port.name.as_str());
    let is_possible = |port: &&ServicePort| !NO_PORTS.iter().any(|part| port.name.contains(part));
    ports
        .iter()
        .find(is_usual)
        .or_else(|| ports.iter().find(is_named))
        .or_else(|| ports.iter().find(is_possible))
}

fn place_of(service: &Service, kind: Kind, port: &ServicePort) -> ServicePlace {
    let is_cluster =
        service.label("app") == "vmselect" || service.label("app.kubernetes.io/name") == "vmselect";
    let prefix = match kind {
        Kind::Mimir => "/prometheus",
        Kind::VictoriaMetrics if is_cluster => "/select/0/prometheus",
        _ => "",
    };
    let is_https = port.name.starts_with("https")
        || port.app_protocol.eq_ignore_ascii_case("https")
        || matches!(port.port, 443 | 8443);
    ServicePlace {
        scheme: if is_https {
            Scheme::Https
        } else {
            Scheme::Http
        },
        namespace: service.namespace().to_owned(),
        name: service.name().to_owned(),
        port: port.port.to_string(),
        prefix: prefix.to_owned(),
    }
}

/// The error if no server answers.
fn none_found(missing: &[NotListed], mut failures: Vec<MonitoringError>) -> MonitoringError {
    // These say what is missing: another address does not help.
    let needs_more = |error: &MonitoringError| {
        matches!(
            error,
            MonitoringError::Forbidden { .. } | MonitoringError::NoTenant { .. }
        )
    };
    if let Some(index) = failures.iter().position(needs_more) {
        return failures.swap_remove(index);
    }
    let how =
        "Give its address: --prometheus service:NAMESPACE/NAME:PORT or --prometheus https://HOST";
    if !failures.is_empty() {
        let reasons: Vec<String> = failures
            .iter()
            .take(MOST_LISTED)
            .map(ToString::to_string)
            .collect();
        let more = failures.len().saturating_sub(MOST_LISTED);
        let more = if more == 0 {
            String::new()
        } else {
            format!(" ({more} more)")
        };
        return MonitoringError::NotFound(format!(
            "no monitoring server of this cluster answers: {}{more}. {how}",
            reasons.join("; ")
        ));
    }
    let Some(first) = missing.first() else {
        return MonitoringError::NotFound(format!(
            "found no Prometheus, Thanos, VictoriaMetrics or Mimir in this cluster: no Service has one of their usual labels, such as app=kube-prometheus-stack-prometheus or app.kubernetes.io/name=prometheus. {how}"
        ));
    };
    let place = if first.rule.is_some() {
        format!(
            ", and the namespaces {} have no Prometheus that can be read",
            NAMESPACES.join(", ")
        )
    } else {
        String::new()
    };
    let rule = first.rule.as_ref();
    let rule = rule.map(|rule| format!("; {rule}")).unwrap_or_default();
    MonitoringError::NotFound(format!(
        "cannot look for a monitoring server: {}{rule}{place}. {how}",
        first.why
    ))
}

/// In order of preference: the closest to the raw samples of this cluster first.
const KINDS: [Kind; 4] = [
    Kind::Prometheus,
    Kind::Thanos,
    Kind::VictoriaMetrics,
    Kind::Mimir,
];
/// Label selectors that cover the labels in [`kind_of`].
const SELECTORS: [&str; 3] = [
    "app in (kube-prometheus-stack-prometheus,prometheus,prometheus-operator-prometheus,prometheus-prometheus,prometheus-server,rancher-monitoring-prometheus,stack-prometheus,thanos-querier,thanos-query,vmselect)",
    "app.kubernetes.io/name in (mimir,prometheus,thanos,thanos-query,victoria-metrics-single,vmselect,vmsingle)",
    "operated-prometheus=true",
];
/// Values of the label `app` of charts.
const PROMETHEUS_APPS: [&str; 6] = [
    "kube-prometheus-stack-prometheus",
    "prometheus-server",
    "prometheus-operator-prometheus",
    "rancher-monitoring-prometheus",
    "prometheus-prometheus",
    "stack-prometheus",
];
/// The usual namespaces, for users who may not list the Services of all namespaces.
const NAMESPACES: [&str; 12] = [
    "monitoring",
    "prometheus",
    "observability",
    "kube-system",
    "openshift-monitoring",
    "cattle-monitoring-system",
    "kube-prometheus-stack",
    "metrics",
    "mimir",
    "thanos",
    "victoria-metrics",
    "default",
];
/// Names of ports that serve the API.
const PORT_NAMES: [&str; 6] = ["http-web", "web", "http", "http-metrics", "server", "https"];
/// Parts of names of ports that do not serve it.
const NO_PORTS: [&str; 4] = ["grpc", "reloader", "mesh", "gossip"];
/// Time limit for a server to identify itself.
const PATIENCE: Duration = Duration::from_secs(10);
/// Most servers that are tried.
const MOST_CANDIDATES: usize = 20;
/// Most servers that are tried at the same time.
const MOST_AT_ONCE: usize = 4;
/// Most failures in a message.
const MOST_LISTED: usize = 3;

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn service(
        namespace: &str,
        name: &str,
        labels: &[(&str, &str)],
        ports: &[(&str, u16)],
    ) -> Service {
        let labels: serde_json::Map<_, _> = labels
            .iter()
            .map(|(name, value)| ((*name).to_owned(), json!(value)))
            .collect();
        let ports: Vec<_> = ports
            .iter()
            .map(|(name, port)| json!({"name": name, "port": port}))
            .collect();
        serde_json::from_value(json!({
            "metadata": {"namespace": namespace, "name": name, "labels": labels},
            "spec": {"ports": ports, "clusterIP": if name.ends_with("operated") { "None" } else { "10.0.0.1" }},
        }))
        .unwrap()
    }

    #[test]
    fn services_of_charts_and_operators_are_found_in_order_of_preference() {
        let name = "app.kubernetes.io/name";
        let component = "app.kubernetes.io/component";
        let services = [
            service(
                "mimir",
                "mimir-query-frontend",
                &[(name, "mimir"), (component, "query-frontend")],
                &[("http-metrics", 8080), ("grpc", 9095)],
            ),
            service(
                "mimir",
                "mimir-ingester",
                &[(name, "mimir"), (component, "ingester")],
                &[("http-metrics", 8080)],
            ),
            service("vm", "vmselect", &[(name, "vmselect")], &[("http", 8481)]),
            service("vm", "vmsingle-x", &[(name, "vmsingle")], &[("http", 8429)]),
            service(
                "openshift-monitoring",
                "thanos-querier",
                &[(name, "thanos-query"), (component, "query-layer")],
                &[("web", 9091), ("tenancy", 9092)],
            ),
            service(
                "monitoring",
                "prometheus-operated",
                &[("operated-prometheus", "true")],
                &[("http-web", 9090)],
            ),
            service(
                "monitoring",
                "prometheus-k8s",
                &[(name, "prometheus"), (component, "prometheus")],
                &[("reloader-web", 8080), ("web", 9090)],
            ),
            service(
                "monitoring",
                "prometheus-k8s-thanos-sidecar",
                &[(name, "prometheus"), (component, "thanos-sidecar")],
                &[("grpc", 10901)],
            ),
            service(
                "ops",
                "prometheus-server",
                &[("app", "prometheus"), ("component", "server")],
                &[("http", 80)],
            ),
            service(
                "ops",
                "pushgateway",
                &[("app", "prometheus"), ("component", "pushgateway")],
                &[("http", 9091)],
            ),
        ];
        let found: Vec<String> = candidates(&services)
            .iter()
            .map(ToString::to_string)
            .collect();
        assert_eq!(
            found,
            [
                "monitoring/prometheus-k8s:9090",
                "ops/prometheus-server:80",
                "monitoring/prometheus-operated:9090",
                "openshift-monitoring/thanos-querier:9091",
                "vm/vmselect:8481/select/0/prometheus",
                "vm/vmsingle-x:8429",
                "mimir/mimir-query-frontend:8080/prometheus",
            ]
        );
    }

    #[test]
    fn error_says_what_was_looked_for_and_what_to_give() {
        let text = none_found(&[], Vec::new()).to_string();
        assert!(text.contains("app.kubernetes.io/name=prometheus"), "{text}");
        assert!(
            text.ends_with("--prometheus service:NAMESPACE/NAME:PORT or --prometheus https://HOST")
        );
        let missing = NotListed {
            why: "services is forbidden".to_owned(),
            rule: Some("needs permission to list services".to_owned()),
        };
        let text = none_found(&[missing], Vec::new()).to_string();
        assert!(text.contains("needs permission to list services"), "{text}");
    }
}
