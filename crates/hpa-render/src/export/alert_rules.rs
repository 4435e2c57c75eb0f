//! Recording and alerting rules for Prometheus; their text is `alert_rules.yaml`.

use hpa_explain::DOCS;
use hpa_words::program::as_installed;

/// The rules as a Prometheus rule file.
pub fn rules() -> String {
    as_installed(include_str!("alert_rules.yaml")).replace("DOCS/", DOCS)
}

/// The rules as an object of the Prometheus operator.
pub fn operator_rules() -> String {
    let mut text = String::from(
        "apiVersion: monitoring.coreos.com/v1\nkind: PrometheusRule\nmetadata:\n  name: kubectl-hpa\nspec:\n",
    );
    for line in rules().lines() {
        if !line.is_empty() {
            text.push_str("  ");
            text.push_str(line);
        }
        text.push('\n');
    }
    text
}
