//! Objects are compared only if one apply may have both.

use std::collections::BTreeSet;

use proptest::prelude::*;

use crate::{Severity, testing::report_of_files};

/// Codes of all findings that are errors or warnings, each with its file's position in `files`.
fn found(files: &[(&str, String)]) -> Vec<String> {
    let files: Vec<(String, String)> = files
        .iter()
        .map(|(name, text)| ((*name).to_owned(), text.clone()))
        .collect();
    let report = report_of_files(&files);
    let serious = report
        .findings
        .iter()
        .filter(|one| Severity::Warning <= one.finding.severity);
    serious
        .map(|one| format!("{} {}", one.rule.code, one.object))
        .collect()
}

fn hpa(name: &str) -> String {
    format!(
        "apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: {{name: {name}}}
spec:
  scaleTargetRef: {{apiVersion: apps/v1, kind: Deployment, name: web}}
  minReplicas: 2
  maxReplicas: 8
  metrics:
  - type: Resource
    resource: {{name: cpu, target: {{type: Utilization, averageUtilization: 70}}}}
"
    )
}

fn workload(kind: &str, name: &str, labels: &str) -> String {
    format!(
        "apiVersion: apps/v1
kind: {kind}
metadata: {{name: {name}}}
spec:
  selector: {{matchLabels: {labels}}}
  template:
    metadata: {{labels: {labels}}}
    spec:
      containers:
      - name: main
        resources: {{requests: {{cpu: 100m, memory: 64Mi}}}}
        readinessProbe: {{httpGet: {{path: /, port: 80}}}}
"
    )
}

fn deployment() -> String {
    workload("Deployment", "web", "{app: web}")
}

fn scaled_object() -> String {
    "apiVersion: keda.sh/v1alpha1
kind: ScaledObject
metadata: {name: web}
spec:
  scaleTargetRef: {name: web}
  minReplicaCount: 2
  maxReplicaCount: 8
  triggers: [{type: cron, metadata: {timezone: UTC, start: 0 6 * * *, end: 0 8 * * *, desiredReplicas: '4'}}]
"
    .to_owned()
}

fn vertical() -> String {
    "apiVersion: autoscaling.k8s.io/v1
kind: VerticalPodAutoscaler
metadata: {name: web}
spec:
  targetRef: {apiVersion: apps/v1, kind: Deployment, name: web}
"
    .to_owned()
}

fn list(resources: &str) -> String {
    format!("resources: [{resources}]\n")
}

#[test]
fn a_file_that_the_kustomization_does_not_list_says_nothing_about_those_that_it_lists() {
    let stateful = workload("StatefulSet", "other", "{app: web}");
    for place in ["statefulset.yaml", "alternative/statefulset.yaml"] {
        let files = |listed: &str| {
            found(&[
                ("k8s/kustomization.yaml", list(listed)),
                ("k8s/deployment.yaml", deployment()),
                ("k8s/hpa.yaml", hpa("web")),
                (&format!("k8s/{place}"), stateful.clone()),
            ])
        };
        assert!(files("deployment.yaml, hpa.yaml").is_empty());
        let both = format!("deployment.yaml, hpa.yaml, {place}");
        assert_eq!(files(&both), ["HPA501 HorizontalPodAutoscaler/web"]);
    }
}

#[test]
fn the_target_is_the_listed_one_and_the_nearest() {
    let without_request = deployment().replace("cpu: 100m, ", "");
    // The unlisted one would have no request.
    assert!(
        found(&[
            ("kustomization.yaml", list("deployment.yaml, hpa.yaml")),
            ("a-deployment.yaml", without_request.clone()),
            ("deployment.yaml", deployment()),
            ("hpa.yaml", hpa("web")),
        ])
        .is_empty()
    );
    // Without kustomizations, each folder has its own.
    let folders = |dev: &str, prod: &str| {
        found(&[
            ("dev/deployment.yaml", dev.to_owned()),
            ("dev/job.yaml", workload("StatefulSet", "job", "{app: web}")),
            ("prod/deployment.yaml", prod.to_owned()),
            ("prod/hpa.yaml", hpa("web")),
        ])
    };
    assert!(folders(&without_request, &deployment()).is_empty());
    assert_eq!(
        folders(&deployment(), &without_request),
        ["HPA202 HorizontalPodAutoscaler/web"]
    );
    // A base that is applied alone is better than none.
    assert_eq!(
        found(&[
            ("base/kustomization.yaml", list("deployment.yaml")),
            ("base/deployment.yaml", without_request),
            ("addons/kustomization.yaml", list("hpa.yaml")),
            ("addons/hpa.yaml", hpa("web")),
        ]),
        ["HPA202 HorizontalPodAutoscaler/web"]
    );
}

#[test]
fn folders_with_a_copy_of_the_target_each_are_alternatives() {
    let two = |other: String| {
        found(&[
            ("one/deployment.yaml", deployment()),
            ("one/hpa.yaml", hpa("one")),
            ("two/deployment.yaml", deployment()),
            ("two/other.yaml", other),
        ])
    };
    for other in [hpa("two"), scaled_object(), vertical()] {
        assert!(two(other.clone()).is_empty(), "{:?}", two(other));
    }
}

#[test]
fn copies_of_one_object_are_one() {
    let pair = |files: &[(&str, String)]| {
        let mut all = vec![("deployment.yaml", deployment())];
        all.extend_from_slice(files);
        found(&all)
    };
    let once = ["HPA608 HorizontalPodAutoscaler/web"];
    let copies = [
        ("hpa.yaml", hpa("web")),
        ("vpa.yaml", vertical()),
        ("copy/vpa.yaml", vertical()),
        ("other/vpa.yaml", vertical()),
        ("copy/hpa.yaml", hpa("web")),
    ];
    for until in 2..=copies.len() {
        assert_eq!(pair(&copies[..until]), once, "{until}");
    }
    let both = [
        ("hpa.yaml", hpa("web")),
        ("so.yaml", scaled_object()),
        ("copy/so.yaml", scaled_object()),
    ];
    assert_eq!(pair(&both), ["HPA601 HorizontalPodAutoscaler/web"]);
}

#[test]
fn charts_are_installed_one_by_one() {
    let charts = |one: &str, other: &str| {
        found(&[
            ("charts/a/Chart.yaml", String::new()),
            ("charts/b/Chart.yaml", String::new()),
            ("charts/a/charts/c/Chart.yaml", String::new()),
            (&format!("charts/{one}/templates/hpa.yaml"), hpa("web")),
            (
                &format!("charts/{other}/templates/so.yaml"),
                scaled_object(),
            ),
        ])
    };
    assert!(charts("a", "b").is_empty());
    assert_eq!(charts("a", "a/charts/c").len(), 1);
    assert_eq!(charts("b", "b").len(), 1);
}

#[test]
fn a_patch_of_an_hpa_in_another_file_needs_no_kustomization() {
    let patch = "apiVersion: autoscaling/v2\nkind: HorizontalPodAutoscaler\nmetadata: {name: web}\n\
                 spec: {minReplicas: 3, maxReplicas: 40}\n";
    let with = |name: &str| {
        found(&[
            ("base/deployment.yaml", deployment()),
            ("base/hpa.yaml", hpa(name)),
            ("patches/hpa.yaml", patch.to_owned()),
        ])
    };
    assert!(with("web").is_empty());
    // Nothing else has its name.
    assert_eq!(with("other"), ["HPA004 HorizontalPodAutoscaler/web"]);
}

#[test]
fn a_component_that_deletes_the_hpa_replaces_it() {
    let with = |patches: &str| {
        found(&[
            ("base/kustomization.yaml", list("deployment.yaml, hpa.yaml")),
            ("base/deployment.yaml", deployment()),
            ("base/hpa.yaml", hpa("web")),
            (
                "keda/kustomization.yaml",
                format!("kind: Component\nresources: [so.yaml]\n{patches}"),
            ),
            ("keda/so.yaml", scaled_object()),
            (
                "prod/kustomization.yaml",
                "resources: [../base]\ncomponents: [../keda]\n".to_owned(),
            ),
        ])
    };
    let deletion = "patches:\n- patch: |-\n    $patch: delete\n    apiVersion: autoscaling/v2\n    \
                    kind: HorizontalPodAutoscaler\n    metadata: {name: web}\n";
    assert_eq!(with(""), ["HPA601 HorizontalPodAutoscaler/web"]);
    assert!(with(deletion).is_empty());
}

#[test]
fn names_have_the_prefix_of_the_base_that_is_built_with_them() {
    let target = |name: &str| {
        hpa("web").replace(
            "Deployment, name: web",
            &format!("Deployment, name: {name}"),
        )
    };
    let built = |name: &str| {
        found(&[
            (
                "base/kustomization.yaml",
                "namePrefix: team-\nresources: [deployment.yaml]\n".to_owned(),
            ),
            (
                "base/deployment.yaml",
                deployment().replace("cpu: 100m, ", ""),
            ),
            ("prod/kustomization.yaml", list("../base, hpa.yaml")),
            ("prod/hpa.yaml", target(name)),
        ])
    };
    // It is found, so its missing request is, too.
    assert_eq!(built("team-web"), ["HPA202 HorizontalPodAutoscaler/web"]);
    assert_eq!(built("web"), ["HPA202 HorizontalPodAutoscaler/web"]);
    assert_eq!(built("other-web"), ["HPA401 HorizontalPodAutoscaler/web"]);
}

#[test]
fn a_target_of_a_remote_base_is_not_missing() {
    let built = |base: &str| {
        found(&[
            (
                "kustomization.yaml",
                list(&format!("worker.yaml, hpa.yaml{base}")),
            ),
            (
                "worker.yaml",
                workload("Deployment", "worker", "{app: worker}"),
            ),
            ("hpa.yaml", hpa("web")),
        ])
    };
    assert_eq!(built(""), ["HPA401 HorizontalPodAutoscaler/web"]);
    assert!(built(", 'https://example.com/org/base?ref=v1'").is_empty());
}

#[test]
fn a_kustomization_of_flux_lists_nothing_itself() {
    let flux =
        "apiVersion: kustomize.toolkit.fluxcd.io/v1\nkind: Kustomization\nmetadata: {name: apps}\n";
    assert_eq!(
        found(&[
            ("apps/kustomization.yaml", flux.to_owned()),
            ("apps/hpa.yaml", hpa("web")),
            ("apps/so.yaml", scaled_object()),
        ]),
        ["HPA601 HorizontalPodAutoscaler/web"]
    );
}

/// A folder with files, of which its kustomization lists some.
#[derive(Clone, Debug)]
struct Drawn {
    /// For each file of [`FILES`]: whether it is there, and whether it is listed.
    files: Vec<(bool, bool)>,
    /// The folders that it includes, by index.
    includes: BTreeSet<usize>,
}

const FILES: [&str; 3] = ["hpa", "so", "vpa"];

fn drawn() -> impl Strategy<Value = Vec<Drawn>> {
    let folder = |index: usize| {
        let files = prop::collection::vec((any::<bool>(), prop::bool::weighted(0.8)), FILES.len());
        let includes = prop::collection::btree_set(0..index.max(1), 0..=index.min(2));
        (files, includes).prop_map(move |(files, includes)| Drawn {
            files,
            includes: includes
                .into_iter()
                .filter(|other| *other < index)
                .collect(),
        })
    };
    (folder(0), folder(1), folder(2), folder(3)).prop_map(|(a, b, c, d)| vec![a, b, c, d])
}

/// The files that building a folder applies: folder and position.
fn applied(folders: &[Drawn], index: usize) -> BTreeSet<(usize, usize)> {
    let own = (0..).zip(&folders[index].files);
    let own = own.filter(|(_, (is_there, is_listed))| *is_there && *is_listed);
    let own = own.map(|(file, _)| (index, file));
    let included = folders[index].includes.iter();
    own.chain(included.flat_map(|other| applied(folders, *other)))
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    /// HPAs have a name of their own in each folder, so that no two are one object.
    #[test]
    fn two_objects_are_compared_if_and_only_if_one_kustomization_builds_both(folders in drawn()) {
        let mut files = vec![("base/deployment.yaml".to_owned(), deployment())];
        for (index, folder) in folders.iter().enumerate() {
            let mut listed: Vec<String> = folder.includes.iter().map(|other| format!("../f{other}")).collect();
            for (file, (is_there, is_listed)) in FILES.iter().zip(&folder.files) {
                if !is_there {
                    continue;
                }
                let text = match *file {
                    "hpa" => hpa(&format!("web-{index}")),
                    "so" => scaled_object(),
                    _ => vertical(),
                };
                files.push((format!("f{index}/{file}.yaml"), text));
                listed.extend(is_listed.then(|| format!("{file}.yaml")));
            }
            files.push((format!("f{index}/kustomization.yaml"), list(&listed.join(", "))));
        }
        let report = report_of_files(&files);
        let builds: Vec<BTreeSet<(usize, usize)>> = (0..folders.len()).map(|one| applied(&folders, one)).collect();
        for (index, folder) in folders.iter().enumerate() {
            let (is_there, is_listed) = folder.files[0];
            if !is_there || !is_listed {
                continue;
            }
            let together = |file: usize| {
                builds.iter().any(|build| {
                    build.contains(&(index, 0)) && build.iter().any(|one| one.1 == file && *one != (index, 0))
                })
            };
            let expected = [(0, "HPA410"), (1, "HPA601"), (2, "HPA608")]
                .map(|(file, code)| (code, usize::from(together(file))));
            let name = format!("web-{index}");
            for (code, expected) in expected {
                let found = report.findings.iter().filter(|one| one.rule.code == code && one.object.name == name);
                prop_assert_eq!(found.count(), expected, "{} of {}", code, name);
            }
        }
    }
}
