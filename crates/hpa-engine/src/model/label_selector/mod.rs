//! Label selectors: the string form in a scale's status and the object form in a metric.

mod go_sort;
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

pub use object::{LabelSelector, LabelSelectorRequirement};
pub use selector::Selector;
pub use wording::{ParseSelectorError, Wording};

// For the rest of the program. Not part of the library's API.
#[doc(hidden)]
pub use go_text::{go_quoted, json_quoted};
#[doc(hidden)]
pub use index::SelectorIndex;
#[doc(hidden)]
pub use validation::{
    label_key_problems, label_problems, label_value_problems, subdomain_problems,
};
