//! What happens to the replicas.

use hpa_explain::Action;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What happens, and by which rule.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
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
    /// What is wrong or that all is well, why, and what to do, in full sentences.
    pub sentence: String,
    /// The command to run next, quoted for a shell; null if there is none.
    pub command: Option<String>,
}

/// A range of replicas.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Range {
    /// The least.
    pub min: i32,
    /// The most.
    pub max: i32,
}
