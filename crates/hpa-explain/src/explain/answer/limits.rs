//! Answers where policies, minimum or maximum decide.

use crate::{
    explain::{
        ExplainContext,
        amount::count,
        clock::duration,
        ladder::{deciding_policy, is_bound},
        pods::pending,
        situation::{Place, Situation},
    },
    model::{MetricSpec, PolicyType},
    trace::{LimitPath, PolicyBound, ProposalRule, RatioFormula},
};
use jiff::SignedDuration;

pub(super) fn policy(cx: &ExplainContext<'_>) -> Vec<String> {
    let Some(limit) = cx.facts.limit else {
        return Vec::new();
    };
    let LimitPath::Behavior {
        direction: Some(direction),
        policies,
        select_policy,
        ..
    } = &limit.path
    else {
        return Vec::new();
    };
    let side = direction.as_str();
    let deciding = deciding_policy(policies, *select_policy, *direction);
    let what = deciding.map_or_else(
        || format!("the {side} policies allow"),
        |policy| format!("the {side} policy {} allows", rate(policy)),
    );
    let mut sentences = vec![format!(
        "{}, but {what} {} now.",
        proposal_before(cx, limit.stabilized),
        limit.desired
    )];
    if let Some(policy) = deciding {
        sentences.extend(used_up(policy));
    }
    sentences.push(steps(cx).unwrap_or_else(|| "It goes on as the period allows.".to_owned()));
    sentences
}

/// `cpu asks for 33`, or `33 are wanted` if the window changed that.
fn proposal_before(cx: &ExplainContext<'_>, stabilized: i32) -> String {
    if cx.facts.proposal() == Some(stabilized) {
        match cx.facts.winner() {
            Some(winner) => format!("{}, which asks for {stabilized}", winner.is_at()),
            None => cx.proposal_text(),
        }
    } else {
        format!(
            "{}, the window holds it at {stabilized}",
            cx.proposal_text()
        )
    }
}

fn rate(policy: &PolicyBound) -> String {
    policy_rate(policy.policy_type, policy.value, policy.period_seconds)
}

/// `30% per 1 min`, `2 pods per 15 s`.
pub(in crate::explain) fn policy_rate(kind: PolicyType, value: i32, period_seconds: i32) -> String {
    let period = duration(SignedDuration::from_secs(period_seconds.into()));
    match kind {
        PolicyType::Percent => format!("{value}% per {period}"),
        PolicyType::Pods => format!(
            "{} per {period}",
            count(usize::try_from(value).unwrap_or_default(), "pod")
        ),
    }
}

/// What of a policy is used up already.
fn used_up(policy: &PolicyBound) -> Option<String> {
    let period = duration(SignedDuration::from_secs(policy.period_seconds.into()));
    match (policy.added, policy.removed) {
        (0, 0) => None,
        (added, 0) => Some(format!(
            "{added} {} added within the last {period} already.",
            were(added)
        )),
        (0, removed) => Some(format!(
            "{removed} {} removed within the last {period} already.",
            were(removed)
        )),
        (added, removed) => Some(format!(
            "{added} {} added and {removed} removed within the last {period}.",
            were(added)
        )),
    }
}

fn were(number: i32) -> &'static str {
    if number == 1 { "was" } else { "were" }
}

/// `Next: 33 at 10:42:00, 40 at 10:43:00, if the load stays.`
fn steps(cx: &ExplainContext<'_>) -> Option<String> {
    let steps: Vec<String> = cx
        .analysis
        .timeline
        .iter()
        .take(3)
        .map(|change| format!("{} at {}", change.to, cx.clock.time(change.at)))
        .collect();
    (!steps.is_empty()).then(|| format!("If the load stays: {}.", steps.join(", ")))
}

pub(super) fn disabled_direction(cx: &ExplainContext<'_>) -> Vec<String> {
    let proposal = cx.facts.proposal().unwrap_or_default();
    let is_down = cx.facts.current().is_some_and(|current| proposal < current);
    let side = if is_down { "scaleDown" } else { "scaleUp" };
    let way = if is_down { "down" } else { "up" };
    vec![
        format!(
            "{}, but {side}.selectPolicy is Disabled: it does not go {way} by itself.",
            cx.proposal_text()
        ),
        "Only minReplicas and maxReplicas still move it.".to_owned(),
    ]
}

pub(super) fn no_behavior_limit(cx: &ExplainContext<'_>) -> Vec<String> {
    let Some(limit) = cx.facts.limit else {
        return Vec::new();
    };
    let rule = if limit.desired == 4 && limit.current.saturating_mul(2) < 4 {
        "without behavior one step may at most reach 4 here"
    } else if limit.desired == 4 {
        "without behavior one step may at most double the replicas, or reach 4"
    } else {
        "without behavior one step may at most double the replicas"
    };
    let mut sentences = vec![format!(
        "{}; {rule}.",
        proposal_before(cx, limit.stabilized)
    )];
    sentences.extend(steps(cx));
    sentences
}

pub(super) fn max_replicas(cx: &ExplainContext<'_>) -> Vec<String> {
    let facts = &cx.facts;
    let max = facts.max();
    let proposal_before = facts.limit.map_or(max, |limit| limit.stabilized);
    let short = proposal_before.saturating_sub(max);
    // Of an inferred recommendation only a bound may be known, and with it only a bound of what is lacking.
    let is_bound = facts
        .stabilize
        .is_some_and(|step| is_bound(step, proposal_before));
    let at_least = if is_bound { "at least " } else { "" };
    let first = match facts.winner() {
        Some(winner) if facts.proposal() == Some(proposal_before) => format!(
            "{}, which asks for {proposal_before}: {short} more than maxReplicas allows.",
            winner.is_at()
        ),
        _ => format!(
            "{}, which the window makes {at_least}{proposal_before}: {at_least}{short} more than maxReplicas \
             allows.",
            cx.proposal_text()
        ),
    };
    let mut sentences = vec![first];
    if facts.current().is_some_and(|current| current < max) {
        sentences.push(format!(
            "That is cut, not refused: the replicas go to {max}."
        ));
    }
    if let Some(pending) = pending(facts) {
        sentences.push(pending);
        if facts.current() == Some(max) {
            sentences.push("A higher maxReplicas only adds Pending pods.".to_owned());
        }
    }
    sentences
}

/// That a target of type Value is multiplied by the ready pods, where that drives the replicas up.
pub(in crate::explain) fn value_times_pods(cx: &ExplainContext<'_>) -> Option<Situation> {
    let winner = cx.facts.winner()?;
    let (Some(MetricSpec::External(_) | MetricSpec::Object(_)), Some(proposal)) =
        (winner.spec, winner.proposal)
    else {
        return None;
    };
    let ProposalRule::CeilRatioTimesReady { usage_ratio, ready } = proposal.rule else {
        return None;
    };
    let RatioFormula::Value { usage, target } = winner.ratio?.formula else {
        return None;
    };
    if usage_ratio <= 1.0 || proposal.replicas <= cx.facts.current()? {
        return None;
    }
    let unit = winner.unit();
    let (value, target) = (unit.amount(usage), unit.amount(target));
    Some(Situation {
        place: Place::After,
        sentences: vec![
            format!(
                "A Value target is multiplied by the ready pods ({value} / {target} × {ready}), so the result grows \
                 with every scale-up until {} falls.",
                winner.name()
            ),
            format!("If {} is a total, use AverageValue.", winner.name()),
        ],
    })
}

pub(super) fn min_replicas(cx: &ExplainContext<'_>) -> Vec<String> {
    let facts = &cx.facts;
    let (min, current) = (facts.min(), facts.current().unwrap_or_default());
    let proposal = facts.winner().map_or_else(
        || cx.proposal_text(),
        |winner| {
            format!(
                "{}, which asks for {}",
                winner.is_at(),
                facts.proposal().unwrap_or_default()
            )
        },
    );
    if min < current {
        return vec![format!("{proposal}; minReplicas stops it at {min}.")];
    }
    vec![format!(
        "{proposal}, but minReplicas is {min}: the usual state of an idle workload (ScalingLimited is no \
         error there)."
    )]
}
