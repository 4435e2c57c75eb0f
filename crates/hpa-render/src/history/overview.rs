//! The past of many HPAs, the most urgent first.

mod json;

use std::fmt::Write as _;

pub use json::{HistoryOverviewOutput, overview_json};

use hpa_history::{FAILURES, IntervalKind, OverviewReport, OverviewRow, how_long, overview_answer};
use hpa_words::{
    amount::{count, number},
    clock::span,
    sanitize::one_line,
};

use crate::{
    list::of_contexts,
    style::{Role, Style},
    styled::StyledText,
    table::Table,
};

/// The report as text; without a header only the rows.
pub fn overview_text(report: &OverviewReport, has_header: bool, style: Style) -> String {
    let mut text = StyledText::default();
    if has_header {
        push_summary(&mut text, report, style);
    }
    push_rows(&mut text, report, has_header, style);
    text.paint(style)
}

/// How many HPAs, what is to be said of them, and the warnings.
fn push_summary(text: &mut StyledText, report: &OverviewReport, style: Style) {
    let end = report
        .to
        .to_zoned(report.zone.clone())
        .strftime("%Y-%m-%d %H:%M:%S %Z");
    let length = report.to.duration_since(report.from).as_secs_f64();
    let are_read = report
        .contexts
        .iter()
        .map(|context| context.error.is_none());
    let place = of_contexts(are_read);
    let server = report.server.as_ref();
    text.push_line(
        Role::Text,
        style.clean(&format!(
            "{}{place}   {} to {end}{}",
            count(report.rows.len(), "HPA"),
            span(length),
            server.map_or_else(String::new, |server| format!("   {server}"))
        )),
    );
    text.push_wrapped(Role::Strong, &overview_answer(report), style);
    for warning in &report.warnings {
        text.push_wrapped(Role::Warning, &format!("note: {warning}"), style);
    }
    text.push_blank();
}

fn push_rows(text: &mut StyledText, report: &OverviewReport, has_header: bool, style: Style) {
    let has_context = !report.contexts.is_empty();
    let head = [
        "CONTEXT",
        "HPA",
        "REPLICAS",
        "MAX",
        "AT MAX",
        "NO METRICS",
        "FLAPPING",
        "CHANGES",
    ];
    let time = |row: &OverviewRow, kinds: &[IntervalKind]| {
        let held = kinds.iter().filter_map(|kind| row.held(*kind));
        match held.reduce(|one, other| one + other) {
            Some(time) => how_long(time),
            None if row.is_unknown(kinds) => "?".to_owned(),
            None => "-".to_owned(),
        }
    };
    let mut table = Table::new(style);
    let without_context = usize::from(!has_context);
    if has_header {
        table.push(Role::Dim, head.into_iter().skip(without_context));
    }
    for row in &report.rows {
        let replicas = match row.replicas() {
            None => "no samples".to_owned(),
            Some((least, most)) if least == most => most.to_string(),
            Some((least, most)) => format!("{least}–{most}"),
        };
        let [failed, limited, flapping, _] = row.urgency();
        let role = match (failed, limited + flapping) {
            (1.., _) => Role::Error,
            (_, 1..) => Role::Warning,
            _ => Role::Text,
        };
        let changes = row.changes();
        let cells = [
            row.context.clone().unwrap_or_default(),
            row.key.to_string(),
            replicas,
            row.max.to_string(),
            time(row, &[IntervalKind::AtMax]),
            time(row, &FAILURES),
            time(row, &[IntervalKind::Flapping]),
            changes.map_or_else(|| "?".to_owned(), |changes| changes.to_string()),
        ];
        table.push(role, cells.into_iter().skip(without_context));
    }
    table.write(text);
}

/// A line for each HPA.
pub fn overview_csv(report: &OverviewReport) -> String {
    let has_context = !report.contexts.is_empty();
    let mut text = if has_context { "context," } else { "" }.to_owned();
    text += "namespace,name,maxReplicas,least,most,changes,podHours,atMaxSeconds,metricsFailedSeconds,notAbleToScaleSeconds,flappingSeconds,noDataSeconds\n";
    for row in &report.rows {
        let seconds = |kind| cell(row.time_of(kind).map(|time| time / 1000));
        if let Some(context) = &row.context {
            text += &format!("{},", csv_cell(context));
        }
        let _ = writeln!(
            text,
            "{},{},{},{},{},{},{},{},{},{},{},{}",
            row.key.namespace,
            row.key.name,
            row.max,
            cell(row.replicas().map(|(least, _)| least)),
            cell(row.replicas().map(|(_, most)| most)),
            cell(row.changes()),
            cell(row.pod_hours().map(number)),
            seconds(IntervalKind::AtMax),
            seconds(IntervalKind::MetricsFailed),
            seconds(IntervalKind::NotAbleToScale),
            seconds(IntervalKind::Flapping),
            row.no_data(report) / 1000,
        );
    }
    text
}

/// A value as a CSV cell; empty: not known.
fn cell(value: Option<impl ToString>) -> String {
    value.map_or_else(String::new, |value| value.to_string())
}

/// A kubeconfig name as a CSV cell: it can contain any character, and a spreadsheet would read some as a formula.
fn csv_cell(text: &str) -> String {
    let text = one_line(text);
    let mark = if text.starts_with(['=', '+', '-', '@']) {
        "'"
    } else {
        ""
    };
    if text.contains([',', '"']) {
        format!("\"{mark}{}\"", text.replace('"', "\"\""))
    } else {
        format!("{mark}{text}")
    }
}

#[cfg(test)]
mod tests {
    use std::cmp::Reverse;

    use hpa_engine::model::HpaKey;
    use hpa_history::{Certainty, Course, Interval, Millis, Point, overview_answer as answer};
    use jiff::{Timestamp, tz::TimeZone};

    use super::*;

    const MINUTE: Millis = 60_000;

    /// An HPA that is scraped every minute of an hour from `begin` on, and for how many minutes states held.
    fn row(name: &str, begin: Millis, held: &[(IntervalKind, Millis)]) -> OverviewRow {
        let point = |minute: Millis| Point {
            time: minute * MINUTE,
            replicas: 2,
            bounds: (1, 4),
            recommendation: None,
            recomputed: None,
            certainty: Certainty::Unknown,
            ready: None,
            value: None,
            target: None,
        };
        let interval = |(kind, minutes): &(IntervalKind, Millis)| Interval {
            kind: *kind,
            from: 0,
            to: minutes * MINUTE,
            recommendation: None,
            replicas: 2,
        };
        let mut course = Course::new(MINUTE);
        course.points = (begin..=60).map(point).collect();
        course.intervals = held.iter().map(interval).collect();
        OverviewRow {
            impossible: Vec::new(),
            context: None,
            key: HpaKey {
                namespace: "shop".to_owned(),
                name: name.to_owned(),
            },
            target: format!("Deployment/{name}"),
            max: 4,
            course: Some(course),
        }
    }

    fn silent() -> OverviewRow {
        OverviewRow {
            impossible: Vec::new(),
            course: None,
            ..row("silent", 0, &[])
        }
    }

    fn report(rows: Vec<OverviewRow>) -> OverviewReport {
        OverviewReport {
            from: Timestamp::UNIX_EPOCH,
            to: Timestamp::from_second(3600).unwrap(),
            zone: TimeZone::UTC,
            server: None,
            rows,
            warnings: Vec::new(),
            contexts: Vec::new(),
        }
    }

    #[test]
    fn failures_come_before_limits_and_limits_before_flapping_however_short() {
        let mut rows = [
            row("calm", 0, &[]),
            row("flaps", 0, &[(IntervalKind::Flapping, 59)]),
            row("limited", 0, &[(IntervalKind::AtMax, 50)]),
            // Its newest scrape is the first one that shows it.
            row("failed", 0, &[(IntervalKind::MetricsFailed, 0)]),
            row("unable", 0, &[(IntervalKind::NotAbleToScale, 2)]),
        ];
        rows.sort_by_key(|row| Reverse(row.urgency()));
        let names = rows.each_ref().map(|row| row.key.name.as_str());
        assert_eq!(names, ["unable", "failed", "limited", "flaps", "calm"]);
        let answer = answer(&report(rows.to_vec()));
        let first = "shop/failed could not compute the metrics for 1 scrape. shop/unable could not";
        assert!(answer.starts_with(first), "{answer}");
    }

    #[test]
    fn hpa_without_samples_is_unknown_in_every_format() {
        let report = report(vec![row("calm", 0, &[]), silent()]);
        let output = overview_json(&report);
        assert_eq!(
            output.answer,
            "1 of 2 HPAs is well: never held at maxReplicas, no flapping, no failed metric. \
             1 HPA has no samples in this time."
        );
        let item = &output.hpas[1];
        assert_eq!((item.least, item.most, item.changes), (None, None, None));
        assert_eq!(item.pod_hours, None);
        for (kind, seconds) in &item.seconds {
            let expected = (kind == "noData").then_some(3600.0);
            assert_eq!(*seconds, expected, "{kind}");
        }
        let csv = overview_csv(&report);
        let line = format!("shop,silent,4{}3600", ",".repeat(9));
        assert_eq!(csv.lines().last(), Some(line.as_str()));
        let text = overview_text(&report, true, Style::plain());
        let cells: Vec<&str> = text.lines().last().unwrap().split_whitespace().collect();
        let expected = ["shop/silent", "no", "samples", "4", "?", "?", "?", "?"];
        assert_eq!(cells, expected);
        let rows = overview_text(&report, false, Style::plain());
        assert_eq!(rows.lines().count(), 2, "{rows}");
        assert!(rows.starts_with("shop/calm"), "{rows}");
    }

    #[test]
    fn all_is_well_only_where_every_hpa_was_seen() {
        let of = |rows| answer(&report(rows));
        let well = ": never held at maxReplicas, no flapping, no failed metric.";
        assert_eq!(of(vec![row("calm", 0, &[])]), format!("All is well{well}"));
        let late = report(vec![row("late", 10, &[])]);
        assert_eq!(
            answer(&late),
            format!(
                "All is well in the time with samples{well} 1 HPA has no samples for part of this time."
            )
        );
        assert_eq!(overview_json(&late).hpas[0].seconds["noData"], Some(600.0));
        let none = of(vec![silent()]);
        assert!(
            none.starts_with("1 HPA has no samples in this time. Check"),
            "{none}"
        );
    }

    #[test]
    fn names_of_contexts_are_one_cell_and_no_formula() {
        for (name, cell) in [
            ("prod-eu", "prod-eu"),
            ("a,b", "\"a,b\""),
            ("say \"eu\"", "\"say \"\"eu\"\"\""),
            ("=1+1", "'=1+1"),
            ("-x,y", "\"'-x,y\""),
        ] {
            assert_eq!(csv_cell(name), cell);
        }
    }
}
