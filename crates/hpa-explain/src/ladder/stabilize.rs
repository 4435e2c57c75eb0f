//! Recommendations and stabilization windows in words.

use hpa_engine::{
    model::{Provenance, Recommendation},
    trace::{FirstRecommendation, Stabilize, StabilizePath, StabilizeReason},
};
use hpa_words::clock::{Clock, duration};

use crate::{StepKind, StepValue, StepView};

/// The first recommendation in words.
pub(super) fn first_recommendation(step: FirstRecommendation) -> StepView {
    StepView::new(
        StepKind::FirstRecommendation,
        "history",
        format!("starts with {}", step.replicas),
        "first sync in the controller's history",
    )
    .upstream(FirstRecommendation::UPSTREAM)
    .value("replicas", step.replicas)
}

/// Stabilization in words.
pub(super) fn stabilize(step: &Stabilize, clock: &Clock) -> StepView {
    let (how, formula) = match step.path {
        StabilizePath::NoBehavior { window } => (
            no_behavior(step, &duration(window.value), clock),
            "max(recommendations of the window)",
        ),
        StabilizePath::Behavior { .. } => (
            behavior(step, clock),
            "spec.replicas, kept between the lowest and the highest recommendation",
        ),
    };
    let remembered = |number: fn(&Recommendation) -> StepValue| {
        StepValue::List(step.considered.iter().map(number).collect())
    };
    StepView::new(
        StepKind::Stabilize,
        "window",
        step.stabilized.to_string(),
        how,
    )
    .formula(formula)
    .upstream(step.upstream())
    .quiet_if(step.reason == StabilizeReason::ReadyForNewScale)
    .value("recommendation", step.recommendation)
    .value("stabilized", step.stabilized)
    .value("reason", step.reason.as_str())
    .value("considered", remembered(|one| one.replicas.into()))
    .value("consideredAt", remembered(|one| one.at.to_string().into()))
    .value(
        "consideredProvenance",
        remembered(|one| one.provenance.as_str().into()),
    )
}

fn no_behavior(step: &Stabilize, window: &str, clock: &Clock) -> String {
    if step.considered.is_empty() {
        return format!("nothing known about the last {window}");
    }
    if step.reason == StabilizeReason::ReadyForNewScale {
        return format!("nothing higher in the last {window}");
    }
    match holder(step, step.stabilized) {
        Some(held) => format!(
            "highest in the last {window}: {} ({})",
            number(step, held.replicas),
            when(held, clock)
        ),
        None => format!("highest in the last {window}: {}", step.stabilized),
    }
}

/// With `behavior`: what holds the replicas, or that nothing does.
fn behavior(step: &Stabilize, clock: &Clock) -> String {
    let StabilizePath::Behavior {
        up_window,
        down_window,
        lowest,
        highest,
    } = step.path
    else {
        return String::new();
    };
    let (up, down) = (duration(up_window.value), duration(down_window.value));
    let made = |replicas: i32| {
        holder(step, replicas).map_or_else(String::new, |held| format!(" ({})", when(held, clock)))
    };
    if step.reason == StabilizeReason::ReadyForNewScale {
        return match (up_window.value.is_zero(), down_window.value.is_zero()) {
            (true, true) => "no window".to_owned(),
            (true, false) => format!("nothing higher in the last {down}"),
            (false, true) => format!("nothing lower in the last {up}"),
            (false, false) => {
                format!("nothing higher in the last {down}, nothing lower in the last {up}")
            }
        };
    }
    if step.stabilized == highest {
        format!(
            "highest in the last {down}: {}{}",
            number(step, highest),
            made(highest)
        )
    } else if step.stabilized == lowest {
        format!(
            "lowest in the last {up}: {}{}",
            number(step, lowest),
            made(lowest)
        )
    } else {
        format!(
            "kept: it is between {}, the lowest in the last {up}{}, and {}, the highest in the last {down}{}",
            number(step, lowest),
            made(lowest),
            number(step, highest),
            made(highest)
        )
    }
}

/// When a recommendation was made, and whether that is inferred.
fn when(held: &Recommendation, clock: &Clock) -> String {
    if held.provenance.is_inferred() {
        "inferred".to_owned()
    } else {
        clock.time(held.at)
    }
}

/// `9`, or `at least 9` if only a bound of the recommendation is known.
pub(crate) fn number(step: &Stabilize, replicas: i32) -> String {
    if is_bound(step, replicas) {
        format!("at least {replicas}")
    } else {
        replicas.to_string()
    }
}

/// Whether only a lower bound of the recommendation of that number is known.
fn is_bound(step: &Stabilize, replicas: i32) -> bool {
    holder(step, replicas).is_some_and(|held| held.provenance == Provenance::AtLeast)
}

/// The newest recommendation of that number: it lasts the longest.
pub(crate) fn holder(step: &Stabilize, replicas: i32) -> Option<&Recommendation> {
    step.considered
        .iter()
        .filter(|one| one.replicas == replicas)
        .max_by_key(|one| one.at)
}
