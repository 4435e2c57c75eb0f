//! Parses an `apiVersion`.

/// The group of an `apiVersion`; empty: core.
pub fn group_of(api_version: &str) -> &str {
    api_version.rsplit_once('/').map_or("", |(group, _)| group)
}
