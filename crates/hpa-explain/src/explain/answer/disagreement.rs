//! The answer where the controller came to another number from the same inputs.

use crate::{
    explain::{
        ExplainContext,
        reasons::{hypothesis, what_fits},
    },
    inference::{Cause, ComparisonOutcome, Hypothesis},
};

/// The disagreement in words, if there is one about the replicas.
pub(super) fn disagreement(cx: &ExplainContext<'_>) -> Option<Vec<String>> {
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
    match all.first() {
        Some((_, what)) => {
            let number = match all.len() {
                1 => "Probably one assumed setting is wrong:".to_owned(),
                several => format!(
                    "Probably an assumed setting is wrong. {several} would each explain this, first"
                ),
            };
            sentences.push(format!("{number} {what}."));
        }
        None if is_edited => {}
        None => sentences.push("No single setting of the controller explains that.".to_owned()),
    }
    Some(sentences)
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
    Some(format!("{}.", capitalized(&hypothesis(cx, found))))
}

/// A fragment as the start of a sentence.
fn capitalized(fragment: &str) -> String {
    let mut letters = fragment.chars();
    let first = letters.next().map(|letter| letter.to_ascii_uppercase());
    first.into_iter().chain(letters).collect()
}
