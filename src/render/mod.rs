//! Pages to bytes, one file per format.

pub mod json;
pub mod replay;
pub mod sanitize;
pub mod style;
pub mod terminal;

pub use style::Style;
