//! Recordings, played from snapshots to what a reader is told.

mod examples;
mod lines;
