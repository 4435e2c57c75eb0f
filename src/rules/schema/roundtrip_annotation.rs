//! HPA003 `roundtrip-annotation`.

use serde_json::Value;

use crate::lint::{Check, Cx, FixStep, Manifest, Outcome};

crate::lint::declare_rule! {
    /// ## What it does
    /// Flags annotations below `autoscaling.alpha.kubernetes.io/` in a manifest that hold parts of an HPA: `metrics`,
    /// `behavior`, `current-metrics`, `conditions`, `scale-up-tolerance` and `scale-down-tolerance`.
    ///
    /// ## Why is this bad?
    /// They are how `autoscaling/v1` carries what it has no fields for. In a manifest of `autoscaling/v2` they are dropped
    /// without an error, and 0 of the metrics in them are used. In one of v1, `metrics` and `behavior` are applied (in v2beta1
    /// `behavior` only), but not stored as they are, so that tools which compare the manifest with the cluster see a
    /// difference forever; JSON that cannot be read is dropped, and so are the tolerances.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: autoscaling/v2
    /// kind: HorizontalPodAutoscaler
    /// metadata:
    ///   name: web
    ///   annotations:
    ///     autoscaling.alpha.kubernetes.io/behavior: '{"ScaleUp":{"StabilizationWindowSeconds":60}}'
    /// spec:
    ///   scaleTargetRef:
    ///     apiVersion: apps/v1
    ///     kind: Deployment
    ///     name: web
    ///   maxReplicas: 10
    /// ```
    ///
    /// Use instead:
    /// ```yaml
    /// apiVersion: autoscaling/v2
    /// kind: HorizontalPodAutoscaler
    /// metadata:
    ///   name: web
    /// spec:
    ///   scaleTargetRef:
    ///     apiVersion: apps/v1
    ///     kind: Deployment
    ///     name: web
    ///   maxReplicas: 10
    ///   behavior:
    ///     scaleUp:
    ///       stabilizationWindowSeconds: 60
    /// ```
    ///
    /// ## Fix
    /// Write the fields of `autoscaling/v2`, and remove the annotation.
    ///
    /// ## References
    /// - kubernetes: `pkg/apis/autoscaling/v1/conversion.go` and those of v2beta1, v2beta2 and v2; PostHog/charts-clickhouse#446
    pub(crate) static RULE = {
        code: "HPA003",
        name: "roundtrip-annotation",
        summary: "an annotation that holds a part of the HPA for other API versions",
        is_fixable: true,
        check: Check::Manifest(check),
    }
}

fn check(cx: &Cx<'_, Manifest>) -> Outcome {
    let manifest = cx.subject;
    let annotations = manifest.source.node.at("metadata.annotations");
    let entries = annotations.map(crate::yaml::Node::entries);
    Ok(entries
        .unwrap_or_default()
        .iter()
        .filter(|entry| is_one(&entry.key))
        .map(|entry| {
            let key = &*entry.key;
            let path = format!("metadata.annotations[{key}]");
            let is_applied = match (manifest.version(), key.strip_prefix(PREFIX)) {
                ("v1", Some("metrics")) => json(entry).is_some_and(|value| value.is_array()),
                // These versions have no field for it.
                ("v1" | "v2beta1", Some("behavior")) => match &manifest.defaulted {
                    Some(spec) => spec.behavior.is_some(),
                    None => json(entry).is_some_and(|value| value.is_object()),
                },
                _ => false,
            };
            let finding = cx.finding(&path);
            if is_applied {
                finding
                    .message(format!("annotation {key} is applied but not stored"))
                    .help("write the fields of autoscaling/v2 instead")
            } else {
                finding
                    .message(format!("annotation {key} is dropped without error"))
                    .help("remove it; what it says of the spec goes into the fields of autoscaling/v2")
                    .fix(FixStep::Remove { path })
            }
        })
        .collect())
}

/// Whether an annotation is one of those.
pub(super) fn is_one(key: &str) -> bool {
    let name = key.strip_prefix(PREFIX);
    name.is_some_and(|name| NAMES.contains(&name))
}

fn json(entry: &crate::yaml::Entry) -> Option<Value> {
    serde_json::from_str(entry.node.as_str()?).ok()
}

const PREFIX: &str = "autoscaling.alpha.kubernetes.io/";

/// Parts of the spec and of the status. The tolerances are what v2beta2 had no field for; `behavior` has them for v1.
const NAMES: [&str; 6] = [
    "behavior",
    "conditions",
    "current-metrics",
    "metrics",
    "scale-down-tolerance",
    "scale-up-tolerance",
];

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::lint::testing::{findings, report};

    fn hpa(version: &str, annotation: &str) -> String {
        format!(
            "apiVersion: autoscaling/{version}
kind: HorizontalPodAutoscaler
metadata:
  name: web
  annotations:
    {annotation}
spec:
  scaleTargetRef: {{apiVersion: apps/v1, kind: Deployment, name: web}}
  maxReplicas: 3
"
        )
    }

    #[test]
    fn v1_applies_what_is_json_of_the_spec() {
        let applied = "autoscaling.alpha.kubernetes.io/metrics: '[]'";
        let path = "metadata.annotations[autoscaling.alpha.kubernetes.io";
        assert_eq!(
            findings(&RULE, &hpa("v1", applied)),
            [format!(
                "warning {path}/metrics]: annotation autoscaling.alpha.kubernetes.io/metrics is applied but not stored"
            )]
        );
        let dropped = [
            "metrics: '['",
            "metrics: '{}'",
            "behavior: '{}'",
            "conditions: '[]'",
            "scale-up-tolerance: '0.2'",
        ];
        for dropped in dropped {
            let annotation = format!("autoscaling.alpha.kubernetes.io/{dropped}");
            let found = findings(&RULE, &hpa("v1", &annotation));
            assert!(found[0].ends_with("is dropped without error"), "{found:?}");
        }
    }

    #[test]
    fn v2beta1_applies_the_behavior_and_other_rules_see_it_there() {
        let behavior = r#"behavior: '{"ScaleUp":{"StabilizationWindowSeconds":7200}}'"#;
        let hpa = |annotation: &str| {
            hpa(
                "v2beta1",
                &format!("autoscaling.alpha.kubernetes.io/{annotation}"),
            )
        };
        let found = findings(&RULE, &hpa(behavior));
        assert!(found[0].ends_with("is applied but not stored"), "{found:?}");
        let found = findings(&RULE, &hpa("metrics: '[]'"));
        assert!(found[0].ends_with("is dropped without error"), "{found:?}");

        let refused = crate::rules::find("HPA004").unwrap();
        let report = report(refused, &hpa(behavior));
        let found = &report.findings[0];
        let path = "spec.behavior.scaleUp.stabilizationWindowSeconds";
        assert_eq!(found.finding.path, path);
        let start = hpa(behavior).find("autoscaling.alpha").unwrap();
        assert_eq!(found.location.unwrap().start as usize, start);
    }

    #[test]
    fn other_annotations_are_nobodys_business() {
        let other = "autoscaling.alpha.kubernetes.io/owner: me";
        assert!(findings(&RULE, &hpa("v2", other)).is_empty());
    }
}
