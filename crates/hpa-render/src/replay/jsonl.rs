//! `replay -o jsonl`: one object per sync.

use hpa_objects::recording::{Difference, Outcome};
use jiff::Timestamp;
use schemars::JsonSchema;
use serde::Serialize;

/// One line of `kubectl hpa replay -o jsonl`: one recomputed sync.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ReplayedReconcile {
    /// The controller's clock, as in the snapshot.
    pub time: Timestamp,
    /// Name of the recording.
    pub recording: String,
    /// What the controller is predicted to do, in the shape of a snapshot's `outcome`; null: something that decides
    /// was not recorded.
    pub predicted: Option<Outcome>,
    /// Whether `predicted` assumes a recommendation history that is not the most probable, or a decision slightly
    /// later, because only then it agrees with the recording.
    pub other_history: bool,
    /// Whether the prediction agrees with the recording; null: the recording does not show the outcome, or the
    /// controller saw other pods or samples than those captured.
    pub agrees: Option<bool>,
    /// The fields that differ.
    pub differs: Vec<Difference>,
}
