//! HPA612 `keda-refused`.

use std::collections::BTreeSet;

use hpa_engine::model::{Quantity, Trigger};
use kubectl_hpa_yaml::YamlNode;

use crate::{
    Check, Cx, Finding, FindingText, Rule, RuleOutcome, ScaledObjectSubject, Severity,
    TriggerTarget, is_placeholder, keda_trigger::SCALERS, wrong_letters,
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
    findings.extend(name_of_hpa(cx));
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
        findings.extend(scaler(cx, &path, trigger));
        findings.extend(target(cx, &path, trigger));
    }
    findings.extend(formula(cx));
    Ok(findings)
}

/// What is wrong with a trigger besides its target.
fn scaler(cx: &Cx<'_, ScaledObjectSubject>, path: &str, trigger: &Trigger) -> Option<Finding> {
    let scaler = &*trigger.trigger_type;
    let written = |key: &str| trigger.metadata.get(key).map(|text| text.trim());
    let (field, message, help) = match scaler {
        // A newer KEDA may have more scalers, but none that looks like a typo.
        _ if let Some(meant) = misspelled(scaler) => (
            "type",
            format!("KEDA has no scaler {scaler:?}, so it makes no HPA"),
            format!("write {meant}"),
        ),
        "cpu" | "memory" if written("type").is_some() => (
            "metadata.type",
            format!(
                "from version 2.18 on, KEDA makes no HPA of a {scaler} trigger with a type in its metadata"
            ),
            "write metricType next to metadata instead".to_owned(),
        ),
        "cron" if written("start").is_some() && written("start") == written("end") => (
            "metadata.end",
            "start and end of the cron trigger are the same, so KEDA makes no HPA".to_owned(),
            "write another end".to_owned(),
        ),
        "prometheus" if written("threshold").is_none_or(str::is_empty) => (
            "metadata.threshold",
            "the prometheus trigger has no threshold, so KEDA makes no HPA".to_owned(),
            "set metadata.threshold, in quotes".to_owned(),
        ),
        _ => return None,
    };
    Some(
        cx.finding(format!("{path}.{field}"))
            .message(message)
            .help(help),
    )
}

/// The scaler that is meant by a name that no scaler has.
fn misspelled(name: &str) -> Option<&'static str> {
    if SCALERS.contains(&name) {
        return None;
    }
    let likely = SCALERS.iter().filter(|one| 4 < one.len());
    let mistakes = likely.map(|one| (wrong_letters(name, one), *one));
    let (mistakes, meant) = mistakes.min()?;
    (mistakes <= 2).then_some(meant)
}

/// The webhook refuses an HPA whose name does not fit a label.
fn name_of_hpa(cx: &Cx<'_, ScaledObjectSubject>) -> Option<Finding> {
    let name = cx.subject.scaled_object.name_of_hpa();
    (MOST_OF_A_NAME < name.len()).then(|| {
        cx.finding("metadata.name")
            .message(format!(
                "the name of its HPA, {name}, has {} characters, and KEDA takes at most {MOST_OF_A_NAME}",
                name.len()
            ))
            .help("shorten the name, or set spec.advanced.horizontalPodAutoscalerConfig.name")
    })
}

/// The most characters of the name of an HPA that KEDA makes.
const MOST_OF_A_NAME: usize = 63;

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
    if let Some(min) = scaled.min_replicas.filter(|min| *min < 0) {
        return Some(
            cx.finding("spec.minReplicaCount")
                .message(format!(
                    "minReplicaCount {min} is below 0, so the API server rejects the ScaledObject"
                ))
                .help("write a number from 0 up"),
        );
    }
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
    use crate::testing::{SCALED_OBJECT, table};

    #[test]
    fn targets_must_be_positive_numbers_of_the_right_type() {
        table(
            &RULE,
            |[trigger]| {
                format!("{SCALED_OBJECT}  minReplicaCount: 1\n  triggers: [{{type: {trigger}}}]\n")
            },
            r"
zero | prometheus, metadata: {threshold: '0'} => error spec.triggers[0].metadata.threshold: …
a negative number | prometheus, metadata: {threshold: '-1'} => error spec.triggers[0].metadata.threshold: …
less than a thousandth | prometheus, metadata: {threshold: '0.0001'} => error spec.triggers[0].metadata.threshold: …
a quantity | prometheus, metadata: {threshold: 10k} => error spec.triggers[0].metadata.threshold: …
a number without quotes | prometheus, metadata: {threshold: 10} => error spec.triggers[0].metadata.threshold: …
zero of another scaler | kafka, metadata: {lagThreshold: '0'} => error spec.triggers[0].metadata.lagThreshold: …
zero of a third scaler | aws-sqs-queue, metadata: {queueLength: '0'} => error spec.triggers[0].metadata.queueLength: …
utilization of a queue | kafka, metricType: Utilization, metadata: {lagThreshold: '5'} => error spec.triggers[0].metricType: …
CPU without a type | cpu, metadata: {value: '50'} => error spec.triggers[0].metricType: …
CPU with a value | cpu, metricType: Value, metadata: {value: '50'} => error spec.triggers[0].metricType: …
CPU without a target | cpu, metricType: Utilization, metadata: {} => error spec.triggers[0].metadata.value: …
utilization as a quantity | cpu, metricType: Utilization, metadata: {value: 50m} => error spec.triggers[0].metadata.value: …
no utilization | cpu, metricType: Utilization, metadata: {value: '0'} => error spec.triggers[0].metadata.value: …
utilization without quotes | cpu, metricType: Utilization, metadata: {value: 50} => error spec.triggers[0].metadata.value: …
no memory | memory, metricType: AverageValue, metadata: {value: '0'} => error spec.triggers[0].metadata.value: …
CPU with the type of before | cpu, metricType: Utilization, metadata: {type: Utilization, value: '50'} => error spec.triggers[0].metadata.type: …
a typo | prometheuss, metadata: {threshold: '5'} => error spec.triggers[0].type: …
no threshold | prometheus, metadata: {query: a} => error spec.triggers[0].metadata.threshold: …
no time | cron, metadata: {start: 0 6 * * *, end: 0 6 * * *} => error spec.triggers[0].metadata.end: …
cached CPU | cpu, metricType: Utilization, useCachedMetrics: true, metadata: {value: '50'} => error spec.triggers[0].useCachedMetrics: …
a fraction is fine | prometheus, metadata: {threshold: '0.5'}
a placeholder is fine | prometheus, metadata: {threshold: '${LIMIT}'}
no replicas are fine for cron | cron, metadata: {desiredReplicas: '0'}
a scaler that is not known is fine | some-scaler, metadata: {threshold: none}
utilization is fine | cpu, metricType: Utilization, metadata: {value: '50'}
memory is fine | memory, metricType: AverageValue, metadata: {value: 200Mi}
",
        );
    }

    #[test]
    fn what_the_webhook_of_keda_refuses_is_named() {
        table(
            &RULE,
            |[spec]| {
                let cpu = "{type: cpu, metricType: Utilization, metadata: {value: '50'}}";
                let kafka = "{type: kafka, name: a, metadata: {lagThreshold: '5'}}";
                let spec = spec.replace("CPU", cpu).replace("KAFKA", kafka);
                format!("{SCALED_OBJECT}  {spec}\n")
            },
            r"
no trigger | triggers: [] => error …has no triggers…
a minimum below 0 | minReplicaCount: -1\n  triggers: [CPU] => error …minReplicaCount -1 is below 0…
two of a name | triggers: [KAFKA, KAFKA] => error …two triggers have the name a…
idle is not below the minimum | idleReplicaCount: 1\n  minReplicaCount: 1\n  triggers: [CPU] => error …idleReplicaCount 1 is not below minReplicaCount 1…
a fallback of CPU | fallback: {failureThreshold: 3, replicas: 6}\n  triggers: [CPU] => error …all triggers are cpu or memory…
a formula without a target | advanced: {scalingModifiers: {formula: a}}\n  triggers: [KAFKA] => error …the target of scalingModifiers is not a number above 0…
a fallback of a queue is fine | idleReplicaCount: 0\n  minReplicaCount: 1\n  fallback: {failureThreshold: 3, replicas: 6}\n  triggers: [KAFKA, CPU]
",
        );
    }
}
