//! Findings of `lint`, one file per format.

mod text;

pub use text::text;
