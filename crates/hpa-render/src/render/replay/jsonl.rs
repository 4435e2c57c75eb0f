//! `replay -o jsonl`: one object per reconcile.

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::Serialize;

use crate::recording::{Difference, Outcome};

/// One line of `kubectl hpa replay -o jsonl`: one recomputed reconcile.
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
    /// Whether `predicted` follows from something that the controller may remember and that was not most probable, or
    /// from a decision a moment later, because only so it agrees with what the recording shows.
    pub other_history: bool,
    /// Whether the prediction agrees with what the recording shows; null: it doesn't show it, or the controller saw
    /// other pods or samples than those captured.
    pub agrees: Option<bool>,
    /// The fields that differ.
    pub differs: Vec<Difference>,
}
