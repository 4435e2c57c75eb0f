//! Expectations of a run: `ready >= 18 within 4m in 95%`.

use crate::{Millis, Point, RunSummary, parse_span};

/// An expectation of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct Expectation {
    /// The original text.
    pub text: String,
    subject: Subject,
    operator: Operator,
    value: f64,
    /// The value as written.
    written: String,
    when: When,
    /// The share of runs in which it must hold.
    pub share: f64,
}

/// What is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Subject {
    Load,
    Needed,
    PerPod,
    Ready,
    Replicas,
    MetAfter,
    NotServed,
    PodHours,
    Rescales,
    SecondsAbove,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Operator {
    AtLeast,
    AtMost,
    Equal,
    Less,
    More,
}

/// When it must hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum When {
    /// At all times.
    Always,
    /// From this time on.
    After(Millis),
    /// At this time.
    At(Millis),
    /// At the end.
    End,
    /// At some time until then.
    Within(Millis),
}

/// A text that is not an expectation.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("invalid expectation {text:?}: {why}")]
pub struct ParseExpectationError {
    /// The text.
    pub text: String,
    /// What is wrong, and what is valid.
    pub why: String,
}

const FORMS: &str = "use SUBJECT OPERATOR VALUE [always | within TIME | after TIME | at TIME] [in PERCENT%], such as 'ready >= 18 within 4m in 95%' or 'notServed <= 5%'";

const SUBJECTS: [(&str, Subject); 10] = [
    ("load", Subject::Load),
    ("metAfter", Subject::MetAfter),
    ("notServed", Subject::NotServed),
    ("perPod", Subject::PerPod),
    ("podHours", Subject::PodHours),
    ("ready", Subject::Ready),
    ("replicas", Subject::Replicas),
    ("rescales", Subject::Rescales),
    ("secondsAbove", Subject::SecondsAbove),
    ("wanted", Subject::Needed),
];

impl Expectation {
    /// Parses an expectation. Fails if it cannot be decided within `length`.
    pub fn parse(text: &str, length: Millis) -> Result<Self, ParseExpectationError> {
        let fail = |why: String| ParseExpectationError {
            text: text.to_owned(),
            why,
        };
        let spaced = [">=", "<=", "==", ">", "<"].iter().find_map(|sign| {
            let (left, right) = text.split_once(sign)?;
            Some(format!("{left} {sign} {right}"))
        });
        let spaced = spaced.ok_or_else(|| fail(FORMS.to_owned()))?;
        let words: Vec<&str> = spaced.split_whitespace().collect();
        let [name, operator, value, rest @ ..] = words.as_slice() else {
            return Err(fail(FORMS.to_owned()));
        };
        let subject = SUBJECTS
            .iter()
            .find(|(known, _)| known == name)
            .map(|(_, subject)| *subject)
            .ok_or_else(|| {
                let names: Vec<&str> = SUBJECTS.iter().map(|(name, _)| *name).collect();
                fail(format!("{name:?} is not one of {}", names.join(", ")))
            })?;
        let operator = match *operator {
            ">=" => Operator::AtLeast,
            "<=" => Operator::AtMost,
            "==" => Operator::Equal,
            "<" => Operator::Less,
            _ => Operator::More,
        };
        let written = (*value).to_owned();
        let value = subject
            .value(value)
            .ok_or_else(|| fail(format!("{value:?} is not a number")))?;
        let mut when = if subject.is_of_the_run() {
            When::End
        } else {
            When::Always
        };
        let mut share = 1.0;
        let mut rest = rest.iter();
        while let Some(word) = rest.next() {
            let mut span = || {
                let time = rest
                    .next()
                    .ok_or_else(|| fail(format!("no time after {word:?}")))?;
                let time = parse_span(time).map_err(|error| fail(error.to_string()))?;
                if length < time {
                    return Err(fail(format!(
                        "the simulation ends after {} s, before it can be decided: use a longer --for",
                        length / 1000
                    )));
                }
                Ok(time)
            };
            when = match *word {
                "always" => When::Always,
                "within" => When::Within(span()?),
                "after" => When::After(span()?),
                "at" => When::At(span()?),
                "in" => {
                    let percent = rest
                        .next()
                        .and_then(|text| text.strip_suffix('%')?.parse::<f64>().ok());
                    share = percent
                        .filter(|percent| (0.0..=100.0).contains(percent))
                        .map(|percent| percent / 100.0)
                        .ok_or_else(|| fail("a share is written as in 95%".to_owned()))?;
                    continue;
                }
                _ => return Err(fail(FORMS.to_owned())),
            };
            if subject.is_of_the_run() {
                return Err(fail(format!(
                    "{name} is a number of the whole run: leave {word:?} out"
                )));
            }
        }
        Ok(Self {
            text: text.to_owned(),
            subject,
            operator,
            value,
            written,
            when,
            share,
        })
    }

    /// The amount of a metric that it compares with, as written, and whether it is the value per pod. None: it compares
    /// no metric.
    pub fn amount(&self) -> Option<(bool, &str)> {
        match self.subject {
            Subject::PerPod => Some((true, &self.written)),
            Subject::Load => Some((false, &self.written)),
            _ => None,
        }
    }

    /// Whether it can be decided only if the capacity of a pod is known.
    pub fn needs_capacity(&self) -> bool {
        self.subject == Subject::NotServed
    }

    fn compares(&self, found: f64) -> bool {
        match self.operator {
            Operator::AtLeast => found >= self.value,
            Operator::AtMost => found <= self.value,
            Operator::Equal => (found - self.value).abs() < 1e-9,
            Operator::Less => found < self.value,
            Operator::More => found > self.value,
        }
    }
}

impl Subject {
    fn is_of_the_run(self) -> bool {
        matches!(
            self,
            Self::MetAfter | Self::NotServed | Self::PodHours | Self::Rescales | Self::SecondsAbove
        )
    }

    fn value(self, text: &str) -> Option<f64> {
        if let Some(percent) = text.strip_suffix('%') {
            let percent: f64 = percent.parse().ok()?;
            return match self {
                Self::NotServed => Some(percent / 100.0),
                Self::PerPod => Some(percent),
                _ => None,
            };
        }
        let number = match self {
            Self::MetAfter | Self::SecondsAbove => parse_span(text).ok()? as f64 / 1000.0,
            Self::Load | Self::PerPod => match crate::Amount::parse(text).ok()? {
                crate::Amount::Absolute(value) => value,
                crate::Amount::Times(_) => return None,
            },
            _ => text.parse().ok()?,
        };
        number.is_finite().then_some(number)
    }
}

/// The state of an expectation during a run.
pub(crate) struct Watched<'a> {
    expectation: &'a Expectation,
    /// Whether it has held so far, or holds by now.
    holds: bool,
}

impl<'a> Watched<'a> {
    pub(crate) fn new(expectation: &'a Expectation) -> Self {
        Self {
            expectation,
            holds: matches!(expectation.when, When::Always | When::After(_)),
        }
    }

    pub(crate) fn take(&mut self, point: &Point) {
        let found = match self.expectation.subject {
            Subject::Load => point.load,
            // No comparison with what is not known holds.
            Subject::Needed => point.needed.map_or(f64::NAN, f64::from),
            Subject::PerPod => point.per_pod,
            Subject::Ready => f64::from(point.ready),
            Subject::Replicas => f64::from(point.replicas),
            _ => return,
        };
        let compares = self.expectation.compares(found);
        match self.expectation.when {
            When::Always => self.holds &= compares,
            When::After(from) if from <= point.at => self.holds &= compares,
            When::Within(until) if point.at <= until => self.holds |= compares,
            When::At(at) if point.at <= at => self.holds = compares,
            _ => {}
        }
    }

    /// Whether it holds. A run that was stopped early decides nothing conclusively.
    pub(crate) fn holds(&self, summary: &RunSummary, is_complete: bool) -> bool {
        let seconds = |millis: Millis| millis as f64 / 1000.0;
        let found = match self.expectation.subject {
            Subject::MetAfter => summary.met_after.map_or(f64::INFINITY, seconds),
            Subject::NotServed => summary.not_served.unwrap_or(f64::NAN),
            Subject::PodHours => summary.pod_hours,
            Subject::Rescales => f64::from(summary.rescales),
            Subject::SecondsAbove => seconds(summary.above),
            _ => return self.holds && is_complete,
        };
        is_complete && self.expectation.compares(found)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expectations_are_read_or_refused_with_what_to_write() {
        let hour = 3_600_000;
        for text in [
            "ready >= 18 within 4m in 95%",
            "ready>=18 within 4m",
            "replicas <= 20 always",
            "replicas == 6 at 10m",
            "perPod < 85% after 5m",
            "notServed <= 5%",
            "metAfter <= 4m in 90%",
            "rescales <= 3",
        ] {
            assert!(
                Expectation::parse(text, hour).is_ok(),
                "{text}: {:?}",
                Expectation::parse(text, hour)
            );
        }
        for text in [
            "ready",
            "pods >= 3",
            "ready >= many",
            "ready >= 3 within 2h",
            "ready >= 3 in 120%",
            "rescales <= 3 within 4m",
            "ready >= 50%",
        ] {
            assert!(Expectation::parse(text, hour).is_err(), "{text}");
        }
    }
}
