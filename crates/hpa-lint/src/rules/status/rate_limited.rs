//! HPA806 `rate-limited`.

use hpa_diagnosis::blocked_direction::is_direction_off;
use hpa_engine::trace::{LimitReason, Step};

use crate::{Check, Cx, HpaSubject, Needs, Rule, RuleOutcome, Severity, explain_command};

pub(crate) static RULE: Rule = Rule {
    code: "HPA806",
    name: "rate-limited",
    summary: "a rate limit holds the replicas back",
    severity: Severity::Info,
    needs: Needs::Live,
    check: Check::Hpa(check),
    docs: include_str!("rate_limited.md"),
    file: file!(),
    ..Rule::BASE
};

fn check(cx: &Cx<'_, HpaSubject>) -> RuleOutcome {
    let live = cx.live()?;
    let Some(condition) = live.condition("ScalingLimited", "True") else {
        return Ok(Vec::new());
    };
    let (direction, reason, path) = match condition.reason.as_str() {
        "ScaleUpLimit" => (
            "scale-up",
            LimitReason::ScaleUpLimit,
            "spec.behavior.scaleUp",
        ),
        "ScaleDownLimit" => (
            "scale-down",
            LimitReason::ScaleDownLimit,
            "spec.behavior.scaleDown",
        ),
        _ => return Ok(Vec::new()),
    };
    let Some(proposal) = live.proposal()? else {
        return Ok(Vec::new());
    };
    let limit = live
        .analysis
        .trace
        .steps
        .iter()
        .find_map(|step| match step {
            Step::LimitRate(limit) if limit.reason == reason => Some(limit),
            _ => None,
        })
        .filter(|limit| !is_direction_off(limit))
        .map(|limit| limit.desired);
    Ok(limit
        .filter(|limit| *limit != proposal)
        .map(|limit| {
            cx.finding(path)
                .message(format!(
                    "the metrics ask for {proposal} replicas but the {direction} rate limit allows {limit} now, so the rest takes more \
                     syncs"
                ))
                .help(format!(
                    "do nothing if the limit is intended; {} shows the next steps",
                    explain_command(cx)
                ))
        })
        .into_iter()
        .collect())
}
