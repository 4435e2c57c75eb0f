//! The resource of HPAs, and the namespace of one.

use hpa_objects::recording::wire::Hpa;

/// The namespace of an HPA.
pub(super) fn namespace_of(hpa: &Hpa) -> &str {
    hpa.metadata.namespace.as_deref().unwrap_or_default()
}

pub(super) const GROUP: &str = "autoscaling";

pub(super) const VERSION: &str = "v2";

pub(super) const RESOURCE: &str = "horizontalpodautoscalers";
