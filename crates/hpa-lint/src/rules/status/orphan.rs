//! HPA811 `orphan`.

use hpa_words::{clock::rough, shell_word};

use crate::{
    Check, ConfigurableNumber, Cx, HpaSubject, Missing, Needs, Rule, RuleOutcome, Severity,
    ThresholdUnit, namespace_flag,
};

pub(crate) static RULE: Rule = Rule {
    code: "HPA811",
    name: "orphan",
    summary: "the target has been missing for a long time",
    severity: Severity::Warning,
    needs: Needs::Live,
    thresholds: &[ConfigurableNumber {
        name: "duration",
        default: 3600.0,
        unit: ThresholdUnit::Seconds,
        summary: "how long it must be missing",
    }],
    check: Check::Hpa(check),
    docs: include_str!("orphan.md"),
    file: file!(),
    ..Rule::BASE
};

fn check(cx: &Cx<'_, HpaSubject>) -> RuleOutcome {
    let live = cx.live()?;
    let Some(condition) = live
        .condition("AbleToScale", "False")
        .filter(|condition| condition.reason == "FailedGetScale")
    else {
        return Ok(Vec::new());
    };
    let target = &cx.subject.spec.scale_target;
    cx.world.require(&target.kind)?;
    if cx.workload().is_ok() || !condition.message.contains("not found") {
        return Ok(Vec::new());
    }
    let since = condition
        .last_transition_time
        .ok_or_else(|| Missing::unknown("since when the target is missing"))?;
    let lasts = live.since(since);
    if lasts.as_secs_f64() <= cx.threshold("duration") {
        return Ok(Vec::new());
    }
    Ok(vec![
        cx.finding("spec.scaleTargetRef")
            .message(format!(
                "{}/{} has been missing for {}, so the HPA scales nothing",
                target.kind,
                target.name,
                rough(lasts)
            ))
            .help(format!(
                "run kubectl delete hpa {}{}, or correct spec.scaleTargetRef",
                shell_word(cx.subject.hpa.name()),
                namespace_flag(cx)
            )),
    ])
}
