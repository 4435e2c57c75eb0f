//! Golden vectors: the numbers of upstream's unit tests and edge cases, as docs/controller.md section 12 lists them, one
//! file a table; boundary facts of floats; and the recordings of `examples/worked`.
//!
//! Everything goes through the public API. What upstream tests through private functions is read from the trace.
#![expect(clippy::unwrap_used, reason = "test code")]

mod support;

mod behavior_limits;
mod behavior_stabilization;
mod crash;
mod float_edges;
mod group_pods;
mod no_behavior;
mod replica_calculator;
mod requests;
mod scale_from_zero;
mod scale_write;
mod switches;
#[cfg(feature = "cli")]
mod worked;
