//! From a snapshot to its assessment.

use crate::{
    inference::{Assessment, AssessmentInput, CrossCheck, expect_refusal},
    model::Memory,
    recording::{Converted, InvalidField, Outcome, Snapshot, differences},
};

/// What the assessment of a snapshot starts from. What the snapshot shares with others is in `converted` then.
pub fn assessment_input(
    snapshot: &Snapshot,
    converted: &mut Converted,
) -> Result<AssessmentInput, InvalidField> {
    let mut observation = snapshot.observation_among(converted)?;
    // Where the controller recorded itself, or what it did is known, nothing is left to be expected.
    if snapshot.outcome.is_none() && snapshot.is_captured() {
        expect_refusal(&mut observation);
    }
    Ok(AssessmentInput {
        observation,
        context: snapshot.context(),
        memory: snapshot.controller_started.then(Memory::default),
        now: snapshot.time(),
    })
}

/// The assessment of one snapshot by itself.
pub fn assess(snapshot: &Snapshot) -> Result<Assessment, InvalidField> {
    let input = assessment_input(snapshot, &mut Converted::default())?;
    Ok(Assessment::new(input))
}

/// The comparison of a recomputed outcome with the recorded one.
pub fn compared(predicted: &Outcome, recorded: &Outcome) -> CrossCheck {
    let found = differences(predicted, recorded).into_iter();
    CrossCheck::with_outcome(found.map(|difference| {
        (
            difference.path,
            difference.recorded.to_string(),
            difference.predicted.to_string(),
        )
    }))
}
