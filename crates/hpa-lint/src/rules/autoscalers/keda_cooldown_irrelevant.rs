//! HPA605 `keda-cooldown-irrelevant`.

use crate::lint::{Check, Cx, Needs, RuleOutcome, ScaledObjectSubject, Severity};

crate::lint::declare_rule! {
    /// ## What it does
    /// Flags `cooldownPeriod` and `pollingInterval` of a ScaledObject with `minReplicaCount` above 0 and without
    /// `idleReplicaCount`. `pollingInterval` counts where a trigger has `useCachedMetrics`.
    ///
    /// ## Why is this bad?
    /// Both are for the way to zero or idle and back, which KEDA goes itself. Between minimum and maximum the HPA
    /// decides, which asks every 15 s and waits for its own window: a `cooldownPeriod` of 600 s keeps no pod for 600
    /// s.
    ///
    /// ## Example
    /// ```yaml
    /// apiVersion: keda.sh/v1alpha1
    /// kind: ScaledObject
    /// metadata:
    ///   name: web
    /// spec:
    ///   scaleTargetRef:
    ///     name: web
    ///   minReplicaCount: 2
    ///   cooldownPeriod: 600
    ///   triggers:
    ///     - type: rabbitmq
    ///       metadata:
    ///         queueName: mail
    ///         mode: QueueLength
    ///         value: "20"
    /// ```
    ///
    /// Use instead:
    /// ```yaml
    /// @@
    ///    minReplicaCount: 2
    /// -  cooldownPeriod: 600
    /// +  advanced:
    /// +    horizontalPodAutoscalerConfig:
    /// +      behavior:
    /// +        scaleDown:
    /// +          stabilizationWindowSeconds: 600
    ///    triggers:
    /// ```
    ///
    /// ## Fix
    /// Set `spec.advanced.horizontalPodAutoscalerConfig.behavior.scaleDown.stabilizationWindowSeconds` instead, and
    /// remove the field.
    ///
    /// ## References
    /// - KEDA, `scaledobject_webhook.go`: `verifyScaledObjects`
    /// - kedacore/keda#737, #6844
    pub(crate) static RULE = {
        code: "HPA605",
        name: "keda-cooldown-irrelevant",
        summary: "a setting of a ScaledObject that counts at zero only",
        severity: Severity::Info,
        needs: Needs::Related,
        check: Check::ScaledObject(check),
    }
}

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
    let cooldown = scaled.keda.cooldown_period.map(|_| "cooldownPeriod");
    let polling = scaled.keda.polling_interval.filter(|_| !is_cached);
    let polling = polling.map(|_| "pollingInterval");
    Ok([cooldown, polling]
        .into_iter()
        .flatten()
        .map(|field| {
            cx.finding(format!("spec.{field}"))
                .message(format!(
                    "{field} of ScaledObject {} has no effect while minReplicaCount is {min}",
                    scaled.object.name
                ))
                .help("set advanced.horizontalPodAutoscalerConfig.behavior.scaleDown instead")
        })
        .collect())
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::lint::testing::findings;

    #[test]
    fn idle_replicas_and_cached_metrics_need_them() {
        let found = |spec: &str, trigger: &str| {
            findings(
                &RULE,
                &format!(
                    "
apiVersion: keda.sh/v1alpha1
kind: ScaledObject
metadata: {{name: web}}
spec:
  scaleTargetRef: {{name: web}}
  cooldownPeriod: 60
  pollingInterval: 5
  {spec}
  triggers: [{{type: prometheus, {trigger}}}]
"
                ),
            )
        };
        assert_eq!(found("minReplicaCount: 1", "").len(), 2);
        assert!(found("minReplicaCount: 0", "").is_empty());
        assert!(found("", "").is_empty());
        assert!(found("minReplicaCount: 1\n  idleReplicaCount: 0", "").is_empty());
        assert_eq!(
            found("minReplicaCount: 1", "useCachedMetrics: true"),
            [
                "info spec.cooldownPeriod: cooldownPeriod of ScaledObject web has no effect while minReplicaCount is 1"
            ]
        );
    }
}
