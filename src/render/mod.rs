//! Pages to bytes, one folder per format.

mod comparison;
pub mod html;
pub mod json;
pub mod jsonpath;
pub mod learn;
pub mod lint;
pub mod list;
mod manual;
pub mod markdown;
pub mod replay;
pub mod rules;
pub mod sanitize;
mod shown;
pub mod style;
pub mod terminal;
pub mod watch;
pub(crate) mod wrap;

pub use style::Style;
