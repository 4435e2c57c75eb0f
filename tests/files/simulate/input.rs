//! Invalid input of a simulation gives an error that says what to write, and no other output.

use std::fs;

use super::{CPU, manifest, simulate};

#[test]
fn bad_input_is_an_error_that_says_what_to_write() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str, text: &str| {
        let path = folder.path().join(name);
        fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let gap = file("gap.csv", "time,load\n0,1\n60,\n");
    let falling = file("falling.csv", "0,1\n60,2\n30,3\n");
    let negative = file("negative.csv", "0,1\n60,-2\n");
    let bytes = file("bytes.csv", "time,cpu\n0,1\n60,4Gi\n");
    let memory = file("memory.csv", "time,memory\n0,1\n60,2\n");
    let missing = folder.path().join("none.csv").to_str().unwrap().to_owned();
    let web = manifest(CPU, "");
    let memory_metric = manifest(&CPU.replace("cpu", "memory"), "");
    let value = manifest(
        "  - {type: External, external: {metric: {name: lag}, target: {type: Value, value: 30}}}",
        "",
    );
    for (manifest, arguments, expected) in [
        (
            &web,
            vec!["--load", "many"],
            vec!["invalid amount \"many\"", "2cores"],
        ),
        (&web, vec!["--load=-2"], vec!["a load cannot be negative"]),
        (
            &web,
            vec!["--load", "1..2"],
            vec!["a ramp needs a time", "2cores..6cores/5m"],
        ),
        (
            &web,
            vec!["--load", "x2"],
            vec!["the load of cpu now is not known", "--load cpu="],
        ),
        (
            &web,
            vec!["--load", "memory=2Gi"],
            vec!["no metric \"memory\"", "cpu"],
        ),
        (&web, vec!["--load", "1,2"], vec!["cpu is given twice"]),
        (
            &web,
            vec!["--load", &gap],
            vec!["gap.csv, line 3", "no value at 60"],
        ),
        (
            &web,
            vec!["--load", &falling],
            vec!["falling.csv, line 3", "times must rise"],
        ),
        (
            &web,
            vec!["--load", &negative],
            vec!["negative.csv, line 2", "cannot be negative"],
        ),
        (
            &web,
            vec!["--load", &memory],
            vec![
                "memory.csv, line 1",
                "unknown columns \"time\" and \"memory\"",
                "load or cpu",
            ],
        ),
        (
            &web,
            vec!["--load", &bytes],
            vec!["bytes.csv, line 3", "\"4Gi\"", "not in bytes"],
        ),
        (
            &web,
            vec!["--load", "cpu=spike:1..4M/2m"],
            vec![
                "\"4M\"",
                "CPU is in cores, not in bytes: use 2cores or 500m",
            ],
        ),
        (
            &web,
            vec!["--load", "1", "--capacity", "512Mi"],
            vec!["--capacity", "CPU is in cores"],
        ),
        (
            &web,
            vec!["--load", "1", "--base", "50Mi"],
            vec!["--base cpu", "CPU is in cores"],
        ),
        (
            &memory_metric,
            vec!["--load", "memory=100Mi..2cores/5m"],
            vec![
                "--load memory=100Mi..2cores/5m",
                "\"2cores\": memory is in bytes, not in cores: use 200Mi or 2Gi",
            ],
        ),
        (
            &memory_metric,
            vec!["--load", "600m"],
            vec!["--load memory=600m", "memory is in bytes"],
        ),
        (
            &memory_metric,
            vec!["--load", "2Gi", "--base", "memory=1core"],
            vec!["--base memory", "\"1core\": memory is in bytes"],
        ),
        (
            &web,
            vec!["--load", &missing],
            vec!["cannot read", "none.csv"],
        ),
        (
            &web,
            vec!["--load", "recording:none.jsonl"],
            vec!["none.jsonl"],
        ),
        (
            &web,
            vec!["--load", "1", "--expect", "ready > lots"],
            vec!["\"lots\" is not a number"],
        ),
        (
            &memory_metric,
            vec!["--load", "2Gi", "--above", "2cores"],
            vec!["--above 2cores", "the target of memory is a percentage"],
        ),
        (
            &memory_metric,
            vec!["--load", "2Gi", "--expect", "load <= 2cores"],
            vec!["--expect \"load <= 2cores\"", "memory is in bytes"],
        ),
        (
            &memory_metric,
            vec!["--load", "2Gi", "--expect", "perPod < 500m"],
            vec![
                "--expect \"perPod < 500m\"",
                "the target of memory is a percentage: use one, such as 70%",
            ],
        ),
        (
            &web,
            vec![
                "--load",
                "1",
                "--for",
                "5m",
                "--expect",
                "ready > 3 within 10m",
            ],
            vec!["--for"],
        ),
        (
            &web,
            vec!["--load", "1", "--event", "5m: explode"],
            vec!["unknown event", "kill N"],
        ),
        (
            &web,
            vec!["--load", "1", "--for", "5m", "--event", "9m: rollout"],
            vec!["after the end", "--for"],
        ),
        (
            &web,
            vec!["--load", "1", "--at", "2h"],
            vec!["--at", "--for"],
        ),
        (
            &web,
            vec!["--load", "1", "--nodes", "12,90s"],
            vec!["12,+90s"],
        ),
        (
            &web,
            vec!["--load", "1", "--start", "1m..20s"],
            vec!["longer than the second"],
        ),
        (
            &web,
            vec!["--load", "1", "--start", "observed"],
            vec!["--start 20s..60s"],
        ),
        (
            &web,
            vec!["--load", "1", "--compare", "maxReplicas=1"],
            vec!["maxReplicas"],
        ),
        (
            &web,
            vec!["--load", "1", "--compare", "maxReplica=9"],
            vec!["maxReplica"],
        ),
        (
            &value,
            vec!["--load", "100"],
            vec!["Value target", "--service-rate lag=N"],
        ),
        (
            &value,
            vec!["--load", "100", "--service-rate", "lag=0"],
            vec!["a number above 0"],
        ),
    ] {
        let output = simulate(manifest, &arguments);
        let errors = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {errors}");
        assert!(output.stdout.is_empty(), "{arguments:?}");
        for part in expected {
            assert!(errors.contains(part), "{arguments:?}: {part:?} in {errors}");
        }
    }
}

#[test]
fn a_target_that_is_not_in_the_file_is_named() {
    let web = manifest(CPU, "");
    let (_, hpa) = web.split_once("---\n").unwrap();
    let output = simulate(hpa, &["--load", "1"]);
    let errors = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{errors}");
    assert!(
        errors.contains("Deployment web, the scale target, is not in it"),
        "{errors}"
    );
}

#[test]
fn nothing_is_half_written_where_an_input_is_wrong() {
    let folder = tempfile::tempdir().unwrap();
    let record = folder.path().join("out.jsonl");
    let path = record.to_str().unwrap();
    simulate(&manifest(CPU, ""), &["--load", "many", "--record", path]);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn spec_that_the_api_server_would_refuse_is_not_simulated() {
    let refused = manifest(CPU, "").replace("minReplicas: 2", "minReplicas: 30");
    let run = simulate(&refused, &["--load", "1cores", "--for", "1m"]);
    assert_eq!(run.status.code(), Some(2));
    let error = String::from_utf8(run.stderr).unwrap();
    assert!(
        error.contains("the API server would refuse this spec:\n* spec.maxReplicas: "),
        "{error}"
    );
    assert!(run.stdout.is_empty());
}

#[test]
fn files_that_are_read_are_not_overwritten_by_the_recording() {
    let folder = tempfile::tempdir().unwrap();
    let web = manifest(CPU, "");
    let load = "time,cpu\n0,1\n";
    fs::write(folder.path().join("web.yaml"), &web).unwrap();
    fs::write(folder.path().join("load.csv"), load).unwrap();
    fs::write(folder.path().join("past.jsonl"), "").unwrap();
    for (argument, record) in [
        ("1cores", "web.yaml"),
        ("load.csv", "load.csv"),
        ("cpu=load.csv", "load.csv"),
        ("cpu=recording:past.jsonl", "past.jsonl"),
    ] {
        let run = assert_cmd::Command::new(assert_cmd::cargo::cargo_bin!("kubectl-hpa"))
            .current_dir(folder.path())
            .args(["simulate", "-f", "web.yaml", "--load", argument])
            .args(["--for", "1m", "--record"])
            .arg(format!("./{record}"))
            .output()
            .unwrap();
        assert_eq!(run.status.code(), Some(2), "{argument}");
        let error = String::from_utf8(run.stderr).unwrap();
        assert!(
            error.contains(&format!("--record would overwrite {record}, which is read")),
            "{error}"
        );
    }
    let read = |name: &str| fs::read_to_string(folder.path().join(name)).unwrap();
    assert_eq!(read("web.yaml"), web);
    assert_eq!(read("load.csv"), load);
    assert_eq!(read("past.jsonl"), "");
}

#[test]
fn units_of_bytes_and_swapped_columns_are_read_where_they_are_meant() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("load.csv");
    fs::write(&path, "value;time\n4Gi;0\n8Gi;60\n").unwrap();
    let memory = "  - {type: Resource, resource: {name: memory, target: {type: Utilization, averageUtilization: 60}}}";
    // A metric that only has the name of the resource.
    let named = "  - {type: Pods, pods: {metric: {name: cpu}, target: {type: AverageValue, averageValue: 1Gi}}}";
    for metric in [memory, named] {
        let run = simulate(
            &manifest(metric, ""),
            &["--load", path.to_str().unwrap(), "--for", "5m"],
        );
        assert_eq!(run.status.code(), Some(0), "{run:?}");
    }
}
