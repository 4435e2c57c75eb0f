//! The program `kubectl hpa`: what the HorizontalPodAutoscaler controller of Kubernetes decides, and why.
//!
//! The engine is a separate library, `hpa-engine`. This library serves the program and changes without notice.

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
