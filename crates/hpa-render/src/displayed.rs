//! Which steps the short page shows.

use hpa_explain::{Page, StepKind, StepView, Weight};

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
