//! The result of a sync in words.

use hpa_engine::trace::{Choice, Decision, Rescale, ScaleWrite};

use crate::{Facts, StepKind, StepView, Weight};

/// What is written, or that nothing is.
pub(super) fn result(facts: &Facts<'_>) -> StepView {
    let target = &facts.observation.hpa.spec.scale_target;
    let view =
        |outcome: String, how: String| StepView::new(StepKind::Result, "result", outcome, how);
    if let Some(rescale) = facts.rescale {
        let outcome = format!("{} → {}", rescale.from, rescale.to);
        let view = match &rescale.write {
            ScaleWrite::Accepted => view(outcome, format!("spec.replicas of {target}")),
            ScaleWrite::Refused(error) => view(
                format!("{outcome} refused"),
                format!("by the API server: {}", error.message),
            )
            .error(),
        };
        return view
            .upstream(Rescale::UPSTREAM)
            .value("from", rescale.from)
            .value("to", rescale.to)
            .value("reason", rescale.reason.as_str())
            .value("accepted", matches!(rescale.write, ScaleWrite::Accepted));
    }
    match &facts.trace.decision {
        Decision::Disabled => view("stays at 0".to_owned(), "scaling is off".to_owned()),
        Decision::Failed { current } => view(
            current.map_or_else(
                || "unchanged".to_owned(),
                |current| format!("stays at {current}"),
            ),
            match facts.choice.map(|choice| choice.choice) {
                Some(Choice::RefusedScaleDown) => "no scaling down while a metric fails".to_owned(),
                _ => "the controller cannot decide".to_owned(),
            },
        ),
        Decision::Hold { current } | Decision::Rescale { from: current, .. } => {
            view(current.to_string(), "no change".to_owned()).quiet_if(true)
        }
        Decision::Unknown { .. } => view(
            "unknown".to_owned(),
            "inputs of the decision could not be read here".to_owned(),
        ),
    }
}

/// Says of the result that it is recomputed, and what the controller wrote instead.
pub(crate) fn mark_recomputed(views: &mut [StepView], facts: &Facts<'_>, written: i32) {
    let current = facts.current().unwrap_or_default();
    let recomputed = facts.rescale.map_or(current, |rescale| rescale.to);
    let did = if written == current { "kept" } else { "wrote" };
    if let Some(view) = views.iter_mut().find(|view| view.kind == StepKind::Result) {
        view.outcome = recomputed.to_string();
        view.how = format!("recomputed; the controller {did} {written}");
        view.weight = Weight::Normal;
    }
}
