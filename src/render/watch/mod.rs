//! What `watch` prints line by line, one file per format.

mod held;
pub mod jsonl;
pub mod plain;
mod reason;
#[cfg(test)]
mod transcripts;
