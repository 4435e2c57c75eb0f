//! HPA804 `limited-at-max`.

use hpa_analysis::limited_at_max;
use hpa_diagnosis::short_at_max::FINDING_DURATION;
use hpa_words::{clock::rough, program::typed, shell_word};

use crate::{
    Check, ConfigurableNumber, Cx, HpaSubject, Missing, Needs, Rule, RuleOutcome, Severity,
    ThresholdUnit, namespace_flag, rules::higher_maximum::no_higher_maximum,
};

pub(crate) static RULE: Rule = Rule {
    code: "HPA804",
    name: "limited-at-max",
    summary: "the metrics ask for more than maxReplicas",
    severity: Severity::Warning,
    needs: Needs::Live,
    thresholds: &[ConfigurableNumber {
        name: "duration",
        default: FINDING_DURATION,
        unit: ThresholdUnit::Seconds,
        summary: "how long it must last",
    }],
    check: Check::Hpa(check),
    docs: include_str!("limited_at_max.md"),
    file: file!(),
    ..Rule::BASE
};

fn check(cx: &Cx<'_, HpaSubject>) -> RuleOutcome {
    let live = cx.live()?;
    let Some(limited) = limited_at_max(&live.observation, &live.context, live.now) else {
        return Ok(Vec::new());
    };
    let max = cx.subject.spec.max_replicas;
    let Some(proposal) = live.proposal()?.filter(|proposal| max < *proposal) else {
        return Ok(Vec::new());
    };
    let since = limited
        .since(limited.condition.last_transition_time)
        .ok_or_else(|| Missing::unknown("since when it is at maxReplicas"))?;
    let lasts = live.since(since);
    if lasts.as_secs_f64() < cx.threshold("duration") {
        return Ok(Vec::new());
    }
    let advice = no_higher_maximum(live).unwrap_or_else(|| {
        format!(
            "set maxReplicas: {proposal} if the cluster has room; the HPA has been at maxReplicas for {}. `{} {}{} --set maxReplicas={proposal}` shows what that changes",
            rough(lasts),
            typed("simulate"),
            shell_word(&live.observation.hpa.name),
            namespace_flag(cx)
        )
    });
    Ok(vec![
        cx.finding("spec.maxReplicas")
            .message(format!(
                "the metrics ask for {proposal} replicas but maxReplicas is {max}, so the load is not met"
            ))
            .help(advice),
    ])
}
