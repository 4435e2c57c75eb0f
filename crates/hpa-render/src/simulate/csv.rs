//! The course of every run as CSV, for spreadsheets.

use std::fmt::Write as _;

use hpa_simulation::SimulationReport;

/// One line for each step of each run of each variant.
pub fn csv(report: &SimulationReport) -> String {
    let mut text =
        "variant,seed,seconds,load,needed,desired,replicas,ready,perPod,notServed\n".to_owned();
    for variant in &report.variants {
        let name = quoted(&variant.name);
        for run in &variant.runs {
            for point in &run.points {
                let _ = writeln!(
                    text,
                    "{name},{},{},{},{},{},{},{},{},{}",
                    run.seed,
                    point.at / 1000,
                    short(point.load),
                    point
                        .needed
                        .map_or_else(String::new, |needed| needed.to_string()),
                    point.desired,
                    point.replicas,
                    point.ready,
                    short(point.per_pod),
                    short(point.lost),
                );
            }
        }
    }
    text
}

/// Up to six decimals, without trailing zeros.
fn short(value: f64) -> String {
    let text = format!("{value:.6}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

fn quoted(text: &str) -> String {
    if text.contains([',', '"', '\n']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_owned()
    }
}
