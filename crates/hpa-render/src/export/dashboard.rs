//! The Grafana dashboard.

use std::borrow::Cow;

use hpa_words::program::as_installed;

/// The dashboard as JSON that Grafana imports.
pub fn dashboard() -> Cow<'static, str> {
    as_installed(include_str!("dashboard.json"))
}
