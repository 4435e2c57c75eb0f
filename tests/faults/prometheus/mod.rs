//! Faults of a monitoring server, and their effect: a clear error, never a hang, a panic or a zero.

mod answers;
mod fake;
pub(crate) mod history;
mod places;
mod secrets;
mod spans;
mod zeros;
