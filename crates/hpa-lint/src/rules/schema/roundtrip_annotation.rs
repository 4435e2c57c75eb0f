//! HPA003 `roundtrip-annotation`.

use serde_json::Value;

use crate::{Check, Cx, Finding, FixStep, Manifest, Rule, RuleOutcome, Severity};

pub(crate) static RULE: Rule = Rule {
    code: "HPA003",
    name: "roundtrip-annotation",
    summary: "an annotation that holds a part of the HPA for other API versions",
    is_fixable: true,
    check: Check::Manifest(check),
    docs: include_str!("roundtrip_annotation.md"),
    file: file!(),
    ..Rule::BASE
};

fn check(cx: &Cx<'_, Manifest>) -> RuleOutcome {
    let manifest = cx.subject;
    let annotations = manifest.source.node.at("metadata.annotations");
    let entries = annotations.map(kubectl_hpa_yaml::YamlNode::entries);
    let (mut applied, mut dropped, mut of_status) = (Vec::new(), Vec::new(), Vec::new());
    for entry in entries.unwrap_or_default() {
        match entry.key.strip_prefix(PREFIX) {
            Some(name) if OF_STATUS.contains(&name) => of_status.push(&*entry.key),
            Some(name) if is_applied(manifest, name, entry) => applied.push(&*entry.key),
            Some(name) if OF_SPEC.contains(&name) => dropped.push(&*entry.key),
            _ => {}
        }
    }
    let dropped = finding(cx, &dropped, DROPPED).map(|finding| {
        finding
            .help("write its content into the fields of autoscaling/v2, and remove the annotation")
    });
    let of_status = finding(cx, &of_status, DROPPED).map(|finding| {
        let help = "remove it: the controller writes the status";
        finding.help(help).severity(Severity::Info)
    });
    let mut findings: Vec<Finding> = dropped.into_iter().chain(of_status).collect();
    for finding in &mut findings {
        let fields = finding.labels.iter().map(|(path, _)| path);
        let paths = [&finding.path].into_iter().chain(fields);
        let removals = paths.map(|path| FixStep::Remove {
            path: path.to_string(),
        });
        finding.fix = removals.collect();
    }
    let applied = finding(
        cx,
        &applied,
        [
            "is applied but not stored, so comparing it with the cluster always shows a difference",
            "are applied but not stored, so comparing them with the cluster always shows a difference",
        ],
    );
    findings.extend(applied.map(|one| one.help("write the fields of autoscaling/v2 instead")));
    Ok(findings)
}

/// One finding for all annotations with the same consequence: a dump of a cluster has several of them.
fn finding(
    cx: &Cx<'_, Manifest>,
    keys: &[&str],
    [of_one, of_several]: [&str; 2],
) -> Option<Finding> {
    let (first, others) = keys.split_first()?;
    let path = |key: &str| format!("metadata.annotations[{key}]");
    let message = match others {
        [] => format!("annotation {first} {of_one}"),
        others => {
            let names = others.iter().map(|key| key.trim_start_matches(PREFIX));
            let names: Vec<&str> = names.collect();
            format!("annotations {first}, {} {of_several}", names.join(", "))
        }
    };
    let finding = cx.finding(path(first)).message(message);
    let label = |finding: Finding, key: &&str| finding.label(path(key), "and this");
    Some(others.iter().fold(finding, label))
}

/// Whether the API server takes part of the spec from the annotation.
fn is_applied(manifest: &Manifest, name: &str, entry: &kubectl_hpa_yaml::Entry) -> bool {
    match (manifest.version(), name) {
        ("v1", "metrics") => json(entry).is_some_and(|value| value.is_array()),
        // These versions have no field for it.
        ("v1" | "v2beta1", "behavior") => match &manifest.defaulted {
            Some(spec) => spec.behavior.is_some(),
            None => json(entry).is_some_and(|value| value.is_object()),
        },
        _ => false,
    }
}

/// Whether an annotation is one of these.
pub(super) fn is_one(key: &str) -> bool {
    let name = key.strip_prefix(PREFIX);
    name.is_some_and(|name| OF_SPEC.contains(&name) || OF_STATUS.contains(&name))
}

fn json(entry: &kubectl_hpa_yaml::Entry) -> Option<Value> {
    serde_json::from_str(entry.node.as_str()?).ok()
}

/// The consequence for one annotation, and for several.
const DROPPED: [&str; 2] = [
    "is dropped without an error, so it has no effect",
    "are dropped without an error, so they have no effect",
];

const PREFIX: &str = "autoscaling.alpha.kubernetes.io/";

/// Parts of the spec. The tolerances are for v2beta2, which has no fields for them; in v1, `behavior` contains them.
const OF_SPEC: [&str; 4] = [
    "behavior",
    "metrics",
    "scale-down-tolerance",
    "scale-up-tolerance",
];

/// Parts of the status, which every dump of a cluster contains.
const OF_STATUS: [&str; 2] = ["conditions", "current-metrics"];

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::testing::{report, table};

    fn hpa(version: &str, annotations: &str) -> String {
        let annotations = annotations.replace("ALPHA", "autoscaling.alpha.kubernetes.io");
        format!(
            "apiVersion: autoscaling/{version}
kind: HorizontalPodAutoscaler
metadata:
  name: web
  annotations:
    {annotations}
spec:
  scaleTargetRef: {{apiVersion: apps/v1, kind: Deployment, name: web}}
  maxReplicas: 3
"
        )
    }

    #[test]
    fn a_version_applies_what_is_json_of_its_spec_and_drops_all_else() {
        table(
            &RULE,
            |[version, annotations]| hpa(version, annotations),
            r#"
metrics of v1 | v1 | ALPHA/metrics: '[]'
  warning metadata.annotations[autoscaling.alpha.kubernetes.io/metrics]: annotation autoscaling.alpha.kubernetes.io/metrics is applied but not stored, so comparing it with the cluster always shows a difference
no JSON | v1 | ALPHA/metrics: '[' => warning …is dropped without an error, so it has no effect
no list | v1 | ALPHA/metrics: '{}' => warning …is dropped without an error, so it has no effect
no behavior | v1 | ALPHA/behavior: '{}' => warning …is dropped without an error, so it has no effect
conditions | v1 | ALPHA/conditions: '[]' => info …is dropped without an error, so it has no effect
another one | v1 | ALPHA/scale-up-tolerance: '0.2' => warning …is dropped without an error, so it has no effect
all of the status is one info | v1 | ALPHA/conditions: '[]'\n    ALPHA/current-metrics: '[]'
  info metadata.annotations[autoscaling.alpha.kubernetes.io/conditions]: annotations autoscaling.alpha.kubernetes.io/conditions, current-metrics are dropped without an error, so they have no effect
  fix: [Remove { … }, Remove { … }]
the spec next to it stays a warning | v2 | ALPHA/conditions: '[]'\n    ALPHA/current-metrics: '[]'\n    ALPHA/metrics: '[]' => info …
  warning …
the behavior of v2beta1 | v2beta1 | ALPHA/behavior: '{"ScaleUp":{"StabilizationWindowSeconds":7200}}'
  warning …is applied but not stored, so comparing it with the cluster always shows a difference
the metrics of v2beta1 | v2beta1 | ALPHA/metrics: '[]' => warning …is dropped without an error, so it has no effect
what is not of Kubernetes | v2 | ALPHA/owner: me
"#,
        );
    }

    #[test]
    fn other_rules_see_the_applied_behavior_at_its_place() {
        let refused = crate::rules::find("HPA004").unwrap();
        let behavior = r#"ALPHA/behavior: '{"ScaleUp":{"StabilizationWindowSeconds":7200}}'"#;
        let yaml = hpa("v2beta1", behavior);
        let report = report(refused, &yaml);
        let found = &report.findings[0];
        let path = "spec.behavior.scaleUp.stabilizationWindowSeconds";
        assert_eq!(found.finding.path, path);
        let start = yaml.find("autoscaling.alpha").unwrap();
        assert_eq!(found.location.unwrap().start as usize, start);
    }
}
