//! A change of the scale that the API server refused: what refuses it (a webhook, a policy, a missing right of the
//! controller) refuses the next one as well.

use crate::model::{ApiError, Observation};

/// Takes the next change of the scale to be refused as the last one was, if the status tells of such a refusal.
pub fn expect_refusal(observation: &mut Observation) {
    if observation.scale_write_error.is_none() {
        observation.scale_write_error = last_refusal(observation);
    }
}

/// What the last change of the scale was refused with. A conflict is over with the next read.
pub fn last_refusal(observation: &Observation) -> Option<ApiError> {
    let able = observation.hpa.status.condition("AbleToScale");
    let message = able
        .filter(|condition| condition.reason == "FailedUpdateScale")?
        .message
        .strip_prefix("the HPA controller was unable to update the target scale: ")?;
    let is_conflict = message.contains("the object has been modified");
    (!is_conflict).then(|| ApiError {
        message: message.to_owned(),
        ..ApiError::default()
    })
}
