//! HPA805 `limited-at-min`.

use crate::{Check, Cx, HpaSubject, Needs, Rule, RuleOutcome, Severity};

pub(crate) static RULE: Rule = Rule {
    code: "HPA805",
    name: "limited-at-min",
    summary: "the metrics ask for fewer than minReplicas",
    severity: Severity::Info,
    needs: Needs::Live,
    is_opt_in: true,
    check: Check::Hpa(check),
    docs: include_str!("limited_at_min.md"),
    file: file!(),
    ..Rule::BASE
};

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
