//! HPA004 `would-be-rejected`.

use super::{
    refused::{Reporter, refused},
    unknown_field::misspelled,
};
use crate::lint::{Check, Cx, ForScaledObject, Manifest, RuleOutcome, Severity};

crate::lint::declare_rule! {
    /// ## What it does
    /// Flags values that the API server rejects. It applies the API server's own rules for the declared version:
    /// - windows outside 0 to 3600 s, periods outside 1 to 1800 s
    /// - policies that allow nothing, an empty `policies`, a negative tolerance
    /// - an unknown `selectPolicy` or `type`
    /// - a `maxReplicas` below 1
    /// - names that cannot be part of a path
    ///
    /// ## Why is this bad?
    /// The HPA cannot be created or changed.
    /// A Helm upgrade stops there: objects before the HPA are applied, and objects after it are not.
    ///
    /// ## Example
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
    ///     scaleDown:
    ///       stabilizationWindowSeconds: 7200
    /// ```
    ///
    /// Use instead:
    /// ```yaml
    /// @@
    ///      scaleDown:
    /// -      stabilizationWindowSeconds: 7200
    /// +      stabilizationWindowSeconds: 3600
    /// ```
    ///
    /// ## Fix
    /// Write a value that the message allows. For patches, such as those of Kustomize, lint the rendered result:
    /// `kubectl kustomize DIR | kubectl hpa lint -f -`.
    ///
    /// ## References
    /// - [pkg/apis/autoscaling/validation](https://github.com/kubernetes/kubernetes/blob/master/pkg/apis/autoscaling/validation/validation.go)
    pub(crate) static RULE = {
        code: "HPA004",
        name: "would-be-rejected",
        summary: "a value that the API server rejects",
        severity: Severity::Error,
        yields_to: &["HPA402"],
        check: Check::Manifest(check),
        for_scaled_object: ForScaledObject::ItsHpa,
    }
}

fn check(cx: &Cx<'_, Manifest>) -> RuleOutcome {
    let violations = refused(cx, Reporter::Any);
    Ok(violations
        .into_iter()
        .map(|violation| {
            let value = violation.value.map_or_else(
                || "missing or empty".to_owned(),
                |value| value.replace('\n', " "),
            );
            let rule = match violation.rule.as_str() {
                "" => "it is required",
                rule => rule,
            };
            let is_missing = cx.subject.at(&violation.field).is_none();
            let misspelled = is_missing
                .then(|| misspelled(cx.subject, &violation.field))
                .flatten();
            cx.finding(&violation.field)
                .message(format!(
                    "{} is {value}, so the API server rejects this HPA: {rule}",
                    violation.field
                ))
                .help(match misspelled {
                    Some(key) => format!("write {} instead of {key}", last_key(&violation.field)),
                    None if is_missing && cx.subject.is_partial() => LOOKS_LIKE_PATCH.to_owned(),
                    None => help(&violation.field),
                })
        })
        .collect())
}

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

const LOOKS_LIKE_PATCH: &str = "set it; this looks like a patch, so lint the rendered result instead: \
     kubectl kustomize DIR | kubectl hpa lint -f -";

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::lint::testing::{HPA, findings, report};

    fn hpa(spec: &str) -> String {
        format!("{HPA}{spec}")
    }

    #[test]
    fn each_field_is_named_once_with_its_value_and_the_rule() {
        let yaml = hpa("  maxReplicas: 0
  behavior: {scaleUp: {policies: []}, scaleDown: {tolerance: '-1'}}
  metrics: [{type: External, external: {metric: {name: a/b}, target: {type: Value, value: 1}}}]
");
        assert_eq!(
            findings(&RULE, &yaml),
            [
                "error spec.maxReplicas: spec.maxReplicas is missing or empty, so the API server rejects this HPA: \
                 must be set and greater than 0",
                "error spec.behavior.scaleUp.policies: spec.behavior.scaleUp.policies is missing or empty, so the \
                 API server rejects this HPA: must specify at least one Policy",
                "error spec.behavior.scaleDown.tolerance: spec.behavior.scaleDown.tolerance is \"-1\", so the API \
                 server rejects this HPA: must be greater than or equal to 0",
                "error spec.metrics[0].external.metric.name: spec.metrics[0].external.metric.name is \"a/b\", so the \
                 API server rejects this HPA: may not contain '/'",
            ]
        );
    }

    #[test]
    fn a_manifest_without_what_is_required_looks_like_a_patch() {
        let helps = |yaml: &str| -> Vec<String> {
            let findings = report(&RULE, yaml).findings;
            findings.into_iter().map(|one| one.finding.help).collect()
        };
        let patch = "{apiVersion: autoscaling/v2, kind: HorizontalPodAutoscaler, metadata: {name: web}, \
                     spec: {scaleTargetRef: {kind: Deployment}, behavior: {scaleUp: {policies: []}}}}";
        let misspelled = hpa("  maxReplica: 3\n");
        assert_eq!(
            helps(&misspelled),
            ["write maxReplicas instead of maxReplica"]
        );
        let accepted = "add a policy, or remove policies to get the defaults";
        let helps = [helps(patch), helps(&hpa("  maxReplicas: -1"))];
        assert_eq!(
            helps,
            [
                vec![
                    super::LOOKS_LIKE_PATCH,
                    super::LOOKS_LIKE_PATCH,
                    super::LOOKS_LIKE_PATCH,
                    accepted
                ],
                vec!["set maxReplicas to 1 or more"]
            ]
        );
    }

    #[test]
    fn words_that_the_engine_does_not_know_are_refused_and_not_unreadable() {
        let behavior = "{selectPolicy: max, policies: [{type: Pod, value: 0, periodSeconds: 60}]}";
        let yaml = hpa(&format!(
            "  maxReplicas: 3\n  behavior: {{scaleUp: {behavior}}}\n"
        ));
        let path = "spec.behavior.scaleUp";
        let expected = [
            ("selectPolicy", "\"max\"", "supported values: \"Disabled\", \"Max\", \"Min\""),
            ("policies[0].type", "\"Pod\"", "supported values: \"Percent\", \"Pods\""),
            ("policies[0].value", "0", "must be greater than zero"),
        ]
        .map(|(field, value, rule)| {
            format!("error {path}.{field}: {path}.{field} is {value}, so the API server rejects this HPA: {rule}")
        });
        assert_eq!(findings(&RULE, &yaml), expected);
        let v1 = format!(
            "apiVersion: autoscaling/v1
kind: HorizontalPodAutoscaler
metadata:
  name: web
  annotations:
    autoscaling.alpha.kubernetes.io/behavior: '{{\"ScaleUp\": {}}}'
spec:
  scaleTargetRef: {{apiVersion: apps/v1, kind: Deployment, name: web}}
  maxReplicas: 3
",
            r#"{"SelectPolicy": "max", "Policies": [{"Type": "Pod", "Value": 0, "PeriodSeconds": 60}]}"#
        );
        assert_eq!(findings(&RULE, &v1), expected);
        assert_eq!(
            report(&RULE, &yaml).notes[0].message,
            "most rules not checked: the API server rejects a value of this HPA"
        );
    }

    #[test]
    fn a_quantity_that_is_none_is_unreadable_whatever_else_is_wrong() {
        let yaml =
            hpa("  maxReplicas: 3\n  behavior: {scaleUp: {selectPolicy: max, tolerance: much}}\n");
        let found = findings(&RULE, &yaml);
        assert_eq!(found.len(), 1, "{found:?}");
        assert!(
            found[0].contains("spec.behavior.scaleUp.tolerance"),
            "{found:?}"
        );
    }

    #[test]
    fn what_other_rules_report_is_left_to_them() {
        let yaml = hpa("  minReplicas: 5
  maxReplicas: 3
  metrics: [{type: Pods}]
");
        assert!(findings(&RULE, &yaml).is_empty());
    }

    #[test]
    fn the_ends_of_each_range_are_fine() {
        let yaml = hpa("  maxReplicas: 1
  behavior:
    scaleUp: {stabilizationWindowSeconds: 0, policies: [{type: Pods, value: 1, periodSeconds: 1800}]}
    scaleDown: {stabilizationWindowSeconds: 3600, policies: [{type: Percent, value: 1000, periodSeconds: 1}]}
");
        assert!(findings(&RULE, &yaml).is_empty());
    }
}
