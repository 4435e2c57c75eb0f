//! The alarm of a cause that affects several HPAs.

use std::collections::BTreeSet;

use hpa_engine::model::HpaKey;
use hpa_words::amount::count;
use jiff::Timestamp;

use super::{Alarm, AlarmCause};

/// The alarm of a cause, for all HPAs that it affects.
#[derive(Clone, Debug)]
pub(crate) struct AlarmGroup {
    /// The cause.
    pub(super) cause: AlarmCause,
    /// The alarm of the first HPA.
    pub(super) alarm: Alarm,
    /// All HPAs that it has affected so far.
    pub(super) hpas: BTreeSet<HpaKey>,
    /// The time at which it is reported.
    pub(super) due: Timestamp,
    /// Whether it was reported.
    pub(super) is_reported: bool,
}

impl AlarmGroup {
    /// `metrics.k8s.io of shop answers 503: 6 HPAs`, or the alarm's text if it affects only one HPA.
    fn text(&self) -> String {
        match self.hpas.len() {
            1 => self.alarm.text.clone(),
            all => format!("{}: {}", self.cause.text, count(all, "HPA")),
        }
    }

    /// What is reported of it.
    pub(super) fn reported(&self) -> (Vec<HpaKey>, Alarm) {
        let alarm = Alarm {
            text: self.text(),
            ..self.alarm.clone()
        };
        (self.hpas.iter().cloned().collect(), alarm)
    }
}
