//! Label selectors: the string form of a scale's status and the object form of a metric.

mod go_text;
mod index;
mod object;
mod parse;
mod requirement;
mod selector;
#[cfg(test)]
mod tests;
mod token;
mod validation;
mod wording;

pub use go_text::{go_quoted, json_quoted};
pub use index::SelectorIndex;
pub use object::{LabelSelector, LabelSelectorRequirement};
pub use selector::Selector;
pub use validation::{
    label_key_problems, label_problems, label_value_problems, subdomain_problems,
};
pub use wording::{ParseSelectorError, Wording};
