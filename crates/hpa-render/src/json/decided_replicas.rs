//! What happens to the replicas.

use hpa_explain::Action;
use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What happens, and by which rule.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Verdict {
    /// What happens to the replicas.
    pub action: Action,
    /// Replicas now; null if the scale could not be read.
    pub from: Option<i32>,
    /// Replicas afterwards; null if they are not known.
    pub to: Option<i32>,
    /// The least and the most replicas that may result, if the recommendation history decides and is not known.
    pub range: Option<Range>,
    /// The rule that decides, such as `stabilization-window`.
    pub rule: String,
    /// The verdict in capitals, such as `STAYS AT 8`.
    pub headline: String,
    /// When the HPA scales, if it is about to, such as `by 10:41:45 UTC` or `at the next sync`; null if it is not.
    pub due: Option<String>,
    /// The latest time of the sync that scales; null if none does, or if the sync period is not known.
    pub due_by: Option<Timestamp>,
    /// The directions in which the HPA does not scale whatever its metrics ask for, such as `down` while a metric fails;
    /// `minReplicas` and `maxReplicas` block none.
    pub blocked: Vec<BlockedDirection>,
    /// What is wrong or that all is well, why, and what to do, in full sentences.
    pub sentence: String,
    /// The command to run next, quoted for a shell; null if there is none.
    pub command: Option<String>,
}

/// A direction in which an HPA does not scale.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum BlockedDirection {
    /// To more replicas.
    Up,
    /// To fewer replicas.
    Down,
}

/// A range of replicas.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Range {
    /// The least.
    pub min: i32,
    /// The most.
    pub max: i32,
}
