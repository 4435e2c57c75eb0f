//! Answers where a metric itself decides.

use crate::{
    explain::{
        ExplainContext, MetricFacts,
        amount::{before_rounding, count, percent},
        around::downstream::generations,
        clock::duration,
        facts::current_text,
        next::{down_in_words, up_in_words},
        pods::{absent, show_at},
        situation::Situation,
    },
    inference::ReplicaChange,
    trace::{AdjustedVerdict, Decision, MissingFill, PodClass, ProposalRule, StabilizePath},
};

pub(super) fn within_tolerance(cx: &ExplainContext<'_>) -> Vec<String> {
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
        return vec![format!(
            "{is_at}, inside the tolerance, and for an average the controller then takes \
             status.replicas, which is {status} while spec.replicas is {current}."
        )];
    }
    let others = cx
        .others()
        .map_or_else(String::new, |others| format!(" ({others})"));
    let mut sentences = vec![format!(
        "{is_at}: inside the tolerance, so the {} stay{others}.",
        count(usize::try_from(current).unwrap_or_default(), "replica")
    )];
    if current == 1 {
        sentences = vec![format!(
            "{is_at}: inside the tolerance, so the 1 replica stays{others}."
        )];
    }
    sentences.extend(change_in_words(cx));
    sentences
}

/// `It goes up at 67% or more, down to 4 at 48% or less for 5 min.`
fn change_in_words(cx: &ExplainContext<'_>) -> Option<String> {
    if cx.facts.metrics.len() != 1 {
        return None;
    }
    let up = up_in_words(cx).map(|at| format!("up {at}"));
    let down = down_in_words(cx).map(|at| format!("down {at}"));
    match (up, down) {
        (Some(up), Some(down)) => Some(format!("It goes {up}, {down}.")),
        (Some(one), None) | (None, Some(one)) => Some(format!("It goes {one}.")),
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
    let mut sentences = vec![counted_back];
    sentences.push(match adjustment.verdict {
        AdjustedVerdict::WithinTolerance => {
            format!("That makes {with}, inside the tolerance: no change.")
        }
        AdjustedVerdict::DirectionFlipped => {
            format!("That makes {with}, which would point the other way: no change.")
        }
        AdjustedVerdict::CountWouldMoveOtherWay => format!(
            "That makes {with}, and over {} the number would be {}, against the direction: no change.",
            count(adjustment.pods, "pod"),
            adjustment.replicas.unwrap_or_default()
        ),
        AdjustedVerdict::Applied => format!("That makes {with}."),
    });
    if let Some(groups) = winner.groups {
        sentences.extend(show_at(&cx.facts, groups, cx.clock));
    }
    sentences
}

/// `cpu is at 85% against a target of 60%, but 2 of the 8 pods are not ready and count as 0 on the way up.`, where
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
            format!("as {} of {whose} request", percent(fill))
        }
        MissingFill::Target(target) => {
            format!("as the target, {},", winner.unit().amount(target))
        }
        MissingFill::Zero | MissingFill::NoneMissing | MissingFill::NotAdded => "as 0".to_owned(),
    };
    let counts = if is_single { "counts" } else { "count" };
    let absent = absent_of(groups, has(PodClass::Unready), has(PodClass::Missing)).join(" and ");
    Some(format!(
        "{}, but {absent} and {counts} {fill} on the way {way}.",
        winner.is_at()
    ))
}

/// The value with the pods that were added back.
fn with_them(winner: &MetricFacts<'_>) -> String {
    winner.adjusted_ratio.map_or_else(String::new, |ratio| {
        current_text(winner.unit(), &ratio.formula)
    })
}

/// The classes that do not count, restricted to those that were added back.
fn absent_of(
    groups: &crate::trace::GroupPods,
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

pub(super) fn rounding(cx: &ExplainContext<'_>) -> Vec<String> {
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
        _ => format!("that asks for {current}, as many as there are"),
    };
    let mut sentences = match counted_back(winner) {
        Some(counted_back) => vec![
            counted_back,
            format!("That makes {}: {how}.", with_them(winner)),
        ],
        None => vec![format!("{}: {how}.", winner.is_at())],
    };
    sentences.extend(
        cx.others()
            .map(|others| format!("{others}; the largest number counts.")),
    );
    sentences.extend(change_in_words(cx));
    sentences
}

/// `that ratio times 2 pods is 1.6, rounded up 2, as many as there are`.
fn product(ratio: f64, pods: usize, current: i32) -> String {
    #[expect(clippy::cast_precision_loss, reason = "for display only")]
    let product = before_rounding(ratio * pods as f64, current);
    let product = product.map_or_else(String::new, |product| format!("{product}, rounded up "));
    format!(
        "that ratio times {} is {product}{current}, as many as there are",
        count(pods, "pod")
    )
}

pub(super) fn metric(cx: &ExplainContext<'_>, situation: Option<&Situation>) -> Vec<String> {
    let Some(winner) = cx.facts.winner() else {
        return vec!["No metric asks for anything.".to_owned()];
    };
    let proposal = cx.facts.proposal().unwrap_or_default();
    let current = cx.facts.current().unwrap_or_default();
    let is_down = proposal < current;
    let is_known = cx.analysis.range.is_none();
    let window = if is_down && is_known {
        down_window(cx)
    } else {
        None
    };
    let nothing_else = window.map_or_else(String::new, |window| {
        format!(", and nothing asked for more within the last {window}")
    });
    let mut sentences = match counted_back(winner) {
        Some(counted_back) => vec![
            counted_back,
            format!(
                "That makes {}, which asks for {proposal}{nothing_else}.",
                with_them(winner)
            ),
        ],
        None => vec![format!(
            "{}, which asks for {proposal}{nothing_else}.",
            winner.is_at()
        )],
    };
    // Where the answer names the rollout, that says it with its reason.
    let names_rollout =
        situation.is_some_and(|one| generations::situation(cx).as_ref() == Some(one));
    if !is_down
        && !names_rollout
        && let Some(ProposalRule::CeilRatioTimesReady { ready, .. }) =
            winner.proposal.map(|proposal| proposal.rule)
        && usize::try_from(current).is_ok_and(|current| current != ready)
    {
        sentences.push(format!(
            "The ratio is taken times the {}, not times the {current} replicas.",
            count(ready, "ready pod")
        ));
    }
    sentences.extend(
        cx.others()
            .map(|others| format!("{others}; the largest number counts.")),
    );
    sentences.extend(next_steps(cx));
    sentences
}

/// The window in which nothing asked for more, as far as the controller's memory is known.
fn down_window(cx: &ExplainContext<'_>) -> Option<String> {
    let stabilize = cx.facts.stabilize?;
    let window = match stabilize.path {
        StabilizePath::NoBehavior { window } => window.value,
        StabilizePath::Behavior { down_window, .. } => down_window.value,
    };
    window.is_positive().then(|| duration(window))
}

/// `Next steps at this load: 8 from 10:42:30, 10 from 10:42:45.`
pub(super) fn next_steps(cx: &ExplainContext<'_>) -> Option<String> {
    if !matches!(cx.facts.trace.decision, Decision::Rescale { .. }) {
        return None;
    }
    let steps: Vec<String> = cx
        .analysis
        .timeline
        .iter()
        .take(3)
        .map(|ReplicaChange { at, to, .. }| format!("{to} at {}", cx.clock.time(*at)))
        .collect();
    (!steps.is_empty()).then(|| format!("If the load stays: {}.", steps.join(", ")))
}
