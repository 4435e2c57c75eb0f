//! HPA803 `ambiguous-selector`.

use hpa_analysis::Assessment;
use hpa_engine::trace::{SelectorVerdict, Step};

use crate::{Check, Cx, HpaSubject, Needs, RuleOutcome, Severity};

crate::declare_rule! {
    /// ## What it does
    /// Flags an HPA whose pods another HPA also selects: its condition `ScalingActive` is `False` with reason
    /// `AmbiguousSelector`.
    ///
    /// ## Why is this bad?
    /// Since Kubernetes 1.26 the controller computes no metric for any of these HPAs, because each would count the pods of
    /// the others. It only keeps the replicas between `minReplicas` and `maxReplicas`.
    ///
    /// ## Example
    /// ```yaml live
    /// apiVersion: autoscaling/v2
    /// kind: HorizontalPodAutoscaler
    /// metadata:
    ///   name: web
    ///   namespace: shop
    /// spec:
    ///   scaleTargetRef:
    ///     apiVersion: apps/v1
    ///     kind: Deployment
    ///     name: web
    ///   minReplicas: 2
    ///   maxReplicas: 10
    ///   metrics:
    ///   - type: Resource
    ///     resource:
    ///       name: cpu
    ///       target:
    ///         type: Utilization
    ///         averageUtilization: 50
    /// status:
    ///   currentReplicas: 2
    ///   desiredReplicas: 2
    ///   conditions:
    ///   - type: AbleToScale
    ///     status: "True"
    ///     reason: ReadyForNewScale
    ///     message: 'recommended size matches current size'
    ///     lastTransitionTime: "2026-11-02T08:00:00Z"
    ///   - type: ScalingActive
    ///     status: "False"
    ///     reason: AmbiguousSelector
    ///     message: 'pods by selector app=web are controlled by multiple HPAs: [shop/api shop/web]'
    ///     lastTransitionTime: "2026-11-02T09:58:00Z"
    /// ```
    ///
    /// Use instead:
    /// ```yaml live
    /// @@
    ///    - type: ScalingActive
    /// -    status: "False"
    /// -    reason: AmbiguousSelector
    /// -    message: 'pods by selector app=web are controlled by multiple HPAs: [shop/api shop/web]'
    /// -    lastTransitionTime: "2026-11-02T09:58:00Z"
    /// +    status: "True"
    /// +    reason: ValidMetricFound
    /// +    message: 'the HPA was able to successfully calculate a replica count'
    /// +    lastTransitionTime: "2026-11-02T08:00:00Z"
    /// ```
    ///
    /// ## Fix
    /// Use one HPA for each workload, and selectors that do not overlap: see HPA410 and HPA411.
    ///
    /// ## References
    /// - Kubernetes, [`horizontal.go`](https://github.com/kubernetes/kubernetes/blob/master/pkg/controller/podautoscaler/horizontal.go): `validateAndParseSelector`
    /// - [kubernetes/kubernetes#112011](https://github.com/kubernetes/kubernetes/issues/112011)
    pub(crate) static RULE = {
        code: "HPA803",
        name: "ambiguous-selector",
        summary: "other HPAs also select the pods",
        severity: Severity::Error,
        needs: Needs::Live,
        yields_to: &["HPA410", "HPA411"],
        check: Check::Hpa(check),
    }
}

fn check(cx: &Cx<'_, HpaSubject>) -> RuleOutcome {
    let live = cx.live()?;
    let Some(condition) = live
        .condition("ScalingActive", "False")
        .filter(|condition| condition.reason == "AmbiguousSelector")
    else {
        return Ok(Vec::new());
    };
    let own = format!("{}/{}", cx.subject.hpa.namespace(), cx.subject.hpa.name());
    let mut names = selecting(live).unwrap_or_else(|| named_in(&condition.message));
    names.retain(|name| *name != own);
    let others = match &names[..] {
        [] => "other HPAs also select".to_owned(),
        [name] => format!("HPA {name} also selects"),
        names => format!("HPAs {} also select", names.join(", ")),
    };
    Ok(vec![
        cx.finding("spec.scaleTargetRef")
            .message(format!(
                "{others} these pods, so the controller computes no metric for any of the HPAs"
            ))
            .help("keep one HPA for these pods, or give the targets selectors that do not overlap"),
    ])
}

/// `namespace/name` of the HPAs that currently select the pods.
fn selecting(live: &Assessment) -> Option<Vec<String>> {
    live.analysis
        .trace
        .steps
        .iter()
        .find_map(|step| match step {
            Step::SelectorCheck(check) => match &check.verdict {
                SelectorVerdict::Ambiguous { hpas } => Some(hpas.to_vec()),
                _ => None,
            },
            _ => None,
        })
}

/// The HPAs that the message names: `… multiple HPAs: [shop/api shop/web]`.
fn named_in(message: &str) -> Vec<String> {
    let list = message
        .rsplit_once('[')
        .and_then(|(_, list)| list.split_once(']'));
    let names = list.map(|(names, _)| names).unwrap_or_default();
    names.split_whitespace().map(str::to_owned).collect()
}
