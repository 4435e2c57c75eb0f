//! `kubectl hpa watch`: events of the feed go through the reducer to the display, the recording and `--until`.

mod full_screen;
mod on_alarm;
mod output;
mod posting;
mod recorder;
mod run;

pub(super) use recorder::WatchRecorder;
pub(super) use run::{export, run};
