//! The conditions of one HPA that hold: when an alarm is raised, and when its text is reported again.

use jiff::{SignedDuration, Timestamp};

use super::{Alarm, condition::AlarmCondition};

/// The conditions of one HPA that hold, or held recently.
#[derive(Clone, Debug, Default)]
pub(crate) struct Conditions(pub(super) Vec<HeldCondition>);

/// A condition that holds, or held recently.
#[derive(Clone, Debug)]
pub(super) struct HeldCondition {
    /// The condition as it last held.
    pub(super) condition: AlarmCondition,
    /// When it was first seen.
    pub(super) first: Timestamp,
    /// When it was last seen.
    pub(super) last: Timestamp,
    /// Since when the gist is this one.
    pub(super) gist_since: Timestamp,
    /// What was reported, if the alarm is on.
    pub(super) reported: Option<Reported>,
}

/// What was reported of an alarm that is on.
#[derive(Clone, Debug)]
pub(super) struct Reported {
    /// Every gist. One that returns is not news.
    gists: Vec<String>,
    /// The highest level.
    level: u32,
    /// When it was last reported.
    at: Timestamp,
}

impl Conditions {
    /// Whether an alarm that holds has this cause.
    pub(super) fn has_cause(&self, key: &str) -> bool {
        let causes = self
            .0
            .iter()
            .filter_map(|held| held.condition.cause.as_ref());
        causes.into_iter().any(|cause| cause.key == key)
    }
}

impl HeldCondition {
    /// Whether there is something to report now. It then counts as reported.
    pub(super) fn report(&mut self, now: Timestamp, period: SignedDuration) -> bool {
        let AlarmCondition {
            gist,
            level,
            settles,
            waits,
            ..
        } = &self.condition;
        let Some(reported) = &mut self.reported else {
            let is_due = *waits <= now.duration_since(self.first);
            if is_due {
                self.reported = Some(Reported {
                    gists: vec![gist.clone()],
                    level: *level,
                    at: now,
                });
            }
            return is_due;
        };
        let is_other =
            !reported.gists.contains(gist) && *settles <= now.duration_since(self.gist_since);
        let is_higher = reported.level < *level && period <= now.duration_since(reported.at);
        if is_other {
            reported.gists.truncate(MOST_GISTS);
            reported.gists.insert(0, gist.clone());
        }
        if is_other || is_higher {
            reported.level = reported.level.max(*level);
            reported.at = now;
        }
        is_other || is_higher
    }

    /// Its alarm.
    pub(super) fn alarm(&self) -> Alarm {
        Alarm {
            kind: self.condition.kind,
            since: self.condition.since.unwrap_or(self.first),
            text: self.condition.text.clone(),
            subject: self.condition.subject.clone(),
            cause: self.condition.cause.clone(),
        }
    }
}

/// Gists that are remembered, besides the latest.
const MOST_GISTS: usize = 15;
