//! Templates of `-o jsonpath=…` and columns of `-o custom-columns=…` in kubectl's dialect, over any JSON document.
//!
//! The dialect is that of `k8s.io/client-go/util/jsonpath`, which differs from RFC 9535: text around `{…}`, `{range}`
//! and `{end}`, one comparison in a filter, no comparison of whole numbers with fractions. Parsing, evaluation, output
//! and error texts match kubectl; `tests/live` compares with a real kubectl.

mod compare;
mod custom_columns;
mod evaluate;
mod fields;
mod node;
mod parse;
mod print;
mod quoted;
mod template;

pub use custom_columns::{CustomColumns, CustomColumnsError};
pub use template::{Template, TemplateError, TemplateOptions};

// The example in the README is a doctest.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod page {}
