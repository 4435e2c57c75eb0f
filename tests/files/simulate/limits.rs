//! What is too much to simulate is refused, at the start if it is known then, or as soon as the HPA grows so far.

use std::fs;

use super::{CPU, manifest, of_kind, simulate};

/// The error of a simulation that is refused.
#[track_caller]
fn refusal(manifest: &str, arguments: &[&str]) -> String {
    let run = simulate(manifest, &[&["--for", "10m"][..], arguments].concat());
    let error = String::from_utf8(run.stderr).unwrap();
    assert_eq!(run.status.code(), Some(2), "{arguments:?}: {error}");
    assert!(run.stdout.is_empty(), "{arguments:?}");
    error
}

#[test]
fn pods_that_are_too_many_from_the_start_are_refused_with_what_demands_them() {
    let web = manifest(CPU, "");
    let load = ["--load", "1cores"];
    for pods in [2_147_483_647, 1_000_000, 100_000, 20_001] {
        let most = "and a simulation can have at most 20000 pods";
        let bound = web
            .replace("minReplicas: 2", &format!("minReplicas: {pods}"))
            .replace("maxReplicas: 20", &format!("maxReplicas: {pods}"));
        let expected = format!("minReplicas is {pods}, {most}");
        let (min, max) = (format!("minReplicas={pods}"), format!("maxReplicas={pods}"));
        let set = ["--set", &min, "--set", &max];
        let compare = format!("{min},{max}");
        for (manifest, arguments) in [
            (&bound, &load[..]),
            (&bound, &[&load[..], &["--at", "1m"]].concat()),
            (&web, &[&load[..], &set].concat()),
            (&web, &[&load[..], &set, &["--at", "1m"]].concat()),
            (&web, &[&load[..], &["--compare", &compare]].concat()),
        ] {
            let error = refusal(manifest, arguments);
            assert!(error.contains(&expected), "{arguments:?}: {error}");
        }
        let replicas = |kind| {
            let all = format!("replicas: {pods}");
            of_kind(kind, CPU, "").replacen("replicas: 6", &all, 1)
        };
        for kind in ["Deployment", "StatefulSet"] {
            let error = refusal(&replicas(kind), &load);
            assert!(
                error.contains(&format!("the target has {pods} replicas, {most}")),
                "{error}"
            );
        }
        let event = format!("2m: scale {pods}");
        let error = refusal(&web, &[&load[..], &["--event", &event]].concat());
        assert!(
            error.contains(&format!("an event scales to {pods} replicas, {most}")),
            "{error}"
        );
    }
}

/// A high maxReplicas alone means nothing: the load decides.
#[test]
fn growth_beyond_what_can_be_simulated_ends_it_and_a_high_bound_does_not() {
    let web = manifest(CPU, "").replace("maxReplicas: 20", "maxReplicas: 2147483647");
    let rise = ["--load", "1cores..4cores/1m", "--seeds", "2"];
    let run = simulate(&web, &[&rise[..], &["--for", "5m"]].concat());
    assert_eq!(run.status.code(), Some(0), "{run:?}");
    let folder = tempfile::tempdir().unwrap();
    let record = folder.path().join("out.jsonl");
    let jump = ["--load", "1000000cores", "--seeds", "2"];
    for more in [
        &[][..],
        &["--at", "9m"],
        &["--record", record.to_str().unwrap()],
    ] {
        let error = refusal(&web, &[&jump[..], more].concat());
        assert!(error.contains(" it would have "), "{error}");
        assert!(
            error.contains("and a simulation can have at most 20000"),
            "{error}"
        );
    }
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn runs_that_take_too_long_together_are_refused_with_an_estimate() {
    let many = ["--set", "minReplicas=10000", "--set", "maxReplicas=10000"];
    let long = ["--load", "1cores", "--seeds", "1000", "--for", "24h"];
    let run = simulate(&manifest(CPU, ""), &[&many[..], &long].concat());
    let error = String::from_utf8(run.stderr).unwrap();
    assert_eq!(run.status.code(), Some(2), "{error}");
    assert!(
        error.contains("too much to simulate: 1000 runs of 2 specs over 24 h, with at least 10000 pods, would take up to "),
        "{error}"
    );
    assert!(error.contains("The most is 60 min and "), "{error}");
    assert!(
        error.contains("Use a shorter --for, fewer --seeds or fewer --compare"),
        "{error}"
    );
    let compared: Vec<String> = (0..200)
        .map(|most| format!("--compare=maxReplicas={}", 30 + most))
        .collect();
    let compared: Vec<&str> = compared.iter().map(String::as_str).collect();
    let error = refusal(
        &manifest(CPU, ""),
        &[&["--load", "1cores"][..], &compared].concat(),
    );
    assert!(
        error.contains("201 specs of 1 pod. The most is 100"),
        "{error}"
    );
}
