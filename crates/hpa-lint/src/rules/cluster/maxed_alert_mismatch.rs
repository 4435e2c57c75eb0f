//! HPA708 `maxed-alert-mismatch`.

use crate::{Check, Cx, HpaSubject, Missing, Needs, Rule, RuleOutcome, Severity, world::Alert};

pub(crate) static RULE: Rule = Rule {
    code: "HPA708",
    name: "maxed-alert-mismatch",
    summary: "an at-max alert always fires because minReplicas equals maxReplicas",
    severity: Severity::Info,
    needs: Needs::Related,
    is_opt_in: true,
    check: Check::Hpa(check),
    docs: include_str!("maxed_alert_mismatch.md"),
    file: file!(),
    ..Rule::BASE
};

fn check(cx: &Cx<'_, HpaSubject>) -> RuleOutcome {
    let spec = &cx.subject.spec;
    if spec.min_replicas() != spec.max_replicas {
        return Ok(Vec::new());
    }
    cx.world.require("PrometheusRule")?;
    if cx.world.alerts.is_empty() && !cx.is_complete {
        return Err(Missing::NotGiven {
            object: "a PrometheusRule".to_owned(),
        });
    }
    Ok(cx
        .world
        .alerts
        .iter()
        .filter(|alert| fires_at_one_number(alert))
        .map(|alert| {
            cx.finding("spec.maxReplicas")
                .message(format!(
                    "minReplicas equals maxReplicas, so alert {} always fires",
                    alert.name
                ))
                .help("raise maxReplicas, or add to the alert: unless kube_horizontalpodautoscaler_spec_max_replicas == \
                     kube_horizontalpodautoscaler_spec_min_replicas")
                .related(alert.object.clone(), "spec.groups", "has the alert")
        })
        .collect())
}

/// Whether the alert compares replicas with maxReplicas and ignores minReplicas.
fn fires_at_one_number(alert: &Alert) -> bool {
    let has = |name: &str| {
        let full = format!("kube_horizontalpodautoscaler_{name}");
        alert.expression.contains(&full)
    };
    has("spec_max_replicas")
        && (has("status_current_replicas") || has("status_desired_replicas"))
        && !has("spec_min_replicas")
}
