//! What the checks of alarms read, and what they return.

use hpa_analysis::condition_since;
use hpa_engine::model;
use hpa_explain::Facts;
use hpa_words::amount::names_of;
use jiff::{SignedDuration, Timestamp};

use super::AlarmKind;
use crate::{HpaState, State};

pub(super) use super::condition::AlarmCondition;

/// The inputs of the checks.
pub(super) struct AlarmContext<'a> {
    /// The whole state.
    pub(super) state: &'a State,
    /// The HPA.
    pub(super) hpa: &'a HpaState,
    /// The trace of the HPA's latest assessment, with its observation.
    pub(super) facts: Facts<'a>,
    /// The current time.
    pub(super) now: Timestamp,
    /// The sync period.
    pub(super) period: SignedDuration,
}

impl AlarmContext<'_> {
    /// A condition with this text that is reported immediately, once, until it has not held for two syncs.
    pub(super) fn condition_of(&self, kind: AlarmKind, text: String) -> AlarmCondition {
        AlarmCondition {
            kind,
            subject: String::new(),
            text,
            since: None,
            gist: String::new(),
            cause: None,
            level: 0,
            settles: SignedDuration::ZERO,
            waits: SignedDuration::ZERO,
            lingers: self.period * LINGERING_SYNCS,
        }
    }

    /// A condition on the current decision. It is reported immediately if the controller decides so or has written it;
    /// otherwise only if it lasts for one sync.
    pub(super) fn of_decision(
        &self,
        kind: AlarmKind,
        text: String,
        is_written: bool,
    ) -> AlarmCondition {
        let is_decided = self.hpa.is_reconcile() || is_written;
        AlarmCondition {
            waits: if is_decided {
                SignedDuration::ZERO
            } else {
                self.period
            },
            ..self.condition_of(kind, text)
        }
    }

    /// A condition of the HPA's status.
    pub(super) fn condition(&self, condition_type: &str) -> Option<&model::Condition> {
        self.facts.observation.hpa.status.condition(condition_type)
    }

    /// Since when a condition has its status, if known. A condition that did not change while the HPA was off at zero
    /// replicas counts only from then on.
    pub(super) fn since(&self, condition: &model::Condition) -> Option<Timestamp> {
        match self.hpa.log.disabled_at() {
            Some(off) => Some(condition.last_transition_time?.max(off)),
            None => condition_since(
                self.facts.observation,
                &self.hpa.latest.assessment.context,
                condition,
            ),
        }
    }

    /// Whether an alarm of this kind is on.
    pub(super) fn is_on(&self, kind: AlarmKind) -> bool {
        self.hpa.alarms.iter().any(|alarm| alarm.kind == kind)
    }
}

/// `1 pod`, `4 pods`.
pub(super) fn pods(number: i32) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{number} pod{plural}")
}

/// `web-1, web-2 and 3 more`.
pub(super) fn few(pods: &[&model::Pod]) -> String {
    let pods = pods.iter().map(|pod| pod.name.as_str());
    let number = pods.len();
    names_of(pods, number, 2)
}

/// The most frequent text; the first of equally frequent ones.
pub(super) fn most_frequent<'t>(texts: impl Iterator<Item = &'t str>) -> Option<&'t str> {
    let mut counted: Vec<(&str, usize)> = Vec::new();
    for text in texts {
        match counted.iter_mut().find(|(known, _)| *known == text) {
            Some((_, times)) => *times += 1,
            None => counted.push((text, 1)),
        }
    }
    let most = counted.iter().map(|(_, times)| *times).max()?;
    let mut most_often = counted.iter().filter(|(_, times)| *times == most);
    most_often.next().map(|(text, _)| *text)
}

/// A text without words that contain digits: names of pods, amounts and counts change from sync to sync.
pub(super) fn without_numbers(text: &str) -> String {
    let has_digit = |word: &str| word.contains(|letter: char| letter.is_ascii_digit());
    let words: Vec<&str> = text
        .split_whitespace()
        .filter(|word| !has_digit(word))
        .collect();
    words.join(" ")
}

/// How many syncs an alarm stays on after its condition last held.
const LINGERING_SYNCS: i32 = 2;
