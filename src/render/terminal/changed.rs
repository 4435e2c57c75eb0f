//! Today's decision beside that under a changed spec.

use unicode_width::UnicodeWidthStr as _;

use super::rows::{pad, push_line, wrap, write_paragraph};
use crate::{
    explain::{ChangedStep, ChangedView, FieldChange, Page, StepKind, StepOutcome},
    render::{
        shown::metrics,
        style::{Role, Style},
    },
};

/// Writes the block above the page of the changed spec: what is different in the spec, and what in the decision.
pub(super) fn write_changed(view: &ChangedView, page: &Page, style: Style, out: &mut String) {
    let (told, filled_in): (Vec<&FieldChange>, Vec<&FieldChange>) =
        view.edit.changes.iter().partition(|one| !one.by_default);
    for (number, change) in told.iter().enumerate() {
        let title = if number == 0 { "changed" } else { "" };
        write_paragraph(title, &field(change, style), TITLE, Role::Text, style, out);
    }
    if view.edit.changes.is_empty() {
        let text = "nothing: the spec is so today";
        write_paragraph("changed", text, TITLE, Role::Text, style, out);
    }
    if !filled_in.is_empty() {
        let fields: Vec<String> = filled_in.iter().map(|one| default(one, style)).collect();
        let text = format!("{} (the API server's defaults)", fields.join(", "));
        write_paragraph("filled in", &text, TITLE, Role::Dim, style, out);
    }
    for note in &view.edit.notes {
        let note = format!("! {}", style.clean(note));
        write_paragraph("note", &note, TITLE, Role::Warning, style, out);
    }
    out.push('\n');
    for row in rows(view, page, style) {
        write_row(&row, style, out);
    }
    write_paragraph(
        "when",
        &style.clean(&view.when),
        TITLE,
        Role::Dim,
        style,
        out,
    );
    out.push('\n');
}

/// `spec.maxReplicas  20 → 30`.
fn field(change: &FieldChange, style: Style) -> String {
    let side = |side: &Option<String>| side.clone().unwrap_or_else(|| "not set".to_owned());
    let text = match (&change.before, &change.after) {
        (None, Some(after)) => format!("{}  new: {after}", change.path),
        (Some(before), None) => format!("{}  removed: {before}", change.path),
        (before, after) => format!("{}  {} → {}", change.path, side(before), side(after)),
    };
    style.clean(&text)
}

/// `scaleUp.selectPolicy Max`.
fn default(change: &FieldChange, style: Style) -> String {
    let path = change.path.strip_prefix("spec.").unwrap_or(&change.path);
    let path = path.strip_prefix("behavior.").unwrap_or(path);
    style.clean(&format!(
        "{path} {}",
        change.after.as_deref().unwrap_or_default()
    ))
}

/// A row of the comparison.
struct Row {
    title: String,
    today: String,
    changed: String,
    role: Role,
}

/// The heading, the verdict, and each step that comes out differently.
fn rows(view: &ChangedView, page: &Page, style: Style) -> Vec<Row> {
    let row = |title: &str, today: &str, changed: &str, role| Row {
        title: style.clean(title),
        today: style.clean(today),
        changed: style.clean(changed),
        role,
    };
    let mut rows = vec![
        row("", "today", "changed", Role::Dim),
        row(
            "verdict",
            &view.today.headline,
            &page.verdict.headline,
            Role::Strong,
        ),
    ];
    let mut previous = "";
    for step in view.steps.iter().filter(|step| is_shown(step, page)) {
        let title = if step.title == previous {
            ""
        } else {
            &step.title
        };
        previous = &step.title;
        // What is the same on both sides is no difference.
        let outcome = |side: &Option<StepOutcome>| side.as_ref().map(|it| it.outcome.clone());
        let is_other = outcome(&step.today) != outcome(&step.changed);
        let text = |side: &Option<StepOutcome>| match side {
            Some(side) if is_other => side.outcome.clone(),
            Some(side) => side.how.clone(),
            None => "-".to_owned(),
        };
        rows.push(row(
            title,
            &text(&step.today),
            &text(&step.changed),
            Role::Text,
        ));
    }
    if view.steps.is_empty() {
        rows.push(row("steps", "all come out the same", "", Role::Text));
    }
    rows
}

/// Whether a step has a row: bookkeeping has none, and no choice between one.
fn is_shown(step: &ChangedStep, page: &Page) -> bool {
    match step.kind {
        StepKind::ReadMetric | StepKind::SumRequests | StepKind::FirstRecommendation => false,
        StepKind::Choice => 1 < metrics(page),
        _ => true,
    }
}

fn write_row(row: &Row, style: Style, out: &mut String) {
    let width = style.width.saturating_sub(TITLE) / 2;
    let (today, changed) = (
        wrap(&row.today, width.saturating_sub(2)),
        wrap(&row.changed, width),
    );
    let has_long_title = TITLE <= row.title.width();
    if has_long_title {
        push_line(&style.paint(row.role, &row.title), out);
    }
    for line in 0..today.len().max(changed.len()) {
        let title = if line == 0 && !has_long_title {
            &row.title
        } else {
            ""
        };
        let cell = |lines: &[String]| lines.get(line).cloned().unwrap_or_default();
        let text = pad(title, TITLE) + &pad(&cell(&today), width) + &cell(&changed);
        push_line(&style.paint(row.role, text.trim_end()), out);
    }
}

/// Width of the first column, gap included: that of the page.
const TITLE: usize = 11;
