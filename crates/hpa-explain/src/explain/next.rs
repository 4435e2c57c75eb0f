//! When it could change: the usage in both directions, and the changes that time alone brings.

use std::cmp::Ordering;

use jiff::SignedDuration;

use crate::explain::{Action, Verdict};
use crate::{
    explain::{
        Facts, MetricFacts, Rule, Story,
        amount::count,
        clock::duration,
        edge::{at_least, at_most, with_the_uncounted},
        reach::out_of_reach,
    },
    inference::{Threshold, Thresholds},
    model::{Direction, ScalingRules},
    trace::Decision,
};

/// One line about what would change the replicas.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NextView {
    /// `up`, `down`, `then`.
    pub title: &'static str,
    /// What it takes.
    pub text: String,
}

impl NextView {
    /// What would change the replicas of a story, without the rest of its page.
    pub fn all(story: &Story<'_>) -> Vec<Self> {
        next(story)
    }
}

/// What would change the replicas, upwards, downwards and by time alone.
pub(super) fn next(story: &Story<'_>) -> Vec<NextView> {
    let mut views = Vec::new();
    let mut push = |title, text: Option<String>| {
        if let Some(text) = text {
            views.push(NextView { title, text });
        }
    };
    let is_decided = story.facts.choice.is_some() && story.facts.trace.outcome.is_some();
    if !is_decided || story.rule == Rule::AllMetricsInvalid {
        return views;
    }
    if matches!(story.facts.trace.decision, Decision::Rescale { .. }) {
        push("then", then(story));
        return views;
    }
    push("up", up(story));
    push("down", down(story));
    push("then", then(story));
    views
}

/// What must happen before a sync can change the replicas at all; none: the next one may do so.
pub fn needed_first(verdict: &Verdict) -> Option<&'static str> {
    match verdict.rule {
        Rule::InputsNotReadable => Some("unknown, because not everything that decides can be read"),
        Rule::ScaleNotReadable => Some("after the controller can read the scale of the target"),
        Rule::ScalingDisabledAtZero => Some("after the replicas are set to 1 or more"),
        Rule::SelectorMissing => Some("after the scale of the target has a selector"),
        Rule::SelectorInvalid => Some("after the selector of the target can be parsed"),
        Rule::SelectorAmbiguous => Some("after only one HPA selects these pods"),
        Rule::AllMetricsInvalid => Some("after a metric can be computed"),
        _ if verdict.action == Action::Failed => {
            Some("after the API server accepts the new number of replicas")
        }
        _ => None,
    }
}

/// `to 6 at 67 % or more`, in words for a sentence; none if usage alone does not lead up.
pub(super) fn up_in_words(story: &Story<'_>) -> Option<String> {
    if blocked_up(story).is_some() {
        return None;
    }
    let (metric, threshold) = only(story, |thresholds| thresholds.up.as_ref())?;
    let to = threshold.replicas.min(story.facts.max());
    let reach = out_of_reach(&story.facts, metric, threshold)
        .map_or_else(String::new, |reason| format!(" ({reason})"));
    Some(format!("to {to} {}{reach}", at_least(metric, threshold)))
}

/// `to 4 at 48 % or less for 5 m`; none if usage alone does not lead down.
pub(super) fn down_in_words(story: &Story<'_>) -> Option<String> {
    if blocked_down(story).is_some() {
        return None;
    }
    let (metric, threshold) = only(story, |thresholds| thresholds.down.as_ref())?;
    let window = Some(story.facts.observation.window(Direction::Down))
        .filter(SignedDuration::is_positive)
        .map_or_else(String::new, |window| format!(" for {}", duration(window)));
    let to = threshold.replicas.max(story.facts.min());
    Some(format!("to {to} {}{window}", at_most(metric, threshold)))
}

fn only<'s>(
    story: &'s Story<'_>,
    side: impl Fn(&Thresholds) -> Option<&Threshold>,
) -> Option<(&'s MetricFacts<'s>, &'s Threshold)> {
    let [thresholds] = story.tipping_points().thresholds.as_slice() else {
        return None;
    };
    let metric = metric_at(&story.facts, thresholds.index)?;
    Some((metric, side(thresholds)?))
}

pub(super) fn metric_at<'s>(facts: &'s Facts<'_>, index: usize) -> Option<&'s MetricFacts<'s>> {
    facts
        .metrics
        .iter()
        .find(|metric| metric.evaluation.index == index)
}

fn up(story: &Story<'_>) -> Option<String> {
    if let Some(reason) = blocked_up(story) {
        return Some(reason);
    }
    let by_usage = up_by_usage(story);
    let if_ready = story
        .tipping_points()
        .if_ready
        .filter(|if_ready| {
            story
                .facts
                .current()
                .is_some_and(|current| current < if_ready.replicas)
        })
        .map(|if_ready| {
            let to = if_ready.replicas.min(story.facts.max());
            let pods = match if_ready.pods {
                1 => "the pod that is not counted is".to_owned(),
                more => format!("the {more} pods that are not counted are"),
            };
            format!("to {to} once {pods}, if as busy as the others")
        });
    match (by_usage, if_ready) {
        (Some(usage), Some(ready)) => Some(format!("{usage}, or {ready}")),
        (one, other) => one.or(other),
    }
}

fn up_by_usage(story: &Story<'_>) -> Option<String> {
    let several = 1 < story.facts.metrics.len();
    let mut parts = Vec::new();
    for thresholds in &story.tipping_points().thresholds {
        let Some(metric) = metric_at(&story.facts, thresholds.index) else {
            continue;
        };
        if let Some(threshold) = &thresholds.up {
            let name = if several {
                format!("{} ", metric.name())
            } else {
                String::new()
            };
            let max = story.facts.max();
            let capped = if max < threshold.replicas {
                format!(", max {max}")
            } else {
                String::new()
            };
            let reach = out_of_reach(&story.facts, metric, threshold)
                .map_or_else(String::new, |reason| format!(", {reason}"));
            parts.push(format!(
                "{name}{}{} (asks for {}{capped}){reach}",
                at_least(metric, threshold),
                with_the_uncounted(metric, threshold),
                threshold.replicas
            ));
        }
    }
    let parts = parts.join(", or ");
    (!parts.is_empty()).then_some(parts)
}

fn down(story: &Story<'_>) -> Option<String> {
    if let Some(reason) = blocked_down(story) {
        return Some(reason);
    }
    let current = story.facts.current()?;
    let several = 1 < story.facts.metrics.len();
    let window = Some(story.facts.observation.window(Direction::Down))
        .filter(SignedDuration::is_positive)
        .map_or_else(String::new, |window| format!(" for {}", duration(window)));
    let mut parts = Vec::new();
    let mut replicas = story.facts.min();
    let mut nobody_asks_less = false;
    for thresholds in &story.tipping_points().thresholds {
        let Some(metric) = metric_at(&story.facts, thresholds.index) else {
            continue;
        };
        match (&thresholds.down, thresholds.now) {
            (Some(threshold), _) => {
                let name = if several {
                    format!("{} ", metric.name())
                } else {
                    String::new()
                };
                parts.push(format!("{name}{}", at_most(metric, threshold)));
                replicas = replicas.max(threshold.replicas);
            }
            (None, Ordering::Less) => {
                replicas = replicas.max(metric.replicas().unwrap_or(current));
            }
            (None, _) => {
                nobody_asks_less = true;
                parts.push(never(metric, current));
            }
        }
    }
    if nobody_asks_less {
        return parts.pop();
    }
    if parts.is_empty() {
        return None;
    }
    let parts = parts.join(" and ");
    Some(format!("{parts}{window} (to {replicas})"))
}

/// Why no usage leads down.
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
            "not while {} {have} no sample: {counts} in full on the way down",
            count(missing, "pod")
        )
    }
}

fn blocked_up(story: &Story<'_>) -> Option<String> {
    let current = story.facts.current()?;
    if is_disabled(story, Direction::Up) {
        return Some("never: scaleUp.selectPolicy is Disabled".to_owned());
    }
    (story.facts.max() <= current).then(|| format!("not above {} (maxReplicas)", story.facts.max()))
}

fn blocked_down(story: &Story<'_>) -> Option<String> {
    let current = story.facts.current()?;
    if is_disabled(story, Direction::Down) {
        return Some("never: scaleDown.selectPolicy is Disabled".to_owned());
    }
    if current <= story.facts.min() {
        return Some(format!("not below {} (minReplicas)", story.facts.min()));
    }
    let failed = story.facts.failed();
    failed
        .first()
        .map(|metric| format!("not while {} can't be read", metric.full_name()))
}

fn is_disabled(story: &Story<'_>, direction: Direction) -> bool {
    let spec = &story.facts.observation.hpa.spec;
    spec.rules(direction).is_some_and(ScalingRules::is_disabled)
}

/// The changes that time alone brings: `8 at 10:42:30, 10 at 10:42:45, if cpu goes on asking for 258`.
fn then(story: &Story<'_>) -> Option<String> {
    let recommendation = story.facts.stabilize?.recommendation;
    let changes = &story.look.timeline;
    let shown: Vec<String> = changes
        .iter()
        .take(4)
        .map(|change| format!("{} at {}", change.to, story.clock.time(change.at)))
        .collect();
    // The answer tells the first change, or the first three, already.
    let told = match story.rule {
        Rule::StabilizationWindow => 2,
        _ => 3,
    };
    if changes.len() <= told {
        return None;
    }
    let more = match changes.len().saturating_sub(shown.len()) {
        0 => String::new(),
        _ => changes
            .last()
            .map_or_else(String::new, |last| format!(", … {} in the end", last.to)),
    };
    let condition = story.facts.winner().map_or_else(String::new, |winner| {
        format!(", if {} goes on asking for {recommendation}", winner.name())
    });
    let sync = story.facts.observation.sync_period().value;
    Some(format!(
        "{}{more}{condition}; each up to {} later",
        shown.join(", "),
        duration(sync)
    ))
}
