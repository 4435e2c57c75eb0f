//! Forty minutes with the defaults of the controller: the past of each of twelve HPAs with the spec of its twin, which has the same
//! load.

use std::env;

use super::{pace, run::Run};

#[test]
fn past_with_the_spec_of_its_twin_comes_to_the_pod_hours_of_the_twin() {
    if env::var_os("HISTORY").is_none_or(|form| form != "twins") {
        eprintln!("left out: HISTORY=twins plays 40 minutes, on a machine with nothing else to do");
        return;
    }
    let twins = pace::twins();
    let run = Run::of(&twins.pace);
    let (mut compared, mut near, mut failures) = (0, 0, Vec::new());
    for pair in &twins.pairs {
        let [one, other] = pair.each_ref().map(|(name, _)| *name);
        let reports = [(one, pair[1].1), (other, pair[0].1)]
            .map(|(name, spec)| run.report(name, &["--compare", spec]));
        for (report, twin) in reports.iter().zip(reports.iter().rev()) {
            let (control_run, rows) = (&report["controlRun"], report["whatIf"].as_array().unwrap());
            let name = &report["name"];
            eprintln!("{name}: {}", report["trust"]);
            // The model says when it does not reproduce the past, and then nothing else.
            if control_run["trusted"] != true {
                eprintln!("{name}: control {}, refused", control_run["reproduced"]);
                if control_run["reproduced"].as_f64().unwrap() < FAR_OFF {
                    failures.push(format!("{name} is far off: {report:#}"));
                }
                continue;
            }
            compared += 1;
            let pod_hours = |row: &serde_json::Value| row["podHours"]["median"].as_f64().unwrap();
            let predicted = pod_hours(rows.last().unwrap());
            let real = pod_hours(&twin["whatIf"][0]);
            let percent = (predicted / real - 1.0) * 100.0;
            let band = &rows.last().unwrap()["podHours"];
            eprintln!(
                "{name}: {predicted:.3} pod hours ({} to {}) with the spec of {}, which had {real:.3} ({percent:+.1}%); control {}",
                band["low"], band["high"], twin["name"], control_run["reproduced"]
            );
            near += i32::from(percent.abs() <= NEAR);
            if MOST < percent.abs() {
                failures.push(format!("{name}: {report:#}"));
            }
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    assert!(6 <= compared, "{compared} of 12 are compared");
    assert!(
        4 * compared <= 5 * near,
        "{near} of {compared} are within {NEAR}%"
    );
}

/// A model that gives so few of the replicas has another load or another spec than the past.
const FAR_OFF: f64 = 0.8;

/// In percent: so near most are.
const NEAR: f64 = 3.0;

/// Replicas are whole, and where policies or a window limit each step, a rescale that is a sync late delays all after it.
const MOST: f64 = 5.0;
