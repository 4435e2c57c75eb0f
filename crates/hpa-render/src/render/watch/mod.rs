//! What `watch` prints line by line, one file per format.

mod held;
pub mod jsonl;
pub mod plain;
mod reason;

use crate::model::Source;

/// What cannot be read; none: everything can, but late.
pub fn source_name(source: &Source) -> Option<String> {
    match source {
        Source::Server => Some("the API server".to_owned()),
        Source::Watch { resource } => Some(resource.clone()),
        Source::Metrics { api, namespace } => Some(format!("{api} of {namespace}")),
        Source::Answers => None,
    }
}
