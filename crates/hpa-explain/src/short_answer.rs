//! The answer in a few words, for a line of a table.

use hpa_words::clock::Clock;
use jiff::Timestamp;

use crate::ExplainContext;

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
