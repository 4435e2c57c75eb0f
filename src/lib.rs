//! The program `kubectl hpa`: what the HorizontalPodAutoscaler controller of Kubernetes decides, and why.
//!
//! The engine is a library of its own, `hpa-engine`. What is here serves the program and changes without notice.

#[doc(hidden)]
pub use hpa_analysis::inference;
#[doc(hidden)]
pub use hpa_engine::{engine, model, trace};
#[cfg(feature = "cli")]
use hpa_explain::DOCS;
#[doc(hidden)]
pub use hpa_explain::{explain, learn};

#[doc(hidden)]
pub mod watch;

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
