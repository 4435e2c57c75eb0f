//! Pages to bytes, one folder per format.

mod chart;
mod comparison;
mod displayed;
pub mod export;
pub mod history;
pub mod html;
pub mod json;
pub mod learn;
pub mod lint;
pub mod list;
mod manual;
pub mod markdown;
pub mod replay;
pub mod rules;
pub mod simulate;
pub mod style;
pub(crate) mod styled;
pub mod terminal;
pub mod watch;
pub(crate) mod wrap;

pub use hpa_objects::sanitize;
pub use kubectl_jsonpath as jsonpath;
pub use style::Style;
