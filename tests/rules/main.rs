//! The catalogue of rules: every rule is complete, documented, and its examples are tests.

mod catalogue;
mod everything;
mod examples;
mod fixed;
mod formats;
#[path = "../pages/schema.rs"]
#[expect(clippy::unwrap_used, reason = "test code")]
mod schema;
mod suppressed;
mod thresholds;
