//! What another spec would have done, in a past that the model reproduces.

use serde_json::json;

use super::queue::{metric, past, report};

/// The load is constant, so all runs of the model agree: each reaches its last replicas with its first sync, within the
/// first 15 s.
#[test]
fn other_specs_have_the_pod_hours_cost_and_unmet_need_of_their_replicas() {
    let world = past(&metric("External", &json!({"name": "queue"})), |_| {
        Vec::new()
    });
    let arguments = [
        "--compare",
        "maxReplicas=10",
        "--compare",
        "maxReplicas=3",
        "--price",
        "0.10/pod-h",
    ];
    let output = report(&world, &arguments);
    let control_run = &output["controlRun"];
    assert_eq!(control_run["trusted"], true, "{control_run}");
    assert_eq!(control_run["reproduced"], 1.0, "{control_run}");
    // One pod is new, and ready when it is created.
    assert_eq!(control_run["startupPods"], 1, "{control_run}");
    assert_eq!(
        control_run["startupSeconds"]["median"], 0.0,
        "{control_run}"
    );
    let names = ["podHours", "hoursAtMax", "unmetPodHours", "rescales"];
    let rows = output["whatIf"].as_array().unwrap().iter().map(|row| {
        let numbers = names.map(|name| {
            let band = &row[name];
            assert_eq!(band["low"], band["high"], "{row}");
            band["median"].as_f64().unwrap()
        });
        (row["name"].as_str().unwrap(), row["cost"].as_f64(), numbers)
    });
    // 6 pods are needed for an hour.
    assert_eq!(
        rows.collect::<Vec<_>>(),
        [
            ("as it was", Some(0.4), [4.0, 1.0, 2.0, 1.0]),
            (
                "today's spec, in the model",
                Some(0.4),
                [4.0, 1.0, 2.0, 1.0]
            ),
            ("maxReplicas=10", Some(0.6), [6.0, 0.0, 0.0, 1.0]),
            ("maxReplicas=3", Some(0.3), [3.0, 1.0, 3.0, 0.0]),
        ]
    );
}
