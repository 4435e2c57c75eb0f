//! Ordinary Kubernetes objects in files, as `kubectl get hpa,deploy,pods,podmetrics -o yaml` prints them.
//!
//! Documents become objects, old versions of the HPA become `autoscaling/v2`, the API server's defaults are applied,
//! and everything about one HPA becomes a [`Snapshot`](crate::recording::Snapshot). What is not in the file is named
//! in the snapshot's `notRead`, never guessed.

mod collection;
mod defaults;
mod documents;
mod error;
mod hpa;
mod hpa_v1;
mod moment;
mod old_metrics;
mod open;
mod snapshot;
pub mod validation;

pub use error::{Error, Place};
pub use open::{Opened, open};
pub use snapshot::{ASSUMED_VERSION, read};
