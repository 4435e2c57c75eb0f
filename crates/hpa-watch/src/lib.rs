//! The history of HPAs over time, and the alarms that follow from it. It serves the program `kubectl hpa`, and changes
//! without notice.
//!
//! Watching HPAs over time: what happened, what it means, and what needs attention. Pure: it takes the time and
//! observed events, and returns updates. It does not know whether events come from a cluster or a recording.
#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

pub mod alarm;
mod changes;
mod entry;
mod entry_of;
mod event;
mod freshness;
mod history;
mod log;
mod mark;
mod next_change;
mod reduce;
mod state;
mod tally;
mod until;
mod update;

pub use alarm::{Alarm, AlarmCause, AlarmKind};
pub use entry::{EntryId, HistoryEntry, MetricPoint, PodCounts};
pub use event::{Agreement, Event, FieldDifference, SeenHpa, source_of};
pub use history::HpaHistory;
pub use mark::Mark;
pub use next_change::NextChange;
pub use reduce::reduce;
pub use state::{HpaState, HpaUrgency, Note, SourceFailure, State};
pub use tally::WatchTally;
pub use until::{Until, UntilOutcome, WatchGoal};
pub use update::{Change, UnseenStep, Update};
