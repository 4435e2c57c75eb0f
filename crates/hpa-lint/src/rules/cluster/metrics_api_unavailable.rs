//! HPA701 `metrics-api-unavailable`.

use hpa_engine::model::ApiService;

use crate::{Check, Cx, HpaSubject, Needs, Rule, RuleOutcome, Severity, api_services};

pub(crate) static RULE: Rule = Rule {
    code: "HPA701",
    name: "metrics-api-unavailable",
    summary: "the API of a metric is missing or not available",
    severity: Severity::Error,
    needs: Needs::Live,
    check: Check::Hpa(check),
    docs: include_str!("metrics_api_unavailable.md"),
    file: file!(),
    ..Rule::BASE
};

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
