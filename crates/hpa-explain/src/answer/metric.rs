//! Answers where a metric itself decides.

use hpa_engine::trace::{
    AdjustedVerdict, Decision, MissingFill, PodClass, ProposalRule, RatioFormula, StabilizePath,
};
use hpa_words::{
    amount::{before_rounding, count, percent, ratio, replicas},
    clock::duration,
};

use super::limits::steps;
use crate::{
    ExplainContext, MetricFacts,
    context::downstream::generations,
    facts::current_text,
    next::{down_in_words, up_in_words},
    not_counted::{absent, show_at},
    situation::Situation,
};

pub(super) fn within_tolerance(
    cx: &ExplainContext<'_>,
    situation: Option<&Situation>,
) -> Vec<String> {
    let Some(winner) = cx.facts.winner() else {
        return Vec::new();
    };
    let is_at = winner.is_at();
    let current = cx.facts.current().unwrap_or_default();
    let kept_status = matches!(
        winner.proposal.map(|proposal| proposal.rule),
        Some(ProposalRule::KeepStatusReplicas)
    );
    if kept_status && winner.replicas() != Some(current) {
        let status = winner.replicas().unwrap_or_default();
        return vec![
            format!("{is_at}: within tolerance."),
            format!(
                "For an average per replica the HPA then takes status.replicas, which is {status} while spec.replicas \
                 is {current}."
            ),
        ];
    }
    let mut sentences = vec![format!("{is_at}: within tolerance, no change.")];
    sentences.extend(cx.others().map(|others| format!("{others}.")));
    if situation.is_none() {
        sentences.extend(change_in_words(cx));
    }
    sentences
}

/// `It scales up to 6 at 67% or more, and down to 4 at 48% or less for 5 min.`
fn change_in_words(cx: &ExplainContext<'_>) -> Option<String> {
    if cx.facts.metrics.len() != 1 {
        return None;
    }
    let up = up_in_words(cx).map(|at| format!("up {at}"));
    let down = down_in_words(cx).map(|at| format!("down {at}"));
    match (up, down) {
        (Some(up), Some(down)) => Some(format!("It scales {up}, and {down}.")),
        (Some(one), None) | (None, Some(one)) => Some(format!("It scales {one}.")),
        (None, None) => None,
    }
}

pub(super) fn second_pass(cx: &ExplainContext<'_>) -> Vec<String> {
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
            "which would scale the other way, so no change".to_owned()
        }
        AdjustedVerdict::CountWouldMoveOtherWay => format!(
            "which across {} would be {}, the other way, so no change",
            count(adjustment.pods, "pod"),
            replicas(adjustment.replicas.unwrap_or_default())
        ),
        AdjustedVerdict::Applied => "after which it still scales".to_owned(),
    };
    let mut sentences = vec![format!("{counted_back}: {with}, {outcome}.")];
    if let Some(groups) = winner.groups {
        sentences.extend(show_at(&cx.facts, groups, cx.clock));
    }
    sentences
}

/// `CPU is at 85% (target 60%), but 2 of 8 pods are not ready, and the HPA counts them as idle before it scales up`, where
/// pods were added back.
fn counted_back(winner: &MetricFacts<'_>) -> Option<String> {
    let (groups, add_back, adjustment) = (winner.groups?, winner.add_back?, winner.adjustment?);
    if add_back.added.is_empty() {
        return None;
    }
    let has = |class| add_back.added.iter().any(|added| added.class == class);
    let is_single = add_back.added.len() == 1;
    let way = if 1.0 < adjustment.usage_ratio {
        "up"
    } else {
        "down"
    };
    let fill = match add_back.missing_fill {
        MissingFill::PercentOfRequest(fill) => {
            let whose = if is_single { "its" } else { "their" };
            format!("as using {} of {whose} request", percent(fill))
        }
        MissingFill::Target(target) => {
            format!("as at the target of {}", winner.unit().amount(target))
        }
        MissingFill::Zero | MissingFill::NoneMissing | MissingFill::NotAdded => {
            "as idle".to_owned()
        }
    };
    let them = if is_single { "it" } else { "them" };
    let absent = absent_of(groups, has(PodClass::Unready), has(PodClass::Missing)).join(" and ");
    Some(format!(
        "{}, but {absent}, and the HPA counts {them} {fill} before it scales {way}",
        winner.is_at()
    ))
}

/// The value with the pods that were added back: `63% on average`.
fn with_them(winner: &MetricFacts<'_>) -> String {
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
    groups: &hpa_engine::trace::GroupPods,
    has_unready: bool,
    has_missing: bool,
) -> Vec<String> {
    let mut displayed = groups.clone();
    if !has_unready {
        displayed.unready = 0;
    }
    if !has_missing {
        displayed.missing = 0;
    }
    absent(&displayed)
}

pub(super) fn rounding(cx: &ExplainContext<'_>, situation: Option<&Situation>) -> Vec<String> {
    let Some(winner) = cx.facts.winner() else {
        return Vec::new();
    };
    let current = cx.facts.current().unwrap_or_default();
    let how = match winner.proposal.map(|proposal| proposal.rule) {
        Some(ProposalRule::CeilRatioTimesReady { usage_ratio, ready }) => {
            product(usage_ratio, ready, current)
        }
        Some(ProposalRule::CeilAdjustedRatioTimesPods {
            adjusted_usage_ratio,
            pods,
        }) => product(adjusted_usage_ratio, pods, current),
        _ => format!(
            "that asks for {}, which spec.replicas already is",
            replicas(current)
        ),
    };
    let counted_back = counted_back(winner);
    let to_check = winner.groups.filter(|_| counted_back.is_some());
    let mut sentences = match counted_back {
        Some(counted_back) => vec![format!("{counted_back}: {}. {how}.", with_them(winner))],
        None => vec![format!("{}: {how}.", winner.is_at())],
    };
    sentences.extend(highest_of_several(cx));
    if let Some(groups) = to_check {
        sentences.extend(show_at(&cx.facts, groups, cx.clock));
    } else if situation.is_none() {
        sentences.extend(change_in_words(cx));
    }
    sentences
}

/// `0.79 × 2 pods = 1.6, which rounds up to 2, the current replicas`.
fn product(usage_ratio: f64, pods: usize, current: i32) -> String {
    #[expect(clippy::cast_precision_loss, reason = "for display only")]
    let product = before_rounding(usage_ratio * pods as f64, current);
    let rounds = product.map_or_else(String::new, |product| {
        format!("{product}, which rounds up to ")
    });
    format!(
        "{} × {} = {rounds}{current}, the current replicas",
        ratio(usage_ratio, &[]),
        count(pods, "pod")
    )
}

/// `Memory asks for 3; the highest recommendation wins.`
fn highest_of_several(cx: &ExplainContext<'_>) -> Option<String> {
    let others = cx.others()?;
    Some(format!("{others}; the highest recommendation wins."))
}

/// Whether `kubectl get hpa` shows less than the target, while the metric asks for more.
pub(super) fn is_below_target_in_status_only(cx: &ExplainContext<'_>) -> bool {
    cx.facts.winner().is_some_and(|winner| {
        counted_back(winner).is_none() && above_by_status(cx, winner).is_some()
    })
}

/// That the average is below the target while the metric asks for more: it divides by all pods that exist.
fn above_by_status(cx: &ExplainContext<'_>, winner: &MetricFacts<'_>) -> Option<String> {
    let ratio = winner.ratio?;
    let RatioFormula::AveragePerReplica {
        usage,
        target,
        status_replicas,
        average,
    } = ratio.formula
    else {
        return None;
    };
    let (current, proposal) = (cx.facts.current()?, cx.facts.proposal()?);
    let kept = winner.proposal.map(|one| one.rule) == Some(ProposalRule::KeepStatusReplicas);
    if proposal <= current || status_replicas <= current || target < average || kept {
        return None;
    }
    let unit = winner.unit();
    let why = if generations::are_several(cx) {
        " during the rollout"
    } else {
        ""
    };
    let subject = winner.subject();
    let target = unit.amount(target);
    let (low, high) = winner.tolerance?.band();
    Some(format!(
        "{subject} is {} in total, which at {target} per replica needs {}. kubectl get hpa shows {}, below the target, \
         only because it divides by the {status_replicas} pods that exist{why}; spec.replicas is still {current}. \
         The ratio of {} is outside the tolerance ({} to {}), which therefore does not keep {current}.",
        unit.amount(usage),
        replicas(proposal),
        winner.current_text()?,
        self::ratio(ratio.usage_ratio, &[low, high]),
        self::ratio(low, &[]),
        self::ratio(high, &[]),
    ))
}

pub(super) fn metric(cx: &ExplainContext<'_>, situation: Option<&Situation>) -> Vec<String> {
    let Some(winner) = cx.facts.winner() else {
        return vec!["No metric asks for anything.".to_owned()];
    };
    let proposal = cx.facts.proposal().unwrap_or_default();
    let current = cx.facts.current().unwrap_or_default();
    let is_down = proposal < current;
    let is_known = cx.range().is_none();
    let window = if is_down && is_known {
        down_window(cx)
    } else {
        None
    };
    let recommendation = replicas(proposal);
    let first = match counted_back(winner) {
        Some(counted_back) => format!(
            "{counted_back}: {}, which asks for {recommendation}.",
            with_them(winner)
        ),
        None => above_by_status(cx, winner)
            .unwrap_or_else(|| format!("{} and asks for {recommendation}.", winner.is_at())),
    };
    let mut sentences = vec![first];
    sentences.extend(window.map(|window| format!("Nothing asked for more in the last {window}.")));
    // If the answer names the rollout, it says so with its reason.
    let names_rollout =
        situation.is_some_and(|one| generations::situation(cx).as_ref() == Some(one));
    if !is_down
        && !names_rollout
        && let Some(ProposalRule::CeilRatioTimesReady { ready, .. }) =
            winner.proposal.map(|proposal| proposal.rule)
        && usize::try_from(current).is_ok_and(|current| current != ready)
    {
        sentences.push(format!(
            "The HPA multiplies by the {}, not by the {current} replicas.",
            count(ready, "ready pod")
        ));
    }
    sentences.extend(highest_of_several(cx));
    sentences.extend(next_steps(cx));
    sentences
}

/// The window in which nothing asked for more, as far as the recommendation history is known.
fn down_window(cx: &ExplainContext<'_>) -> Option<String> {
    let stabilize = cx.facts.stabilize?;
    let window = match stabilize.path {
        StabilizePath::NoBehavior { window } => window.value,
        StabilizePath::Behavior { down_window, .. } => down_window.value,
    };
    window.is_positive().then(|| duration(window))
}

/// The steps to come, if this is the first one.
pub(super) fn next_steps(cx: &ExplainContext<'_>) -> Option<String> {
    matches!(cx.facts.trace.decision, Decision::Rescale { .. }).then(|| steps(cx))?
}
