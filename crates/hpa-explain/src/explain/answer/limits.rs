//! Answers where policies, minimum or maximum decide.

use crate::{
    explain::{
        ExplainContext,
        amount::{count, lower_first, replicas, upper_first},
        around::downstream,
        failing_pods::FailingPods,
        ladder::{deciding_policy, is_bound},
        pods::{absent, pending, show_at},
        situation::{Place, Situation},
    },
    model::{MetricSpec, PolicyType},
    trace::{
        ClassifiedPod, GroupPods, LimitPath, PodClass, PodReason, PolicyBound, ProposalRule,
        RatioFormula,
    },
};

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
    let used = deciding.and_then(used_up);
    let what = match (deciding, used) {
        (None, _) => format!("the {side} policies allow {} now", limit.desired),
        (Some(policy), Some(used)) if limit.desired == limit.current => {
            format!("{side} policy \"{}\" is used up: {used}", rate(policy))
        }
        (Some(policy), used) => format!(
            "{side} policy \"{}\" allows {} now{}",
            rate(policy),
            limit.desired,
            used.map_or_else(String::new, |used| format!(" ({used})"))
        ),
    };
    vec![
        format!("{}, but {what}.", proposal_before(cx, limit.stabilized)),
        steps(cx).unwrap_or_else(|| "It continues as the period allows.".to_owned()),
    ]
}

/// `CPU is at 330% (target 60%) and asks for 33 replicas`, or what the window makes of that.
fn proposal_before(cx: &ExplainContext<'_>, stabilized: i32) -> String {
    if cx.facts.proposal() == Some(stabilized) {
        match cx.facts.winner() {
            Some(winner) => format!("{} and asks for {}", winner.is_at(), replicas(stabilized)),
            None => cx.proposal_text(),
        }
    } else {
        format!(
            "{}, the stabilization window makes that {stabilized}",
            cx.proposal_text()
        )
    }
}

fn rate(policy: &PolicyBound) -> String {
    policy_rate(policy.policy_type, policy.value, policy.period_seconds)
}

/// `30% per 60 s`, `2 pods per 15 s`: in seconds, as the spec has it.
pub(in crate::explain) fn policy_rate(kind: PolicyType, value: i32, period_seconds: i32) -> String {
    match kind {
        PolicyType::Percent => format!("{value}% per {period_seconds} s"),
        PolicyType::Pods => format!(
            "{} per {period_seconds} s",
            count(usize::try_from(value).unwrap_or_default(), "pod")
        ),
    }
}

/// What of a policy is used up already: `2 pods were added in the last 60 s`.
fn used_up(policy: &PolicyBound) -> Option<String> {
    let changed = match (policy.added, policy.removed) {
        (0, 0) => return None,
        (added, 0) => format!("{} added", pods_were(added)),
        (0, removed) => format!("{} removed", pods_were(removed)),
        (added, removed) => format!("{} added and {removed} removed", pods_were(added)),
    };
    Some(format!("{changed} in the last {} s", policy.period_seconds))
}

fn pods_were(number: i32) -> String {
    let be = if number == 1 { "was" } else { "were" };
    let pods = count(usize::try_from(number).unwrap_or_default(), "pod");
    format!("{pods} {be}")
}

/// `At this load: 33 at 10:42:00, 40 at 10:43:00.`
pub(super) fn steps(cx: &ExplainContext<'_>) -> Option<String> {
    let steps: Vec<String> = cx
        .analysis
        .timeline
        .iter()
        .take(3)
        .map(|change| format!("{} at {}", change.to, cx.clock.time(change.at)))
        .collect();
    (!steps.is_empty()).then(|| format!("At this load: {}.", steps.join(", ")))
}

pub(super) fn disabled_direction(cx: &ExplainContext<'_>) -> Vec<String> {
    let proposal = cx.facts.proposal().unwrap_or_default();
    let is_down = cx.facts.current().is_some_and(|current| proposal < current);
    let side = if is_down { "scaleDown" } else { "scaleUp" };
    let way = if is_down { "down" } else { "up" };
    vec![
        format!(
            "{}, but {side}.selectPolicy is Disabled, so no metric scales it {way}.",
            cx.proposal_text()
        ),
        "Only minReplicas and maxReplicas still change the replicas.".to_owned(),
    ]
}

pub(super) fn no_behavior_limit(cx: &ExplainContext<'_>) -> Vec<String> {
    let Some(limit) = cx.facts.limit else {
        return Vec::new();
    };
    let rule = if limit.desired == 4 && limit.current.saturating_mul(2) < 4 {
        "Without behavior one sync can at most reach 4 here"
    } else if limit.desired == 4 {
        "Without behavior one sync can at most double the replicas, or reach 4"
    } else {
        "Without behavior one sync can at most double the replicas"
    };
    let mut sentences = vec![
        format!("{}.", proposal_before(cx, limit.stabilized)),
        format!("{rule}."),
    ];
    sentences.extend(steps(cx));
    sentences
}

pub(super) fn max_replicas(cx: &ExplainContext<'_>, situation: Option<&Situation>) -> Vec<String> {
    let facts = &cx.facts;
    let max = facts.max();
    let proposal_before = facts.limit.map_or(max, |limit| limit.stabilized);
    // Of an inferred recommendation only a bound may be known, and with it only a bound of what is lacking.
    let is_bound = facts
        .stabilize
        .is_some_and(|step| is_bound(step, proposal_before));
    let at_least = if is_bound { "at least " } else { "" };
    let asks = match facts.winner() {
        Some(winner) if facts.proposal() == Some(proposal_before) => {
            format!(
                "{} and asks for {}",
                winner.is_at(),
                replicas(proposal_before)
            )
        }
        _ => format!(
            "{}, the stabilization window makes that {at_least}{proposal_before}",
            cx.proposal_text()
        ),
    };
    if facts.current().is_some_and(|current| current < max) {
        return vec![format!(
            "{asks}, but maxReplicas is {max}: it scales to {max}."
        )]
        .into_iter()
        .chain(pending(facts).map(|pending| format!("{pending}.")))
        .collect();
    }
    let mut sentences = vec![if facts.min() == max {
        format!("minReplicas and maxReplicas are both {max}, so it cannot scale up: {asks}.")
    } else {
        format!("At maxReplicas: {asks}, but the maximum is {max}.")
    }];
    match pending(facts) {
        Some(pending) => {
            sentences.push(format!("Raising it alone will not help: {pending}."));
            // The scheduler's words.
            if pending.contains("nodes are available") {
                sentences.push("Add node capacity first.".to_owned());
            }
        }
        None => {
            match not_counted(cx) {
                Some(groups) if situation.is_none() => {
                    sentences.push(format!("{}.", upper_first(&absent(groups).join(" and "))));
                    let check = show_at(facts, groups, cx.clock);
                    sentences.extend(check.map(|check| {
                        format!("Before you raise maxReplicas, {}", lower_first(&check))
                    }));
                }
                _ => sentences.extend(higher_maximum(cx, situation, proposal_before)),
            }
        }
    }
    sentences
}

/// The pods, if some are not ready or have no metrics. Where pods fail, the answer names those already.
fn not_counted<'a>(cx: &ExplainContext<'a>) -> Option<&'a GroupPods> {
    let groups = cx.facts.groups()?;
    let is_any = 0 < groups.unready || 0 < groups.missing;
    (is_any && FailingPods::in_the_way(cx).is_none()).then_some(groups)
}

/// That a higher maximum is the remedy, where nothing is known that speaks against it.
fn higher_maximum(
    cx: &ExplainContext<'_>,
    situation: Option<&Situation>,
    needed: i32,
) -> Option<String> {
    let groups = cx.facts.groups()?;
    if situation.is_some() || !may_raise_max(cx) {
        return None;
    }
    let all = match groups.pods.len() {
        1 => "The only pod is ready".to_owned(),
        pods => format!("All {pods} pods are ready"),
    };
    Some(format!(
        "{all}: if this load is expected, raise maxReplicas (to {needed} at this load)."
    ))
}

/// Whether nothing is known that speaks against a higher maximum: all pods are ready, and there is room for more.
pub(in crate::explain) fn may_raise_max(cx: &ExplainContext<'_>) -> bool {
    // One that is not ready may count all the same, with the usage that it has.
    let is_ready = |pod: &ClassifiedPod| {
        pod.class == PodClass::Ready && pod.reason != PodReason::CountedThoughNotReady
    };
    let all_ready = |groups: &GroupPods| groups.pods.iter().all(is_ready);
    cx.facts.groups().is_some_and(all_ready) && downstream::has_room(cx)
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
    let as_average = i32::try_from(usage.0.div_euclid(target.0.max(1)))
        .ok()?
        .saturating_add(i32::from(usage.0.rem_euclid(target.0.max(1)) != 0));
    let (value, target) = (unit.amount(usage), unit.amount(target));
    Some(Situation {
        place: Place::After,
        sentences: vec![
            format!(
                "A Value target is multiplied by the ready pods ({value} / {target} × {ready}), so the result grows with \
                 every scale-up until {} falls.",
                winner.name()
            ),
            format!(
                "If {} is a total, use AverageValue: {target} would ask for {}.",
                winner.name(),
                replicas(as_average)
            ),
        ],
        command: None,
    })
}

pub(super) fn min_replicas(cx: &ExplainContext<'_>) -> Vec<String> {
    let facts = &cx.facts;
    let (min, current) = (facts.min(), facts.current().unwrap_or_default());
    let proposal = facts.winner().map_or_else(
        || cx.proposal_text(),
        |winner| {
            format!(
                "{} and asks for {}",
                winner.is_at(),
                replicas(facts.proposal().unwrap_or_default())
            )
        },
    );
    if min < current {
        return vec![format!(
            "{proposal}, but minReplicas stops the scale-down at {min}."
        )];
    }
    let (absent, check) = match not_counted(cx) {
        Some(groups) => (
            absent(groups).join(" and "),
            show_at(facts, groups, cx.clock),
        ),
        None => (String::new(), None),
    };
    let is_pinned = min == facts.max();
    if is_pinned && !absent.is_empty() {
        let mut sentences = vec![format!("{}.", upper_first(&absent))];
        sentences.extend(check);
        sentences.push(format!(
            "The HPA stays at {min} whatever the load is: minReplicas and maxReplicas are both {min}."
        ));
        return sentences;
    }
    let mut sentences = vec![if is_pinned {
        format!("minReplicas and maxReplicas are both {min}, so the HPA never scales: {proposal}.")
    } else {
        format!("At minReplicas: {proposal}, but the minimum is {min}.")
    }];
    if !absent.is_empty() {
        // An average over the rest of the pods says little about the load.
        sentences.push(format!("Also, {absent}."));
        sentences.extend(check);
    } else if !is_pinned {
        sentences.push(
            "Normal for an idle workload: ScalingLimited=True (TooFewReplicas) is not an error here."
                .to_owned(),
        );
    }
    sentences
}
