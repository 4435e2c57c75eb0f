//! Recomputes what the HorizontalPodAutoscaler controller of Kubernetes decides, bit for bit, and how it comes to that.
//!
//! The library has three modules: [`model`] is what the controller reads, remembers and is set to, [`engine`] decides,
//! and [`trace`] is the record of it. They are pure: no I/O, no clock, no environment. Take them without the command
//! line tool that lives in this package, too:
//!
//! ```toml
//! [dependencies]
//! jiff = "0.2"
//! kubectl-hpa = { version = "0.1", default-features = false }
//! ```
//!
//! # Deciding an HPA
//!
//! Two pods request 100m of cpu each and use 90m and 80m; the HPA wants 60 %.
//!
//! ```
//! use jiff::{SignedDuration, Timestamp};
//! use kubectl_hpa::{engine::decide, model::*, trace::Decision};
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
//! // 170m of 200m are 85 %, 1.4 times the target: 2 × 85 / 60 = 2.8, rounded up.
//! assert_eq!(trace.decision, Decision::Rescale { from: 2, to: 3, succeeds: true });
//! # Ok(())
//! # }
//! ```
//!
//! The steps in between, with every number, are in [`Trace::steps`](trace::Trace::steps); the status, the conditions and
//! the events that the controller would write are in [`Trace::outcome`](trace::Trace::outcome).
//!
//! # What stays as it is
//!
//! The public items of these three modules follow Semantic Versioning, and a test compares them with a list. New
//! versions of Kubernetes add fields and variants, which before 1.0.0 is a new minor version. Everything else in this
//! package is hidden from these pages: it serves the program and changes without notice.

pub mod engine;
pub mod model;
pub mod trace;

#[doc(hidden)]
pub mod explain;
#[doc(hidden)]
pub mod inference;
#[doc(hidden)]
pub mod learn;
#[doc(hidden)]
pub mod watch;

/// Where the pages of the project are: the one place that addresses of pages come from.
pub(crate) const DOCS: &str = concat!(env!("CARGO_PKG_REPOSITORY"), "/blob/main/docs/");

#[cfg(feature = "cli")]
#[doc(hidden)]
pub mod change;
#[cfg(feature = "cli")]
#[doc(hidden)]
pub mod cli;
#[cfg(feature = "cli")]
#[doc(hidden)]
pub mod cluster;
#[cfg(feature = "cli")]
#[doc(hidden)]
pub mod commands;
#[cfg(feature = "cli")]
#[doc(hidden)]
pub mod completion;
#[cfg(feature = "cli")]
#[doc(hidden)]
pub mod exit_code;
#[cfg(feature = "cli")]
#[doc(hidden)]
pub mod lint;
#[cfg(feature = "cli")]
#[doc(hidden)]
pub mod manifest;
#[cfg(feature = "cli")]
mod playback;
#[cfg(feature = "cli")]
#[doc(hidden)]
pub mod recording;
#[cfg(feature = "cli")]
#[doc(hidden)]
pub mod render;
#[cfg(feature = "cli")]
#[doc(hidden)]
#[allow(
    rustdoc::invalid_codeblock_attributes,
    reason = "`kube=1.34` on an example of a rule is for its test"
)]
pub mod rules;
#[cfg(feature = "cli")]
#[doc(hidden)]
pub mod screen;
#[cfg(feature = "cli")]
#[doc(hidden)]
pub use kubectl_hpa_yaml as yaml;

// The examples of the page on the library are compiled and run with those of the code.
#[cfg(doctest)]
#[doc = include_str!("../docs/library.md")]
mod library_page {}
