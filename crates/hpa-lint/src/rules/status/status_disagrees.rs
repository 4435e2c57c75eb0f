//! HPA807 `status-disagrees`.

use hpa_analysis::{Cause, Compared, ComparisonOutcome};
use hpa_words::clock::duration;

use crate::{
    Basis, Check, ConfigurableNumber, Cx, HpaSubject, Missing, Needs, Rule, RuleOutcome, Severity,
    ThresholdUnit, explain_command,
};

pub(crate) static RULE: Rule = Rule {
    code: "HPA807",
    name: "status-disagrees",
    summary: "the recomputed decision is not what the status says",
    severity: Severity::Warning,
    needs: Needs::Live,
    thresholds: &[ConfigurableNumber {
        name: "syncs",
        default: 2.0,
        unit: ThresholdUnit::Count,
        summary: "number of syncs that it must last",
    }],
    check: Check::Hpa(check),
    docs: include_str!("status_disagrees.md"),
    file: file!(),
    ..Rule::BASE
};

fn check(cx: &Cx<'_, HpaSubject>) -> RuleOutcome {
    let live = cx.live()?;
    let check = &live.analysis.cross_check;
    let is_gone = check
        .hypotheses
        .iter()
        .any(|one| one.cause == Cause::PodsGone);
    match check.agreement {
        ComparisonOutcome::Differs => {}
        ComparisonOutcome::MayHaveMoved if is_gone => {}
        // A decision that depends on an input that was not read cannot be compared.
        ComparisonOutcome::NotRecomputed => {
            live.proposal()?;
            return Ok(Vec::new());
        }
        _ => return Ok(Vec::new()),
    }
    let decided = |one: &&hpa_analysis::Comparison| {
        matches!(one.what, Compared::DesiredReplicas | Compared::LastRescale)
    };
    let Some(compared) = check
        .compared
        .iter()
        .filter(decided)
        .find(|one| !one.agrees())
    else {
        return Ok(Vec::new());
    };
    let written = live
        .context
        .hpa_status_written
        .ok_or_else(|| Missing::unknown("when the controller wrote the status"))?;
    let lasts = live.since(written);
    let sync = cx.sync_period().value.as_secs_f64();
    if lasts.as_secs_f64() < sync * cx.threshold("syncs") {
        return Ok(Vec::new());
    }
    let (consequence, when) = if is_gone {
        let period = duration(cx.sync_period().value);
        (
            ": pods that the last sync counted may be gone, or a setting of the controller differs",
            format!(" in {period}"),
        )
    } else {
        (
            ", so lint and explain can be wrong about this HPA",
            String::new(),
        )
    };
    Ok(vec![
        cx.finding("spec")
            .message(format!(
                "the recomputed decision is {} but the status says {}{consequence}",
                compared.recomputed, compared.written
            ))
            .basis(Basis::AssumedFlag)
            .help(format!(
                "run {}{when}: it lists the flags and gates with which both agree",
                explain_command(cx)
            )),
    ])
}
