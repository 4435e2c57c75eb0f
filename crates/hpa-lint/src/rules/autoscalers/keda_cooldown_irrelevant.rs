//! HPA605 `keda-cooldown-irrelevant`.

use crate::{Check, Cx, Needs, Rule, RuleOutcome, ScaledObjectSubject, Severity};

pub(crate) static RULE: Rule = Rule {
    code: "HPA605",
    name: "keda-cooldown-irrelevant",
    summary: "a setting of a ScaledObject that acts only at 0 replicas",
    severity: Severity::Info,
    needs: Needs::Related,
    check: Check::ScaledObject(check),
    docs: include_str!("keda_cooldown_irrelevant.md"),
    file: file!(),
    ..Rule::BASE
};

fn check(cx: &Cx<'_, ScaledObjectSubject>) -> RuleOutcome {
    let scaled = &cx.subject.scaled_object;
    let min = scaled.min_replicas.unwrap_or(0);
    if min <= 0 || scaled.keda.idle_replicas.is_some() {
        return Ok(Vec::new());
    }
    let is_cached = scaled
        .keda
        .triggers
        .iter()
        .any(|trigger| trigger.uses_cache);
    let behavior = "remove it; to scale down later, set spec.advanced.horizontalPodAutoscalerConfig.behavior.scaleDown.\
                    stabilizationWindowSeconds";
    let cooldown = scaled.keda.cooldown_period;
    let cooldown = cooldown.map(|_| ("cooldownPeriod", behavior));
    let polling = scaled.keda.polling_interval.filter(|_| !is_cached);
    let polling = polling.map(|_| {
        (
            "pollingInterval",
            "remove it: the HPA reads the metrics in every sync",
        )
    });
    Ok([cooldown, polling]
        .into_iter()
        .flatten()
        .map(|(field, help)| {
            cx.finding(format!("spec.{field}"))
                .message(format!(
                    "{field} of ScaledObject {} has no effect on the replicas while minReplicaCount is {min}",
                    scaled.object.name
                ))
                .help(help)
        })
        .collect())
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::testing::{SCALED_OBJECT, table};

    #[test]
    fn idle_replicas_and_cached_metrics_need_them() {
        table(
            &RULE,
            |[spec, trigger]| {
                format!(
                    "{SCALED_OBJECT}  cooldownPeriod: 60
  pollingInterval: 5
  {spec}
  triggers: [{{type: prometheus, {trigger}}}]
"
                )
            },
            r"
never zero | minReplicaCount: 1 | => info spec.cooldownPeriod: …
  info spec.pollingInterval: …
zero | minReplicaCount: 0 |
zero by default | |
zero while idle | minReplicaCount: 1\n  idleReplicaCount: 0 |
metrics from the cache | minReplicaCount: 1 | useCachedMetrics: true => info spec.cooldownPeriod: cooldownPeriod of ScaledObject web has no effect on the replicas while minReplicaCount is 1
",
        );
    }
}
