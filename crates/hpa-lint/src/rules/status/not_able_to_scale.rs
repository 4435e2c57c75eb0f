//! HPA801 `not-able-to-scale`.

use crate::{Check, Cx, HpaSubject, Needs, Rule, RuleOutcome, Severity, explain_command};

pub(crate) static RULE: Rule = Rule {
    code: "HPA801",
    name: "not-able-to-scale",
    summary: "the controller cannot read or write the scale of the target",
    severity: Severity::Error,
    needs: Needs::Live,
    yields_to: &["HPA401", "HPA402", "HPA403", "HPA404", "HPA405", "HPA811"],
    check: Check::Hpa(check),
    docs: include_str!("not_able_to_scale.md"),
    file: file!(),
    ..Rule::BASE
};

fn check(cx: &Cx<'_, HpaSubject>) -> RuleOutcome {
    let live = cx.live()?;
    let Some(condition) = live.condition("AbleToScale", "False") else {
        return Ok(Vec::new());
    };
    let help = match condition.reason.as_str() {
        "FailedGetScale" => {
            "check that the target of spec.scaleTargetRef exists and that its API answers"
                .to_owned()
        }
        "FailedUpdateScale" => {
            "find what rejects the write of the scale, such as an admission webhook or a quota"
                .to_owned()
        }
        _ => format!("run {} to see the cause", explain_command(cx)),
    };
    Ok(vec![
        cx.finding("spec.scaleTargetRef")
            .message(format!(
                "AbleToScale is False, so the HPA does not scale. {}: {}",
                condition.reason,
                condition.message.trim_end_matches('.')
            ))
            .help(help),
    ])
}
