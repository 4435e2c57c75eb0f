//! The answer in a few words, for a line of a table.

use hpa_analysis::UnreportedRescale;
use hpa_engine::{
    model::{Direction, PolicyType},
    trace::{PolicyBound, SelectorVerdict},
};
use hpa_words::{
    amount::{names, names_within},
    clock::Clock,
};
use jiff::{SignedDuration, Timestamp};

use crate::{
    Action, ExplainContext, Facts, MetricFacts, Rule, answer::Lead, ladder::deciding_policy_of,
    rule::is_write_refused, verdict::action,
};

/// The answer in a few words: `at max, 7 short`, `window until 05:12:32`, `+1 per min`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShortAnswer {
    words: String,
    until: Option<Until>,
}

/// When the hold on the replicas ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Until {
    /// At that time.
    Known(Timestamp),
    /// Probably at that time: the recommendation history is inferred.
    Likely(Timestamp),
}

impl ShortAnswer {
    /// The answer of `cx`: what leads that of `explain`, too.
    pub(super) fn of(cx: &ExplainContext<'_>, lead: &Lead<'_>) -> Self {
        if let Some(problem) = lead.problem() {
            return problem.into();
        }
        if let Lead::Disagreement(_) = lead {
            return "differs from the controller".into();
        }
        if cx.may_have_moved().is_some() {
            return "inputs may have changed".into();
        }
        let facts = &cx.facts;
        let (action, ..) = action(facts);
        match action {
            Action::Disabled => "not scaling at 0".into(),
            Action::Failed if is_write_refused(facts) => "write refused".into(),
            Action::Failed => failed(facts, cx.rule).into(),
            Action::Hold => held(cx),
            Action::ScaleDown => down(facts, cx.rule).into(),
            Action::ScaleUp => up(facts, cx.rule).into(),
            Action::Unknown => "unknown".into(),
        }
    }

    /// The words without a time of day.
    pub fn words(&self) -> &str {
        &self.words
    }

    /// The words with the time of day in the reader's zone, if they end with one, or that it is now; a question mark
    /// follows an inferred time.
    pub fn at(&self, clock: &Clock) -> String {
        let (until, mark) = match self.until {
            Some(Until::Known(until)) => (until, ""),
            Some(Until::Likely(until)) => (until, "?"),
            None => return self.words.clone(),
        };
        if clock.is_now(until) {
            return format!("{} ends now{mark}", self.words);
        }
        format!("{} until {}{mark}", self.words, clock.time(until))
    }
}

impl<T: Into<String>> From<T> for ShortAnswer {
    fn from(words: T) -> Self {
        Self {
            words: words.into(),
            until: None,
        }
    }
}

/// Whether the API server does not find the target. For a kind without a scale the server also answers "not found",
/// but with another message.
pub fn is_target_missing(facts: &Facts<'_>) -> bool {
    let error = facts.read_scale.and_then(|scale| scale.error.as_ref());
    let name = &facts.observation.hpa.spec.scale_target.name;
    error.is_some_and(|error| {
        let message = error.message.trim_end_matches('.');
        message.ends_with(&format!("{name:?} not found"))
    })
}

fn failed(facts: &Facts<'_>, rule: Rule) -> String {
    match rule {
        Rule::AllMetricsInvalid | Rule::InvalidMetricBlocksScaleDown => unreadable(facts),
        Rule::ScaleNotReadable if is_target_missing(facts) => "target not found".to_owned(),
        Rule::ScaleNotReadable => "scale cannot be read".to_owned(),
        Rule::SelectorAmbiguous => format!("shares pods with {}", others(facts)),
        Rule::SelectorInvalid => "selector is invalid".to_owned(),
        Rule::SelectorMissing => "scale has no selector".to_owned(),
        _ => "not scaling".to_owned(),
    }
}

/// The other HPAs that select the pods: `dual-b`, `2 HPAs`.
fn others(facts: &Facts<'_>) -> String {
    let Some(SelectorVerdict::Ambiguous { hpas }) = facts.selector.map(|one| &one.verdict) else {
        return "another HPA".to_owned();
    };
    if 2 < hpas.len() {
        return format!("{} HPAs", hpas.len() - 1);
    }
    let hpa = &facts.observation.hpa;
    let others = names_within(hpas, &hpa.namespace);
    let others: Vec<&str> = others.filter(|name| *name != hpa.name).collect();
    names(&others, 1)
}

fn unreadable(facts: &Facts<'_>) -> String {
    match facts.failed().as_slice() {
        [only] => format!("{} cannot be {}", only.name(), only.what_fails()),
        failed => format!("{} metrics fail", failed.len()),
    }
}

fn held(cx: &ExplainContext<'_>) -> ShortAnswer {
    if let Some(UnreportedRescale { from, to }) = cx.unreported() {
        return format!("scaled {from} → {to}").into();
    }
    let facts = &cx.facts;
    match cx.rule {
        Rule::DirectionGuard | Rule::SecondPass => uncounted(facts).into(),
        Rule::DisabledDirection if facts.proposal() < facts.current() => "scale-down is off".into(),
        Rule::DisabledDirection => "scale-up is off".into(),
        Rule::InvalidMetricBlocksScaleDown => unreadable(facts).into(),
        Rule::MaxReplicas => at_max("at max", facts).into(),
        Rule::MinReplicas => "at min".into(),
        Rule::NoBehaviorLimit => "step limit".into(),
        Rule::OldRecommendation | Rule::StabilizationWindow => until(cx, "window"),
        Rule::Rounding => match facts.current() {
            Some(current) => format!("rounds to {current}").into(),
            None => "rounds to the same".into(),
        },
        Rule::ScaleDownPolicy | Rule::ScaleUpPolicy => match rate(facts) {
            Some(rate) => rate.into(),
            None => until(cx, "policy"),
        },
        _ => "within tolerance".into(),
    }
}

/// Until when the replicas are held, if known.
fn until(cx: &ExplainContext<'_>, what: &str) -> ShortAnswer {
    let Some(first) = cx.analysis.timeline.first() else {
        return format!("held by {what}").into();
    };
    let ends = cx.analysis.first_change;
    let is_known = ends.is_some_and(|ends| ends.earliest == Some(ends.latest));
    ShortAnswer {
        words: what.to_owned(),
        until: Some(if is_known {
            Until::Known(first.at)
        } else {
            Until::Likely(first.at)
        }),
    }
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
            pods(groups.unready, "not ready").or_else(|| pods(groups.missing, "without metrics"))
        })
        .unwrap_or_else(|| "adjusted average".to_owned())
}

fn down(facts: &Facts<'_>, rule: Rule) -> String {
    match rule {
        Rule::AboveMax | Rule::MaxReplicas => "down to max".to_owned(),
        Rule::MinReplicas => "down to min".to_owned(),
        Rule::ScaleDownPolicy => rate(facts).unwrap_or_else(|| "down, policy".to_owned()),
        Rule::OldRecommendation | Rule::StabilizationWindow => "down, held by window".to_owned(),
        _ => recommends(facts, "down"),
    }
}

fn up(facts: &Facts<'_>, rule: Rule) -> String {
    match rule {
        Rule::BelowMin | Rule::MinReplicas => "up to min".to_owned(),
        Rule::MaxReplicas => at_max("up to max", facts),
        Rule::NoBehaviorLimit => "up, step limit".to_owned(),
        Rule::OldRecommendation => "up, asked for before".to_owned(),
        Rule::StabilizationWindow => "up, held by window".to_owned(),
        Rule::RaisedFromZero => "up from zero".to_owned(),
        Rule::ScaleUpPolicy => rate(facts).unwrap_or_else(|| "up, policy".to_owned()),
        _ => recommends(facts, "up"),
    }
}

fn recommends(facts: &Facts<'_>, direction: &str) -> String {
    let name = facts.winner().map(MetricFacts::name);
    name.map_or_else(
        || direction.to_owned(),
        |name| format!("{direction} by {name}"),
    )
}

/// `at max, 7 short`.
fn at_max(what: &str, facts: &Facts<'_>) -> String {
    let proposal = facts.proposal().unwrap_or_default();
    match proposal.saturating_sub(facts.max()) {
        ..=0 => what.to_owned(),
        short => format!("{what}, {short} short"),
    }
}

/// The policy that decides: `+1 per min`, `-10% per 5 min`.
fn rate(facts: &Facts<'_>) -> Option<String> {
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
