//! The answer where the controller came to another number from the same inputs.

use crate::{
    explain::{
        Story,
        agreement::{confirm, hypothesis},
        inputs::inputs,
    },
    inference::{Agreement, Cause, Hypothesis},
};

/// The disagreement in words, if there is one about the replicas.
pub(super) fn disagreement(story: &Story<'_>) -> Option<Vec<String>> {
    let check = &story.look.cross_check;
    if check.agreement != Agreement::Differs {
        return None;
    }
    let one = check
        .compared
        .iter()
        .find(|one| one.what == crate::inference::Compared::DesiredReplicas && !one.agrees())?;
    let mut sentences = vec![format!(
        "The controller wrote {}, these inputs give {}.",
        one.written, one.recomputed
    )];
    let edit = edit(story);
    let is_edited = edit.is_some();
    sentences.extend(edit);
    let fitting = check.hypotheses.iter().find(|one| {
        one.fits
            && matches!(
                one.cause,
                Cause::Flag(..) | Cause::FeatureGate(..) | Cause::Version(_) | Cause::Forgot
            )
    });
    match fitting {
        Some(fitting) => {
            let what = match &fitting.cause {
                Cause::Flag(flag, value) => {
                    let name = flag
                        .strip_prefix("horizontal-pod-autoscaler-")
                        .unwrap_or(flag);
                    let name = name.replace('-', " ");
                    match assumed(story, &name) {
                        Some(assumed) => format!("{name} {value} instead of {assumed}"),
                        None => format!("{name} {value}"),
                    }
                }
                Cause::FeatureGate(gate, is_on) => {
                    let on = if *is_on { "on" } else { "off" };
                    format!("feature gate {gate} {on}")
                }
                Cause::Version(version) => format!("a controller of version {version}"),
                _ => "a controller that restarted and remembers nothing".to_owned(),
            };
            sentences.push(format!("One setting makes all numbers fit: {what}."));
            sentences.extend(
                confirm(story, &fitting.cause).map(|command| format!("Confirm: {command}")),
            );
        }
        None if is_edited => {}
        None => sentences.push("No single setting of the controller explains that.".to_owned()),
    }
    Some(sentences)
}

/// The edit that the controller has not taken in, or may not have, in a full sentence.
pub(super) fn edit(story: &Story<'_>) -> Option<String> {
    let is_edit = |one: &&Hypothesis| {
        matches!(
            one.cause,
            Cause::EditPending(..) | Cause::EditUnanswered(..)
        )
    };
    let found = story.look.cross_check.hypotheses.iter().find(is_edit)?;
    Some(format!("{}.", hypothesis(story, found)))
}

/// The value that was assumed for a flag.
fn assumed(story: &Story<'_>, name: &str) -> Option<String> {
    inputs(story)
        .into_iter()
        .find(|input| input.name.eq_ignore_ascii_case(name))
        .map(|input| input.value)
}
