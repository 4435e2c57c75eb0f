//! A scale write that the API server refused. The cause (a webhook, a policy, a missing permission of the controller)
//! also refuses the next one.

use crate::model::{ApiError, Observation};

/// Assumes that the next scale write is refused like the last one, if the status shows such a refusal.
pub fn expect_refusal(observation: &mut Observation) {
    if observation.scale_write_error.is_none() {
        observation.scale_write_error = last_refusal(observation);
    }
}

/// The error of the last scale write. Ignores conflicts, which the next read resolves.
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
