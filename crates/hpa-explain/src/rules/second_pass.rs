//! Pods that are added back hold the replicas.

use hpa_analysis::AlterationKind;
use hpa_engine::trace::{AdjustedVerdict, GroupPods, MissingFill, PodClass, RatioFormula};
use hpa_words::amount::{count, percent, replicas};

use super::{NOT_SCALING, RuleWords};
use crate::{
    Action, ExplainContext, Facts, MetricFacts, StepKind,
    facts::current_text,
    not_counted::{absent, counted_unready, sampled_early, unready},
};

pub(super) const WORDS: RuleWords = RuleWords {
    held_by: Some("held by pods that are not ready or have no metrics"),
    needed_first: None,
    failed: NOT_SCALING,
    label: |facts| {
        if facts.lacks_only_samples() {
            "pods_without_metrics"
        } else {
            "pods_not_ready"
        }
    },
    short: |cx, action| (action == Action::Hold).then(|| uncounted(&cx.facts).into()),
    sentences: |cx, _| sentences(cx),
    recovers: |_| true,
    why_nothing: |_| "the HPA counts them by itself",
    advice: |_| None,
    command: |_| None,
    before_command: |_| None,
    steps: |_| &[(StepKind::Adjustment, true)],
    what_ifs: &[
        AlterationKind::PodsReady,
        AlterationKind::AbsentPods,
        AlterationKind::WinningMetrics,
    ],
};

/// The direction reverses.
pub(super) const GUARD: RuleWords = RuleWords { ..WORDS };

fn sentences(cx: &ExplainContext<'_>) -> Vec<String> {
    let Some(winner) = cx.facts.winner() else {
        return Vec::new();
    };
    let (Some(counted_back), Some(adjustment)) = (counted_back(winner), winner.adjustment) else {
        return vec![format!("{}: no change.", winner.is_at())];
    };
    let with = with_them(winner);
    let outcome = match adjustment.verdict {
        AdjustedVerdict::WithinTolerance => "within tolerance, no change".to_owned(),
        AdjustedVerdict::DirectionFlipped => {
            "on the other side of the target, so no change".to_owned()
        }
        AdjustedVerdict::CountWouldMoveOtherWay => format!(
            "which across {} would be {}, the other way, so no change",
            count(adjustment.pods, "pod"),
            replicas(adjustment.replicas.unwrap_or_default())
        ),
        AdjustedVerdict::Applied => "after which it still scales".to_owned(),
    };
    vec![format!("{counted_back}: {with}, {outcome}.")]
}

/// `CPU is at 85% (target 60%), but 2 of 8 pods are not ready, which count as 0% for a scale-up`, where pods were added
/// back.
pub(crate) fn counted_back(winner: &MetricFacts<'_>) -> Option<String> {
    let (groups, add_back, adjustment) = (winner.groups?, winner.added_back()?, winner.adjustment?);
    let has = |class| add_back.added.iter().any(|added| added.class == class);
    let added = add_back.added.len();
    let fill = fill(winner)?;
    let way = if 1.0 < adjustment.usage_ratio {
        "up"
    } else {
        "down"
    };
    let (has_unready, has_missing) = (has(PodClass::Unready), has(PodClass::Missing));
    let counted = if has_unready {
        counted_unready(groups)
    } else {
        0
    };
    let absent = absent_of(groups, has_unready, has_missing, counted).join(" and ");
    let counts = if added == 1 { "counts" } else { "count" };
    let which = match counted {
        0 => "which".to_owned(),
        _ => format!("of which {added}"),
    };
    let left_out = left_out(groups, has_unready, has_missing);
    Some(format!(
        "{}, but {absent}, {which} {counts} {fill} for a scale-{way}{left_out}",
        winner.is_at()
    ))
}

/// ` (1 not ready is left out)`: pods that neither count nor are added back.
fn left_out(groups: &GroupPods, has_unready: bool, has_missing: bool) -> String {
    let finished = groups.ignored;
    let classes = [
        (
            groups.unready,
            !has_unready,
            if unready(groups) == 0 {
                "just ready"
            } else {
                "not ready"
            },
        ),
        (groups.missing, !has_missing, "without metrics"),
        (finished, true, "terminating or finished"),
    ];
    let left = classes.into_iter().filter(|one| 0 < one.0 && one.1);
    let parts: Vec<String> = left
        .clone()
        .map(|one| format!("{} {}", one.0, one.2))
        .collect();
    let is = match left.map(|one| one.0).sum() {
        0 => return String::new(),
        1 => "is",
        _ => "are",
    };
    format!(" ({} {is} left out)", parts.join(" and "))
}

/// `Memory is at 22% (target 50%) with 1 pod that is not counted as 100%`, where pods were added back: what it then asks for
/// follows from it.
pub(crate) fn is_at_with_them(winner: &MetricFacts<'_>) -> Option<String> {
    let added = winner.add_back?.added.len();
    let (ratio, target) = (winner.adjusted_ratio?, winner.metric_target_text()?);
    let value = current_text(winner.unit(), &ratio.formula);
    let pods = count(added, "uncounted pod");
    let subject = winner.subject();
    let fill = fill(winner)?;
    Some(format!(
        "{subject} is at {value} (target {target}) with {pods} taken {fill}"
    ))
}

/// How pods that are added back count: `as 100%`.
fn fill(winner: &MetricFacts<'_>) -> Option<String> {
    Some(match winner.add_back?.missing_fill {
        MissingFill::PercentOfRequest(fill) => format!("as {}", percent(fill)),
        MissingFill::Target(target) => {
            format!("as {}", winner.unit().amount(target))
        }
        MissingFill::Zero | MissingFill::NoneMissing | MissingFill::NotAdded => {
            let is_percent = matches!(
                adjustment_of(winner),
                Some(RatioFormula::Utilization { .. })
            );
            (if is_percent { "as 0%" } else { "as 0" }).to_owned()
        }
    })
}

fn adjustment_of<'a>(winner: &MetricFacts<'a>) -> Option<&'a RatioFormula> {
    winner.adjusted_ratio.map(|ratio| &ratio.formula)
}

/// The value with the pods that were added back: `63% on average`.
pub(crate) fn with_them(winner: &MetricFacts<'_>) -> String {
    winner.adjusted_ratio.map_or_else(String::new, |ratio| {
        let text = current_text(winner.unit(), &ratio.formula);
        match ratio.formula {
            RatioFormula::Utilization { .. } => format!("{text} on average"),
            _ => text,
        }
    })
}

/// The classes of pods that do not count, limited to those that were added back.
fn absent_of(
    groups: &GroupPods,
    has_unready: bool,
    has_missing: bool,
    counted: usize,
) -> Vec<String> {
    let mut displayed = groups.clone();
    if !has_unready {
        displayed.unready = 0;
    }
    if !has_missing {
        displayed.missing = 0;
    }
    absent(&displayed, counted)
}

/// Which pods keep the average from counting: `3 pods not ready`.
fn uncounted(facts: &Facts<'_>) -> String {
    let groups = facts.winner().and_then(|winner| winner.groups);
    let pods = |number: usize, what: &str| match number {
        0 => None,
        1 => Some(format!("1 pod {what}")),
        _ => Some(format!("{number} pods {what}")),
    };
    groups
        .and_then(|groups| {
            pods(unready(groups), "not ready")
                .or_else(|| pods(sampled_early(groups), "just ready"))
                .or_else(|| pods(groups.missing, "without metrics"))
        })
        .unwrap_or_else(|| "adjusted average".to_owned())
}
