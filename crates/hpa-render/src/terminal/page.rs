//! The page of `explain` as text.

use hpa_explain::{
    Page, StepKind, StepView, Weight,
    learn::{Topic, topic_of_step},
};
use hpa_words::{program::typed, wrap::wrap};
use unicode_width::UnicodeWidthStr as _;

use super::{
    changed::write_changed,
    pods::write_pods,
    rows::{RowWidths, TerminalRow, pad, write_paragraph, write_row},
    what_if::write_what_ifs,
};
use crate::{
    blocks::Headline,
    sections::{self, Section},
    steps::{StepTitle, decides, is_displayed, steps},
    style::{Role, Style},
    styled::StyledText,
};

/// How much a page shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PageDetail {
    /// Whether every step is shown with its formula in names.
    pub is_wide: bool,
    /// Whether every pod is shown, and for each step the controller's function and the page that explains it.
    pub is_verbose: bool,
    /// Whether all counterfactuals are shown, if the page has them.
    pub with_what_ifs: bool,
}

/// Writes the page of one HPA, with colors if `style` has them.
pub fn page(page: &Page, detail: PageDetail, style: Style) -> String {
    styled_page(page, detail, style).paint(style)
}

/// The first lines of a page: the headline, the answer and the next command.
pub fn answer(page: &Page, style: Style) -> String {
    let mut out = StyledText::default();
    write_answer(page, style, &mut out);
    out.paint(style)
}

fn write_answer(page: &Page, style: Style, out: &mut StyledText) {
    headline(page, style, out);
    let answer = style.clean(&page.answer.text());
    for line in wrap(&answer, style.width.min(LONGEST_LINE)) {
        out.push_line(Role::Text, line);
    }
    // A command to copy takes a line of its own, however long it is.
    if let Some(command) = &page.answer.command {
        out.push_line(Role::Text, format!("  {}", style.clean(command)));
    }
}

/// The page of one HPA in the width of `style`.
pub fn styled_page(page: &Page, detail: PageDetail, style: Style) -> StyledText {
    let mut out = StyledText::default();
    if let Some(changed) = &page.changed {
        write_changed(changed, page, style, &mut out);
    }
    write_answer(page, style, &mut out);
    let rows = rows(page, detail, style);
    let columns = RowWidths::of(&rows);
    if !rows.is_empty() {
        out.push_blank();
    }
    for row in &rows {
        write_row(row, columns, style, &mut out);
    }
    let write = |section: &Section<'_>, normal, out: &mut StyledText| {
        write_section(section, normal, detail, columns.title, style, out);
    };
    write(&sections::next(page), Role::Text, &mut out);
    if detail.with_what_ifs {
        write_what_ifs(&page.what_if, style, &mut out);
    }
    write(&sections::around(page), Role::Text, &mut out);
    let mut trust = sections::trust(page);
    trust.lines.push((Role::Text, "as of", &page.at));
    let more = deciding_topic(page);
    let more = more.map(|topic| typed(&format!("explain --learn {}", topic.id)));
    if let Some(more) = &more {
        trust.lines.push((Role::Text, "learn more", more));
    }
    write(&trust, Role::Dim, &mut out);
    if detail.is_verbose && !page.pods.is_empty() {
        out.push_blank();
        write_pods(page, style, &mut out);
    }
    out
}

/// `shop/web → Deployment/web   STAYS AT 8   min 2 · max 20`, in two lines if one is too short.
fn headline(page: &Page, style: Style, out: &mut StyledText) {
    let object = style.clean(&format!("{} → {}", page.hpa, page.scale_target));
    let Headline { text, role, .. } = sections::headline(page);
    let verdict = style.clean(&text);
    let bounds = style.clean(&page.bounds);
    let width = style.width.min(LONGEST_LINE);
    let one_line = object.width() + verdict.width() + bounds.width() + 6;
    if one_line <= width {
        let rest = width - bounds.width() - verdict.width();
        // The verdict is in the middle of the line if it fits.
        let start = (object.width() + 3).max(rest.min(width / 2 + 6).min(rest.saturating_sub(3)));
        let gap = width.saturating_sub(start + verdict.width() + bounds.width());
        out.push(vec![
            (Role::Text, pad(&object, start)),
            (role, verdict),
            (Role::Text, " ".repeat(gap) + &bounds),
        ]);
    } else {
        out.push_line(Role::Text, object);
        let gap = width
            .saturating_sub(verdict.width() + bounds.width())
            .max(3);
        out.push(vec![
            (role, verdict),
            (Role::Text, " ".repeat(gap) + &bounds),
        ]);
    }
}

fn rows(page: &Page, detail: PageDetail, style: Style) -> Vec<TerminalRow> {
    steps(page, |step| detail.is_wide || is_displayed(step, page))
        .map(|row| {
            let step = row.step;
            let title = match row.title {
                StepTitle::New => &step.title,
                StepTitle::Adjusted => "  adjusted",
                StepTitle::AfterAdjusted | StepTitle::Repeated => "",
            };
            let formula = step.formula.filter(|_| detail.is_wide).map(str::to_owned);
            let below = step.notes.iter().cloned().chain(formula);
            let below = below.chain(source(step, detail));
            TerminalRow {
                title: style.clean(title),
                outcome: style.clean(&row.outcome),
                how: style.clean(&step.how),
                below: below.map(|line| style.clean(&line)).collect(),
                mark: step.is_deciding.then(|| style.clean(&decides(page))),
                role: match step.weight {
                    Weight::Quiet => Role::Dim,
                    Weight::Normal => Role::Text,
                    Weight::Error => Role::Error,
                },
            }
        })
        .collect()
}

/// `replica_calculator.go: groupPods · --learn group-pods`, or only the page if functions are not shown.
fn source(step: &StepView, detail: PageDetail) -> Option<String> {
    let function = step
        .upstream
        .filter(|_| detail.is_verbose)
        .map(|upstream| format!("{}: {}", upstream.file, upstream.function));
    let topic = topic_of_step(step)
        .filter(|_| detail.is_verbose || detail.is_wide)
        .map(|topic| format!("--learn {}", topic.id));
    let parts: Vec<String> = function.into_iter().chain(topic).collect();
    (!parts.is_empty()).then(|| parts.join(" · "))
}

/// The page that explains the deciding step; if a metric fails, the step that failed.
fn deciding_topic(page: &Page) -> Option<&'static Topic> {
    let deciding = page.steps.iter().find(|step| step.is_deciding)?;
    let is_cause = |step: &&StepView| {
        deciding.kind == StepKind::MetricFailure
            && step.metric == deciding.metric
            && step.weight == Weight::Error
            && matches!(step.kind, StepKind::ReadMetric | StepKind::SumRequests)
    };
    topic_of_step(page.steps.iter().find(is_cause).unwrap_or(deciding))
}

/// Writes the lines of a section. Details are for `--verbose`.
fn write_section(
    section: &Section<'_>,
    normal: Role,
    detail: PageDetail,
    indent: usize,
    style: Style,
    out: &mut StyledText,
) {
    let mut previous = None;
    for &(role, title, text) in &section.lines {
        let (mark, role) = match role {
            Role::Warning => ("! ", role),
            Role::Dim if !detail.is_verbose => continue,
            Role::Dim => ("", role),
            _ => ("", normal),
        };
        if previous.is_none() {
            out.push_blank();
        }
        let is_same = previous.replace(title) == Some(title) && section.has_titles_once;
        let text = format!("{mark}{}", style.clean(text));
        write_paragraph(
            if is_same { "" } else { title },
            &text,
            indent,
            role,
            style,
            out,
        );
    }
}

/// Longer lines are hard to read, however wide the terminal is.
const LONGEST_LINE: usize = 100;
