//! The controller's algorithm as a pure library: integer and float arithmetic as in Go, with one function for each
//! upstream function.
//!
//! The specification is `docs/dev/controller.md`. Nothing here returns an error: a metric that cannot be read is a step
//! with an outcome, and [`decide`] always returns a trace.
//!
//! The caller passes in what the controller remembers and gets it back updated, so the same function serves a single
//! snapshot, a recording and a simulation. Here the load falls, and 5 minutes of recommendation history hold the
//! replicas before they go down:
//!
//! ```
//! use jiff::{SignedDuration, Timestamp};
//! use hpa_engine::{engine::decide, model::*, trace::Decision};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let start: Timestamp = "2026-11-21T12:00:00Z".parse()?;
//! let queue = MetricSpec::external("queue_depth", Quantity::parse("10")?);
//! let spec = HpaSpec::new(ScaleTargetRef::deployment("worker"), 20, vec![queue]);
//! let controller = ControllerConfig::defaults(Input::given("1.36".parse()?));
//! let mut observation = Observation::new(controller, Hpa::new("mail", "worker", spec));
//! observation.scale = Reading::Read(Scale::new(6, "app=worker"));
//! let mut memory = Memory::default();
//! let mut decisions = Vec::new();
//! for (second, depth) in [(0, "60"), (15, "20"), (290, "20"), (315, "20")] {
//!     let now = start + SignedDuration::from_secs(second);
//!     observation.external_metrics = vec![IndexedAnswer {
//!         index: 0,
//!         answer: Reading::Read(vec![ExternalMetricValue {
//!             labels: Vec::new(),
//!             timestamp: Some(now),
//!             value: Quantity::parse(depth)?,
//!         }].into()),
//!     }];
//!     decisions.push(decide(&observation, &mut memory, now).decision);
//! }
//! let hold = Decision::Hold { current: 6 };
//! let down = Decision::Rescale { from: 6, to: 2, succeeds: true };
//! assert_eq!(decisions, [hold.clone(), hold.clone(), hold, down]);
//! # Ok(())
//! # }
//! ```
#![deny(clippy::disallowed_methods, clippy::disallowed_types)]
#![deny(clippy::arithmetic_side_effects, clippy::as_conversions)]
// Ratios are float64 upstream; their operations cannot overflow.

mod after_metrics;
mod bounds;
mod context;
mod go_format;
mod go_math;
mod metric;
mod metric_names;
mod metrics;
mod outcome;
mod pods;
mod reach;
mod reconcile;
mod replica_calculator;
mod requests;
mod rescale;
mod samples;
mod scale_events;
mod scaling_policies;
mod selector_check;
mod stabilization;
mod tolerance;
mod usage_ratio;

#[doc(hidden)]
pub use go_math::{after, before};
pub use reconcile::{decide, decide_with};

// Parts of the algorithm for the rest of the program. They are not part of the library's API.
#[doc(hidden)]
pub use after_metrics::AfterMetrics;
#[doc(hidden)]
pub use pods::why_ignored;
#[doc(hidden)]
pub use reach::{Reach, utilization_percent, utilization_step};
#[doc(hidden)]
pub use requests::{Request, counted_containers, effective_container_request, pod_request};
#[doc(hidden)]
pub use scale_events::{longest_period, store_scale_event};
#[doc(hidden)]
pub use tolerance::Tolerances;
