//! Today's decision compared with the one under a changed spec, as JSON.

use hpa_explain::{FieldChange, StepOutcome};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Verdict;

/// The edits of the spec and the differences in the decision. The enclosing explanation describes the changed spec.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Changed {
    /// The fields that differ.
    pub changes: Vec<FieldChange>,
    /// Further effects of the API server on the edit: fields that it drops.
    pub notes: Vec<String>,
    /// The decision under the current spec.
    pub today: Today,
    /// The steps whose outcome or reason differs.
    pub steps: Vec<ChangedStep>,
    /// From when on the change takes effect, and what remains.
    pub when: String,
}

/// The decision under the current spec.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Today {
    /// What happens, and by which rule.
    pub verdict: Verdict,
}

/// A step that differs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ChangedStep {
    /// Its kind, such as `usage-ratio`.
    pub kind: String,
    /// Its title on the page.
    pub title: String,
    /// Its outcome today; null: the step does not exist.
    pub today: Option<StepOutcome>,
    /// Its outcome after the edit; null: the step does not exist.
    pub changed: Option<StepOutcome>,
}

impl From<&hpa_explain::ChangedView> for Changed {
    fn from(view: &hpa_explain::ChangedView) -> Self {
        Self {
            changes: view.edit.changes.clone(),
            notes: view.edit.notes.clone(),
            today: Today {
                verdict: Verdict::new(&view.today, &view.today_answer),
            },
            steps: view.steps.iter().map(Into::into).collect(),
            when: view.when.clone(),
        }
    }
}

impl From<&hpa_explain::ChangedStep> for ChangedStep {
    fn from(step: &hpa_explain::ChangedStep) -> Self {
        Self {
            kind: step.kind.as_str().to_owned(),
            title: step.title.clone(),
            today: step.today.clone(),
            changed: step.changed.clone(),
        }
    }
}
