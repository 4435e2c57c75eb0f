//! The line output of `watch`, one file per format.

mod held;
pub mod jsonl;
mod noted;
pub mod plain;
mod reason;

pub use noted::noted;

use hpa_engine::model::Source;

/// The source that cannot be read; `None` if all can be read, but late.
pub fn source_name(source: &Source) -> Option<String> {
    match source {
        Source::Server => Some("the API server".to_owned()),
        Source::Watch { resource } => Some(resource.clone()),
        Source::Metrics { api, namespace } => Some(format!("{api} of {namespace}")),
        Source::Answers => None,
    }
}
