//! Renders pages, one folder per format.

mod chart;
mod comparison;
mod displayed;
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
pub mod simulate;
pub mod style;
pub mod styled;
pub mod terminal;
pub mod watch;
pub mod wrap;

pub use hpa_objects::sanitize;
pub use kubectl_jsonpath as jsonpath;
pub use style::Style;
