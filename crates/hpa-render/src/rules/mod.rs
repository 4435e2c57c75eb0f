//! Rules of `lint`, as a list and as pages.

mod json;
mod list;
mod page;

pub use json::{RuleOutput, RuleThreshold, RulesOutput, json};
pub use list::list;
pub use page::page;
