//! Twelve minutes with the defaults of the controller: the past with another spec, against an HPA that had it.

use std::env;

use jiff::Timestamp;

use super::{
    captured::assert_past_is_what_was_captured,
    compared::{assert_as_sure_as_it_says, assert_reports},
    pace,
    run::{Rescale, Run},
};
use crate::left_out;

#[test]
fn other_spec_on_the_past_comes_to_the_pod_hours_of_an_hpa_that_had_it() {
    if !left_out::is_played(
        env::var_os("HISTORY").is_some_and(|form| form != "short"),
        "HISTORY=long plays twelve minutes, on a machine with nothing else to do",
    ) {
        return;
    }
    let run = Run::of(&pace::long());
    let reports = ["web", "other"].map(|name| run.report(name, &[]));
    for (name, report) in ["web", "other"].iter().zip(&reports) {
        eprintln!("{name}: {}", report["trust"]);
        assert_reports(&run, report, &run.truth(name));
    }
    assert_as_sure_as_it_says(&run, "auto", &reports, 1);
    assert_past_is_what_was_captured(&run, "web");
    let specs = ["web", "other"].map(|name| {
        let hpa = run.get("hpa", name);
        (
            hpa["spec"]["maxReplicas"].clone(),
            hpa["spec"]["behavior"]["scaleUp"]["policies"][0]["value"].clone(),
        )
    });
    let (mut judged, mut failures) = (0, Vec::new());
    for (name, (max, step), other) in [("web", &specs[1], "other"), ("other", &specs[0], "web")] {
        let spec = format!("maxReplicas={max},behavior.scaleUp.policies[0].value={step}");
        let report = run.report(name, &["--compare", &spec]);
        let (control_run, rows) = (&report["controlRun"], report["whatIf"].as_array().unwrap());
        // So short a past may be one that the model does not reproduce, and then it says nothing.
        if control_run["trusted"] != true {
            eprintln!("{name}: control {}, refused", control_run["reproduced"]);
            continue;
        }
        judged += 1;
        let predicted = rows.last().unwrap()["podHours"]["median"].as_f64().unwrap();
        let syncs = run.syncs(name, &[]);
        let span = (syncs[0].at, syncs.last().unwrap().at);
        let real = pod_hours(&run.truth(other), span);
        let percent = (predicted / real - 1.0) * 100.0;
        eprintln!(
            "{name} with the spec of {other}: {predicted:.3} pod hours, really {real:.3} ({percent:+.1}%); control {}",
            control_run["reproduced"]
        );
        if 3.0 < percent.abs() {
            failures.push(format!("{name}: {report:#}"));
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    assert!(0 < judged, "both are refused");
}

/// Replicas times hours.
fn pod_hours(rescales: &[Rescale], (begin, end): (Timestamp, Timestamp)) -> f64 {
    let first = rescales.first().map_or(2, |first| first.from);
    let changes = rescales
        .iter()
        .map(|one| (one.at.clamp(begin, end), one.to));
    let all: Vec<(Timestamp, i64)> = [(begin, first)]
        .into_iter()
        .chain(changes)
        .chain([(end, 0)])
        .collect();
    all.windows(2)
        .map(|pair| {
            f64::from(i32::try_from(pair[0].1).unwrap())
                * pair[1].0.duration_since(pair[0].0).as_secs_f64()
        })
        .sum::<f64>()
        / 3600.0
}
