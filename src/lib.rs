//! Recomputes what the HorizontalPodAutoscaler controller of Kubernetes decides, and says why.
//!
//! ```text
//! cli ─▶ commands ─▶ cluster / manifest / recording ─▶ model ◀─ engine ─▶ trace ◀─ explain ◀─ render
//! ```
//!
//! `model`, `engine`, `trace`, `explain` and `watch` are pure: no I/O, no clock, no environment. Everything else is behind
//! the default feature `cli`.

pub mod engine;
pub mod explain;
pub mod inference;
pub mod model;
pub mod trace;
pub mod watch;

#[cfg(feature = "cli")]
pub mod change;
#[cfg(feature = "cli")]
pub mod cli;
#[cfg(feature = "cli")]
pub mod cluster;
#[cfg(feature = "cli")]
pub mod commands;
#[cfg(feature = "cli")]
pub mod exit_code;
#[cfg(feature = "cli")]
pub mod lint;
#[cfg(feature = "cli")]
pub mod manifest;
#[cfg(feature = "cli")]
mod playback;
#[cfg(feature = "cli")]
pub mod recording;
#[cfg(feature = "cli")]
pub mod render;
#[cfg(feature = "cli")]
pub mod rules;
#[cfg(feature = "cli")]
pub mod screen;
#[cfg(feature = "cli")]
pub mod yaml;
