//! Pages to bytes, one file per format.

pub mod sanitize;
