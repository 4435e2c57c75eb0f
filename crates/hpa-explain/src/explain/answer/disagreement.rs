//! The answer where the controller came to another number from the same inputs.

use super::Answer;
use crate::{
    explain::{
        ExplainContext,
        amount::upper_first,
        command::ShellCommand,
        reasons::{confirm, hypothesis, what_fits},
        setting::controller_flag,
    },
    inference::{Cause, ComparisonOutcome, Hypothesis},
};

/// The disagreement in words, if there is one about the replicas, and the command that leads further.
pub(super) fn disagreement(cx: &ExplainContext<'_>) -> Option<Answer> {
    let check = cx.cross_check;
    if check.agreement != ComparisonOutcome::Differs {
        return None;
    }
    let one = check
        .compared
        .iter()
        .find(|one| one.what == crate::inference::Compared::DesiredReplicas && !one.agrees())?;
    let proposal = cx.facts.proposal().map(|proposal| proposal.to_string());
    let winner = cx.facts.winner();
    let mut sentences = vec![
        match winner.filter(|_| proposal.as_ref() == Some(&one.recomputed)) {
            Some(winner) => format!(
                "{} and asks for {} with the assumed settings, but the controller wrote {}.",
                winner.is_at(),
                one.recomputed,
                one.written
            ),
            None => format!(
                "The controller wrote {}, but these inputs give {} with the assumed settings.",
                one.written, one.recomputed
            ),
        },
    ];
    let edit = edit(cx);
    let is_edited = edit.is_some();
    sentences.extend(edit);
    let all: Vec<(&Hypothesis, String)> = check
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
            // With an edit the answer is long enough.
            sentences.extend(look_up(&first.cause).filter(|_| !is_edited));
            command = confirm(cx, &first.cause);
        }
        None if is_edited => {}
        None => {
            sentences.push("No single setting of the controller explains that.".to_owned());
            sentences.push("Record what the controller reads and writes next.".to_owned());
            command = Some(
                ShellCommand::new("kubectl hpa capture")
                    .arg(&cx.facts.observation.hpa.name)
                    .in_namespace(cx)
                    .arg("--every=15s")
                    .arg("--for=10m")
                    .arg("--output=incident.jsonl"),
            );
        }
    }
    Some(Answer { sentences, command })
}

/// Where the setting is that explains the number, and what to do with it.
fn look_up(cause: &Cause) -> Option<String> {
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

/// The edit that the controller has not taken in, or may not have, in a full sentence.
pub(super) fn edit(cx: &ExplainContext<'_>) -> Option<String> {
    let is_edit = |one: &&Hypothesis| {
        matches!(
            one.cause,
            Cause::SpecNewer(_) | Cause::EditPending(..) | Cause::EditUnanswered(..)
        )
    };
    let found = cx.cross_check.hypotheses.iter().find(is_edit)?;
    Some(format!("{}.", upper_first(&hypothesis(cx, found))))
}
