//! HPA407 `helm-unconditional-replicas`.

use crate::{Check, Cx, HpaSubject, Missing, Needs, Rule, RuleOutcome, Severity};

pub(crate) static RULE: Rule = Rule {
    code: "HPA407",
    name: "helm-unconditional-replicas",
    summary: "a Helm template sets replicas even if autoscaling is enabled",
    severity: Severity::Info,
    needs: Needs::Related,
    is_opt_in: true,
    check: Check::Hpa(check),
    docs: include_str!("helm_unconditional_replicas.md"),
    file: file!(),
    ..Rule::BASE
};

fn check(cx: &Cx<'_, HpaSubject>) -> RuleOutcome {
    let templates = &cx.world.chart_templates;
    if templates.is_empty() {
        return Err(Missing::Because(
            "no templates of a Helm chart are among the files".to_owned(),
        ));
    }
    let kind = &cx.subject.spec.scale_target.kind;
    let findings = templates
        .iter()
        .filter(|template| template.kinds.contains(kind) && template.sets_replicas_always)
        .map(|template| {
            cx.finding("spec.scaleTargetRef")
                .message(format!(
                    "{} sets replicas even if autoscaling is enabled, so each helm upgrade overwrites the HPA",
                    template.name
                ))
                .help("put {{- if not .Values.autoscaling.enabled }} and {{- end }} around the line")
        });
    Ok(findings.collect())
}
