//! The output of `kubectl hpa`, one folder per format. It serves that program, and changes without notice.

mod blocks;
mod chart;
mod comparison;
pub mod export;
pub mod history;
pub mod html;
pub mod json;
pub mod lint;
pub mod list;
pub mod manual;
pub mod markdown;
pub mod replay;
pub mod rules;
mod sections;
pub mod simulate;
mod spec_table;
mod steps;
pub mod style;
pub mod styled;
pub mod table;
pub mod terminal;
pub mod watch;

pub use style::Style;
