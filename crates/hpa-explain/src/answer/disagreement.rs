//! The answer where the controller computed other replicas from the same inputs.

use hpa_analysis::{Cause, Compared, Comparison, Hypothesis, thresholds_under};
use hpa_engine::model::Setting;
use hpa_words::{
    amount::{self, upper_first},
    clock::duration,
    program::typed,
};

use crate::{
    ExplainContext, FullAnswer, MetricFacts,
    command::ShellCommand,
    edge::{at_least, at_most},
    inputs::inputs,
    reasons::{confirm, hypothesis, what_fits},
    setting::{self, controller_flag},
    well::recorded_edit,
};

/// The disagreement about the replicas in words, and the command to run next.
pub(super) fn disagreement(cx: &ExplainContext<'_>, replicas: &Comparison) -> FullAnswer {
    if let Some(answer) = of_one_flag(cx, replicas) {
        return answer;
    }
    let proposal = cx.facts.proposal().map(|proposal| proposal.to_string());
    let winner = cx.facts.winner();
    let mut sentences = vec![match winner
        .filter(|_| proposal.as_ref() == Some(&replicas.recomputed))
    {
        Some(winner) => format!(
            "{} with the assumed settings, but the controller wrote {}.",
            winner.demand().unwrap_or_default(),
            replicas.written
        ),
        None => format!(
            "The controller wrote {}, but these inputs give {} with the assumed settings.",
            replicas.written, replicas.recomputed
        ),
    }];
    let edit = edit(cx);
    let is_edited = edit.is_some();
    if let Some((edit, then)) = edit {
        sentences.push(edit);
        sentences.extend(then);
    }
    let all: Vec<(&Hypothesis, String)> = cx
        .cross_check
        .hypotheses
        .iter()
        .filter(|one| one.fits)
        .filter_map(|one| Some((one, what_fits(cx, one)?)))
        .collect();
    let mut command = None;
    match all.first() {
        Some((first, what)) => {
            let number = match all.len() {
                1 => "Probably one assumed setting is wrong:".to_owned(),
                several => format!(
                    "Probably an assumed setting is wrong. {several} would each explain this, first"
                ),
            };
            sentences.push(format!("{number} {what}."));
            // With an edit the answer is already long enough.
            sentences.extend(where_to_read(&first.cause).filter(|_| !is_edited));
            command = confirm(cx, &first.cause);
        }
        None if is_edited => {}
        None => {
            sentences.push("No single setting of the controller explains that.".to_owned());
            if cx.is_edit_unknown() {
                let edit = "An edit of the HPA since its last sync might: nothing here shows when it was edited.";
                sentences.push(edit.to_owned());
            }
            sentences.push("Record what the controller reads and writes next.".to_owned());
            command = Some(
                ShellCommand::new(&typed("capture"))
                    .arg(&cx.facts.observation.hpa.name)
                    .in_namespace(cx)
                    .arg("--every=15s")
                    .arg("--for=10m")
                    .arg("--output=incident.jsonl"),
            );
        }
    }
    FullAnswer::new(sentences, command)
}

/// That the inputs of the last sync may have been others, where it decided otherwise; and the setting that it would take
/// if they were the same.
pub(super) fn may_have_moved(cx: &ExplainContext<'_>) -> Option<([String; 2], Option<String>)> {
    let replicas = cx.may_have_moved()?;
    let kept = &replicas.written;
    let period = duration(cx.facts.observation.sync_period().value);
    let hypotheses = &cx.cross_check.hypotheses;
    let is_gone = hypotheses.iter().any(|one| one.cause == Cause::PodsGone);
    let moved = if is_gone {
        "Pods that it counted may be gone since"
    } else {
        "The metrics have changed since"
    };
    let sentences = [
        format!("The last sync kept {kept}."),
        format!("{moved}, so run this again in {period}."),
    ];
    let setting = fitting_setting(cx).and_then(|one| what_fits(cx, one));
    let setting =
        setting.map(|what| format!("If it still keeps {kept} then: {what} would explain it."));
    Some((sentences, setting))
}

/// The command that shows the decision with the setting that [`may_have_moved`] names last.
pub(super) fn confirm_if_kept(cx: &ExplainContext<'_>) -> Option<ShellCommand> {
    cx.may_have_moved()?;
    confirm(cx, &fitting_setting(cx)?.cause)
}

/// The first setting under which everything fits, unless an edit may explain it.
fn fitting_setting<'a>(cx: &ExplainContext<'a>) -> Option<&'a Hypothesis> {
    let mut fitting = cx.cross_check.hypotheses.iter().filter(|one| one.fits);
    let found = fitting.find(|one| what_fits(cx, one).is_some())?;
    edit(cx).is_none().then_some(found)
}

/// The answer if one flag of the controller explains the desired replicas it wrote: then nothing is broken.
fn of_one_flag(cx: &ExplainContext<'_>, replicas: &Comparison) -> Option<FullAnswer> {
    let written = cx.contradiction()?;
    let check = cx.cross_check;
    let has_same_metrics = check
        .compared
        .iter()
        .all(|one| one.agrees() || !matches!(one.what, Compared::Metric(_)));
    let mut fitting = check.hypotheses.iter().filter(|one| one.fits);
    let (Some(only), None, None) = (fitting.next(), fitting.next(), edit(cx)) else {
        return None;
    };
    let (Cause::Flag(flag, _), true) = (&only.cause, has_same_metrics) else {
        return None;
    };
    let winner = cx.facts.winner()?;
    let value = winner.value_text()?;
    let kept = if cx.facts.current()? == written {
        "keeps"
    } else {
        "wrote"
    };
    let inputs = inputs(cx);
    let assumed = inputs.iter().find(|input| input.setting == Some(*flag))?;
    let span = only.span.and_then(|span| setting::in_words(*flag, span));
    let edge = edge_under(cx, winner, only).unwrap_or_default();
    let assignment = setting::assignment(&only.cause)?;
    let (_, assigned) = assignment.split_once('=')?;
    let sentences = vec![
        format!(
            "The controller {kept} {} at {} {value}.",
            amount::replicas(written),
            winner.in_prose()
        ),
        format!(
            "Nothing to do if {} of kube-controller-manager is {assigned}{}{edge}.",
            controller_flag(*flag)?,
            span.unwrap_or_default()
        ),
        format!(
            "The table assumes {} and shows {}. With {assigned}:",
            assumed.value, replicas.recomputed
        ),
    ];
    Some(FullAnswer::new(sentences, confirm(cx, &only.cause)))
}

/// `: it then scales up at 73% or more`, if the tolerance changes where the only metric scales.
fn edge_under(
    cx: &ExplainContext<'_>,
    winner: &MetricFacts<'_>,
    hypothesis: &Hypothesis,
) -> Option<String> {
    let is_tolerance = hypothesis.cause.setting() == Some(Setting::Tolerance);
    if !is_tolerance || cx.facts.metrics.len() != 1 {
        return None;
    }
    let all = thresholds_under(cx.facts.observation, cx.facts.trace, &hypothesis.cause);
    let [found] = all.as_slice() else {
        return None;
    };
    let (way, edge) = if cx.facts.current()? < cx.facts.proposal()? {
        ("up", at_least(winner, found.up.as_ref()?))
    } else {
        ("down", at_most(winner, found.down.as_ref()?))
    };
    Some(format!(": it then scales {way} {edge}"))
}

/// Where to find the setting that explains the number, and what to do with it.
fn where_to_read(cause: &Cause) -> Option<String> {
    let place = match cause {
        Cause::Flag(setting, _) => {
            format!("{} of kube-controller-manager", controller_flag(*setting)?)
        }
        Cause::FeatureGate(..) => "--feature-gates of kube-controller-manager".to_owned(),
        Cause::Version(_) => "the version of kube-controller-manager".to_owned(),
        Cause::Architecture(_) => "the architecture of the control plane".to_owned(),
        _ => return None,
    };
    Some(format!("Look up {place}. With it:"))
}

/// The edit that the controller has not processed yet, or may not have, and what follows from that.
pub(super) fn edit(cx: &ExplainContext<'_>) -> Option<(String, Option<String>)> {
    let found = recorded_edit(cx).or_else(|| {
        let mut all = cx.cross_check.hypotheses.iter();
        all.find(|one| one.cause == Cause::SpecEdited)
    })?;
    let text = upper_first(&hypothesis(cx, found));
    Some(match text.split_once(". ") {
        Some((edit, then)) => (format!("{edit}."), Some(format!("{then}."))),
        None => (format!("{text}."), None),
    })
}
