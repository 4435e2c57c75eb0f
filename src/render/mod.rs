//! Pages to bytes, one file per format.

pub mod json;
pub mod sanitize;
pub mod style;
pub mod terminal;

pub use style::Style;
