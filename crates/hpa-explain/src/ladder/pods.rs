//! The selector and the pods that it matches, in words.

use hpa_engine::trace::{GroupPods, PodClass, SelectorCheck, SelectorVerdict};
use hpa_words::amount::{count, names};

use crate::{
    Facts, StepKind, StepView,
    not_counted::{sampled_early, unready},
};

/// The HPAs of an ambiguous selector: all of them if there are few.
fn named(hpas: &[String]) -> String {
    if hpas.len() <= MOST_NAMED {
        hpas.join(", ")
    } else {
        names(hpas, MOST_NAMED)
    }
}

/// At most this many names are listed.
const MOST_NAMED: usize = 10;

/// The check of the selector, and the pods that it selects by class.
pub(super) fn selector(facts: &Facts<'_>, step: &SelectorCheck) -> StepView {
    let view = |outcome: String, how: String| StepView::new(StepKind::Pods, "pods", outcome, how);
    let view = match &step.verdict {
        SelectorVerdict::Ambiguous { hpas } => view(
            format!("{} HPAs select", hpas.len()),
            format!("the same pods ({}): {}", step.selector, named(hpas)),
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
                groups
                    .map(|groups| classes(facts, groups))
                    .unwrap_or_default(),
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

/// `6 counted · 2 not ready`, without the other classes that are empty.
///
/// Where all pods are counted, that is ready, unless the condition `Ready` of some is false, which only CPU minds.
pub(super) fn classes(facts: &Facts<'_>, groups: &GroupPods) -> String {
    if groups.unready == 0 && groups.missing == 0 && groups.ignored == 0 {
        return match (groups.ready, not_ready(facts, groups)) {
            (0, _) => "none ready".to_owned(),
            (1, 0) => "ready".to_owned(),
            (_, 0) => "all ready".to_owned(),
            (1, _) => "counted though not ready".to_owned(),
            (ready, not_ready) if ready == not_ready => {
                "all counted though none is ready".to_owned()
            }
            (_, 1) => "all counted though 1 is not ready".to_owned(),
            (_, not_ready) => format!("all counted though {not_ready} are not ready"),
        };
    }
    let others = [
        (unready(groups), "not ready"),
        (sampled_early(groups), "just ready"),
        (groups.missing, "no metrics"),
        (groups.ignored, "ignored"),
    ];
    let others = others.iter().filter(|(number, _)| 0 < *number);
    let mut parts = vec![match not_ready(facts, groups) {
        0 => format!("{} counted", groups.ready),
        not_ready => format!("{} counted ({not_ready} not ready)", groups.ready),
    }];
    parts.extend(others.map(|(number, class)| format!("{number} {class}")));
    parts.join(" · ")
}

/// How many pods of the class ready do not have the condition `Ready`.
fn not_ready(facts: &Facts<'_>, groups: &GroupPods) -> usize {
    groups
        .pods
        .iter()
        .filter(|classified| classified.class == PodClass::Ready)
        .filter_map(|classified| facts.pod(classified.pod))
        .filter(|pod| !pod.is_ready())
        .count()
}

/// The classes for one metric, shown if they differ from those of the first metric.
pub(super) fn group(facts: &Facts<'_>, groups: &GroupPods) -> StepView {
    let view = StepView::new(
        StepKind::GroupPods,
        "",
        format!("{} counted", count(groups.ready, "pod")),
        classes(facts, groups),
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
        "{} in the answer belong to pods that are gone or not selected",
        count(groups.unknown_pods, "sample")
    ))
}
