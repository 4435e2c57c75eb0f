//! What the controller would decide if one thing were different. Every answer comes from the engine, run on changed
//! inputs with the same history at the same time.

mod alteration;
mod altered;
mod decided;
mod metrics;
mod pods;
mod rules;
mod today;
mod usage;

pub use alteration::{Alteration, AlterationKind, Goal, UsageLevel, Whose};
pub use decided::{Counterfactual, counterfactuals};
pub use today::Today;
