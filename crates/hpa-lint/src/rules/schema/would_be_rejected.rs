//! HPA004 `would-be-rejected`.

use hpa_objects::manifest::validation::Violation;
use hpa_words::program::typed;
use kubectl_hpa_yaml::{Number, YamlValue};

use super::{
    absent::{absent, listed},
    metric_shape::ExplainedByShape,
    misplaced::{Misplaced, misplaced},
    refused::{Reporter, refused},
    wrong_word::corrected,
};
use crate::{Check, Cx, Finding, ForScaledObject, Manifest, Rule, RuleOutcome, Severity};

pub(crate) static RULE: Rule = Rule {
    code: "HPA004",
    name: "would-be-rejected",
    summary: "a value that the API server rejects",
    severity: Severity::Error,
    is_fixable: true,
    yields_to: &["HPA402"],
    reports_rejections: true,
    check: Check::Manifest(check),
    for_scaled_object: ForScaledObject::ItsHpa,
    docs: include_str!("would_be_rejected.md"),
    file: file!(),
    ..Rule::BASE
};

fn check(cx: &Cx<'_, Manifest>) -> RuleOutcome {
    let mut violations = refused(cx, Reporter::Any);
    let explained = ExplainedByShape::of(cx);
    violations.retain(|violation| !explained.has(cx, violation));
    let (unwritten, present): (Vec<Violation>, Vec<Violation>) = violations
        .into_iter()
        .partition(|violation| absent(cx.subject, &violation.field).is_some());
    let mut findings = of_absent(cx, unwritten);
    findings.extend(present.iter().map(|violation| of_value(cx, violation)));
    Ok(findings)
}

/// A value that is rejected.
fn of_value(cx: &Cx<'_, Manifest>, violation: &Violation) -> Finding {
    let field = &violation.field;
    let value = match violation.value.as_deref() {
        None | Some("\"\"") => match cx.subject.at(field).map(|node| &node.value) {
            Some(YamlValue::Number(Number::Integer(number))) => number.to_string(),
            _ => "empty".to_owned(),
        },
        Some(value) => value.replace('\n', " "),
    };
    let finding = cx
        .finding(field.clone())
        .message(format!(
            "{field} is {value}, so the API server rejects this HPA: {}",
            rule(violation)
        ))
        .help(help(field));
    let corrected = corrected(cx.subject, field, finding.clone());
    corrected.unwrap_or(finding)
}

/// Fields that are not written, each once with what explains it. A patch has one finding for all of them.
fn of_absent(cx: &Cx<'_, Manifest>, violations: Vec<Violation>) -> Vec<Finding> {
    let misplaced = misplaced(cx.subject);
    let mut findings: Vec<Finding> = Vec::new();
    let mut fields: Vec<(String, Violation)> = Vec::new();
    for violation in violations {
        let mut misplaced = misplaced.iter();
        if let Some(one) = misplaced.find(|one| one.explains_lack_of(&violation.field)) {
            if findings.iter().all(|finding| finding.path != one.path) {
                findings.push(unknown_word(cx, one));
            }
            continue;
        }
        let field = absent(cx.subject, &violation.field).unwrap_or_default();
        if fields.iter().all(|(known, _)| *known != field) {
            fields.push((field, violation));
        }
    }
    let is_required = |(field, _): &(String, Violation)| {
        !field.starts_with("spec.metrics") && !field.starts_with("spec.behavior")
    };
    let (required, others): (Vec<_>, Vec<_>) = fields.into_iter().partition(is_required);
    match required.as_slice() {
        [] => {}
        [(field, violation)] => findings.push(of_field(cx, field, rule(violation))),
        [(field, _), ..] => {
            let names: Vec<&str> = required.iter().map(|(field, _)| &**field).collect();
            findings.push(
                cx.finding(field.clone())
                    .message(format!(
                        "{} are missing, so the API server rejects this HPA",
                        listed(&names)
                    ))
                    .help(looks_like_patch()),
            );
        }
    }
    for of_parent in others.chunk_by(|(one, _), (next, _)| parent(one) == parent(next)) {
        findings.extend(match of_parent {
            [(field, violation)] => Some(of_field(cx, field, rule(violation))),
            [(field, _), ..] => {
                let names: Vec<&str> = of_parent.iter().map(|(field, _)| &**field).collect();
                let message = format!(
                    "{} are missing, so the API server rejects this HPA",
                    listed(&names)
                );
                Some(
                    cx.finding(field.clone())
                        .message(message)
                        .help("set all of them"),
                )
            }
            [] => None,
        });
    }
    findings
}

/// The path around a field.
fn parent(field: &str) -> &str {
    field.rsplit_once('.').map_or("", |(parent, _)| parent)
}

/// One field that is not written.
fn of_field(cx: &Cx<'_, Manifest>, field: &str, rule: &str) -> Finding {
    let finding = cx.finding(field.to_owned());
    // A value that is missing in the values of a chart leaves only the key.
    if has_key(cx.subject, field) {
        return finding
            .message(format!(
                "{field} has no value, so the API server rejects this HPA: {rule}"
            ))
            .help(help(field));
    }
    finding
        .message(format!(
            "{field} is missing, so the API server rejects this HPA: {rule}"
        ))
        .help(match field {
            // A patch can have a target, but what names its whole target and its metrics is hardly one.
            "spec.maxReplicas" if is_otherwise_whole(cx.subject) => {
                format!("{}; if a patch sets it, {}", help(field), lint_rendered())
            }
            field if REQUIRED.contains(&field) => looks_like_patch(),
            field => help(field),
        })
}

/// Whether all that an HPA has besides `maxReplicas` is written.
fn is_otherwise_whole(manifest: &Manifest) -> bool {
    let has = |path: &str| manifest.at(path).is_some();
    has("spec.scaleTargetRef.kind")
        && has("spec.scaleTargetRef.name")
        && (has("spec.metrics") || has("spec.minReplicas"))
}

/// A field in another spelling, which explains why one is missing.
fn unknown_word(cx: &Cx<'_, Manifest>, misplaced: &Misplaced) -> Finding {
    let finding = cx
        .finding(misplaced.path.clone())
        .as_written()
        .message(format!(
            "unknown field {}: {} is missing, so the API server rejects this HPA",
            misplaced.path, misplaced.missing
        ))
        .help(misplaced.help.clone());
    let fix = misplaced.fix.iter().cloned();
    fix.fold(finding, Finding::fix)
}

/// Whether the key of a field is written, without a value.
fn has_key(manifest: &Manifest, field: &str) -> bool {
    let (parent, key) = field.rsplit_once('.').unwrap_or(("", field));
    let parent = match parent {
        "" => Some(&manifest.source.node),
        parent => manifest.at(parent),
    };
    key.ends_with(']') || parent.is_some_and(|parent| parent.entry(key).is_some())
}

fn rule(violation: &Violation) -> &str {
    match violation.rule.as_str() {
        "" => "it is required",
        rule => rule,
    }
}

/// What a patch leaves to the manifest that it changes.
const REQUIRED: [&str; 3] = ["spec", "spec.maxReplicas", "spec.scaleTargetRef"];

/// The valid values of a field.
fn help(path: &str) -> String {
    let field = last_key(path);
    let values = match field {
        "maxReplicas" | "minReplicas" | "value" => "1 or more",
        "periodSeconds" => "a value from 1 to 1800",
        "policies" => return "add a policy, or remove policies to get the defaults".to_owned(),
        "selectPolicy" => "Max, Min or Disabled",
        "stabilizationWindowSeconds" => "a value from 0 to 3600",
        "tolerance" => "a ratio of 0 or more, such as 0.1 for 10%",
        "type" if path.contains(".policies[") => "Pods or Percent",
        "type" if path.ends_with(".target.type") => "Utilization, Value or AverageValue",
        "type" => "Resource, ContainerResource, Pods, Object or External",
        _ => return format!("set {path} to a value that the API server accepts"),
    };
    format!("set {field} to {values}")
}

/// The key that a path ends in.
fn last_key(path: &str) -> &str {
    path.rsplit_once('.').map_or(path, |(_, key)| key)
}

fn looks_like_patch() -> String {
    format!("set it; this looks like a patch, so {}", lint_rendered())
}

fn lint_rendered() -> String {
    let lint = typed("lint -f -");
    format!("lint the rendered result instead: kubectl kustomize DIR | {lint}")
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::testing::{HPA, findings, report, table};

    #[test]
    fn each_field_is_named_once_with_its_value_and_the_rule() {
        table(
            &RULE,
            |[spec]| format!("{HPA}  {spec}\n"),
            r#"
four fields | maxReplicas: 0\n  behavior: {scaleUp: {policies: []}, scaleDown: {tolerance: '-1'}}\n  metrics: [{type: External, external: {metric: {name: a/b}, target: {type: Value, value: 1}}}]
  error spec.maxReplicas: spec.maxReplicas is 0, so the API server rejects this HPA: must be set and greater than 0
  error spec.behavior.scaleUp.policies: spec.behavior.scaleUp.policies is empty, so the API server rejects this HPA: must specify at least one Policy
  error spec.behavior.scaleDown.tolerance: spec.behavior.scaleDown.tolerance is "-1", so the API server rejects this HPA: must be greater than or equal to 0
  error spec.metrics[0].external.metric.name: spec.metrics[0].external.metric.name is "a/b", so the API server rejects this HPA: may not contain '/'
a maximum that a patch may set | minReplicas: 3 => error …
  help: set maxReplicas to 1 or more; if a patch sets it…
a maximum that is misspelled | maxReplica: 3 => error …
  help: write maxReplicas
a maximum below zero | maxReplicas: -1 => error …
  help: set maxReplicas to 1 or more
words that the engine does not know are refused and not unreadable | maxReplicas: 3\n  behavior: {scaleUp: {selectPolicy: max, policies: [{type: Pod, value: 0, periodSeconds: 60}]}}
  error spec.behavior.scaleUp.selectPolicy: spec.behavior.scaleUp.selectPolicy is "max", so the API server rejects this HPA: supported values: "Disabled", "Max", "Min"
  error spec.behavior.scaleUp.policies[0].type: spec.behavior.scaleUp.policies[0].type is "Pod", so the API server rejects this HPA: supported values: "Percent", "Pods"
  error spec.behavior.scaleUp.policies[0].value: spec.behavior.scaleUp.policies[0].value is 0, so the API server rejects this HPA: must be greater than zero
  note most rules not checked: the API server rejects a value of this HPA
a quantity that is none is unreadable whatever else is wrong | maxReplicas: 3\n  behavior: {scaleUp: {selectPolicy: max, tolerance: much}} => error …spec.behavior.scaleUp.tolerance…
what other rules report is left to them | minReplicas: 5\n  maxReplicas: 3\n  metrics: [{type: Pods}]
the least of each range | maxReplicas: 1\n  behavior: {scaleUp: {stabilizationWindowSeconds: 0, policies: [{type: Pods, value: 1, periodSeconds: 1800}]}}
the most of each range | maxReplicas: 1\n  behavior: {scaleDown: {stabilizationWindowSeconds: 3600, policies: [{type: Percent, value: 1000, periodSeconds: 1}]}}
"#,
        );
    }

    #[test]
    fn a_manifest_without_what_is_required_looks_like_a_patch() {
        let patch = "{apiVersion: autoscaling/v2, kind: HorizontalPodAutoscaler, metadata: {name: web}, \
                     spec: {scaleTargetRef: {kind: Deployment}, behavior: {scaleUp: {policies: []}}}}";
        let findings = report(&RULE, patch).findings;
        let helps: Vec<&str> = findings.iter().map(|one| &*one.finding.help).collect();
        let accepted = "add a policy, or remove policies to get the defaults";
        assert_eq!(helps, [super::looks_like_patch(), accepted.to_owned()]);
    }

    #[test]
    fn a_behavior_in_the_annotation_of_v1_is_refused_in_the_same_words() {
        let policy = r#"{"Type": "Pod", "Value": 0, "PeriodSeconds": 60}"#;
        let v1 = format!(
            "apiVersion: autoscaling/v1
kind: HorizontalPodAutoscaler
metadata:
  name: web
  annotations:
    autoscaling.alpha.kubernetes.io/behavior: '{{\"ScaleUp\": {{\"SelectPolicy\": \"max\", \"Policies\": [{policy}]}}}}'
spec:
  scaleTargetRef: {{apiVersion: apps/v1, kind: Deployment, name: web}}
  maxReplicas: 3
"
        );
        let behavior = "{selectPolicy: max, policies: [{type: Pod, value: 0, periodSeconds: 60}]}";
        let v2 = format!("{HPA}  maxReplicas: 3\n  behavior: {{scaleUp: {behavior}}}\n");
        assert_eq!(findings(&RULE, &v1), findings(&RULE, &v2));
        assert_eq!(findings(&RULE, &v1).len(), 3);
    }
}
