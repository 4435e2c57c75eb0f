//! A dashboard for Grafana.

/// The dashboard, as Grafana imports it.
pub fn dashboard() -> &'static str {
    include_str!("dashboard.json")
}
