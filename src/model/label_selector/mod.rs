//! Label selectors: the string form of a scale's status and the object form of a metric.

mod go_text;
mod object;
mod parse;
mod requirement;
mod selector;
#[cfg(test)]
mod tests;
mod token;
mod validation;
mod wording;

pub use object::{LabelSelector, LabelSelectorRequirement};
pub use selector::Selector;
pub use wording::{ParseSelectorError, Wording};
