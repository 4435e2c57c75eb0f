//! A condition of an alarm that holds.

use jiff::{SignedDuration, Timestamp};

use super::{AlarmCause, AlarmKind};

/// A condition of an alarm that holds.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct AlarmCondition {
    /// The alarm.
    pub(super) kind: AlarmKind,
    /// Its subject, such as a metric; distinguishes alarms of one kind.
    pub(super) subject: String,
    /// The alarm's text.
    pub(super) text: String,
    /// Since when it holds, if known from another source.
    pub(super) since: Option<Timestamp>,
    /// The part of the text whose change is reported.
    pub(super) gist: String,
    /// A cause that may affect other HPAs as well.
    pub(super) cause: Option<AlarmCause>,
    /// The severity; an increase is reported, at most once per sync.
    pub(super) level: u32,
    /// How long another gist must hold before it is reported.
    pub(super) settles: SignedDuration,
    /// How long it must hold before the alarm is raised.
    pub(super) waits: SignedDuration,
    /// How long it must not hold before the alarm ends. A single better sync is not a recovery.
    pub(super) lingers: SignedDuration,
}
