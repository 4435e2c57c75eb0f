//! What is wrong with an HPA, judged once for every command.
//!
//! A condition has one file: its evidence, its thresholds and its judgment. `explain`, `list`, `watch`, `export`,
//! `lint`, `history` and `simulate` ask here and judge nothing themselves. [`CONDITIONS`] is the table of all
//! thresholds, with the reason where two of them differ; `docs/conditions.md` is made from it.
#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

pub mod blocked_direction;
pub mod duplicate_metric;
pub mod effect;
pub mod failing_metric;
pub mod flapping;
pub mod not_reconciled;
pub mod other_writer;
pub mod pods_not_ready;
pub mod pods_not_running;
pub mod short_at_max;
pub mod startup_cpu;
mod table;
pub mod unreachable_target;
pub mod vertical_autoscaler;

pub use table::{CONDITIONS, ConditionRow};
