//! A configuration that takes something away is named, and none of another user is taken from a shared folder.

use std::fs;

use clap::ValueEnum as _;
use kubectl_hpa::cli::LintFormat;
use serde_json::{Value, json};

use crate::repository::Repository;

/// An HPA that the API server rejects.
const CROSSED: &str = "apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: {name: web}
spec:
  scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web}
  minReplicas: 5
  maxReplicas: 2
";

/// A repository whose configuration has this text.
fn configured(config: &str) -> Repository {
    let repository = Repository::with_hpa();
    repository.write("deploy/hpa.yaml", CROSSED);
    repository.write(".kubectl-hpa.yaml", config);
    repository
}

fn last_line(text: &str) -> &str {
    text.lines().last().unwrap_or_default()
}

#[test]
fn a_configuration_that_takes_something_away_is_named_in_every_format() {
    for (config, code, said) in [
        ("ignore: [ALL, HPA012, HPA013]\n", 0, "turns off 1 rules"),
        ("ignore: [HPA101, HPA104]\n", 0, "turns off HPA101, HPA104"),
        ("select: [HPA102]\n", 0, "turns off 1 rules"),
        ("failOn: never\n", 0, "sets failOn: never"),
        ("failOn: error\n", 1, "sets failOn: error"),
        (
            "rules: {HPA101: {severity: info}}\n",
            0,
            "lowers the severity of HPA101",
        ),
        (
            "paths: [{files: [deploy/], rules: {HPA101: {severity: info}}}]\nfailOn: never\n",
            0,
            "lowers the severity of HPA101 and sets failOn: never",
        ),
        (
            "ignore: [HPA104]\nfailOn: never\nrules: {HPA101: {severity: info}}\n",
            0,
            "turns off HPA104, lowers the severity of HPA101 and sets failOn: never",
        ),
    ] {
        let repository = configured(config);
        let (found, out, _) = repository.lint("-f deploy");
        let summary = last_line(&out);
        // The catalogue grows: the number is compared with the list of the JSON.
        let said: String = said
            .split(' ')
            .filter(|word| word.parse::<u32>().is_err())
            .collect();
        let shown: String = summary
            .split(' ')
            .filter(|word| word.parse::<u32>().is_err())
            .collect();
        assert!(
            shown.ends_with(&format!(".kubectl-hpa.yaml{said}")),
            "{config}: {summary}"
        );
        assert_eq!(found, code, "{config}: {out}");

        let (_, out, _) = repository.lint("-f deploy -o json");
        let document: Value = serde_json::from_str(&out).unwrap();
        let effect = &document["configuration"];
        assert_eq!(effect["file"], ".kubectl-hpa.yaml");
        if let Some(count) = summary
            .split("turns off ")
            .nth(1)
            .and_then(|rest| rest.split(' ').next())
            && let Ok(count) = count.parse::<usize>()
        {
            assert_eq!(
                effect["rulesOff"].as_array().unwrap().len(),
                count,
                "{config}"
            );
        }
        let (_, out, _) = repository.lint("-f deploy -o sarif");
        let document: Value = serde_json::from_str(&out).unwrap();
        let told = &document["runs"][0]["invocations"][0]["toolConfigurationNotifications"];
        let words = summary.split("; ").last().unwrap();
        assert_eq!(
            *told,
            json!([{"level": "note", "message": {"text": words}}])
        );
        let formats = LintFormat::value_variants().iter();
        for format in formats.filter(|format| !format.has_notes()) {
            let format = format.name();
            let (_, _, err) = repository.lint(&format!("-f deploy -o {format}"));
            assert!(err.contains(&format!("note: {words}\n")), "{format}: {err}");
        }
        let (_, _, err) = repository.lint("-f deploy -q -o concise");
        assert!(!err.contains("kubectl-hpa.yaml"), "{err}");
    }
}

#[test]
fn a_configuration_that_takes_nothing_away_is_not_named() {
    for config in [
        "extendSelect: [min-unset]\n",
        "failOn: warning\n",
        "rules: {HPA102: {severity: error}}\n",
        "complete: false\n",
    ] {
        let (_, out, err) = configured(config).lint("-f deploy");
        assert!(
            !last_line(&out).contains("kubectl-hpa.yaml"),
            "{config}: {out}"
        );
        assert_eq!(err, "");
    }
    // A flag decides.
    let repository = configured("failOn: never\n");
    let (code, out, _) = repository.lint("-f deploy --fail-on warning");
    assert_eq!(code, 1);
    assert!(!last_line(&out).contains("kubectl-hpa.yaml"), "{out}");
    let (_, out, _) = repository.lint("-f deploy -o json --fail-on warning");
    let document: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(document["configuration"], Value::Null);
    let repository = configured("ignore: [ALL]\n");
    let (code, out, _) = repository.lint("-f deploy --no-config");
    assert_eq!(code, 1);
    assert!(!last_line(&out).contains("kubectl-hpa.yaml"), "{out}");
}

#[cfg(unix)]
#[test]
fn no_configuration_of_another_user_is_taken_from_a_shared_folder() {
    use std::os::unix::fs::chown;
    let repository = configured("ignore: [ALL]\n");
    let (config, git) = (
        repository.path(".kubectl-hpa.yaml"),
        repository.path(".git"),
    );
    // In a repository the file is part of it; without one it is one's own.
    assert_eq!(repository.lint("-f deploy").0, 0);
    fs::remove_dir(&git).unwrap();
    assert_eq!(repository.lint("-f deploy").0, 0);
    // Only root can give a file away.
    if chown(&config, Some(12345), None).is_err() {
        return;
    }
    let refused = |flags: &str| {
        let (code, _, err) = repository.lint(flags);
        assert_eq!(code, 1, "{err}");
        assert!(err.starts_with("warning: "), "{err}");
        assert!(err.contains(".kubectl-hpa.yaml is not taken: it belongs to another user; name it with --config to take it\n"), "{err}");
    };
    refused("-f deploy");
    refused("-f deploy/hpa.yaml");
    // Whoever may write there could also make it a repository.
    fs::create_dir(&git).unwrap();
    chown(&git, Some(12345), None).unwrap();
    refused("-f deploy");
    let (code, out, _) = repository.lint("-f deploy --config .kubectl-hpa.yaml");
    assert_eq!(code, 0);
    assert!(
        last_line(&out).contains(".kubectl-hpa.yaml turns off"),
        "{out}"
    );
    // The nearest one that counts is taken.
    repository.write("deploy/.kubectl-hpa.yaml", "failOn: never\n");
    let (code, out, err) = repository.lint("-f deploy");
    assert_eq!((code, &*err), (0, ""));
    assert!(
        last_line(&out).ends_with("deploy/.kubectl-hpa.yaml sets failOn: never"),
        "{out}"
    );
    // A folder with everything in it belongs to its owner, such as one that a container reads as root.
    fs::remove_file(repository.path("deploy/.kubectl-hpa.yaml")).unwrap();
    chown(repository.path("deploy"), Some(12345), None).unwrap();
    assert_eq!(repository.lint("-f deploy").0, 0);
    chown(&config, Some(54321), None).unwrap();
    assert_eq!(
        repository.lint("-f deploy").0,
        0,
        "it is part of the repository"
    );
}

#[test]
fn commands_to_copy_quote_the_names_of_files() {
    let chart = "x;touch made";
    let repository = Repository::with_hpa();
    repository.write(
        &format!("{chart}/Chart.yaml"),
        "apiVersion: v2\nname: x\nversion: 1.0.0\n",
    );
    repository.write(&format!("{chart}/templates/hpa.yaml"), "{{ .Values.x }}\n");
    repository.write(
        "$(touch made)/kustomization.yaml",
        "resources: [hpa.yaml]\npatches: [{path: patch.yaml}]\n",
    );
    repository.write("$(touch made)/hpa.yaml", CROSSED);
    repository.write("$(touch made)/patch.yaml", CROSSED);
    let (_, out, _) = repository.lint("-R -f . -o json");
    let document: Value = serde_json::from_str(&out).unwrap();
    let notes = document["notes"].as_array().unwrap().iter();
    let commands: Vec<&str> = notes
        .filter_map(|note| note["message"].as_str().unwrap().split("; lint ").nth(1))
        .filter_map(|text| text.split(": ").nth(1))
        .collect();
    assert!(
        commands.contains(&"helm template './x;touch made' | kubectl hpa lint -f -"),
        "{commands:?}"
    );
    assert!(
        commands.contains(&"kubectl kustomize '$(touch made)' | kubectl hpa lint -f -"),
        "{commands:?}"
    );
}
