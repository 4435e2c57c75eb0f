//! Today's decision beside that under a changed spec, as JSON.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Verdict;
use crate::explain::{self, FieldChange, StepOutcome};

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

impl From<&explain::ChangedView> for Changed {
    fn from(view: &explain::ChangedView) -> Self {
        Self {
            changes: view.edit.changes.clone(),
            notes: view.edit.notes.clone(),
            today: Today {
                verdict: (&view.today).into(),
            },
            steps: view.steps.iter().map(Into::into).collect(),
            when: view.when.clone(),
        }
    }
}

impl From<&explain::ChangedStep> for ChangedStep {
    fn from(step: &explain::ChangedStep) -> Self {
        Self {
            kind: step.kind.as_str().to_owned(),
            title: step.title.clone(),
            today: step.today.clone(),
            changed: step.changed.clone(),
        }
    }
}
