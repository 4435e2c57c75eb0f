//! Recordings, played from snapshots to reports.

mod cluster;
mod examples;
mod incidents;
mod lines;
mod recreated;
mod session;
mod writers;
