//! HPA701 `metrics-api-unavailable`.

use hpa_engine::model::ApiService;

use crate::{Check, Cx, HpaSubject, Needs, RuleOutcome, Severity, api_services};

crate::declare_rule! {
    /// ## What it does
    /// Flags an HPA that needs one of the three metrics APIs (`metrics.k8s.io`, `custom.metrics.k8s.io`,
    /// `external.metrics.k8s.io`) while no API service of that group is registered, or its server is not available.
    ///
    /// ## Why is this bad?
    /// Every metric of that API fails in every sync. With only such metrics the replicas freeze. With other metrics as
    /// well, the HPA can still scale up but never down.
    ///
    /// ## Example
    /// ```yaml excerpt
    /// kind: Snapshot
    /// # …
    ///     - type: External
    ///       external:
    ///         metric:
    ///           name: queue_depth
    /// # …
    /// surroundings:
    ///   apiServices:
    ///   - name: v1beta1.external.metrics.k8s.io
    ///     # …
    ///     service: keda/keda-operator-metrics-apiserver
    ///     available: false
    ///     reason: MissingEndpoints
    ///     message: endpoints for service keda/keda-operator-metrics-apiserver in namespace keda have no addresses
    /// ```
    ///
    /// Use instead:
    /// ```yaml excerpt
    /// # …
    /// surroundings:
    ///   apiServices:
    ///   - name: v1beta1.external.metrics.k8s.io
    ///     # …
    ///     service: keda/keda-operator-metrics-apiserver
    ///     available: true
    ///     reason: Passed
    ///     message: all checks passed
    /// ```
    ///
    /// ## Fix
    /// Install or repair the server of the API: metrics-server for `metrics.k8s.io`, an adapter such as prometheus-adapter
    /// or KEDA for the others.
    ///
    /// ## References
    /// - [kubernetes-sigs/metrics-server#907](https://github.com/kubernetes-sigs/metrics-server/issues/907), [kubernetes-sigs/metrics-server#1571](https://github.com/kubernetes-sigs/metrics-server/issues/1571)
    /// - Kubernetes, [`client.go`](https://github.com/kubernetes/kubernetes/blob/master/pkg/controller/podautoscaler/metrics/client.go)
    pub(crate) static RULE = {
        code: "HPA701",
        name: "metrics-api-unavailable",
        summary: "the API of a metric is missing or not available",
        severity: Severity::Error,
        needs: Needs::Live,
        check: Check::Hpa(check),
    }
}

fn check(cx: &Cx<'_, HpaSubject>) -> RuleOutcome {
    let live = cx.live()?;
    let mut findings: Vec<(&str, crate::Finding)> = Vec::new();
    for (index, metric) in cx.subject.spec.metrics.iter().enumerate() {
        let Some(group) = metric.api_group() else {
            continue;
        };
        let path = format!("spec.metrics[{index}]");
        if let Some((_, finding)) = findings.iter_mut().find(|(known, _)| *known == group) {
            *finding = finding.clone().label(path, "also needs it");
            continue;
        }
        let services = api_services(live)?;
        let of_group: Vec<&ApiService> = services
            .iter()
            .filter(|service| service.group == group)
            .collect();
        if of_group
            .iter()
            .any(|service| service.is_available == Some(true))
        {
            continue;
        }
        let (name, state) = match of_group.first() {
            Some(service) => (service.name.clone(), not_available(service)),
            None => (format!("v1beta1.{group}"), "missing".to_owned()),
        };
        let finding = cx
            .finding(path)
            .message(format!(
                "API service {name} is {state}, so the HPA cannot read its metrics"
            ))
            .help(match group {
                "metrics.k8s.io" => "install or repair metrics-server; kubectl get apiservices shows its state",
                _ => "install or repair the adapter that serves this API; kubectl get apiservices shows its state",
            });
        findings.push((group, finding));
    }
    Ok(findings.into_iter().map(|(_, finding)| finding).collect())
}

fn not_available(service: &ApiService) -> String {
    let why: Vec<&str> = [service.reason.as_str(), service.message.as_str()]
        .into_iter()
        .filter(|part| !part.is_empty())
        .collect();
    if why.is_empty() {
        "not available".to_owned()
    } else {
        format!("not available ({})", why.join(": ").trim_end_matches('.'))
    }
}
