//! HPA010 `unknown-field`.

use kubectl_hpa_yaml::{Number, YamlNode, YamlValue};

use super::{
    fields::{self, FieldKind, FieldKinds},
    meant_metrics::{meant_metrics, of_one_resource},
    other_names::{MOVED, OF_PROPOSALS, RENAMED},
};
use crate::{
    Check, Cx, Finding, FixStep, ForScaledObject, Manifest, Rule, RuleOutcome, ScaledObjectSubject,
    wrong_letters,
};

pub(crate) static RULE: Rule = Rule {
    code: "HPA010",
    name: "unknown-field",
    summary: "a field that the API version does not have",
    is_fixable: true,
    yields_to: &["HPA004", "HPA005", "HPA422"],
    reports_rejections: true,
    check: Check::Manifest(check),
    for_scaled_object: ForScaledObject::Itself(check_scaled_object),
    docs: include_str!("unknown_field.md"),
    file: file!(),
    ..Rule::BASE
};

fn check(cx: &Cx<'_, Manifest>) -> RuleOutcome {
    let version = cx.subject.version();
    let Some(fields) = fields::of_version(version) else {
        return Ok(Vec::new());
    };
    let mut findings = findings(cx, &cx.subject.source.node, fields, version);
    let meant = meant_metrics(cx.subject);
    if let Some(finding) = findings
        .iter_mut()
        .find(|one| Some(&*one.path) == meant.as_deref())
    {
        finding.message += ", so the API server inserts CPU at 80% of the requests";
        let fix = of_one_resource(cx.subject, &finding.path);
        finding.fix.extend(fix.into_iter().flatten());
    }
    Ok(findings)
}

fn check_scaled_object(cx: &Cx<'_, ScaledObjectSubject>) -> RuleOutcome {
    let node = &cx.subject.source.node;
    Ok(findings(cx, node, fields::SCALED_OBJECT, OF_KEDA))
}

/// In place of a version: the object is a ScaledObject.
const OF_KEDA: &str = "keda";

fn findings<S>(cx: &Cx<'_, S>, node: &YamlNode, fields: FieldKinds, version: &str) -> Vec<Finding> {
    let unknown = unknown_fields(node, fields);
    let intended = unknown
        .iter()
        .map(|unknown| (unknown, unknown.intended(fields, version)));
    let intended: Vec<(&Unknown<'_>, Intended)> = intended.collect();
    // If several fields in one place are unknown, such as the lines of a patch, one finding covers all.
    let groups = intended.chunk_by(|(one, one_chosen), (next, next_chosen)| {
        std::ptr::eq(one.among, next.among)
            && matches!((one_chosen, next_chosen), (Intended::Words(one), Intended::Words(next)) if one == next)
    });
    groups
        .filter_map(|group| {
            let ((unknown, intended), others) = group.split_first()?;
            let path = &unknown.path;
            let message = if others.is_empty() {
                format!("unknown field {path} has no effect")
            } else {
                let others: Vec<&str> = others.iter().map(|(other, _)| other.key.trim()).collect();
                format!(
                    "unknown fields {path}, {} have no effect",
                    others.join(", ")
                )
            };
            let finding = cx.finding(path.clone()).as_written().message(message);
            Some(match intended {
                Intended::Renamed(key) => {
                    finding
                        .help(format!("write {key}"))
                        .fix(FixStep::RenameKey {
                            path: path.clone(),
                            key: (*key).to_owned(),
                        })
                }
                Intended::Words(help) => finding.help(help.clone()),
            })
        })
        .collect()
}

pub(super) fn unknown_fields(node: &YamlNode, known: FieldKinds) -> Vec<Unknown<'_>> {
    let mut unknown = Vec::new();
    search(node, known, &mut String::new(), &mut unknown);
    unknown
}

/// An unknown field, with the known ones of the same mapping.
pub(super) struct Unknown<'a> {
    pub(super) path: String,
    pub(super) key: &'a str,
    known: FieldKinds,
    /// The mapping that contains it.
    among: &'a YamlNode,
}

/// What the author probably meant.
pub(super) enum Intended {
    /// This field, in the same place.
    Renamed(&'static str),
    /// Free text.
    Words(String),
}

/// `path` is the path of `node`, before and after the call. It is reused for all fields to save allocations.
fn search<'a>(
    node: &'a YamlNode,
    known: FieldKinds,
    path: &mut String,
    unknown: &mut Vec<Unknown<'a>>,
) {
    let to_node = path.len();
    for entry in node.entries() {
        let key = &*entry.key;
        let parts = match (key.contains('.'), to_node) {
            (true, _) => ["[", key, "]"],
            (false, 0) => ["", key, ""],
            (false, _) => [".", key, ""],
        };
        path.extend(parts);
        match known.iter().find(|(name, _)| *name == key) {
            None => unknown.push(Unknown {
                path: path.clone(),
                key,
                known,
                among: node,
            }),
            Some((_, FieldKind::Anything)) => {}
            Some((_, FieldKind::Object(fields))) => search(&entry.node, fields, path, unknown),
            Some((_, FieldKind::List(fields))) => {
                let to_list = path.len();
                for (index, item) in entry.node.items().iter().enumerate() {
                    path.push_str(&format!("[{index}]"));
                    search(item, fields, path, unknown);
                    path.truncate(to_list);
                }
            }
        }
        path.truncate(to_node);
    }
}

impl Unknown<'_> {
    pub(super) fn intended(&self, fields: FieldKinds, version: &str) -> Intended {
        let here = |expected: &str| {
            self.known
                .iter()
                .map(|(name, _)| *name)
                .find(|name| *name == expected)
        };
        let renamed = RENAMED.iter().find(|(old, _)| *old == self.key);
        if let Some(name) = renamed.and_then(|(_, new)| here(new)) {
            return self.renamed(name);
        }
        let value = self.among.get(self.key);
        let is_reference = value
            .is_some_and(|value| value.entry("kind").is_some() && value.entry("name").is_some());
        let reference = here("scaleTargetRef").or_else(|| here("describedObject"));
        if let Some(name) = reference.filter(|_| is_reference) {
            return self.renamed(name);
        }
        if let Some((_, words)) = OF_PROPOSALS.iter().find(|(name, _)| *name == self.key) {
            return Intended::Words((*words).to_owned());
        }
        let moved = MOVED.iter().find(|(old, _)| *old == self.key);
        if let Some((_, new)) = moved.filter(|_| matches!(version, "v2" | "v2beta2")) {
            return Intended::Words(format!(
                "use {new} instead, as autoscaling/{version} calls it"
            ));
        }
        let nearest = self.nearest();
        if let Some((name, distance)) = nearest
            && distance <= name.len() / 10 + 1
            && moved.is_none()
        {
            return self.renamed(name);
        }
        let elsewhere = fields::paths_of(fields, self.key);
        if !elsewhere.is_empty() {
            return Intended::Words(format!("move it to {}", elsewhere.join(" or ")));
        }
        if let Some(newer) = self.newer(version) {
            return Intended::Words(newer);
        }
        if let Some((_, new)) = moved.filter(|_| version != OF_KEDA) {
            return Intended::Words(format!("write apiVersion: autoscaling/v2, and use {new}"));
        }
        if let Some((name, _)) = nearest {
            return Intended::Words(format!("write {name} if that is meant, or remove it"));
        }
        let names: Vec<&str> = self.known.iter().map(|(name, _)| *name).collect();
        Intended::Words(format!("remove it; known fields: {}", names.join(", ")))
    }

    /// This field is meant, if it is not set already and can have the value.
    fn renamed(&self, name: &'static str) -> Intended {
        let value = self.among.entry(self.key).map(|entry| &entry.node.value);
        if self.among.entry(name).is_some() {
            Intended::Words(format!("remove it: {name} is already set"))
        } else if name.ends_with("Seconds")
            && !matches!(value, Some(YamlValue::Number(Number::Integer(_))))
        {
            Intended::Words(format!("write {name} with a whole number of seconds"))
        } else {
            Intended::Renamed(name)
        }
    }

    /// The only known field with a similar name, and the number of differing letters.
    fn nearest(&self) -> Option<(&'static str, usize)> {
        let own = self.key.to_lowercase();
        let distance = |name: &str| wrong_letters(&name.to_lowercase(), &own);
        let names = || self.known.iter().map(|(name, _)| *name);
        let least = names().map(distance).min()?;
        let mut nearest = names().filter(|name| distance(name) == least);
        let name = nearest.next().filter(|name| least <= name.len() / 3)?;
        nearest.next().is_none().then_some((name, least))
    }

    /// The advice that v2 has the field, if the manifest uses an older version.
    fn newer(&self, version: &str) -> Option<String> {
        let v2 = fields::of_version("v2").filter(|_| !matches!(version, "v2" | OF_KEDA))?;
        let paths = fields::paths_of(v2, self.key);
        (!paths.is_empty()).then(|| {
            format!(
                "write apiVersion: autoscaling/v2, which has {}",
                paths.join(" and ")
            )
        })
    }
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::testing::{SCALED_OBJECT, report, report_with, table, table_of};

    fn hpa(version: &str, spec: &str) -> String {
        format!(
            "apiVersion: autoscaling/{version}
kind: HorizontalPodAutoscaler
metadata: {{name: web, creationTimestamp: null, annotations: {{anything.example.com/x: z}}}}
spec:
  scaleTargetRef: {{apiVersion: apps/v1, kind: Deployment, name: web}}
  maxReplicas: 3
  {spec}
status: {{}}
"
        )
    }

    /// Whatever stands for the metrics is one mistake, whose fix keeps what is meant; nothing inserts another metric.
    #[test]
    fn a_field_that_stands_for_metrics_is_one_mistake_and_is_what_the_fix_writes() {
        let list = "[{type: Resource, resource: {name: cpu, target: {type: Utilization, averageUtilization: 55}}}]";
        table_of(
            |[version, written]| {
                let yaml = hpa(version, &written.replace("LIST", list));
                report_with(&RULE, &yaml, |settings| {
                    settings.enabled = ["HPA004", "HPA005", "HPA010", "HPA201"].into();
                })
            },
            r"
the singular | v2 | metric: LIST => warning spec.metric: unknown field spec.metric has no effect, so the API server inserts CPU at 80% of the requests
  fix: [RenameKey { … }]
a capital letter | v2 | Metrics: LIST => warning spec.Metrics: unknown field spec.Metrics has no effect, so the API server inserts CPU at 80% of the requests
  fix: [RenameKey { … }]
the field of v1 | v2 | targetCPUUtilizationPercentage: 55
  warning spec.targetCPUUtilizationPercentage: unknown field spec.targetCPUUtilizationPercentage has no effect, so the API server inserts CPU at 80% of the requests
  fix: [Remove { … }, Insert { …averageUtilization: 55…]
the same for memory | v2beta2 | targetMemoryUtilizationPercentage: 55
  warning spec.targetMemoryUtilizationPercentage: unknown field spec.targetMemoryUtilizationPercentage has no effect, so the API server inserts CPU at 80% of the requests
  fix: [Remove { … }, Insert { …averageUtilization: 55…]
no percentage | v2 | targetCPUUtilizationPercentage: most
  warning spec.targetCPUUtilizationPercentage: unknown field spec.targetCPUUtilizationPercentage has no effect, so the API server inserts CPU at 80% of the requests
  fix: none
the field of v2 | v1 | metrics: LIST => warning spec.metrics: unknown field spec.metrics has no effect, so the API server inserts CPU at 80% of the requests
  fix: none
a shorter word | v1 | targetCPUUtilizationPercent: 55
  warning spec.targetCPUUtilizationPercent: unknown field spec.targetCPUUtilizationPercent has no effect, so the API server inserts CPU at 80% of the requests
  fix: [RenameKey { … }]
",
        );
    }

    #[test]
    fn misspelled_fields_are_renamed_and_others_explained() {
        table(
            &RULE,
            |[version, spec]| hpa(version, spec),
            r#"
British spelling | v2 | behaviour: {} => warning spec.behaviour: unknown field spec.behaviour has no effect…
  fix: [RenameKey { …key: "behavior" }]
a small letter | v2 | minreplicas: 1 => warning spec.minreplicas: unknown field spec.minreplicas has no effect…
  fix: [RenameKey { …key: "minReplicas" }]
the singular | v2 | behavior: {scaleUp: {policies: [{type: Pods, value: 1, periodSecond: 60}]}}
  warning spec.behavior.scaleUp.policies[0].periodSecond: unknown field spec.behavior.scaleUp.policies[0].periodSecond has no effect…
  fix: [RenameKey { …key: "periodSeconds" }]
in for down | v2 | behavior: {scaleIn: {}} => warning spec.behavior.scaleIn: unknown field spec.behavior.scaleIn has no effect…
  fix: [RenameKey { …key: "scaleDown" }]
out for up | v2 | behavior: {scaleOut: {}} => warning spec.behavior.scaleOut: unknown field spec.behavior.scaleOut has no effect…
  fix: [RenameKey { …key: "scaleUp" }]
what is there already is not made again | v2 | behaviour: {}\n  behavior: {} => warning …
  help: remove it: behavior is already set
  fix: none
another unit | v2 | behavior: {scaleDown: {stabilizationWindowMinutes: 10}} => warning …
  help: write stabilizationWindowSeconds if that is meant, or remove it
  fix: none
a duration | v2 | behavior: {scaleDown: {stabilizationWindow: 1m}} => warning …
  help: write stabilizationWindowSeconds with a whole number of seconds
  fix: none
one of two | v2 | behavior: {scale: {}} => warning …
  help: write scaleUp if that is meant, or remove it
  fix: none
another resource | v1 | targetMemoryUtilizationPercentage: 85 => warning …
  help: write apiVersion: autoscaling/v2, and use a Resource metric for memory with target.averageUtilization
  fix: none
lines of a patch are one mistake | v2 | # below\n+  one:\n+    two: 1\n+  three: 1 => warning …: unknown fields +  one, +    two, +  three have no effect
a field of an older version | v2 | metrics: [{type: Resource, resource: {name: cpu, targetAverageUtilization: 5, target: {type: Utilization, averageUtilization: 5}}}] => warning …
  help: use target.averageUtilization instead, as autoscaling/v2 calls it
a field of a newer version | v1 | behavior: {} => warning …
  help: write apiVersion: autoscaling/v2, which has spec.behavior
a field of another place | v2 | scaleUp: {} => warning …
  help: move it to spec.behavior.scaleUp
a field of two places of a newer version | v2beta2 | behavior: {scaleUp: {tolerance: 0.1}} => warning …
  help: write apiVersion: autoscaling/v2, which has spec.behavior.scaleDown.tolerance and spec.behavior.scaleUp.tolerance
a proposal | v2 | selectionStrategy: All => warning …
  help: remove it: no released API has it (KEP-5325)
what servers write in v1 | v1 |
what servers write in v2beta1 | v2beta1 |
what servers write in v2beta2 | v2beta2 |
what servers write in v2 | v2 |
"#,
        );
    }

    #[test]
    fn field_of_a_newer_version_is_shown_at_its_place() {
        let ignored = "behavior: {} # kubectl-hpa: ignore HPA010\n  metrics: []";
        let text = hpa("v1", ignored);
        let report = report(&RULE, &text);
        let [one] = &report.findings[..] else {
            panic!("{:?}", report.findings);
        };
        let start = one.location.unwrap().start as usize;
        assert!(text[start..].starts_with("metrics"), "{}", &text[start..]);
    }

    #[test]
    fn fields_of_a_scaled_object_are_known_and_those_of_an_hpa_are_moved_or_renamed() {
        table(
            &RULE,
            |[spec]| format!("{SCALED_OBJECT}  {spec}\n"),
            r#"
behavior | behavior: {} => warning spec.behavior: …
  help: move it to spec.advanced.horizontalPodAutoscalerConfig.behavior
  fix: none
tolerance | advanced: {horizontalPodAutoscalerConfig: {behavior: {tolerance: '0.5'}}} => warning spec.advanced.horizontalPodAutoscalerConfig.behavior.tolerance: …
  help: move it to spec.advanced.horizontalPodAutoscalerConfig.behavior.scaleDown.tolerance or spec.advanced.horizontalPodAutoscalerConfig.behavior.scaleUp.tolerance
  fix: none
the maximum | maxReplicas: 3 => warning spec.maxReplicas: …
  help: write maxReplicaCount
  fix: [RenameKey { …key: "maxReplicaCount" }]
a capital letter | coolDownPeriod: 3 => warning spec.coolDownPeriod: …
  help: write cooldownPeriod
  fix: [RenameKey { …key: "cooldownPeriod" }]
"#,
        );
        let whole = "  pollingInterval: 5
  cooldownPeriod: 5
  initialCooldownPeriod: 5
  idleReplicaCount: 0
  minReplicaCount: 1
  maxReplicaCount: 3
  fallback: {failureThreshold: 3, replicas: 6, behavior: static}
  advanced:
    restoreToOriginalReplicaCount: true
    horizontalPodAutoscalerConfig: {name: x, behavior: {scaleDown: {policies: [{type: Pods, value: 1, periodSeconds: 60}]}}}
    scalingModifiers: {formula: a, target: '1', activationTarget: '1', metricType: Value}
  triggers:
  - {type: kafka, name: a, metricType: Value, useCachedMetrics: true, authenticationRef: {name: x}, metadata: {a: b}}
status: {}
";
        let report = report(&RULE, &format!("{SCALED_OBJECT}{whole}"));
        assert!(report.findings.is_empty(), "{:?}", report.findings);
    }
}
