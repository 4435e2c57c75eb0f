//! When it could change: the usage in both directions, and the changes that time alone brings.

use std::cmp::Ordering;

use jiff::SignedDuration;

use crate::{
    explain::{
        Facts, MetricFacts, Rule, Story, Unit, amount::count, clock::duration, facts::current_text,
        reach::out_of_reach,
    },
    inference::{Threshold, Thresholds},
    model::{ScalingRules, SelectPolicy},
    trace::{Decision, MetricEvaluation, MetricStep, Milli, Pass, PodClass, RatioFormula},
};

/// One line about what would change the replicas.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NextView {
    /// `up`, `down`, `then`.
    pub title: &'static str,
    /// What it takes.
    pub text: String,
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
    let window = window_of(story, false)
        .filter(SignedDuration::is_positive)
        .map_or_else(String::new, |window| format!(" for {}", duration(window)));
    let to = threshold.replicas.max(story.facts.min());
    Some(format!("to {to} {}{window}", at_most(metric, threshold)))
}

/// `at 67 % or more`, or `above 40` where that is shorter than `at 40.001 or more`.
fn at_least(metric: &MetricFacts<'_>, threshold: &Threshold) -> String {
    let usual = format!("at {} or more", at(metric, threshold));
    let above =
        neighbor(threshold, -1).map(|value| format!("above {}", shown(metric.unit(), &value)));
    shorter(usual, above)
}

/// `at 48 % or less`, or `below 1000` where that is shorter than `at 999.999 or less`.
fn at_most(metric: &MetricFacts<'_>, threshold: &Threshold) -> String {
    let usual = format!("at {} or less", at(metric, threshold));
    let below =
        neighbor(threshold, 1).map(|value| format!("below {}", shown(metric.unit(), &value)));
    shorter(usual, below)
}

fn shorter(usual: String, other: Option<String>) -> String {
    match other {
        Some(other) if other.len() + 7 < usual.len() => other,
        _ => usual,
    }
}

/// The value one thousandth beside a threshold, on the side where nothing happens; none for whole percent.
fn neighbor(threshold: &Threshold, step: i64) -> Option<RatioFormula> {
    let beside = |Milli(milli): Milli| Milli(milli.saturating_add(step));
    Some(match *ratio(&threshold.evaluation, Pass::First)? {
        RatioFormula::AveragePerReplica {
            usage,
            target,
            status_replicas,
            average,
        } => RatioFormula::AveragePerReplica {
            usage: beside(usage),
            target,
            status_replicas,
            average,
        },
        RatioFormula::PodAverage {
            usage,
            pods,
            average,
            target,
        } => RatioFormula::PodAverage {
            usage,
            pods,
            average: beside(average),
            target,
        },
        RatioFormula::Utilization { .. } => return None,
        RatioFormula::Value { usage, target } => RatioFormula::Value {
            usage: beside(usage),
            target,
        },
    })
}

fn only<'s>(
    story: &'s Story<'_>,
    side: impl Fn(&Thresholds) -> Option<&Threshold>,
) -> Option<(&'s MetricFacts<'s>, &'s Threshold)> {
    let [thresholds] = story.look.thresholds.as_slice() else {
        return None;
    };
    let metric = metric_at(&story.facts, thresholds.index)?;
    Some((metric, side(thresholds)?))
}

fn metric_at<'s>(facts: &'s Facts<'_>, index: usize) -> Option<&'s MetricFacts<'s>> {
    facts
        .metrics
        .iter()
        .find(|metric| metric.evaluation.index == index)
}

/// The value of the first pass at a threshold: what `kubectl get hpa` would show.
fn at(metric: &MetricFacts<'_>, threshold: &Threshold) -> String {
    match ratio(&threshold.evaluation, Pass::First) {
        Some(formula) => shown(metric.unit(), formula),
        None => metric.unit().amount(threshold.total),
    }
}

fn ratio(evaluation: &MetricEvaluation, pass: Pass) -> Option<&RatioFormula> {
    evaluation.steps.iter().find_map(|step| match step {
        MetricStep::UsageRatio(ratio) if ratio.pass == pass => Some(&ratio.formula),
        _ => None,
    })
}

/// A threshold needs the digits that a display cuts: `540m a pod`.
fn shown(unit: Unit, formula: &RatioFormula) -> String {
    match *formula {
        RatioFormula::AveragePerReplica { usage, .. } => format!("{} in all", unit.amount(usage)),
        _ => current_text(unit, formula),
    }
}

fn up(story: &Story<'_>) -> Option<String> {
    if let Some(reason) = blocked_up(story) {
        return Some(reason);
    }
    let by_usage = up_by_usage(story);
    let if_ready = story
        .look
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
    for thresholds in &story.look.thresholds {
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

/// ` of the ready pods, 67 % over all`, where pods are added back.
fn with_the_uncounted(metric: &MetricFacts<'_>, threshold: &Threshold) -> String {
    let added = threshold.evaluation.steps.iter().any(|step| match step {
        MetricStep::AddBackPods(step) => step
            .added
            .iter()
            .any(|pod| matches!(pod.class, PodClass::Unready | PodClass::Missing)),
        _ => false,
    });
    let adjusted = ratio(&threshold.evaluation, Pass::Adjusted).filter(|_| added);
    adjusted.map_or_else(String::new, |formula| {
        format!(
            " of the counted pods, {} over all",
            current_text(metric.unit(), formula)
        )
    })
}

fn down(story: &Story<'_>) -> Option<String> {
    if let Some(reason) = blocked_down(story) {
        return Some(reason);
    }
    let current = story.facts.current()?;
    let several = 1 < story.facts.metrics.len();
    let window = window_of(story, false)
        .filter(SignedDuration::is_positive)
        .map_or_else(String::new, |window| format!(" for {}", duration(window)));
    let mut parts = Vec::new();
    let mut replicas = story.facts.min();
    let mut nobody_asks_less = false;
    for thresholds in &story.look.thresholds {
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
    if is_disabled(story, true) {
        return Some("never: scaleUp.selectPolicy is Disabled".to_owned());
    }
    (story.facts.max() <= current).then(|| format!("not above {} (maxReplicas)", story.facts.max()))
}

fn blocked_down(story: &Story<'_>) -> Option<String> {
    let current = story.facts.current()?;
    if is_disabled(story, false) {
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

fn rules<'s>(story: &'s Story<'_>, is_up: bool) -> Option<&'s ScalingRules> {
    let behavior = story.facts.observation.hpa.spec.behavior.as_ref()?;
    if is_up {
        behavior.scale_up.as_ref()
    } else {
        behavior.scale_down.as_ref()
    }
}

fn is_disabled(story: &Story<'_>, is_up: bool) -> bool {
    rules(story, is_up).is_some_and(|rules| rules.select_policy == Some(SelectPolicy::Disabled))
}

/// The stabilization window of a direction.
fn window_of(story: &Story<'_>, is_up: bool) -> Option<SignedDuration> {
    let own = rules(story, is_up).and_then(|rules| rules.stabilization_window_seconds);
    match own {
        Some(seconds) => Some(SignedDuration::from_secs(seconds.into())),
        None if is_up => None,
        None => Some(
            story
                .facts
                .observation
                .controller
                .downscale_stabilization
                .value,
        ),
    }
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
    let sync = story.facts.observation.controller.sync_period.value;
    Some(format!(
        "{}{more}{condition}; each up to {} later",
        shown.join(", "),
        duration(sync)
    ))
}

/// The metric's name and the value that `kubectl get hpa` would show at a threshold.
pub fn threshold_text(
    story: &Story<'_>,
    index: usize,
    threshold: &Threshold,
) -> Option<(String, String)> {
    let metric = metric_at(&story.facts, index)?;
    Some((metric.name(), at(metric, threshold)))
}

/// The usage of a threshold in thousandths, for programs.
pub fn threshold_milli(threshold: &Threshold) -> i64 {
    let Milli(total) = threshold.total;
    total
}
