//! What could change the replicas: the usage in both directions, and the changes that time alone brings.

use std::cmp::Ordering;

use hpa_analysis::{Threshold, Thresholds};
use hpa_engine::{model::Direction, trace::Decision};
use hpa_words::{amount::count, clock::duration};
use jiff::SignedDuration;

use crate::{
    Action, Decider, ExplainContext, MetricFacts, Verdict,
    context::{downstream::quotas::tightest, pods::groups::PodGroups},
    edge::{at_least, at_most, metric_at, with_the_uncounted},
    reach::out_of_reach,
};

/// One line about what would change the replicas.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NextView {
    /// `up when`, `down when`, `next`.
    pub title: &'static str,
    /// What it takes.
    pub text: String,
}

impl NextView {
    /// The lines on what would change the replicas, without building the whole page.
    pub fn all(cx: &ExplainContext<'_>) -> Vec<Self> {
        next(cx)
    }
}

/// The lines on what would change the replicas: up, down, and by time alone.
pub(super) fn next(cx: &ExplainContext<'_>) -> Vec<NextView> {
    let mut views = Vec::new();
    let mut push = |title, text: Option<String>| {
        if let Some(text) = text {
            views.push(NextView { title, text });
        }
    };
    let is_decided = cx.facts.choice.is_some() && cx.facts.trace.outcome.is_some();
    if !is_decided || cx.rule.needed_first().is_some() {
        return views;
    }
    if matches!(cx.facts.trace.decision, Decision::Rescale { .. }) {
        push("next", then(cx));
        return views;
    }
    push("up when", up(cx));
    push("down when", down(cx));
    push("next", then(cx));
    views
}

/// What must happen before a sync can change the replicas at all; `None` if the next sync may do so.
pub fn needed_first(verdict: &Verdict) -> Option<&'static str> {
    let failed = "after the API server accepts the new number of replicas";
    let needed = verdict.rule.needed_first();
    needed.or_else(|| (verdict.action == Action::Failed).then_some(failed))
}

/// `to 6 at 67% or more`, as part of a sentence; `None` if usage alone does not scale up.
pub(super) fn up_in_words(cx: &ExplainContext<'_>) -> Option<String> {
    if blocked_up(cx).is_some() {
        return None;
    }
    let (metric, threshold) = only(cx, |thresholds| thresholds.up.as_ref())?;
    let to = threshold.replicas.min(cx.facts.max());
    let reach = out_of_reach(&cx.facts, metric, threshold)
        .map_or_else(String::new, |reason| format!(" ({reason})"));
    Some(format!("to {to} {}{reach}", at_least(metric, threshold)))
}

/// `to 4 at 48% or less for 5 min`; `None` if usage alone does not scale down.
pub(super) fn down_in_words(cx: &ExplainContext<'_>) -> Option<String> {
    if blocked_down(cx).is_some() {
        return None;
    }
    let (metric, threshold) = only(cx, |thresholds| thresholds.down.as_ref())?;
    let window = Some(cx.facts.observation.window(Direction::Down))
        .filter(SignedDuration::is_positive)
        .map_or_else(String::new, |window| format!(" for {}", duration(window)));
    let to = threshold.replicas.max(cx.facts.min());
    Some(format!("to {to} {}{window}", at_most(metric, threshold)))
}

fn only<'s>(
    cx: &'s ExplainContext<'_>,
    side: impl Fn(&Thresholds) -> Option<&Threshold>,
) -> Option<(&'s MetricFacts<'s>, &'s Threshold)> {
    let [thresholds] = cx.tipping_points().thresholds.as_slice() else {
        return None;
    };
    let metric = metric_at(&cx.facts, thresholds.index)?;
    Some((metric, side(thresholds)?))
}

fn up(cx: &ExplainContext<'_>) -> Option<String> {
    if let Some(reason) = blocked_up(cx) {
        return Some(reason);
    }
    let by_usage = up_by_usage(cx);
    let if_ready = cx
        .tipping_points()
        .if_ready
        .filter(|if_ready| {
            cx.facts
                .current()
                .is_some_and(|current| current < if_ready.replicas)
        })
        .map(|if_ready| {
            let to = if_ready.replicas.min(cx.facts.max());
            // A Value target counts pods, however busy they are.
            let reads_pods = cx
                .facts
                .winner()
                .is_some_and(|winner| winner.groups.is_some());
            let then = if reads_pods {
                "all pods count and are just as busy"
            } else {
                "all pods are ready"
            };
            let quota = beyond_quota(cx, to);
            format!("to {to} once {then}{quota}")
        });
    match (by_usage, if_ready) {
        (Some(usage), Some(ready)) => Some(format!("{usage}, or {ready}")),
        (one, other) => one.or(other),
    }
}

fn up_by_usage(cx: &ExplainContext<'_>) -> Option<String> {
    let several = 1 < cx.facts.metrics.len();
    let mut parts = Vec::new();
    for thresholds in &cx.tipping_points().thresholds {
        let Some(metric) = metric_at(&cx.facts, thresholds.index) else {
            continue;
        };
        if let Some(threshold) = &thresholds.up {
            let name = if several {
                format!("{} ", metric.name())
            } else {
                String::new()
            };
            let max = cx.facts.max();
            let capped = if max < threshold.replicas {
                format!(", max {max}")
            } else {
                String::new()
            };
            let quota = beyond_quota(cx, max.min(threshold.replicas));
            let reach = out_of_reach(&cx.facts, metric, threshold)
                .map_or_else(String::new, |reason| format!(", {reason}"));
            parts.push(format!(
                "{name}{}{} (asks for {}{capped}{quota}){reach}",
                at_least(metric, threshold),
                with_the_uncounted(metric, threshold),
                threshold.replicas
            ));
        }
    }
    let parts = parts.join(", or ");
    (!parts.is_empty()).then_some(parts)
}

fn down(cx: &ExplainContext<'_>) -> Option<String> {
    if let Some(reason) = blocked_down(cx) {
        return Some(reason);
    }
    let current = cx.facts.current()?;
    let several = 1 < cx.facts.metrics.len();
    let window = Some(cx.facts.observation.window(Direction::Down))
        .filter(SignedDuration::is_positive)
        .map_or_else(String::new, |window| format!(" for {}", duration(window)));
    let mut parts = Vec::new();
    let mut replicas = cx.facts.min();
    let mut no_metric_is_lower = false;
    for thresholds in &cx.tipping_points().thresholds {
        let Some(metric) = metric_at(&cx.facts, thresholds.index) else {
            continue;
        };
        match (&thresholds.down, thresholds.now) {
            (Some(threshold), _) => {
                let name = if several {
                    format!("{} ", metric.name())
                } else {
                    String::new()
                };
                // Below 0 the controller takes the sum for an overflow.
                let but = match metric.replaced_total() {
                    Some(_) => ", but not below 0",
                    None => "",
                };
                parts.push(format!("{name}{}{but}", at_most(metric, threshold)));
                replicas = replicas.max(threshold.replicas);
            }
            (None, Ordering::Less) => {
                replicas = replicas.max(metric.replicas().unwrap_or(current));
            }
            (None, _) => {
                no_metric_is_lower = true;
                parts.push(never(metric, current));
            }
        }
    }
    if no_metric_is_lower {
        return parts.pop();
    }
    if parts.is_empty() {
        return None;
    }
    let parts = parts.join(" and ");
    Some(format!("{parts}{window} (to {replicas})"))
}

/// Why no usage scales down.
fn never(metric: &MetricFacts<'_>, current: i32) -> String {
    let missing = metric.groups.map_or(0, |groups| groups.missing);
    if missing == 0 {
        format!(
            "{} does not lead below {current} at any usage",
            metric.name()
        )
    } else {
        let (have, counts) = if missing == 1 {
            ("has", "it counts")
        } else {
            ("have", "they count")
        };
        format!(
            "not while {} {have} no metrics: {counts} in full before scaling down",
            count(missing, "pod")
        )
    }
}

fn blocked_up(cx: &ExplainContext<'_>) -> Option<String> {
    let current = cx.facts.current()?;
    if cx.facts.is_off(Direction::Up) {
        return Some("never: scaleUp.selectPolicy is Disabled".to_owned());
    }
    if cx.facts.max() <= current {
        return Some(format!("not above {} (maxReplicas)", cx.facts.max()));
    }
    // The metrics ask for more already.
    let held_by = cx.rule.words().held_by?;
    (Some(current) < cx.facts.proposal()).then(|| {
        let next = cx.analysis.timeline.first();
        let next = next.map_or_else(String::new, |next| {
            format!(" until {} (to {})", cx.clock.time(next.at), next.to)
        });
        format!("{held_by}{next}")
    })
}

/// `, quota few allows 5`, if that is fewer replicas.
fn beyond_quota(cx: &ExplainContext<'_>, replicas: i32) -> String {
    let fewer = tightest(cx).filter(|(_, allowed)| *allowed < replicas);
    fewer.map_or_else(String::new, |(quota, allowed)| {
        format!(", quota {quota} allows {allowed}")
    })
}

fn blocked_down(cx: &ExplainContext<'_>) -> Option<String> {
    let current = cx.facts.current()?;
    if cx.facts.is_off(Direction::Down) {
        return Some("never: scaleDown.selectPolicy is Disabled".to_owned());
    }
    if current <= cx.facts.min() {
        return Some(format!("not below {} (minReplicas)", cx.facts.min()));
    }
    let failed = cx.facts.failed();
    failed.first().map(|metric| {
        let what = metric.what_fails();
        format!("not while {} cannot be {what}", metric.full_name())
    })
}

/// The changes that time alone brings: `8 at 10:42:30, 10 at 10:42:45, if cpu goes on asking for 258`.
fn then(cx: &ExplainContext<'_>) -> Option<String> {
    // Each new replica of a group adds pods, which ask for more.
    if PodGroups::of(cx).is_some() {
        return None;
    }
    let recommendation = cx.facts.stabilize?.recommendation;
    let changes = &cx.analysis.timeline;
    let displayed: Vec<String> = changes
        .iter()
        .take(4)
        .map(|change| format!("{} at {}", change.to, cx.clock.time(change.at)))
        .collect();
    // The answer already contains the first change, or the first three.
    let reported = match cx.rule.decider() {
        Decider::Window => 2,
        _ => 3,
    };
    if changes.len() <= reported {
        return None;
    }
    let more = match changes.len().saturating_sub(displayed.len()) {
        0 => String::new(),
        _ => changes
            .last()
            .map_or_else(String::new, |last| format!(", … eventually {}", last.to)),
    };
    let condition = cx.facts.winner().map_or_else(String::new, |winner| {
        format!(", if {} still asks for {recommendation}", winner.in_prose())
    });
    let sync = cx.facts.observation.sync_period().value;
    Some(format!(
        "{}{more}{condition}; each up to {} later",
        displayed.join(", "),
        duration(sync)
    ))
}
