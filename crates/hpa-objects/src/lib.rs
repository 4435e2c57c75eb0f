//! Kubernetes objects from files and recordings. It serves the program `kubectl hpa` and changes without notice.

pub mod manifest;
pub mod output_file;
pub mod recording;
