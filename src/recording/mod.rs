//! The Snapshot format: what `capture` writes and `replay` reads.
