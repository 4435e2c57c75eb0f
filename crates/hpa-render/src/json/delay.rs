//! Delays in `explain -o json`.

use hpa_explain::DelayView;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// One cause of the time from a load to pods that are ready for it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Delay {
    /// Its name, such as `sync period`.
    pub cause: String,
    /// How long it may take; null if that depends on the load.
    pub seconds: Option<f64>,
    /// How that is known.
    pub known_from: String,
    /// Whether it was measured from timestamps of this workload.
    pub measured: bool,
    /// The setting that shortens it.
    pub shortened_by: String,
}

impl From<&DelayView> for Delay {
    fn from(delay: &DelayView) -> Self {
        Self {
            cause: delay.cause.to_owned(),
            seconds: delay.takes.map(|takes| takes.as_secs_f64()),
            known_from: delay.known_from.clone(),
            measured: delay.is_measured,
            shortened_by: delay.shortened_by.clone(),
        }
    }
}
