//! Watching HPAs over time: what happened, what it means, what somebody should look at. Pure: it takes the time and
//! whatever was seen as events and gives updates; where they come from (a cluster, a recording) is not known here.
#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

pub mod alarm;
mod changes;
mod entry;
mod entry_of;
mod event;
mod freshness;
mod history;
mod log;
mod next_change;
mod reduce;
mod state;
mod update;

pub use alarm::{Alarm, AlarmCause, AlarmKind};
pub use entry::{EntryId, HistoryEntry, MetricPoint, PodCounts};
pub use event::{Agreement, Event, FieldDifference, SeenHpa, source_of};
pub use history::HpaHistory;
pub use next_change::NextChange;
pub use reduce::reduce;
pub use state::{HpaState, HpaUrgency, Mark, SourceFailure, State};
pub use update::{Change, UnseenStep, Update};
