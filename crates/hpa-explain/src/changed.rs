//! Compares today's decision with the one under a changed spec.

use crate::{FullAnswer, StepKind, StepView, Verdict};

/// The edit of a spec.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SpecEdit {
    /// The fields that differ, in order.
    pub changes: Vec<FieldChange>,
    /// Further remarks on the edit, such as fields that the API server drops.
    pub notes: Vec<String>,
}

/// A field that differs.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Deserialize, schemars::JsonSchema, serde::Serialize),
    serde(rename_all = "camelCase")
)]
pub struct FieldChange {
    /// Its path, such as `spec.maxReplicas`.
    pub path: String,
    /// Its value today; null: not set.
    pub before: Option<String>,
    /// Its value after the edit; null: not set.
    pub after: Option<String>,
    /// Whether the API server defaults the value.
    pub by_default: bool,
}

/// Today's decision compared with the one under a changed spec.
#[derive(Clone, Debug, PartialEq)]
pub struct ChangedView {
    /// What is different in the spec.
    pub edit: SpecEdit,
    /// The verdict today.
    pub today: Verdict,
    /// The same in full sentences.
    pub today_answer: FullAnswer,
    /// The steps with another outcome or another reason, in the controller's order.
    pub steps: Vec<ChangedStep>,
    /// From when on the change takes effect, and what remains.
    pub when: String,
}

/// A step whose outcome differs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChangedStep {
    /// Its kind.
    pub kind: StepKind,
    /// Its title on the page.
    pub title: String,
    /// Its outcome today; none: the step does not exist.
    pub today: Option<StepOutcome>,
    /// Its outcome after the edit; none: the step does not exist.
    pub changed: Option<StepOutcome>,
}

/// The outcome of a step, and how it was computed.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Deserialize, schemars::JsonSchema, serde::Serialize),
    serde(rename_all = "camelCase")
)]
pub struct StepOutcome {
    /// The outcome in words.
    pub outcome: String,
    /// The calculation in numbers.
    pub how: String,
}

/// Pairs the steps by what they are about, and merges today's steps into those of the changed spec.
pub(super) fn steps(today: &[StepView], changed: &[StepView]) -> Vec<ChangedStep> {
    let mut found = Vec::new();
    let today = titled(today);
    let mut rest = &today[..];
    for step in &titled(changed) {
        let Some(position) = rest.iter().position(|one| is_same_step(one, step)) else {
            found.extend(difference(None, Some(step)));
            continue;
        };
        let removed = rest[..position].iter();
        found.extend(removed.filter_map(|one| difference(Some(one), None)));
        found.extend(difference(Some(&rest[position]), Some(step)));
        rest = &rest[position + 1..];
    }
    found.extend(rest.iter().filter_map(|one| difference(Some(one), None)));
    found
}

/// A step and its title, in full even if the page shortens it.
type Titled<'a> = (String, &'a StepView);

/// `adjusted` belongs to the metric above; alone it means nothing.
fn titled(steps: &[StepView]) -> Vec<Titled<'_>> {
    let mut metric = "";
    let mut found = Vec::new();
    for step in steps {
        let title = if step.kind.is_second_pass() {
            format!("{metric} adjusted")
        } else {
            metric = &step.title;
            step.title.clone()
        };
        found.push((title, step));
    }
    found
}

fn is_same_step(one: &Titled<'_>, other: &Titled<'_>) -> bool {
    (one.1.kind, &one.0) == (other.1.kind, &other.0)
}

fn difference(today: Option<&Titled<'_>>, changed: Option<&Titled<'_>>) -> Option<ChangedStep> {
    let (title, step) = changed.or(today)?;
    let outcome = |step: Option<&Titled<'_>>| {
        step.map(|(_, step)| StepOutcome {
            outcome: step.outcome.clone(),
            how: step.how.clone(),
        })
    };
    let (today, changed) = (outcome(today), outcome(changed));
    (today != changed).then(|| ChangedStep {
        kind: step.kind,
        title: title.clone(),
        today,
        changed,
    })
}
