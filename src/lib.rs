//! The program `kubectl hpa`: what the HorizontalPodAutoscaler controller of Kubernetes decides, and why.
//!
//! The engine is a separate library, `hpa-engine`. This library serves the program and changes without notice.

#[doc(hidden)]
pub mod cli;
#[doc(hidden)]
pub mod commands;
#[doc(hidden)]
pub mod completion;
#[doc(hidden)]
pub mod exit_code;
mod linting;
mod live;
mod lsp;
mod process;
mod rendering;
#[doc(hidden)]
pub mod screen;
mod server;
