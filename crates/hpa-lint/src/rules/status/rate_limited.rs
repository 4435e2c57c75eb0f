//! HPA806 `rate-limited`.

use hpa_engine::trace::{LimitReason, Step};

use crate::{Check, Cx, HpaSubject, Needs, RuleOutcome, Severity, explain_command};

crate::declare_rule! {
    /// ## What it does
    /// Flags an HPA that a rate limit holds back: its condition `ScalingLimited` has the reason `ScaleUpLimit` or
    /// `ScaleDownLimit`, and the recomputed decision is limited in the same way.
    ///
    /// ## Why is this bad?
    /// The replicas are not yet what the metrics ask for. In the example two pods at 200% of their requests ask for
    /// ⌈2 × 200 ÷ 50⌉ = 8 replicas. The policy adds 1 pod a minute, so it allows 3.
    ///
    /// ## Example
    /// ```yaml excerpt
    /// kind: HorizontalPodAutoscaler
    /// # …
    ///       name: cpu
    ///       target:
    ///         type: Utilization
    ///         averageUtilization: 50
    ///   behavior:
    ///     scaleUp:
    ///       policies:
    ///       - type: Pods
    ///         value: 1
    ///         periodSeconds: 60
    /// status:
    ///   currentReplicas: 2
    ///   desiredReplicas: 3
    /// # …
    ///   - type: ScalingLimited
    ///     status: "True"
    ///     reason: ScaleUpLimit
    /// # …
    /// kind: PodMetrics
    /// # …
    ///   usage:
    ///     cpu: 200m
    /// # … one more pod that uses as much; each requests 100m
    /// ```
    ///
    /// Use instead:
    /// ```yaml excerpt
    /// # …
    /// status:
    ///   currentReplicas: 2
    ///   desiredReplicas: 2
    /// # … no condition ScalingLimited
    /// kind: PodMetrics
    /// # …
    ///   usage:
    ///     cpu: 50m
    /// # … one more pod that uses as much; each requests 100m
    /// ```
    ///
    /// ## Fix
    /// Do nothing if the limit is intended. HPA314 reports how long the whole scale-up takes.
    ///
    /// ## References
    /// - Kubernetes, [`horizontal.go`](https://github.com/kubernetes/kubernetes/blob/master/pkg/controller/podautoscaler/horizontal.go): `convertDesiredReplicasWithBehaviorRate`
    pub(crate) static RULE = {
        code: "HPA806",
        name: "rate-limited",
        summary: "a rate limit holds the replicas back",
        severity: Severity::Info,
        needs: Needs::Live,
        check: Check::Hpa(check),
    }
}

fn check(cx: &Cx<'_, HpaSubject>) -> RuleOutcome {
    let live = cx.live()?;
    let Some(condition) = live.condition("ScalingLimited", "True") else {
        return Ok(Vec::new());
    };
    let (direction, reason, path) = match condition.reason.as_str() {
        "ScaleUpLimit" => (
            "scale-up",
            LimitReason::ScaleUpLimit,
            "spec.behavior.scaleUp",
        ),
        "ScaleDownLimit" => (
            "scale-down",
            LimitReason::ScaleDownLimit,
            "spec.behavior.scaleDown",
        ),
        _ => return Ok(Vec::new()),
    };
    let Some(proposal) = live.proposal()? else {
        return Ok(Vec::new());
    };
    let limit = live
        .analysis
        .trace
        .steps
        .iter()
        .find_map(|step| match step {
            Step::LimitRate(limit) if limit.reason == reason => Some(limit.desired),
            _ => None,
        });
    Ok(limit
        .filter(|limit| *limit != proposal)
        .map(|limit| {
            cx.finding(path)
                .message(format!(
                    "the metrics ask for {proposal} replicas but the {direction} rate limit allows {limit} now, so the rest takes more \
                     syncs"
                ))
                .help(format!(
                    "do nothing if the limit is intended; {} shows the next steps",
                    explain_command(cx)
                ))
        })
        .into_iter()
        .collect())
}
