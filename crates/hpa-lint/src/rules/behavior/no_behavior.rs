//! HPA325 `no-behavior`.

use crate::{Check, Cx, HpaSubject, Rule, RuleOutcome, Severity};

pub(crate) static RULE: Rule = Rule {
    code: "HPA325",
    name: "no-behavior",
    summary: "behavior is not set",
    severity: Severity::Info,
    is_opt_in: true,
    check: Check::Hpa(check),
    docs: include_str!("no_behavior.md"),
    file: file!(),
    ..Rule::BASE
};

fn check(cx: &Cx<'_, HpaSubject>) -> RuleOutcome {
    if cx.subject.spec.behavior.is_some() {
        return Ok(Vec::new());
    }
    Ok(vec![
        cx.finding("spec")
            .message("behavior is not set, so flags of the controller set the scale-down window")
            .help("set spec.behavior.scaleUp and spec.behavior.scaleDown"),
    ])
}
