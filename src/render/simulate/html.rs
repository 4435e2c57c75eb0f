//! Pages for a browser.

use super::SimulationReport;

/// One self-contained file.
pub fn document(report: &SimulationReport) -> String {
    format!("<!doctype html>{}", report.target)
}
