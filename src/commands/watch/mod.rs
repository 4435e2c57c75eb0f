//! `kubectl hpa watch`: what comes from the feed goes through the reducer to whoever shows, records or waits for it.

mod feed;
mod full_screen;
mod on_alarm;
mod output;
mod posting;
mod recorder;
mod run;
mod tally;
mod until;

pub(super) use feed::Feed;
pub(super) use recorder::WatchRecorder;
pub(super) use run::{export, run};
