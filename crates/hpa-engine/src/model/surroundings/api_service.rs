//! Who serves an API of the aggregation layer.

use jiff::Timestamp;

/// An `APIService` of a metrics API.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ApiService {
    /// `metadata.name`, such as `v1beta1.metrics.k8s.io`.
    pub name: String,
    /// `spec.group`.
    pub group: String,
    /// `spec.version`.
    pub version: String,
    /// `namespace/name` of the Service behind it; none: the API server itself.
    pub service: Option<String>,
    /// Condition `Available`; none: there is none.
    pub is_available: Option<bool>,
    /// Its reason.
    pub reason: String,
    /// Its message.
    pub message: String,
    /// Its last transition.
    pub since: Option<Timestamp>,
}
