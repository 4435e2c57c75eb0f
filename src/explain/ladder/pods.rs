//! The selector and the pods behind it in words.

use crate::{
    explain::{Facts, StepKind, StepView, amount::count},
    trace::{GroupPods, SelectorCheck, SelectorVerdict},
};

/// The check of the selector, and the pods that it selects by class.
pub(super) fn selector(facts: &Facts<'_>, step: &SelectorCheck) -> StepView {
    let view = |outcome: String, how: String| StepView::new(StepKind::Pods, "pods", outcome, how);
    let view = match &step.verdict {
        SelectorVerdict::Ambiguous { hpas } => view(
            format!("{} HPAs select", hpas.len()),
            format!("the same pods ({}): {}", step.selector, hpas.join(", ")),
        )
        .error(),
        SelectorVerdict::Missing => view(
            "no selector".to_owned(),
            "status.selector of the scale is empty".to_owned(),
        )
        .error(),
        SelectorVerdict::Selects { pods: None } => view(
            format!("match {}", step.selector),
            "could not be read here".to_owned(),
        ),
        SelectorVerdict::Selects { pods: Some(pods) } => {
            let verb = if *pods == 1 { "matches" } else { "match" };
            let groups = facts.groups();
            view(
                format!("{pods} {verb} {}", step.selector),
                groups.map(classes).unwrap_or_default(),
            )
            .quiet_if(groups.is_none_or(|groups| groups.ready == *pods))
        }
        SelectorVerdict::Unparsable(error) => {
            view(format!("cannot parse {:?}", step.selector), error.clone()).error()
        }
    };
    let pods = match &step.verdict {
        SelectorVerdict::Selects { pods } => *pods,
        _ => None,
    };
    view.upstream(SelectorCheck::UPSTREAM)
        .value("selector", step.selector.as_str())
        .value("selected", pods)
}

/// `6 ready · 2 unready · 0 missing · 0 ignored`; classes without pods only if there are others than ready.
pub(super) fn classes(groups: &GroupPods) -> String {
    if groups.unready == 0 && groups.missing == 0 && groups.ignored == 0 {
        return match groups.ready {
            0 => "none ready".to_owned(),
            1 => "ready".to_owned(),
            _ => "all ready".to_owned(),
        };
    }
    format!(
        "{} ready · {} unready · {} missing · {} ignored",
        groups.ready, groups.unready, groups.missing, groups.ignored
    )
}

/// The classes for one metric: shown where they differ from the ones of the first metric.
pub(super) fn group(groups: &GroupPods) -> StepView {
    let view = StepView::new(
        StepKind::GroupPods,
        "",
        format!("{} counted", count(groups.ready, "pod")),
        classes(groups),
    )
    .upstream(GroupPods::UPSTREAM)
    .value("ready", groups.ready)
    .value("unready", groups.unready)
    .value("missing", groups.missing)
    .value("ignored", groups.ignored)
    .value("unknownPods", groups.unknown_pods);
    if groups.unknown_pods == 0 {
        return view;
    }
    view.note(format!(
        "{} of the answer belong to pods that are gone or not selected",
        count(groups.unknown_pods, "sample")
    ))
}
