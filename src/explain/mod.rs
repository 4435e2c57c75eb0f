//! Puts a trace into words: no layout, no color.
#![deny(clippy::disallowed_methods, clippy::disallowed_types)]
