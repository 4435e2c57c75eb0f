//! Whether there is nothing to do.

use hpa_analysis::{Cause, ComparisonOutcome, Hypothesis};

use crate::{
    ExplainContext, NoteTopic, NoteWeight, Unmet, context::downstream::missing::missing,
    rule::is_write_refused,
};

/// Whether all is well, or recovers with time or through the HPA itself.
pub(super) fn is_well(cx: &ExplainContext<'_>) -> bool {
    let are_lacking = Unmet::of(cx).not_ready.is_some_and(|number| 0 < number);
    if is_in_question(cx) || missing(cx).is_some() || are_lacking {
        return false;
    }
    let mut notes = cx.notes().iter();
    let has_other_writer =
        notes.any(|note| note.topic == NoteTopic::Writers && note.weight == NoteWeight::Normal);
    (cx.rule.words().recovers)(cx) && !cx.has_warning() && !has_other_writer
}

/// Whether something is wrong with the decision, or it is not certain.
fn is_in_question(cx: &ExplainContext<'_>) -> bool {
    let facts = &cx.facts;
    is_write_refused(facts)
        || cx.unreported().is_some()
        || !facts.failed().is_empty()
        || cx.range().is_some()
        || !cx.has_status_of_spec()
        || cx.cross_check.agreement == ComparisonOutcome::Differs
        || recorded_edit(cx).is_some()
}

/// The edit, if its time or the generation is known.
pub(super) fn recorded_edit<'a>(cx: &ExplainContext<'a>) -> Option<&'a Hypothesis> {
    cx.cross_check.hypotheses.iter().find(|one| {
        matches!(
            one.cause,
            Cause::SpecNewer(_) | Cause::EditPending(..) | Cause::EditUnanswered(..)
        )
    })
}
