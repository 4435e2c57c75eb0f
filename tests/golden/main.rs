//! Golden vectors: the numbers of upstream's unit tests and edge cases that docs/dev/controller.md section 12 lists,
//! one file per table; boundary facts of floats; the recordings of `examples/worked`; and Go's results for quantities
//! and label selectors.
//!
//! Everything goes through the public API; the trace shows what upstream tests through private functions.
#![expect(clippy::unwrap_used, reason = "test code")]

mod support;

mod behavior_limits;
mod behavior_stabilization;
mod crash;
mod float_edges;
#[allow(
    unreachable_pub,
    reason = "the package in `fuzz` has these modules, too"
)]
mod go;
mod group_pods;
mod no_behavior;
mod replica_calculator;
mod requests;
mod scale_from_zero;
mod scale_write;
mod switches;
mod vectors;
mod worked;
