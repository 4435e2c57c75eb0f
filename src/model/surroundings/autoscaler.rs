//! Another autoscaler beside the HPA.

/// An object of another autoscaler that has to do with the HPA or its target.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Autoscaler {
    /// `apiVersion`.
    pub api_version: String,
    /// `kind`, such as `ScaledObject`.
    pub kind: String,
    /// `metadata.name`.
    pub name: String,
}
