//! The answer in a few words, for a line of a table.

use hpa_analysis::UnreportedRescale;
use hpa_words::clock::Clock;
use jiff::Timestamp;

use crate::{
    Action, ExplainContext, Facts, MetricFacts, answer::Lead, rule::is_write_refused,
    verdict::action,
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
        match (action, cx.unreported()) {
            (Action::Failed, _) if is_write_refused(facts) => "write refused".into(),
            (Action::Hold, Some(UnreportedRescale { from, to })) => {
                format!("scaled {from} → {to}").into()
            }
            _ => (cx.rule.words().short)(cx, action).unwrap_or_else(|| by_metric(facts, action)),
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

/// Until when the replicas are held, if known.
pub(super) fn until(cx: &ExplainContext<'_>, what: &str) -> ShortAnswer {
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

/// What happens because of the metrics: `up by cpu`.
fn by_metric(facts: &Facts<'_>, action: Action) -> ShortAnswer {
    let direction = match action {
        Action::Hold => return "within tolerance".into(),
        Action::ScaleDown => "down",
        Action::ScaleUp => "up",
        Action::Disabled | Action::Failed | Action::Unknown => return "not scaling".into(),
    };
    let name = facts.winner().map(MetricFacts::name);
    name.map_or_else(
        || direction.into(),
        |name| format!("{direction} by {name}").into(),
    )
}
