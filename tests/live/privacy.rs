//! What a recording keeps of objects that are full of other things: what `docs/privacy.md` says, and nothing else.

use serde_json::{Value, json};

use crate::{
    cluster::succeed,
    manifest::{deployment, hpa},
    namespace::namespace,
};

#[test]
fn recording_keeps_and_drops_what_the_page_of_privacy_says() {
    // What the page calls it, where it is planted, and what is planted.
    let template = "/spec/template/spec";
    let container = "/spec/template/spec/containers/0";
    let planted = [
        (
            "environment variables",
            container,
            json!({"env": [{"name": "PLANTED_NAME", "value": "planted-value"}]}),
        ),
        (
            "references to Secrets and ConfigMaps",
            container,
            json!({"envFrom": [
                {"secretRef": {"name": "planted-secret", "optional": true}},
                {"configMapRef": {"name": "planted-config", "optional": true}},
            ]}),
        ),
        (
            "commands and arguments",
            container,
            json!({"command": ["planted-command"], "args": ["--planted-argument"]}),
        ),
        (
            "images",
            container,
            json!({"image": "example.com/planted-image:1"}),
        ),
        (
            "volumes and mounts",
            container,
            json!({"volumeMounts": [{"name": "planted-volume", "mountPath": "/planted-path"}]}),
        ),
        (
            "volumes and mounts",
            template,
            json!({"volumes": [{"name": "planted-volume", "hostPath": {"path": "/planted-path"}}]}),
        ),
        (
            "annotations",
            "/metadata",
            json!({"annotations": {"example.com/planted-annotation": "planted-note"}}),
        ),
        (
            "service accounts",
            template,
            json!({"serviceAccountName": "planted-account"}),
        ),
        (
            "names and labels of pods",
            "/spec/template/metadata/labels",
            json!({"team": "kept-label"}),
        ),
        (
            "container names, requests and limits",
            container,
            json!({"name": "kept-container"}),
        ),
    ];
    let namespace = namespace("privacy");
    let mut workload = deployment("kept-workload", 2).pods("cpu", "50m").object();
    for (_, place, fields) in &planted {
        merge(workload.pointer_mut(place).unwrap(), fields);
    }
    let mut autoscaler = hpa("kept-workload").cpu(60).object();
    autoscaler["metadata"]["annotations"] =
        json!({"example.com/planted-annotation": "planted-note"});
    namespace.apply([workload, autoscaler]);
    // Applied as most people do, so that the last applied manifest is in an annotation, too.
    let file = crate::cluster::cluster().file("privacy.json");
    let manifest = namespace.get("deployment", "kept-workload");
    let manifest = json!({
        "apiVersion": "apps/v1",
        "kind": "Deployment",
        "metadata": {"name": "kept-workload", "annotations": {"example.com/planted-annotation": "planted-note"}},
        "spec": {
            "replicas": 2,
            "selector": manifest["spec"]["selector"],
            "template": manifest["spec"]["template"],
        },
    });
    std::fs::write(&file, manifest.to_string()).unwrap();
    succeed(namespace.kubectl(["apply"]).arg("-f").arg(&file));
    let applied = namespace.get("deployment", "kept-workload");
    let last_applied = "kubectl.kubernetes.io/last-applied-configuration";
    assert!(applied["metadata"]["annotations"][last_applied].is_string());
    namespace.pass();

    let redacted = succeed(&mut namespace.kubectl(["hpa", "capture", "kept-workload"]));
    let whole = succeed(
        namespace
            .kubectl(["hpa", "capture", "kept-workload"])
            .arg("--no-redact"),
    );
    for (what, kept) in rows() {
        match what.as_str() {
            "the last applied manifest" => {
                assert!(whole.contains("last-applied-configuration"), "{what}");
                assert!(!redacted.contains("last-applied-configuration"), "{what}");
            }
            "node names" => {
                assert!(whole.contains("nodeName"), "{what}");
                assert!(!redacted.contains("nodeName"), "{what}");
            }
            _ => {}
        }
        for (_, _, fields) in planted.iter().filter(|(name, ..)| *name == what) {
            for text in texts(fields) {
                assert!(whole.contains(&text), "{what}: {text} is nowhere");
                assert_eq!(
                    redacted.contains(&text),
                    kept,
                    "{what}: {text} in {redacted}"
                );
            }
        }
    }
    assert!(!redacted.to_lowercase().contains("planted"), "{redacted}");
    let is_reported = |name: &str| rows().iter().any(|(what, _)| what == name);
    for (name, ..) in &planted {
        assert!(is_reported(name), "docs/privacy.md has no row {name}");
    }
}

/// The rows of the page: what, and whether it is kept.
fn rows() -> Vec<(String, bool)> {
    let page = include_str!("../../docs/privacy.md");
    let rows = page.lines().filter_map(|line| {
        let (what, fate) = line
            .strip_prefix("| ")?
            .strip_suffix(" |")?
            .split_once(" | ")?;
        match fate.split(',').next()? {
            "kept" => Some((what.to_owned(), true)),
            "dropped" => Some((what.to_owned(), false)),
            _ => None,
        }
    });
    rows.collect()
}

/// All texts of a value that were made up for the test.
fn texts(value: &Value) -> Vec<String> {
    let text = value.to_string();
    let parts = text.split(|c: char| !(c.is_ascii_alphanumeric() || "-_".contains(c)));
    parts
        .map(|part| part.trim_start_matches('-'))
        .filter(|part| {
            let part = part.to_lowercase();
            part.starts_with("planted") || part.starts_with("kept")
        })
        .map(str::to_owned)
        .collect()
}

fn merge(into: &mut Value, fields: &Value) {
    let into = into.as_object_mut().unwrap();
    for (name, value) in fields.as_object().unwrap() {
        into.insert(name.clone(), value.clone());
    }
}
