//! Numbers, names, times and commands in words, and text that is safe to show. It serves the program `kubectl hpa`, and
//! changes without notice.
#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

pub mod amount;
pub mod clock;
pub mod letters;
pub mod program;
pub mod sanitize;
mod shell_word;
pub mod wrap;

pub use shell_word::{shell_path, shell_word};
