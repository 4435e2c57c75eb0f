//! Folders that Kustomize builds: patches are not objects, and the values that they set are found.

use crate::{directories::Folder, input::HPA};

const DEPLOYMENT: &str = "apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
spec:
  selector:
    matchLabels: {app: web}
  template:
    metadata:
      labels: {app: web}
    spec:
      containers:
      - name: app
        readinessProbe: {httpGet: {port: 80}}
        resources:
          requests: {cpu: 100m}
";

const BASE: &str = "resources: [hpa.yaml, deployment.yaml]\n";

/// An HPA without errors or warnings next to its Deployment.
fn hpa() -> String {
    HPA.replace("minReplicas: 4", "minReplicas: 2")
}

/// Findings that are errors or warnings, as `place code message`, and the notes that are about a folder.
fn lint(files: &[(&str, &str)], arguments: &[&str]) -> (Vec<String>, Vec<String>) {
    let base = hpa();
    let mut all = vec![
        ("base/hpa.yaml", &*base),
        ("base/deployment.yaml", DEPLOYMENT),
        ("base/kustomization.yaml", BASE),
    ];
    all.extend_from_slice(files);
    let folder = Folder::new(&all);
    let (_, out, error) = folder.lint(&[arguments, &["-o", "json"]].concat());
    let report: serde_json::Value =
        serde_json::from_str(&out).unwrap_or_else(|problem| panic!("{problem}: {out}{error}"));
    let texts = |list: &str, write: &dyn Fn(&serde_json::Value) -> Option<String>| {
        let items = report[list].as_array().expect("it is a list");
        items.iter().filter_map(write).collect::<Vec<_>>()
    };
    let text = |value: &serde_json::Value| value.as_str().unwrap_or_default().to_owned();
    let findings = texts("findings", &|one| {
        (one["severity"] != "info").then(|| {
            format!(
                "{} {} {}",
                text(&one["file"]),
                text(&one["code"]),
                text(&one["message"])
            )
        })
    });
    let notes = texts("notes", &|one| {
        let message = text(&one["message"]);
        message.contains("kubectl hpa lint -f -").then_some(message)
    });
    (findings, notes)
}

fn note(folder: &str) -> String {
    format!(
        "{folder} is built by Kustomize, and only the replicas in its patches are checked; lint the result: kubectl \
         kustomize {folder} | kubectl hpa lint -f -"
    )
}

#[test]
fn patches_are_not_objects_and_each_folder_has_one_note() {
    let patch = "apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: {name: web}
spec: {minReplicas: 3, maxReplicas: 40}
";
    let whole = hpa();
    let files = [
        (
            "overlays/dev/kustomization.yaml",
            "resources: [../../base]\npatches: [{path: hpa.yaml}]\n",
        ),
        ("overlays/dev/hpa.yaml", patch),
        (
            "overlays/prod/kustomization.yaml",
            "resources: [../../base]\npatchesStrategicMerge: [all-of-it.yaml, other.yaml]\n",
        ),
        ("overlays/prod/all-of-it.yaml", &*whole),
        ("overlays/prod/other.yaml", patch),
    ];
    let (findings, notes) = lint(&files, &["-R", "-f", "."]);
    assert!(findings.is_empty(), "{findings:#?}");
    assert_eq!(notes, [note("overlays/dev"), note("overlays/prod")]);
    // Kustomize finds a patch below its kustomization, and so does lint.
    let (findings, notes) = lint(&files, &["-f", "overlays/dev/hpa.yaml"]);
    assert!(findings.is_empty(), "{findings:#?}");
    assert_eq!(notes, [note("overlays/dev")]);
    // A patch that no kustomization lists may belong to one elsewhere.
    let (findings, notes) = lint(
        &[files[0], ("patches/hpa.yaml", patch)],
        &["-R", "-f", "overlays,patches"],
    );
    assert!(findings.is_empty(), "{findings:#?}");
    let not_checked = "patches has patches that are not checked: HorizontalPodAutoscaler/web without \
                      spec.scaleTargetRef; lint what Kustomize builds with them: kubectl kustomize DIR | kubectl hpa lint -f -";
    assert!(notes.contains(&not_checked.to_owned()), "{notes:#?}");
    // Without a kustomization, it is an HPA that the API server refuses.
    let (findings, notes) = lint(&[("alone/hpa.yaml", patch)], &["-f", "alone"]);
    assert!(
        findings
            .iter()
            .any(|one| one.contains("spec.scaleTargetRef")),
        "{findings:#?}"
    );
    assert!(notes.is_empty(), "{notes:#?}");
}

#[test]
fn what_a_cluster_answered_is_read_without_the_kustomizations_beside_it() {
    let (findings, _) = lint(&[], &["--observed", "-f", "base/hpa.yaml"]);
    assert!(
        findings.iter().all(|one| one.starts_with("base/hpa.yaml")),
        "{findings:#?}"
    );
}

#[test]
fn a_base_without_patches_is_judged_as_its_files_and_needs_no_note() {
    let (findings, notes) = lint(&[], &["-R", "-f", "."]);
    assert!(
        findings.is_empty() && notes.is_empty(),
        "{findings:#?} {notes:#?}"
    );
}

#[test]
fn replicas_of_an_overlay_are_found_however_they_are_written() {
    let strategic =
        "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec: {replicas: 3}\n";
    let operations = "[{op: replace, path: /spec/replicas, value: 3}]\n";
    let overlay = |rest: &str| format!("resources: [../../base]\n{rest}");
    let target = "target: {kind: Deployment, name: web}";
    for (rest, patch) in [
        ("patches: [{path: patch.yaml}]".to_owned(), strategic),
        ("patchesStrategicMerge: [patch.yaml]".to_owned(), strategic),
        (
            format!("patches: [{{path: patch.yaml, {target}}}]"),
            operations,
        ),
        (
            format!("patchesJson6902: [{{path: patch.yaml, {target}}}]"),
            operations,
        ),
        (
            format!(
                "patches:\n- patch: |-\n    {}",
                strategic.replace('\n', "\n    ")
            ),
            "",
        ),
        (
            format!(
                "patches:\n- {target}\n  patch: |-\n    - op: add\n      path: /spec/replicas\n      value: 3\n"
            ),
            "",
        ),
        ("replicas: [{name: web, count: 3}]".to_owned(), ""),
    ] {
        let kustomization = overlay(&rest);
        let files = [
            ("overlays/prod/kustomization.yaml", &*kustomization),
            ("overlays/prod/patch.yaml", patch),
        ];
        let (findings, notes) = lint(&files, &["-R", "-f", "."]);
        assert_eq!(
            findings,
            [
                "./base/hpa.yaml HPA406 the Kustomize folder overlays/prod sets spec.replicas 3 of Deployment/web, so each apply \
                 overwrites the HPA"
            ],
            "{rest}"
        );
        assert_eq!(notes, [note("overlays/prod")], "{rest}");
    }
}

#[test]
fn a_component_is_judged_with_what_uses_it() {
    let patch = "[{op: add, path: /spec/replicas, value: 3}]";
    let component = "kind: Component\npatches: [{path: patch.yaml, target: {kind: Deployment}}]\n";
    let files = [
        ("fixed/kustomization.yaml", component),
        ("fixed/patch.yaml", patch),
        (
            "prod/kustomization.yaml",
            "resources: [../base]\ncomponents: [../fixed]\n",
        ),
    ];
    let (findings, notes) = lint(&files, &["-R", "-f", "."]);
    assert_eq!(
        findings,
        [
            "./base/hpa.yaml HPA406 the Kustomize folder fixed sets spec.replicas 3 of Deployment/web, so each apply overwrites the HPA"
        ]
    );
    assert_eq!(notes, [note("prod")]);
    let (findings, _) = lint(&files[..2], &["-R", "-f", "."]);
    assert!(findings.is_empty(), "{findings:#?}");
}

#[test]
fn a_namespace_that_a_kustomization_sets_is_that_of_all_its_objects() {
    let hpa = hpa().replace("web", "api");
    let hpa = hpa.replacen("  name: api\n", "  name: api\n  namespace: prod\n", 1);
    let deployment = DEPLOYMENT.replace("web", "api");
    let deployment = deployment.replacen("  name: api\n", "  name: api\n  namespace: dev\n", 1);
    let lint_with = |kustomization: &str| {
        let files = [
            ("app/deployment.yaml", &*deployment),
            ("app/kustomization.yaml", "resources: [deployment.yaml]\n"),
            ("prod/hpa.yaml", &*hpa),
            ("prod/kustomization.yaml", kustomization),
        ];
        lint(&files, &["-R", "-f", "."]).0
    };
    let resources = "resources: [../app, hpa.yaml]\n";
    assert!(lint_with(&format!("namespace: prod\n{resources}")).is_empty());
    let findings = lint_with(resources);
    assert!(
        findings.len() == 1 && findings[0].contains("HPA422"),
        "{findings:#?}"
    );
}

#[test]
fn nothing_is_claimed_where_an_overlay_may_differ() {
    let replicas =
        "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec: {replicas: 1}\n";
    let deletion = "$patch: delete\napiVersion: autoscaling/v2\nkind: HorizontalPodAutoscaler\nmetadata: {name: web}\n";
    // Without the HPA, the manifest is the right place for the replicas.
    let files = [
        (
            "dev/kustomization.yaml",
            "resources: [../base]\npatches: [{path: a.yaml}, {path: b.yaml}]\n",
        ),
        ("dev/a.yaml", replicas),
        ("dev/b.yaml", deletion),
    ];
    let (findings, notes) = lint(&files, &["-R", "-f", "."]);
    assert!(findings.is_empty(), "{findings:#?}");
    assert_eq!(notes, [note("dev")]);
    // Another application with a Deployment of that name, and a target that is a pattern.
    let files = [
        (
            "other/kustomization.yaml",
            "replicas: [{name: web, count: 2}]\nresources: [web.yaml]\n",
        ),
        ("other/web.yaml", DEPLOYMENT),
        (
            "all/kustomization.yaml",
            "resources: [../base]\npatches: [{target: {kind: Deployment, name: 'w.+'}, path: a.yaml}]\n",
        ),
        ("all/a.yaml", replicas),
    ];
    let (findings, _) = lint(&files, &["-R", "-f", "."]);
    assert!(findings.is_empty(), "{findings:#?}");
    // A part of a Deployment of that name, where there are several.
    let files = [
        ("other/web.yaml", DEPLOYMENT),
        ("third/replicas.yaml", replicas),
    ];
    let (findings, _) = lint(&files, &["-R", "-f", "."]);
    assert!(findings.is_empty(), "{findings:#?}");
    // A patched bound is not compared with the other bound.
    let equal = HPA.replace("minReplicas: 4", "minReplicas: 9");
    let files = [
        ("base/hpa.yaml", &*equal),
        (
            "prod/kustomization.yaml",
            "resources: [../base]\npatches:\n- target: {kind: HorizontalPodAutoscaler}\n  patch: |-\n    - {op: replace, \
             path: /spec/minReplicas, value: 2}\n",
        ),
    ];
    let (findings, notes) = lint(&files, &["-R", "-f", "."]);
    assert!(findings.is_empty(), "{findings:#?}");
    assert_eq!(notes, [note("prod")]);
    // The base alone is not deployed: the overlay sets the containers' requests.
    let bare = DEPLOYMENT.replace("requests: {cpu: 100m}", "limits: {memory: 1Gi}");
    let files = [
        ("base/deployment.yaml", &*bare),
        (
            "prod/kustomization.yaml",
            "resources: [../base]\npatches: [{path: a.yaml}]\n",
        ),
        (
            "prod/a.yaml",
            "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec: {template: {spec: {containers: [{name: app, \
             resources: {requests: {cpu: 1}}}]}}}\n",
        ),
    ];
    let (findings, notes) = lint(&files[..1], &["-R", "-f", "base"]);
    assert!(
        findings.iter().any(|one| one.contains("HPA202")),
        "{findings:#?} {notes:#?}"
    );
    let (findings, notes) = lint(&files, &["-R", "-f", "."]);
    assert!(findings.is_empty(), "{findings:#?}");
    assert_eq!(notes, [note("prod")]);
}

#[test]
fn a_base_and_its_patch_are_judged_in_any_order() {
    let bare = DEPLOYMENT.replace("requests: {cpu: 100m}", "limits: {memory: 1Gi}");
    let patch =
        "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec: {replicas: 3}\n";
    let files = [("base/deployment.yaml", &*bare), ("patch.yaml", patch)];
    for order in [
        "base/hpa.yaml,base/deployment.yaml,patch.yaml",
        "patch.yaml,base/deployment.yaml,base/hpa.yaml",
    ] {
        let (findings, _) = lint(&files, &["-f", order]);
        let codes: Vec<&str> = findings
            .iter()
            .filter_map(|one| one.split(' ').nth(1))
            .collect();
        assert_eq!(codes, ["HPA202", "HPA406"], "{findings:#?}");
    }
}

#[test]
fn one_hpa_in_two_files_is_a_mistake_only_where_both_are_applied() {
    let other = hpa().replace("maxReplicas: 4", "maxReplicas: 9");
    let in_folder = "HPA015 HorizontalPodAutoscaler/web appears again in this folder, and kubectl apply keeps the last one, so this \
                     one has no effect";
    let files = [("app/a.yaml", &*hpa()), ("app/b.yaml", &*other)]
        .map(|(name, text)| (name, text.to_owned()));
    let files: Vec<(&str, &str)> = files.iter().map(|(name, text)| (*name, &**text)).collect();
    let (findings, _) = lint(&files, &["-f", "app"]);
    assert!(
        findings.contains(&format!("app/a.yaml {in_folder}")),
        "{findings:#?}"
    );
    // In folders of their own they are for different clusters, or the kustomization that is built selects one.
    let (findings, _) = lint(
        &[("dev/a.yaml", &hpa()), ("prod/a.yaml", &other)],
        &["-R", "-f", "."],
    );
    assert!(findings.is_empty(), "{findings:#?}");
    let listed = [
        files[0],
        files[1],
        ("app/kustomization.yaml", "resources: [a.yaml]\n"),
    ];
    let (findings, _) = lint(&listed, &["-f", "app"]);
    assert!(
        !findings.iter().any(|one| one.contains("HPA015")),
        "{findings:#?}"
    );
}
