//! Builds the assessment of a snapshot.

use hpa_analysis::{Assessment, AssessmentInput, CrossCheck, expect_refusal};
use hpa_engine::model::Memory;

use crate::recording::{Converted, InvalidField, Outcome, Snapshot, differences};

/// The inputs of a snapshot's assessment. Adds data that the snapshot shares with others to `converted`.
pub fn assessment_input(
    snapshot: &Snapshot,
    converted: &mut Converted,
) -> Result<AssessmentInput, InvalidField> {
    let mut observation = snapshot.observation_among(converted)?;
    // A recording from the controller itself, or one with a known outcome, leaves nothing to predict.
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

/// The assessment of a single snapshot.
pub fn assess(snapshot: &Snapshot) -> Result<Assessment, InvalidField> {
    let input = assessment_input(snapshot, &mut Converted::default())?;
    Ok(Assessment::new(input))
}

/// Compares a recomputed outcome with the recorded one.
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
