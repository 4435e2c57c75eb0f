//! What a monitoring server can do wrong, and what comes of it: an error that says so, never a hang, a panic or a zero.

mod answers;
mod fake;
pub(crate) mod history;
mod places;
mod secrets;
mod spans;
mod zeros;
