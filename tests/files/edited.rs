//! An HPA that was edited a moment ago, in a file: every command says of it what the real controller then did, or a
//! range that contains it, and the same.

use std::{fs, io::Read as _, path::Path};

use flate2::read::GzDecoder;
use hpa_objects::recording::Snapshot;
use serde_json::Value;

/// Every third line of the recordings of edits whose status is not yet of the edited spec.
fn just_edited() -> Vec<Snapshot> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/conformance/1.37/edited.jsonl.gz");
    let mut text = String::new();
    GzDecoder::new(fs::File::open(path).unwrap())
        .read_to_string(&mut text)
        .unwrap();
    let snapshots = text.lines().map(|line| serde_json::from_str(line).unwrap());
    let is_edited = |one: &Snapshot| {
        let observation = one.observation().unwrap();
        observation.hpa.is_observed() == Some(false)
    };
    snapshots.filter(is_edited).step_by(3).collect()
}

fn json(arguments: &[&str]) -> Value {
    let run = assert_cmd::Command::cargo_bin("kubectl-hpa")
        .unwrap()
        .args(arguments)
        .output()
        .unwrap();
    serde_json::from_slice(&run.stdout).unwrap()
}

#[test]
fn every_command_says_the_same_of_an_hpa_that_was_just_edited_and_the_controller_agrees() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("edited.jsonl");
    let file = path.to_str().unwrap();
    let all = just_edited();
    assert!(20 < all.len());
    let mut exact = 0;
    for mut snapshot in all.clone() {
        let outcome = snapshot.outcome.take().unwrap();
        fs::write(&path, serde_json::to_string(&snapshot).unwrap() + "\n").unwrap();
        let verdict = &json(&["explain", "-f", file, "-o", "json"])["verdict"];
        let listed = json(&["list", "-f", file, "-o", "json"]);
        assert_eq!(listed["items"][0]["verdict"], *verdict, "{}", snapshot.time);
        // The spec that it has, set once more.
        let max = format!("maxReplicas={}", snapshot.hpa.spec.max_replicas);
        let set = json(&["explain", "-f", file, "-o", "json", "--set", &max]);
        let replayed = assert_cmd::Command::cargo_bin("kubectl-hpa")
            .unwrap()
            .args(["replay", file])
            .output()
            .unwrap();
        let headline = verdict["headline"].as_str().unwrap();
        let replayed = String::from_utf8(replayed.stdout).unwrap();
        assert!(replayed.contains(headline), "{headline}\n{replayed}");
        let number = |value: &Value| value.as_i64().unwrap();
        let real = outcome.scale_to.map_or(number(&verdict["from"]), i64::from);
        for verdict in [verdict, &set["verdict"]] {
            let (low, high) = match &verdict["range"] {
                Value::Null => (number(&verdict["to"]), number(&verdict["to"])),
                range => (number(&range["min"]), number(&range["max"])),
            };
            assert!(
                (low..=high).contains(&real),
                "{}: to {real}, {verdict:#}",
                snapshot.time
            );
            exact += usize::from(low == high);
        }
    }
    assert!(all.len() <= exact, "{exact} of {}", 2 * all.len());
}
