//! The real metrics-server, which reads the same kubelet as Prometheus, and the real prometheus-adapter, which asks Prometheus.

use serde_json::Value;

use super::{
    compared::{assert_as_sure_as_it_says, assert_reports},
    pace, plays_long,
    run::Run,
};

const NAMES: [&str; 5] = ["cpu", "pods", "object", "value", "external"];

#[test]
fn metrics_of_the_real_servers_are_those_that_the_controller_had() {
    if !plays_long() {
        return;
    }
    let run = Run::of(&pace::served("history-served", "15s"));
    let reports = NAMES.map(|name| run.report(name, &[]));
    for (name, report) in NAMES.iter().zip(&reports) {
        eprintln!("{name}: {}", report["trust"]);
        assert_has_values_of_controller(&run, name);
    }
    for (name, report) in NAMES.iter().zip(&reports) {
        assert_reports(&run, report, &run.truth(name));
    }
    assert_as_sure_as_it_says(&run, "auto", &reports, 1);
    for (name, query) in queries() {
        let report = report_with_query(&run, name, &query);
        eprintln!("{name} with its query: {}", report["trust"]);
        assert_reports(&run, &report, &run.truth(name));
    }
}

#[test]
fn queries_of_the_adapter_show_what_the_syncs_between_two_scrapes_read() {
    if !plays_long() {
        return;
    }
    let run = Run::of(&pace::served("history-served-rarely", "60s"));
    let count = |report: &Value, key: &str| report["trust"][key].as_i64().unwrap();
    let mut agreeing = [0, 0];
    for (name, query) in queries() {
        let reports = [run.report(name, &[]), report_with_query(&run, name, &query)];
        for (place, report) in reports.iter().enumerate() {
            eprintln!("{name}: {}", report["trust"]);
            agreeing[place] += count(report, "agreeing");
            let certain = ["certain", "certainAndRight"].map(|key| count(report, key));
            assert_eq!(certain[0], certain[1], "{name}: {}", report["trust"]);
        }
    }
    assert!(agreeing[0] < agreeing[1], "{agreeing:?}");
}

/// What the adapter asks Prometheus for each HPA with one of its metrics, by `tests/monitoring/adapter.yaml`.
fn queries() -> [(&'static str, String); 4] {
    let cpu = |matchers: &str| {
        format!(
            r#"rate(container_cpu_usage_seconds_total{{metrics_path="/metrics/cadvisor",container="main"{matchers}}}[1m])"#
        )
    };
    let of_deployment = |aggregated: &str, name: &str| {
        let cpu = cpu("");
        format!(
            r#"1000 * {aggregated} (label_replace({cpu}, "deployment", "$1", "pod", "(.+)-[^-]+-[^-]+") and on (namespace, deployment) kube_deployment_spec_replicas{{namespace="shop",deployment="{name}"}})"#
        )
    };
    let of_pods = cpu(r#",namespace="shop",pod=~"pods-.+""#);
    [
        ("pods", format!("pod_cpu=1000 * sum by (pod) ({of_pods})")),
        (
            "object",
            format!(
                "deployment_cpu={}",
                of_deployment("sum by (deployment)", "object")
            ),
        ),
        (
            "value",
            format!(
                "deployment_cpu_per_pod={}",
                of_deployment("avg by (deployment)", "value")
            ),
        ),
        (
            "external",
            format!("deployment_cpu={}", of_deployment("sum by ()", "external")),
        ),
    ]
}

/// The report with values that the controller's own confirm.
#[track_caller]
fn report_with_query(run: &Run, name: &str, query: &str) -> Value {
    let report = run.report(name, &["--metric-query", query]);
    let none: [&str; 0] = [];
    assert_eq!(report["warnings"], serde_json::json!(none), "{name}");
    let sources = report["provenance"].as_array().unwrap();
    let is_used = |one: &Value| one["input"] == "metricValues";
    assert!(sources.iter().any(is_used), "{name}: {sources:#?}");
    report
}

/// Fails unless each value is the one that the controller wrote in the last sync before.
#[track_caller]
fn assert_has_values_of_controller(run: &Run, name: &str) {
    let real: Vec<_> = run
        .real_syncs(name)
        .iter()
        .map(|sync| (sync.at, value_of(&sync.status)))
        .collect();
    let seen = run.syncs(name, &[]);
    let with_value = seen.iter().filter(|sync| sync.value.is_some());
    let count = with_value.count();
    // In the first syncs some have no metrics yet.
    assert!(
        9 * seen.len() <= 10 * count,
        "{name}: {count} of {} have a value",
        seen.len()
    );
    for sync in seen {
        let Some(value) = sync.value else {
            continue;
        };
        let is_near = |real: f64| (real - value).abs() <= 0.0011;
        // The time of a row is that of its scrape. One right after the begin of a sync shows the status of the sync before.
        let is_new = |at: jiff::Timestamp| sync.at.duration_since(at) < run.period / 5;
        let old = real.iter().rposition(|(at, _)| !is_new(*at)).unwrap_or(0);
        let shown = real[old..].iter().take_while(|(at, _)| *at <= sync.at);
        let of_controller: Vec<f64> = shown.filter_map(|(_, value)| *value).collect();
        assert!(
            of_controller.iter().any(|real| is_near(*real)),
            "{name}: {sync:?}: {of_controller:?}"
        );
    }
}

/// The value of the only metric of a status.
fn value_of(status: &Value) -> Option<f64> {
    let metric = status["currentMetrics"][0].as_object()?;
    let current = metric.values().find_map(|one| one.get("current"))?;
    let percent = current["averageUtilization"].as_f64();
    percent.or_else(|| {
        let value = current["averageValue"].as_str();
        quantity(value.or(current["value"].as_str())?)
    })
}

fn quantity(text: &str) -> Option<f64> {
    let number = text.trim_end_matches(['m', 'k']);
    let scale = match &text[number.len()..] {
        "m" => 0.001,
        "k" => 1000.0,
        _ => 1.0,
    };
    Some(number.parse::<f64>().ok()? * scale)
}
