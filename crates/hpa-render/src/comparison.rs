//! Today's decision compared with the one under a changed spec, in rows that all formats share.

use hpa_explain::{ChangedStep, ChangedView, FieldChange, Page, StepKind, StepOutcome};

use super::{
    blocks::{ColumnKind, TableBlock},
    steps::metrics,
    style::Role,
};

/// The comparison in lines and rows, not yet sanitized.
pub(super) struct ComparisonView {
    /// Each field that the user changed.
    pub(super) changes: Vec<String>,
    /// The defaults that the API server adds because of that.
    pub(super) filled_in: Option<String>,
    /// Verdict and steps, today and with the change. A row without a title is about the same as the one above.
    pub(super) table: TableBlock,
}

/// Compares today's decision with the page of the changed spec.
pub(super) fn comparison(view: &ChangedView, page: &Page) -> ComparisonView {
    let (reported, filled_in): (Vec<&FieldChange>, Vec<&FieldChange>) =
        view.edit.changes.iter().partition(|one| !one.by_default);
    let mut changes: Vec<String> = reported.into_iter().map(field).collect();
    if view.edit.changes.is_empty() {
        changes.push("nothing: the spec is so today".to_owned());
    }
    let filled_in: Vec<String> = filled_in.into_iter().map(default).collect();
    ComparisonView {
        changes,
        filled_in: (!filled_in.is_empty())
            .then(|| format!("{} (the API server's defaults)", filled_in.join(", "))),
        table: table(view, page),
    }
}

/// `spec.maxReplicas  20 → 30`.
fn field(change: &FieldChange) -> String {
    let path = &change.path;
    match (&change.before, &change.after) {
        (Some(before), Some(after)) => format!("{path}  {before} → {after}"),
        (Some(before), None) => format!("{path}  removed: {before}"),
        (None, after) => format!("{path}  new: {}", after.as_deref().unwrap_or_default()),
    }
}

/// `scaleUp.selectPolicy Max`.
fn default(change: &FieldChange) -> String {
    let path = change.path.strip_prefix("spec.").unwrap_or(&change.path);
    let path = path.strip_prefix("behavior.").unwrap_or(path);
    format!("{path} {}", change.after.as_deref().unwrap_or_default())
}

/// The verdict, and each step whose outcome or reason differs.
fn table(view: &ChangedView, page: &Page) -> TableBlock {
    let row = |cells: &[&str]| cells.iter().map(|&cell| cell.to_owned()).collect();
    let verdict = ["verdict", &view.today.headline, &page.verdict.headline];
    let mut rows = vec![(Role::Strong, row(&verdict))];
    let mut previous = "";
    for step in view.steps.iter().filter(|step| is_displayed(step, page)) {
        let title = if step.title == previous {
            ""
        } else {
            &step.title
        };
        previous = &step.title;
        // An outcome that is the same on both sides is omitted.
        let outcome = |side: &Option<StepOutcome>| side.as_ref().map(|it| it.outcome.clone());
        let is_other = outcome(&step.today) != outcome(&step.changed);
        let text = |side: &Option<StepOutcome>| match side {
            Some(side) if is_other => side.outcome.clone(),
            Some(side) if !side.how.is_empty() => side.how.clone(),
            _ => "-".to_owned(),
        };
        let cells = [title, &text(&step.today), &text(&step.changed)];
        rows.push((Role::Text, row(&cells)));
    }
    if view.steps.is_empty() {
        rows.push((Role::Text, row(&["steps", "all come out the same"])));
    }
    TableBlock {
        columns: vec![
            ("", ColumnKind::Text),
            ("today", ColumnKind::Text),
            ("changed", ColumnKind::Text),
        ],
        rows,
    }
}

/// Whether a step has a row: bookkeeping has none, nor has a choice among one metric.
fn is_displayed(step: &ChangedStep, page: &Page) -> bool {
    match step.kind {
        StepKind::ReadMetric | StepKind::SumRequests | StepKind::FirstRecommendation => false,
        StepKind::Choice => 1 < metrics(page),
        _ => true,
    }
}
