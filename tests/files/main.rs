//! The program with files: ordinary objects, writing and reading recordings, and `replay` end to end.
#![expect(clippy::unwrap_used, reason = "test code")]

mod advice;
mod contradictions;
mod countable;
mod edited;
mod examples;
mod export;
mod exported;
mod finished;
mod followed;
mod gone;
mod installed_name;
mod list;
mod made_up;
mod manifest;
mod overhead;
mod played;
mod recording;
mod refused;
mod replay;
mod rotating;
mod several;
mod simulate;
