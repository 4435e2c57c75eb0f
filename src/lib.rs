//! The program `kubectl hpa`: what the HorizontalPodAutoscaler controller of Kubernetes decides, and why.
//!
//! The engine is a separate library, `hpa-engine`. This library serves the program and changes without notice.

#[doc(hidden)]
pub use hpa_analysis::inference;
#[cfg(feature = "cli")]
#[doc(hidden)]
pub use hpa_cluster as cluster;
#[doc(hidden)]
pub use hpa_engine::{engine, model, trace};
#[doc(hidden)]
pub use hpa_explain::{explain, learn};
#[cfg(feature = "cli")]
#[doc(hidden)]
pub use hpa_history as history;
#[cfg(feature = "cli")]
#[doc(hidden)]
pub use hpa_lint::{lint, rules};
#[cfg(feature = "cli")]
#[doc(hidden)]
pub use hpa_objects::{assessing, manifest, output_file, recording};
#[cfg(feature = "cli")]
use hpa_playback::playback;
#[cfg(feature = "cli")]
#[doc(hidden)]
pub use hpa_render::render;
#[cfg(feature = "cli")]
#[doc(hidden)]
pub use hpa_simulation as simulation;
#[doc(hidden)]
pub use hpa_watch::watch;

#[cfg(feature = "cli")]
#[doc(hidden)]
pub mod change;
#[cfg(feature = "cli")]
#[doc(hidden)]
pub mod cli;
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
pub mod monitoring;
#[cfg(feature = "cli")]
#[doc(hidden)]
pub mod screen;
#[cfg(feature = "cli")]
mod shell;
#[cfg(feature = "cli")]
#[doc(hidden)]
pub use kubectl_hpa_yaml as yaml;
