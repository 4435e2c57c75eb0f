//! What `watch` prints line by line, one file per format.

pub mod jsonl;
pub mod plain;
mod reason;
