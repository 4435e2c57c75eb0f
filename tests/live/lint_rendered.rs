//! `lint --render` with the Kustomize of the real kubectl.

use std::{env, fs, process::Command};

use serde_json::{Value, json};

use crate::releases;

#[test]
fn an_overlay_is_linted_as_kubectl_builds_it() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    };
    write(".git/HEAD", "");
    write("base/kustomization.yaml", "resources: [hpa.yaml]\n");
    write(
        "base/hpa.yaml",
        "apiVersion: autoscaling/v2\nkind: HorizontalPodAutoscaler\nmetadata: {name: web}\nspec:\n  \
         scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web}\n  minReplicas: 3\n  maxReplicas: 9\n",
    );
    write(
        "overlays/dev/kustomization.yaml",
        "resources: [../../base]\nnamespace: dev\npatches:\n  - path: smaller.yaml\n",
    );
    write(
        "overlays/dev/smaller.yaml",
        "apiVersion: autoscaling/v2\nkind: HorizontalPodAutoscaler\nmetadata: {name: web}\nspec: {maxReplicas: 2}\n",
    );
    let kubectl = releases::program("kubectl");
    let programs = kubectl.parent().unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_kubectl-hpa"))
        .args([
            "lint", "-R", "-f", ".", "--render", "--select", "HPA101", "-o", "json",
        ])
        .current_dir(folder.path())
        .env("PATH", programs)
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let found: Value = serde_json::from_slice(&output.stdout).unwrap();
    let findings = found["findings"].as_array().unwrap();
    assert_eq!(findings.len(), 1, "{findings:#?}");
    assert_eq!(findings[0]["object"]["namespace"], "dev");
    assert_eq!(findings[0]["file"], "./overlays/dev/kustomization.yaml");
    assert_eq!(findings[0]["line"], json!(null));
    assert!(
        findings[0]["message"]
            .as_str()
            .unwrap()
            .starts_with("minReplicas 3 is greater than maxReplicas 2")
    );
}
