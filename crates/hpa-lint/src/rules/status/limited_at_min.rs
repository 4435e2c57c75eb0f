//! HPA805 `limited-at-min`.

use crate::{Check, Cx, HpaSubject, Needs, RuleOutcome, Severity};

crate::declare_rule! {
    /// ## What it does
    /// Flags an HPA that is at `minReplicas` while its metrics ask for fewer replicas. Off by default.
    ///
    /// ## Why is this bad?
    /// It is not bad: this is what a quiet time looks like. The rule helps to find a `minReplicas` that is too high. In the
    /// example two pods use 10% of their requests and the target is 50%, so ⌈2 × 10 ÷ 50⌉ = 1 replica is enough.
    ///
    /// ## Example
    /// ```yaml excerpt
    /// kind: HorizontalPodAutoscaler
    /// # …
    ///   minReplicas: 2
    /// # …
    ///       name: cpu
    ///       target:
    ///         type: Utilization
    ///         averageUtilization: 50
    /// status:
    ///   currentReplicas: 2
    ///   desiredReplicas: 2
    /// # …
    ///   - type: ScalingLimited
    ///     status: "True"
    ///     reason: TooFewReplicas
    /// # …
    /// kind: PodMetrics
    /// # …
    ///   usage:
    ///     cpu: 10m
    /// # … one more pod that uses as much; each requests 100m
    /// ```
    ///
    /// Use instead:
    /// ```yaml excerpt
    /// # … no condition ScalingLimited
    /// kind: PodMetrics
    /// # …
    ///   usage:
    ///     cpu: 50m
    /// # … one more pod that uses as much; each requests 100m
    /// ```
    ///
    /// ## Fix
    /// Do nothing, or lower `minReplicas` if that is safe.
    ///
    /// ## References
    /// - Kubernetes docs: [Algorithm details](https://kubernetes.io/docs/tasks/run-application/horizontal-pod-autoscale/#algorithm-details)
    pub(crate) static RULE = {
        code: "HPA805",
        name: "limited-at-min",
        summary: "the metrics ask for fewer than minReplicas",
        severity: Severity::Info,
        needs: Needs::Live,
        is_opt_in: true,
        check: Check::Hpa(check),
    }
}

fn check(cx: &Cx<'_, HpaSubject>) -> RuleOutcome {
    let live = cx.live()?;
    let is_limited = live
        .condition("ScalingLimited", "True")
        .is_some_and(|condition| condition.reason == "TooFewReplicas");
    if !is_limited {
        return Ok(Vec::new());
    }
    let min = cx.subject.spec.min_replicas();
    let Some(proposal) = live.proposal()?.filter(|proposal| *proposal < min) else {
        return Ok(Vec::new());
    };
    Ok(vec![
        cx.finding("spec.minReplicas")
            .message(format!(
                "the metrics ask for {proposal} {} but minReplicas is {min}, so the HPA does not scale down",
                if proposal == 1 { "replica" } else { "replicas" }
            ))
            .help(format!(
                "do nothing in quiet times; lower minReplicas to {} only if so few pods are safe",
                proposal.max(1)
            )),
    ])
}
