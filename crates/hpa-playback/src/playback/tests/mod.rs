//! Recordings, played from snapshots to what a reader is told.

mod cluster;
mod examples;
mod incidents;
mod lines;
mod session;
