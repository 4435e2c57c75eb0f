//! The Grafana dashboard.

/// The dashboard as JSON that Grafana imports.
pub fn dashboard() -> &'static str {
    include_str!("dashboard.json")
}
