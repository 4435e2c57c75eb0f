//! Recomputes, bit for bit, what the HorizontalPodAutoscaler controller of Kubernetes decides, and shows how it
//! decided.
//!
//! The library has three modules. [`model`] is what the controller reads, remembers and is configured with. [`engine`]
//! decides. [`trace`] is the record of the decision. All three are pure: no I/O, no clock, no environment.
//!
//! ```toml
//! [dependencies]
//! jiff = "0.2"
//! hpa-engine = "0.1"
//! ```
//!
//! # Deciding an HPA
//!
//! Two pods request 100m of CPU each and use 90m and 80m; the HPA's target is 60%.
//!
//! ```
//! use jiff::{SignedDuration, Timestamp};
//! use hpa_engine::{engine::decide, model::*, trace::Decision};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let now: Timestamp = "2026-11-21T12:00:00Z".parse()?;
//! let spec = HpaSpec::new(ScaleTargetRef::deployment("web"), 10, vec![MetricSpec::utilization("cpu", 60)]);
//! let controller = ControllerConfig::defaults(Input::given("1.36".parse()?));
//! let mut observation = Observation::new(controller, Hpa::new("shop", "web", spec));
//! observation.scale = Reading::Read(Scale::new(2, "app=web"));
//! let (mut pods, mut usage) = (Vec::new(), Vec::new());
//! for (name, cpu) in [("web-a", "90m"), ("web-b", "80m")] {
//!     let hour_ago = now - SignedDuration::from_hours(1);
//!     pods.push(Pod::ready(name, [("app", "web")], hour_ago).requesting("cpu", Quantity::parse("100m")?));
//!     usage.push(PodMetrics::new(name, now, "cpu", Quantity::parse(cpu)?));
//! }
//! observation.pods = Reading::Read(pods.into());
//! observation.pod_metrics = Reading::Read(usage.into());
//!
//! let trace = decide(&observation, &mut Memory::default(), now);
//! // 170m of 200m are 85%, 1.4 times the target: 2 × 85 / 60 = 2.8, rounded up.
//! assert_eq!(trace.decision, Decision::Rescale { from: 2, to: 3, succeeds: true });
//! # Ok(())
//! # }
//! ```
//!
//! The steps in between, with every number, are in [`Trace::steps`](trace::Trace::steps); the status, the conditions and
//! the events that the controller would write are in [`Trace::outcome`](trace::Trace::outcome).
//!
//! # Stability
//!
//! The public items of these three modules follow Semantic Versioning, and a test compares them with a list. New
//! versions of Kubernetes add fields and variants, which before 1.0.0 requires a new minor version.

pub mod engine;
pub mod model;
#[cfg(feature = "serde")]
#[doc(hidden)]
pub mod serialized;
pub mod trace;

// The examples of both pages are doctests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod readme {}
#[cfg(doctest)]
#[doc = include_str!("../../../docs/library.md")]
mod library_page {}
