//! Ordinary Kubernetes objects in files, as `kubectl get hpa,deploy,pods,podmetrics -o yaml` prints them.
//!
//! Documents become objects, old versions of the HPA become `autoscaling/v2`, the API server's defaults are applied,
//! and everything about one HPA becomes a [`Snapshot`](crate::recording::Snapshot). What the file does not contain is
//! listed in the snapshot's `notRead`, never guessed.

mod assumed_version;
mod collection;
pub mod defaults;
mod documents;
mod error;
mod found;
mod hpa;
mod hpa_v1;
mod instant;
pub mod known_fields;
mod lintable;
mod metric_answers;
mod old_metrics;
mod open;
mod snapshot;
pub mod spec_value;
pub mod validation;
mod written_spec;

pub use assumed_version::ASSUMED_VERSION;
pub use documents::parse_value;
pub use error::{ManifestError, ObjectPlace};
pub use lintable::{Lintable, SupportedSpec, lintable, with_defaults};
pub use open::{Opened, open};
pub use snapshot::{Objects, read};
pub use written_spec::{WrittenSpec, read_specs};
