//! Today's decision beside that under a changed spec.

use crate::explain::{ExplainContext, Page, StepKind, StepView, Verdict, clock::duration};

/// What is different in a spec.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SpecEdit {
    /// The fields that differ, in order.
    pub changes: Vec<FieldChange>,
    /// What else is to be said of it: fields that the API server drops.
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
    /// Its value today; null: it is not set.
    pub before: Option<String>,
    /// Its value then; null: it is not set.
    pub after: Option<String>,
    /// Whether the API server fills the value in by default.
    pub by_default: bool,
}

/// Today's decision beside that under a changed spec.
#[derive(Clone, Debug, PartialEq)]
pub struct ChangedView {
    /// What is different in the spec.
    pub edit: SpecEdit,
    /// What happens today.
    pub today: Verdict,
    /// The steps that come out differently, or for another reason, in the controller's order.
    pub steps: Vec<ChangedStep>,
    /// From when on it counts, and what stays.
    pub when: String,
}

/// A step that comes out differently.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChangedStep {
    /// Its kind.
    pub kind: StepKind,
    /// What the page calls it.
    pub title: String,
    /// What comes of it today; none: there is no such step.
    pub today: Option<StepOutcome>,
    /// What comes of it then; none: there is no such step.
    pub changed: Option<StepOutcome>,
}

/// What comes of a step, and how.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Deserialize, schemars::JsonSchema, serde::Serialize),
    serde(rename_all = "camelCase")
)]
pub struct StepOutcome {
    /// What comes of it, in words.
    pub outcome: String,
    /// How, in numbers.
    pub how: String,
}

impl ChangedView {
    /// Compares today's page with that of the changed spec, which is `cx`.
    pub fn new(today: &Page, changed: &Page, cx: &ExplainContext<'_>, edit: SpecEdit) -> Self {
        let observation = cx.facts.observation;
        let when = if observation.hpa.is_synced_at_once(&observation.controller) {
            "the controller syncs an edit immediately".to_owned()
        } else {
            let sync_period = duration(observation.sync_period().value);
            format!("at the controller's next sync, within {sync_period}")
        };
        Self {
            edit,
            today: today.verdict.clone(),
            steps: steps(&today.steps, &changed.steps),
            when: format!("{when}; the recommendation history and the scaling history are kept"),
        }
    }
}

/// Steps by what they are about, those of today in between those of the changed spec.
fn steps(today: &[StepView], changed: &[StepView]) -> Vec<ChangedStep> {
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

/// A step and its title, in full where the page makes it short.
type Titled<'a> = (String, &'a StepView);

/// `adjusted` is the second pass over the metric above; alone it says nothing.
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
