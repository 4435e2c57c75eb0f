//! The past as CSV, for spreadsheets.

use std::fmt::Write as _;

use hpa_history::{HistoryReport, certainty};
use jiff::Timestamp;

/// One line for each observed sync.
pub fn csv(report: &HistoryReport) -> String {
    let mut text =
        "time,replicas,minReplicas,maxReplicas,value,recommendation,recomputed,certainty,ready\n"
            .to_owned();
    let whole = |number: Option<i32>| number.map_or_else(String::new, |one| one.to_string());
    for point in &report.course.points {
        let _ = writeln!(
            text,
            "{},{},{},{},{},{},{},{},{}",
            Timestamp::from_millisecond(point.time).unwrap_or_default(),
            point.replicas,
            point.bounds.0,
            point.bounds.1,
            point.value.map_or_else(String::new, |one| one.to_string()),
            whole(point.recommendation),
            whole(point.recomputed),
            certainty(point.certainty),
            whole(point.ready),
        );
    }
    text
}
