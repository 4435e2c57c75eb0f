//! Today's decision beside that under a changed spec, as JSON.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Verdict;
use crate::explain;

/// What is different in a changed spec, and in the decision. The explanation around it is that of the changed spec.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Changed {
    /// The fields that differ.
    pub changes: Vec<FieldChange>,
    /// What the API server does to the change beside: fields that it drops.
    pub notes: Vec<String>,
    /// The decision with the spec as it is.
    pub today: Today,
    /// The steps that come out differently, or for another reason.
    pub steps: Vec<ChangedStep>,
    /// From when on it counts, and what stays.
    pub when: String,
}

/// The decision with the spec as it is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Today {
    /// What happens, and by which rule.
    pub verdict: Verdict,
}

/// A field that differs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct FieldChange {
    /// Its path, such as `spec.maxReplicas`.
    pub path: String,
    /// Its value today; null: it is not set.
    pub before: Option<String>,
    /// Its value then; null: it is not set.
    pub after: Option<String>,
    /// Whether the API server fills the value in by default.
    pub by_default: bool,
}

/// A step that comes out differently.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ChangedStep {
    /// Its kind, such as `usage-ratio`.
    pub kind: String,
    /// What the page calls it.
    pub title: String,
    /// What comes of it today; null: there is no such step.
    pub today: Option<StepOutcome>,
    /// What comes of it then; null: there is no such step.
    pub changed: Option<StepOutcome>,
}

/// What comes of a step, and how.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct StepOutcome {
    /// What comes of it, in words.
    pub outcome: String,
    /// How, in numbers.
    pub how: String,
}

impl From<&explain::ChangedView> for Changed {
    fn from(view: &explain::ChangedView) -> Self {
        Self {
            changes: view.edit.changes.iter().map(Into::into).collect(),
            notes: view.edit.notes.clone(),
            today: Today {
                verdict: (&view.today).into(),
            },
            steps: view.steps.iter().map(Into::into).collect(),
            when: view.when.clone(),
        }
    }
}

impl From<&explain::FieldChange> for FieldChange {
    fn from(change: &explain::FieldChange) -> Self {
        Self {
            path: change.path.clone(),
            before: change.before.clone(),
            after: change.after.clone(),
            by_default: change.by_default,
        }
    }
}

impl From<&explain::ChangedStep> for ChangedStep {
    fn from(step: &explain::ChangedStep) -> Self {
        Self {
            kind: step.kind.as_str().to_owned(),
            title: step.title.clone(),
            today: step.today.as_ref().map(Into::into),
            changed: step.changed.as_ref().map(Into::into),
        }
    }
}

impl From<&explain::StepOutcome> for StepOutcome {
    fn from(step: &explain::StepOutcome) -> Self {
        Self {
            outcome: step.outcome.clone(),
            how: step.how.clone(),
        }
    }
}
