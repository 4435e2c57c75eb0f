//! The alarms of a recording, as `watch` would have raised them.

use hpa_engine::model::HpaKey;
use hpa_objects::recording::RecordingLine;
use hpa_watch::{Alarm, AlarmCause, State, Update, reduce};
use jiff::{Timestamp, tz::TimeZone};

use crate::{RecordedEvents, replayed::time_of_day};

/// An alarm of the recording in words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AlarmView {
    /// When it began, to the second.
    pub since: String,
    /// When it ended; none: it is on at the end.
    pub until: Option<String>,
    /// Its HPA, if the recording has several.
    pub hpa: Option<String>,
    /// Its kind.
    pub kind: &'static str,
    /// The alarm in words.
    pub text: String,
}

/// Collects the alarms of a recording, line by line.
#[derive(Debug)]
pub struct RecordedAlarms {
    events: RecordedEvents,
    state: State,
    raised: Vec<Raised>,
}

/// An alarm, with the time when it ended; none: it is on at the end.
#[derive(Debug)]
struct Raised {
    hpas: Vec<HpaKey>,
    alarm: Alarm,
    until: Option<Timestamp>,
}

impl Default for RecordedAlarms {
    fn default() -> Self {
        Self {
            events: RecordedEvents::default(),
            state: State::brief(),
            raised: Vec::new(),
        }
    }
}

impl RecordedAlarms {
    /// Takes the next line. `replay` itself reports a line that cannot be taken.
    pub fn take(&mut self, line: RecordingLine) {
        for (event, at) in self.events.take(line).unwrap_or_default() {
            for update in reduce(&mut self.state, event, at) {
                self.update(update, at);
            }
        }
    }

    fn update(&mut self, update: Update, at: Timestamp) {
        match update {
            Update::AlarmOn { hpas, alarm } => match self.open(&hpas, &alarm) {
                Some(known) => known.alarm.text = alarm.text,
                None => self.raised.push(Raised {
                    hpas,
                    alarm,
                    until: None,
                }),
            },
            Update::AlarmOff { hpas, alarm, .. } => {
                if let Some(known) = self.open(&hpas, &alarm) {
                    known.until = Some(at);
                    known.alarm.text = alarm.text;
                }
            }
            _ => {}
        }
    }

    /// The alarm that is still on.
    fn open(&mut self, hpas: &[HpaKey], alarm: &Alarm) -> Option<&mut Raised> {
        let mut raised = self.raised.iter_mut().rev();
        raised.find(|one| {
            let is_of_same = one.hpas == hpas || one.hpas.iter().any(|hpa| hpas.contains(hpa));
            one.until.is_none() && is_same(&one.alarm, alarm) && is_of_same
        })
    }

    /// In the order in which they began. `is_one`: the recording has one HPA, which needs no name.
    pub fn views(&self, is_one: bool, zone: &TimeZone) -> Vec<AlarmView> {
        let time = |at| time_of_day(at, zone);
        // An alarm that is on has other numbers now than when it began. It may be over for the first of its HPAs.
        let current = |raised: &Raised| {
            let first = raised.hpas.first().filter(|_| raised.until.is_none())?;
            let of = |hpa: &HpaKey| {
                let mut alarms = self.state.hpas.get(hpa)?.alarms.iter();
                let is_it = |one: &&Alarm| {
                    is_same(one, &raised.alarm) && (hpa == first || is_of_cause(one, &raised.alarm))
                };
                Some((hpa.clone(), alarms.find(is_it)?.clone()))
            };
            let mut others = self.state.hpas.keys();
            of(first).or_else(|| raised.alarm.cause.is_some().then(|| others.find_map(of))?)
        };
        let views = self.raised.iter().map(|raised| {
            let first = raised.hpas.first();
            let (hpa, since, text) = match current(raised) {
                Some((hpa, alarm)) if Some(&hpa) == first => {
                    (Some(hpa), raised.alarm.since, alarm.text)
                }
                Some((hpa, alarm)) => (Some(hpa), alarm.since, alarm.text),
                None => (
                    first.cloned(),
                    raised.alarm.since,
                    raised.alarm.text.clone(),
                ),
            };
            AlarmView {
                since: time(since),
                until: raised.until.map(time),
                hpa: hpa.filter(|_| !is_one).map(|hpa| hpa.to_string()),
                kind: raised.alarm.kind.as_str(),
                text,
            }
        });
        views.collect()
    }
}

fn is_of_cause(one: &Alarm, other: &Alarm) -> bool {
    one.cause.as_ref().map(AlarmCause::key) == other.cause.as_ref().map(AlarmCause::key)
}

fn is_same(one: &Alarm, other: &Alarm) -> bool {
    one.kind == other.kind && one.subject == other.subject
}
