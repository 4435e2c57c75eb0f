//! How a resource is called in a sentence.

/// `CPU` for `cpu`; other resources keep their name.
pub(super) fn resource_name(name: &str) -> &str {
    if name == "cpu" { "CPU" } else { name }
}
