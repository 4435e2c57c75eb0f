//! The steps of a decision as rows, for each format to draw.

use hpa_explain::{Page, StepKind, StepView, Weight};

use crate::style::FAILED;

/// A step below the one before it.
pub(super) struct StepRow<'p> {
    pub(super) step: &'p StepView,
    pub(super) title: StepTitle,
    /// Its outcome, with a mark if it failed.
    pub(super) outcome: String,
}

/// What the rows above say of a title.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum StepTitle {
    /// The first row of its metric, or no metric.
    New,
    /// The first row of the adjusted average of a metric.
    Adjusted,
    /// The same metric again, after its adjusted average.
    AfterAdjusted,
    /// The same as in the row above.
    Repeated,
}

/// The steps of a page that a format shows.
pub(super) fn steps<'p>(
    page: &'p Page,
    is_shown: impl Fn(&StepView) -> bool + 'p,
) -> impl Iterator<Item = StepRow<'p>> + 'p {
    let mut above: Option<&StepView> = None;
    let shown = page.steps.iter().filter(move |step| is_shown(step));
    shown.map(move |step| {
        let is_adjusted = step.kind.is_second_pass();
        let is_same = |above: &&StepView| step.metric.is_some() && above.metric == step.metric;
        let title = match above.replace(step).filter(is_same) {
            Some(above) if above.kind.is_second_pass() == is_adjusted => StepTitle::Repeated,
            _ if is_adjusted => StepTitle::Adjusted,
            Some(_) => StepTitle::AfterAdjusted,
            None => StepTitle::New,
        };
        StepRow {
            step,
            title,
            outcome: match step.weight {
                Weight::Error => format!("{FAILED} {}", step.outcome),
                Weight::Normal | Weight::Quiet => step.outcome.clone(),
            },
        }
    })
}

/// Whether the short page shows a step. Pure bookkeeping is hidden unless it failed.
pub(super) fn is_displayed(step: &StepView, page: &Page) -> bool {
    if step.is_deciding {
        return true;
    }
    let is_in_failure = matches!(step.kind, StepKind::ReadMetric | StepKind::SumRequests);
    if step.weight == Weight::Error {
        return !is_in_failure;
    }
    match step.kind {
        StepKind::ReadMetric | StepKind::SumRequests => false,
        StepKind::GroupPods => {
            let first = page
                .steps
                .iter()
                .find(|one| one.kind == StepKind::GroupPods);
            first.is_some_and(|first| first.how != step.how) || !step.notes.is_empty()
        }
        StepKind::Choice => 1 < metrics(page),
        _ => true,
    }
}

/// How many metrics have steps.
pub(super) fn metrics(page: &Page) -> usize {
    let mut indices: Vec<usize> = page.steps.iter().filter_map(|step| step.metric).collect();
    indices.sort_unstable();
    indices.dedup();
    indices.len()
}

/// `◀ decides: 8`.
pub(super) fn decides(page: &Page) -> String {
    match page.verdict.to {
        Some(to) => format!("◀ decides: {to}"),
        None => "◀ decides".to_owned(),
    }
}
