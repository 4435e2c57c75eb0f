//! HPA228 `metric-order-drift`.

use crate::{Check, Cx, HpaSubject, Needs, Rule, RuleOutcome, Severity};

pub(crate) static RULE: Rule = Rule {
    code: "HPA228",
    name: "metric-order-drift",
    summary: "the metrics are in another order than in the cluster",
    severity: Severity::Info,
    needs: Needs::Comparison,
    is_opt_in: true,
    check: Check::Hpa(check),
    docs: include_str!("metric_order_drift.md"),
    file: file!(),
    ..Rule::BASE
};

fn check(cx: &Cx<'_, HpaSubject>) -> RuleOutcome {
    let metrics = &cx.subject.spec.metrics;
    if metrics.len() < 2 {
        return Ok(Vec::new());
    }
    let stored = &cx.stored()?.observation.hpa.spec.metrics;
    let is_in_other_order = metrics.len() == stored.len()
        && metrics != stored
        && metrics.iter().all(|metric| stored.contains(metric))
        && stored.iter().all(|metric| metrics.contains(metric));
    if !is_in_other_order {
        return Ok(Vec::new());
    }
    Ok(vec![
        cx.finding("spec.metrics")
            .message("the cluster has these metrics in another order, so tools that compare lists always see a \
                 difference")
            .help("copy the order of the cluster"),
    ])
}
