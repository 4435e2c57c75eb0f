//! The scale subresource of the target.

/// `autoscaling/v1` Scale.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Scale {
    /// `spec.replicas`. Absent reads as 0.
    pub spec_replicas: i32,
    /// `status.replicas`. Absent reads as 0.
    pub status_replicas: i32,
    /// `status.selector`, a label selector in its string form. Absent reads as empty.
    pub selector: String,
}

impl Scale {
    /// The scale of a target that is not scaling right now: `spec.replicas` equals `status.replicas`.
    pub fn new(replicas: i32, selector: impl Into<String>) -> Self {
        Self {
            spec_replicas: replicas,
            status_replicas: replicas,
            selector: selector.into(),
        }
    }
}
