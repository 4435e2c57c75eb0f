//! HPA804 `limited-at-max`.

use hpa_analysis::limited_at_max;
use hpa_diagnosis::short_at_max::FINDING_DURATION;
use hpa_words::{clock::rough, shell_word};

use crate::{
    Check, ConfigurableNumber, Cx, HpaSubject, Missing, Needs, RuleOutcome, Severity,
    ThresholdUnit, namespace_flag, rules::higher_maximum::no_higher_maximum,
};

crate::declare_rule! {
    /// ## What it does
    /// Flags an HPA that has been at `maxReplicas` for at least 10 min (`duration`) while the recomputed recommendation of
    /// its metrics is larger. Being at `maxReplicas` alone is not enough.
    ///
    /// ## Why is this bad?
    /// The load is not met. In the example four pods use 90% of their requests and the target is 50%. The metrics ask for
    /// ⌈4 × 90 ÷ 50⌉ = 8 replicas, but `maxReplicas` allows 4.
    ///
    /// ## Example
    /// ```yaml excerpt
    /// # … read at 10:00:00
    /// kind: HorizontalPodAutoscaler
    /// # …
    ///   maxReplicas: 4
    /// # …
    ///       name: cpu
    ///       target:
    ///         type: Utilization
    ///         averageUtilization: 50
    /// status:
    ///   currentReplicas: 4
    ///   desiredReplicas: 4
    ///   lastScaleTime: "2026-11-02T09:40:00Z"
    /// # …
    ///   - type: ScalingLimited
    ///     status: "True"
    ///     reason: TooManyReplicas
    ///     message: 'the desired replica count is limited'
    ///     lastTransitionTime: "2026-11-02T09:40:00Z"
    /// # …
    /// kind: PodMetrics
    /// # …
    ///   usage:
    ///     cpu: 90m
    /// # … three more pods that use as much; each requests 100m
    /// ```
    ///
    /// Use instead:
    /// ```yaml excerpt
    /// kind: HorizontalPodAutoscaler
    /// # …
    ///   maxReplicas: 8
    /// # … no condition ScalingLimited
    /// kind: PodMetrics
    /// # …
    ///   usage:
    ///     cpu: 50m
    /// # … three more pods that use as much; each requests 100m
    /// ```
    ///
    /// ## Fix
    /// Raise `maxReplicas` if the cluster has room, or make the pods larger. The recommendation is a snapshot: with more
    /// pods the load spreads, and the recommendation stays about the same.
    ///
    /// ## References
    /// - [kubernetes-monitoring/kubernetes-mixin#1194](https://github.com/kubernetes-monitoring/kubernetes-mixin/issues/1194)
    /// - Kubernetes, [`horizontal.go`](https://github.com/kubernetes/kubernetes/blob/master/pkg/controller/podautoscaler/horizontal.go): `convertDesiredReplicasWithBehaviorRate`
    pub(crate) static RULE = {
        code: "HPA804",
        name: "limited-at-max",
        summary: "the metrics ask for more than maxReplicas",
        severity: Severity::Warning,
        needs: Needs::Live,
        thresholds: &[
            ConfigurableNumber {
                name: "duration",
                default: FINDING_DURATION,
                unit: ThresholdUnit::Seconds,
                summary: "how long it must last",
            },
        ],
        check: Check::Hpa(check),
    }
}

fn check(cx: &Cx<'_, HpaSubject>) -> RuleOutcome {
    let live = cx.live()?;
    let Some(limited) = limited_at_max(&live.observation, &live.context, live.now) else {
        return Ok(Vec::new());
    };
    let max = cx.subject.spec.max_replicas;
    let Some(proposal) = live.proposal()?.filter(|proposal| max < *proposal) else {
        return Ok(Vec::new());
    };
    let since = limited
        .since(limited.condition.last_transition_time)
        .ok_or_else(|| Missing::unknown("since when it is at maxReplicas"))?;
    let lasts = live.since(since);
    if lasts.as_secs_f64() < cx.threshold("duration") {
        return Ok(Vec::new());
    }
    let advice = no_higher_maximum(live).unwrap_or_else(|| {
        format!(
            "set maxReplicas: {proposal} if the cluster has room; the HPA has been at maxReplicas for {}. `kubectl hpa simulate {}{} --set maxReplicas={proposal}` shows what that changes",
            rough(lasts),
            shell_word(&live.observation.hpa.name),
            namespace_flag(cx)
        )
    });
    Ok(vec![
        cx.finding("spec.maxReplicas")
            .message(format!(
                "the metrics ask for {proposal} replicas but maxReplicas is {max}, so the load is not met"
            ))
            .help(advice),
    ])
}
