//! The scale subresource of the target.

/// `autoscaling/v1` Scale.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Scale {
    /// `spec.replicas`; absent reads as 0.
    pub spec_replicas: i32,
    /// `status.replicas`; absent reads as 0.
    pub status_replicas: i32,
    /// `status.selector`, a label selector in its string form; absent reads as empty.
    pub selector: String,
}
