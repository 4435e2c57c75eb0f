//! HPA414 `statefulset-ordered`.

use hpa_engine::model::MetricSpec;

use super::reference::target_name;
use crate::{Check, Cx, HpaSubject, Needs, Rule, RuleOutcome, Severity};

pub(crate) static RULE: Rule = Rule {
    code: "HPA414",
    name: "statefulset-ordered",
    summary: "the StatefulSet starts its pods one after another",
    severity: Severity::Info,
    needs: Needs::Related,
    check: Check::Hpa(check),
    docs: include_str!("statefulset_ordered.md"),
    file: file!(),
    ..Rule::BASE
};

fn check(cx: &Cx<'_, HpaSubject>) -> RuleOutcome {
    let spec = &cx.subject.spec;
    let is_about_pods = |metric: &MetricSpec| !metric.is_external();
    if !cx.subject.target_kind().is_ordered() || !spec.metrics.iter().any(is_about_pods) {
        return Ok(Vec::new());
    }
    let workload = cx.workload()?;
    if workload.pod_management_policy == "Parallel" {
        return Ok(Vec::new());
    }
    Ok(vec![
        cx.finding("spec.scaleTargetRef")
            .message(format!(
                "{} starts pods one at a time (OrderedReady), so a scale-up waits for each pod to become ready",
                target_name(cx)
            ))
            .help("if its pods can start together, set podManagementPolicy: Parallel. The field is immutable: delete the StatefulSet \
                 with --cascade=orphan and apply it again")
            .related(
                workload.object.clone(),
                "spec.podManagementPolicy",
                "OrderedReady is the default",
            ),
    ])
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::testing::{hpa_and_workload, table};

    #[test]
    fn external_metrics_alone_are_left_out() {
        table(
            &RULE,
            |[metrics, policy]| hpa_and_workload("StatefulSet", &format!("  {metrics}"), &format!("  {policy}")),
            "
external |metrics: [{type: External, external: {metric: {name: depth}, target: {type: AverageValue, averageValue: 3}}}] |
CPU | |podManagementPolicy: OrderedReady => info spec.scaleTargetRef: StatefulSet/web starts pods one at a time (OrderedReady), so a scale-up waits for each pod to become ready
",
        );
    }
}
