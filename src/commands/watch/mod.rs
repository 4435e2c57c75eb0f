//! `kubectl hpa watch`: what comes from the feed goes through the reducer to whoever shows, records or waits for it.

mod feed;
mod output;
mod run;
mod tally;

pub(super) use run::run;
