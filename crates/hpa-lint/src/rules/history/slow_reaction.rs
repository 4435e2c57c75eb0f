//! HPA907 `slow-reaction`.

use hpa_words::clock::rough;

use crate::{
    Check, ConfigurableNumber, Cx, HpaSubject, Needs, Rule, RuleOutcome, Severity, ThresholdUnit,
};

pub(crate) static RULE: Rule = Rule {
    code: "HPA907",
    name: "slow-reaction",
    summary: "it takes long from the load to ready pods",
    severity: Severity::Info,
    needs: Needs::History,
    thresholds: &[ConfigurableNumber {
        name: "duration",
        default: 180.0,
        unit: ThresholdUnit::Seconds,
        summary: "time that 9 of 10 scale-ups must not exceed",
    }],
    check: Check::Hpa(check),
    docs: include_str!("slow_reaction.md"),
    file: file!(),
    ..Rule::BASE
};

fn check(cx: &Cx<'_, HpaSubject>) -> RuleOutcome {
    let mut reactions = cx.history()?.reactions();
    reactions.sort_unstable();
    if reactions.len() < FEWEST {
        return Ok(Vec::new());
    }
    let rank = (reactions.len() * 9).div_ceil(10) - 1;
    let p90 = reactions[rank];
    if p90.as_secs_f64() <= cx.threshold("duration") {
        return Ok(Vec::new());
    }
    Ok(vec![
        cx.finding("spec.metrics")
            .message(format!(
                "a new pod is ready {} after the metrics ask for it (90th percentile), so pods come late for a peak",
                rough(p90)
            ))
            .help("lower the target, shorten the startup of the pods, or scale ahead of known peaks"),
    ])
}

/// Fewer scale-ups are not representative.
const FEWEST: usize = 3;
