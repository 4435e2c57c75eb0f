//! The promises of docs/simulation-model.md about simulations, besides the transcripts in it.
#![expect(clippy::unwrap_used, reason = "test code")]

use std::{path::Path, process::Command};

use serde_json::Value;

/// The first run step by step; the others at two times.
#[test]
fn worked_nginx_run_comes_out() {
    let printed = simulate(&[
        "-f",
        "examples/simulate/nginx.yaml",
        "--load",
        "spike:0..1030m/15s@1m",
        "--start",
        "5s..10s",
        "--for",
        "10m",
        "--seeds",
        "100",
        "--expect",
        "replicas == 10 at 3m",
        "--expect",
        "replicas == 2 at 9m",
        "--expect",
        "rescales == 4 in 75%",
        "-o",
        "json",
    ]);
    let report: Value = serde_json::from_str(&printed).unwrap();
    let rescales = report["variants"][0]["rescales"].as_array().unwrap();
    let steps: Vec<_> = rescales
        .iter()
        .map(|one| (one["from"].as_i64().unwrap(), one["to"].as_i64().unwrap()))
        .collect();
    assert_eq!(steps, [(2, 4), (4, 8), (8, 10), (10, 2)]);
    for one in report["expectations"].as_array().unwrap() {
        assert_eq!(one["holds"], true, "{one}");
    }
}

/// At any time, in any fraction of a second, and whatever the order of the threads.
#[test]
fn same_seed_gives_the_same_bytes() {
    for file in ["spike.yaml", "flapping.yaml", "slow-start.yaml"] {
        let file = format!("examples/simulate/{file}");
        let run = || {
            simulate(&[
                "-f",
                &file,
                "--load",
                "sine:500m..6/10m",
                "--for",
                "30m",
                "--event",
                "5m: kill 1",
                "-o",
                "csv",
            ])
        };
        let first = run();
        assert!(10_000 < first.len(), "{first}");
        assert!(first == run(), "{file}");
    }
}

/// The order in which pods are deleted compares ages, which once was not a total order.
#[test]
fn rollout_of_many_pods_is_simulated() {
    let printed = simulate(&[
        "-f",
        "examples/simulate/spike.yaml",
        "--load",
        "examples/simulate/launch.csv",
        "--set",
        "maxReplicas=40",
        "--for",
        "20m",
        "--event",
        "12m: kill 3",
        "--event",
        "15m: rollout",
        "--expect",
        "ready >= 30 at 19m",
    ]);
    assert!(printed.contains("holds: in 32 of 32 runs"), "{printed}");
}

/// The output. All expectations hold.
fn simulate(arguments: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_kubectl-hpa"))
        .arg("simulate")
        .args(arguments)
        .current_dir(Path::new(env!("CARGO_MANIFEST_DIR")))
        .env("TZ", "UTC")
        .output()
        .unwrap();
    let complaints = String::from_utf8_lossy(&output.stderr);
    let printed = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{complaints}{printed}");
    printed
}
