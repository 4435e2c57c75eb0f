//! HPA612 `keda-refused`.

use std::collections::BTreeSet;

use hpa_engine::model::{Quantity, Trigger};
use kubectl_hpa_yaml::YamlNode;

use crate::{
    Check, Cx, Finding, FindingText, Rule, RuleOutcome, ScaledObjectSubject, Severity,
    TriggerTarget, is_placeholder,
};

pub(crate) static RULE: Rule = Rule {
    code: "HPA612",
    name: "keda-refused",
    summary: "a ScaledObject of which KEDA makes no HPA",
    severity: Severity::Error,
    check: Check::ScaledObject(check),
    docs: include_str!("keda_refused.md"),
    file: file!(),
    ..Rule::BASE
};

fn check(cx: &Cx<'_, ScaledObjectSubject>) -> RuleOutcome {
    let keda = &cx.subject.scaled_object.keda;
    if keda.triggers.is_empty() {
        return Ok(vec![
            cx.finding("spec.triggers")
                .message("the ScaledObject has no triggers, so KEDA rejects it")
                .help("add a trigger"),
        ]);
    }
    let mut findings: Vec<Finding> = bounds(cx).into_iter().chain(fallback(cx)).collect();
    let mut names = BTreeSet::new();
    for (index, trigger) in keda.triggers.iter().enumerate() {
        let path = format!("spec.triggers[{index}]");
        let name = trigger.name.as_deref().filter(|name| !name.is_empty());
        if name.is_some_and(|name| !names.insert(name)) {
            let name = name.unwrap_or_default();
            findings.push(
                cx.finding(format!("{path}.name"))
                    .message(format!(
                        "two triggers have the name {name}, so KEDA rejects the ScaledObject"
                    ))
                    .help("give each trigger a name of its own"),
            );
        }
        if trigger.uses_cache && matches!(&*trigger.trigger_type, "cpu" | "memory" | "cron") {
            findings.push(
                cx.finding(format!("{path}.useCachedMetrics"))
                    .message(format!(
                        "KEDA rejects useCachedMetrics for a {} trigger",
                        trigger.trigger_type
                    ))
                    .help("remove it"),
            );
        }
        findings.extend(target(cx, &path, trigger));
    }
    findings.extend(formula(cx));
    Ok(findings)
}

/// What is wrong with the target of a trigger.
fn target(cx: &Cx<'_, ScaledObjectSubject>, path: &str, trigger: &Trigger) -> Option<Finding> {
    let scaler = &trigger.trigger_type;
    let finding = |field: &str, message: String, help: FindingText| {
        Some(
            cx.finding(format!("{path}.{field}"))
                .message(message)
                .help(help),
        )
    };
    let target_type = TriggerTarget::type_of(trigger);
    let target = TriggerTarget::of(trigger);
    if !TriggerTarget::is_of_pods(trigger) {
        if target_type == Some("Utilization") {
            return finding(
                "metricType",
                format!(
                    "a {scaler} trigger cannot have metricType Utilization, so KEDA makes no HPA"
                ),
                "write Value or AverageValue".into(),
            );
        }
        let target = target.filter(|one| !is_placeholder(one.value))?;
        let key = target.key;
        let problem = match target.value.trim().parse::<f64>() {
            Ok(number) if LEAST <= number => return None,
            Ok(number) if 0.0 < number => "becomes 0 in the HPA",
            Ok(_) => "is not above 0",
            Err(_) => "is not a number",
        };
        return finding(
            &format!("metadata.{key}"),
            format!(
                "{key} {:?} of the {scaler} trigger {problem}, so KEDA makes no HPA: a target must be positive",
                target.value
            ),
            "write a number above 0".into(),
        );
    }
    let Some(target_type) = target_type else {
        return finding(
            "metricType",
            format!("the {scaler} trigger has no metricType, so KEDA makes no HPA"),
            "write metricType: Utilization or AverageValue".into(),
        );
    };
    let Some(target) = target else {
        return finding(
            "metadata.value",
            format!("the {scaler} trigger has no value, so KEDA makes no HPA"),
            "set metadata.value".into(),
        );
    };
    let value = target.value;
    let (is_right, expected) = match target_type {
        _ if is_placeholder(value) => return None,
        "Utilization" => (
            value.parse::<i32>().is_ok_and(|percent| 0 < percent),
            "a whole number of percent above 0, without a sign",
        ),
        "AverageValue" => (
            Quantity::parse(value).is_ok_and(|quantity| 0.0 < quantity.approximate_f64()),
            "a quantity above 0, such as 500m or 200Mi",
        ),
        _ => {
            return finding(
                "metricType",
                format!(
                    "metricType {target_type:?} is unknown for a {scaler} trigger, so KEDA makes no HPA"
                ),
                "write Utilization or AverageValue".into(),
            );
        }
    };
    if is_right {
        return None;
    }
    finding(
        "metadata.value",
        format!(
            "value {value:?} of the {scaler} trigger is invalid for {target_type}, so KEDA makes no HPA"
        ),
        format!("write {expected}").into(),
    )
}

/// The least target that KEDA does not round to 0. Upstream: `quantityFromFloat64`.
const LEAST: f64 = 0.0005;

/// Upstream: `CheckReplicaCountBoundsAreValid`; HPA101 compares `minReplicaCount` with `maxReplicaCount`.
fn bounds(cx: &Cx<'_, ScaledObjectSubject>) -> Option<Finding> {
    let scaled = &cx.subject.scaled_object;
    let idle = scaled.keda.idle_replicas?;
    // Upstream: `GetHPAMinReplicas` is 1 for a written 0.
    let min = scaled.min_replicas.map_or(0, |min| min.max(1));
    (min <= idle).then(|| {
        cx.finding("spec.idleReplicaCount")
            .message(format!(
                "idleReplicaCount {idle} is not below minReplicaCount {min}, so KEDA rejects the ScaledObject"
            ))
            .help("set idleReplicaCount: 0, and minReplicaCount to 1 or more")
    })
}

/// Upstream: `CheckFallbackValid`.
fn fallback(cx: &Cx<'_, ScaledObjectSubject>) -> Option<Finding> {
    let keda = &cx.subject.scaled_object.keda;
    let fallback = keda.fallback.as_ref()?;
    let message = if fallback.failure_threshold < 0 || fallback.replicas < 0 {
        "failureThreshold and replicas of a fallback must be 0 or more, so KEDA rejects the ScaledObject"
    } else if !keda.has_formula && keda.triggers.iter().all(TriggerTarget::is_of_pods) {
        "all triggers are cpu or memory, which have no fallback, so KEDA rejects the ScaledObject"
    } else {
        return None;
    };
    Some(
        cx.finding("spec.fallback")
            .message(message)
            .help("remove the fallback, or correct it"),
    )
}

/// Upstream: `ValidateAndCompileScalingModifiers`. The formula itself is not checked.
fn formula(cx: &Cx<'_, ScaledObjectSubject>) -> Option<Finding> {
    let modifiers = cx
        .subject
        .source
        .node
        .at("spec.advanced.scalingModifiers")?;
    let text = |key: &str| {
        modifiers
            .get(key)
            .and_then(YamlNode::as_str)
            .unwrap_or_default()
    };
    let (formula, target) = (text("formula"), text("target"));
    let (field, message) = match target.parse::<f64>() {
        _ if modifiers.entries().is_empty() || is_placeholder(target) => return None,
        _ if formula.is_empty() => ("formula", "scalingModifiers have no formula"),
        Ok(number) if 0.0 < number => return None,
        _ => (
            "target",
            "the target of scalingModifiers is not a number above 0",
        ),
    };
    Some(
        cx.finding(format!("spec.advanced.scalingModifiers.{field}"))
            .message(format!("{message}, so KEDA rejects the ScaledObject"))
            .help("write a formula and, in quotes, a target above 0"),
    )
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::testing::{SCALED_OBJECT, findings};

    fn found(spec: &str) -> Vec<String> {
        findings(&RULE, &format!("{SCALED_OBJECT}{spec}\n"))
    }

    fn path_of(trigger: &str) -> String {
        let found = found(&format!("  minReplicaCount: 1\n  triggers: [{trigger}]"));
        let [one] = &found[..] else {
            return found.join("; ");
        };
        one.split(": ").next().unwrap_or_default().to_owned()
    }

    #[test]
    fn targets_must_be_positive_numbers_of_the_right_type() {
        for (trigger, path) in [
            (
                "{type: prometheus, metadata: {threshold: '0'}}",
                "metadata.threshold",
            ),
            (
                "{type: prometheus, metadata: {threshold: '-1'}}",
                "metadata.threshold",
            ),
            (
                "{type: prometheus, metadata: {threshold: '0.0001'}}",
                "metadata.threshold",
            ),
            (
                "{type: prometheus, metadata: {threshold: 10k}}",
                "metadata.threshold",
            ),
            (
                "{type: prometheus, metadata: {threshold: 10}}",
                "metadata.threshold",
            ),
            (
                "{type: kafka, metadata: {lagThreshold: '0'}}",
                "metadata.lagThreshold",
            ),
            (
                "{type: aws-sqs-queue, metadata: {queueLength: '0'}}",
                "metadata.queueLength",
            ),
            (
                "{type: kafka, metricType: Utilization, metadata: {lagThreshold: '5'}}",
                "metricType",
            ),
            ("{type: cpu, metadata: {value: '50'}}", "metricType"),
            (
                "{type: cpu, metricType: Value, metadata: {value: '50'}}",
                "metricType",
            ),
            (
                "{type: cpu, metricType: Utilization, metadata: {}}",
                "metadata.value",
            ),
            (
                "{type: cpu, metricType: Utilization, metadata: {value: 50m}}",
                "metadata.value",
            ),
            (
                "{type: cpu, metricType: Utilization, metadata: {value: '0'}}",
                "metadata.value",
            ),
            (
                "{type: cpu, metricType: Utilization, metadata: {value: 50}}",
                "metadata.value",
            ),
            (
                "{type: memory, metricType: AverageValue, metadata: {value: '0'}}",
                "metadata.value",
            ),
            (
                "{type: cpu, metricType: Utilization, useCachedMetrics: true, metadata: {value: '50'}}",
                "useCachedMetrics",
            ),
        ] {
            assert_eq!(
                path_of(trigger),
                format!("error spec.triggers[0].{path}"),
                "{trigger}"
            );
        }
        for trigger in [
            "{type: prometheus, metadata: {threshold: '0.5'}}",
            "{type: prometheus, metadata: {threshold: '${LIMIT}'}}",
            "{type: cron, metadata: {desiredReplicas: '0'}}",
            "{type: some-scaler, metadata: {threshold: none}}",
            "{type: cpu, metricType: Utilization, metadata: {value: '50'}}",
            "{type: memory, metricType: AverageValue, metadata: {value: 200Mi}}",
        ] {
            assert_eq!(path_of(trigger), "", "{trigger}");
        }
    }

    #[test]
    fn what_the_webhook_of_keda_refuses_is_named() {
        let cpu = "{type: cpu, metricType: Utilization, metadata: {value: '50'}}";
        let kafka = "{type: kafka, name: a, metadata: {lagThreshold: '5'}}";
        for (spec, message) in [
            ("  triggers: []".to_owned(), "has no triggers"),
            (
                format!("  triggers: [{kafka}, {kafka}]"),
                "two triggers have the name a",
            ),
            (
                format!("  idleReplicaCount: 1\n  minReplicaCount: 1\n  triggers: [{cpu}]"),
                "idleReplicaCount 1 is not below minReplicaCount 1",
            ),
            (
                format!("  fallback: {{failureThreshold: 3, replicas: 6}}\n  triggers: [{cpu}]"),
                "all triggers are cpu or memory",
            ),
            (
                format!("  advanced: {{scalingModifiers: {{formula: a}}}}\n  triggers: [{kafka}]"),
                "the target of scalingModifiers is not a number above 0",
            ),
        ] {
            let found = found(&spec);
            assert!(
                found.len() == 1 && found[0].contains(message),
                "{spec}: {found:?}"
            );
        }
        let fine = format!(
            "  idleReplicaCount: 0\n  minReplicaCount: 1\n  fallback: {{failureThreshold: 3, replicas: 6}}\n  triggers: [{kafka}, {cpu}]"
        );
        assert!(found(&fine).is_empty());
    }
}
