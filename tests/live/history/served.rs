//! The real metrics-server, which reads the same kubelet as Prometheus, and the real prometheus-adapter, which asks Prometheus.

use serde_json::Value;

use super::{
    compared::{assert_as_sure_as_it_says, assert_tells},
    pace, plays_long,
    run::Run,
};

const NAMES: [&str; 5] = ["cpu", "pods", "object", "value", "external"];

#[test]
fn metrics_of_the_real_servers_are_those_that_the_controller_had() {
    if !plays_long() {
        return;
    }
    let run = Run::of(&pace::served());
    let reports = NAMES.map(|name| run.report(name, &[]));
    for (name, report) in NAMES.iter().zip(&reports) {
        eprintln!("{name}: {}", report["trust"]);
        assert_has_values_of_controller(&run, name);
    }
    for (name, report) in NAMES.iter().zip(&reports) {
        assert_tells(&run, report, &run.truth(name));
    }
    assert_as_sure_as_it_says(&run, "auto", &reports, 1);
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
