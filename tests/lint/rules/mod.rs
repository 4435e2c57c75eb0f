//! The catalogue of rules: every rule is complete, documented, and its examples are tests.

mod catalogue;
mod errors;
mod everything;
pub(crate) mod examples;
mod fixed;
mod formats;
mod repeated;
mod suppressed;
mod thresholds;
