//! A policy limits the step.

use hpa_analysis::AlterationKind;
use hpa_engine::{
    model::{Direction, PolicyType},
    trace::{LimitPath, PolicyBound},
};
use hpa_words::amount::count;
use jiff::SignedDuration;

use super::{NOT_SCALING, RuleWords, are_all_counted, max_replicas::needed_maximum};
use crate::{
    Action, ExplainContext, Facts, ShortAnswer, StepKind,
    command::{explain_again, with_change},
    ladder::{deciding_policy, deciding_policy_of},
    rules::stabilization_window::held,
    short_answer::until,
    steps_ahead::{frees, path},
};

pub(super) const DOWN: RuleWords = RuleWords {
    held_by: Some("held by the rate limit"),
    needed_first: None,
    failed: NOT_SCALING,
    label: |_| "held_by_policy",
    short,
    sentences: |cx, _| sentences(cx),
    recovers: are_all_counted,
    why_nothing: |_| "the HPA goes on by itself",
    advice: |_| None,
    command: |_| None,
    before_command: |_| None,
    steps: |_| &[(StepKind::Limits, false)],
    what_ifs: &[AlterationKind::Policy(Direction::Down)],
};

pub(super) const UP: RuleWords = RuleWords {
    recovers: |cx| {
        let is_enough = needed_maximum(cx).is_some_and(|needed| needed <= cx.facts.max());
        !is_slower_than_defaults(cx) && is_enough && are_all_counted(cx)
    },
    command: |cx| {
        if !is_slower_than_defaults(cx) {
            return None;
        }
        with_change(cx, "--compare", "behavior.scaleUp-").or_else(|| {
            // It is about the present, or a file.
            let is_past = cx.past.is_some();
            (!is_past).then(|| explain_again(cx).arg("--what-if"))
        })
    },
    before_command: |_| {
        Some(
            "If these steps are too slow, compare the default policies (nothing is written):"
                .to_owned(),
        )
    },
    what_ifs: &[AlterationKind::Policy(Direction::Up)],
    ..DOWN
};

/// Whether this sync would scale further up without `behavior.scaleUp`.
fn is_slower_than_defaults(cx: &ExplainContext<'_>) -> bool {
    let today = cx.facts.trace.decision.replicas();
    cx.today().without_rules(Direction::Up).replicas() > today
}

fn short(cx: &ExplainContext<'_>, action: Action) -> Option<ShortAnswer> {
    let rate = short_rate(&cx.facts).map(Into::into);
    rate.or_else(|| match action {
        Action::ScaleDown => Some("down, policy".into()),
        Action::ScaleUp => Some("up, policy".into()),
        _ => Some(until(cx, "policy")),
    })
}

fn sentences(cx: &ExplainContext<'_>) -> Vec<String> {
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
            let until = frees(cx).map_or_else(String::new, |at| format!(" until {at}"));
            format!(
                "{side} policy \"{}\" is used up{until} ({used})",
                rate(policy)
            )
        }
        (Some(policy), used) => format!(
            "{side} policy \"{}\" allows {} now{}",
            rate(policy),
            limit.desired,
            used.map_or_else(String::new, |used| format!(" ({used})"))
        ),
    };
    let mut sentences = vec![limited(cx, &what)];
    if cx.analysis.timeline.is_empty() {
        sentences.push("It continues as the period allows.".to_owned());
    }
    sentences
}

/// What the metrics ask for and a window holds, what limits that to one step, and the steps to come.
pub(super) fn limited(cx: &ExplainContext<'_>, what: &str) -> String {
    let (asked, but) = after_window(cx);
    // A metric that fails may change it on the way.
    let is_clear = cx.facts.failed().is_empty();
    let then = path(cx).filter(|_| is_clear).unwrap_or_default();
    format!("{asked}, {but} {what}{then}.")
}

/// What the metrics ask for, and the window that holds another number, with the word that what limits this follows.
pub(super) fn after_window(cx: &ExplainContext<'_>) -> (String, &'static str) {
    // A metric that fails leaves no room for a window that does not decide.
    let step = cx.facts.stabilize.filter(|_| cx.facts.failed().is_empty());
    match step.and_then(|step| held(cx, step)) {
        Some(held) => (format!("{}, but {held}", cx.present_demand()), "and"),
        None => (cx.demand(), "but"),
    }
}

fn rate(policy: &PolicyBound) -> String {
    policy_rate(policy.policy_type, policy.value, policy.period_seconds)
}

/// `30% per 60 s`, `2 pods per 15 s`: in seconds, as the spec has it.
pub(crate) fn policy_rate(kind: PolicyType, value: i32, period_seconds: i32) -> String {
    match kind {
        PolicyType::Percent => format!("{value}% per {period_seconds} s"),
        PolicyType::Pods => format!(
            "{} per {period_seconds} s",
            count(usize::try_from(value).unwrap_or_default(), "pod")
        ),
    }
}

/// How much of a policy is already used up: `2 pods were added in the last 60 s`.
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

/// The policy that decides: `+1 per min`, `-10% per 5 min`.
fn short_rate(facts: &Facts<'_>) -> Option<String> {
    let (
        direction,
        PolicyBound {
            policy_type,
            value,
            period_seconds,
            ..
        },
    ) = deciding_policy_of(facts)?;
    let sign = match direction {
        Direction::Up => "+",
        Direction::Down => "-",
    };
    let unit = match policy_type {
        PolicyType::Percent => "%",
        PolicyType::Pods => "",
    };
    let period = match *period_seconds {
        1 => "s".to_owned(),
        60 => "min".to_owned(),
        seconds => hpa_words::clock::duration(SignedDuration::from_secs(seconds.into())),
    };
    Some(format!("{sign}{value}{unit} per {period}"))
}
