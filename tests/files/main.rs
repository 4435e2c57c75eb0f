//! The program on files: ordinary objects, recordings as they are written and read, and `replay` from end to end.
#![cfg(feature = "cli")]
#![expect(clippy::unwrap_used, reason = "test code")]

mod export;
mod exported;
mod followed;
mod list;
mod manifest;
mod played;
mod recording;
mod replay;
mod rotating;
mod several;
mod simulate;
