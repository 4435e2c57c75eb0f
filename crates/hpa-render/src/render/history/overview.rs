//! The past of many HPAs, the most urgent first.

use std::fmt::Write as _;

use jiff::{Timestamp, tz::TimeZone};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::interval_key;
use crate::{
    explain::amount::count,
    history::{Course, IntervalKind},
    model::HpaKey,
    render::{
        json::SCHEMA_VERSION,
        list::of_contexts,
        sanitize::one_line,
        simulate::{number, span},
        style::{Role, Style},
        styled::StyledText,
        wrap::wrap,
    },
    simulation::Millis,
};

/// The past of many HPAs.
#[derive(Clone, Debug)]
pub struct OverviewReport {
    /// Start of the time range.
    pub from: Timestamp,
    /// End of the time range.
    pub to: Timestamp,
    /// The zone in which times are shown.
    pub zone: TimeZone,
    /// The server that the data was read from; none: the HPAs are in several clusters.
    pub server: Option<String>,
    /// The HPAs, the most urgent first.
    pub rows: Vec<OverviewRow>,
    /// Warnings of the server.
    pub warnings: Vec<String>,
    /// The clusters of several contexts, in the order of the flags; empty: there is one cluster.
    pub contexts: Vec<OverviewContext>,
}

/// The cluster of one of several contexts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct OverviewContext {
    /// Name of the context.
    pub name: String,
    /// The server that its past was read from; null: nothing was read.
    pub server: Option<String>,
    /// How many of the HPAs are in its cluster.
    pub hpas: usize,
    /// Why it could not be read; null: it was read.
    pub error: Option<String>,
}

/// The past of one HPA.
#[derive(Clone, Debug)]
pub struct OverviewRow {
    /// The context of its cluster; none: there is only one cluster.
    pub context: Option<String>,
    /// The HPA.
    pub key: HpaKey,
    /// What it scales, as `kind/name`.
    pub target: String,
    /// `maxReplicas` today.
    pub max: i32,
    /// What happened; none: the server has no samples of it.
    pub course: Option<Course>,
}

/// The intervals that need attention, the most urgent first.
const KINDS: [IntervalKind; 4] = [
    IntervalKind::MetricsFailed,
    IntervalKind::NotAbleToScale,
    IntervalKind::AtMax,
    IntervalKind::Flapping,
];

impl OverviewRow {
    /// Its urgency: failures before limits, the longest first.
    pub fn urgency(&self) -> [Millis; 5] {
        let Some(course) = &self.course else {
            return [0; 5];
        };
        let [failed, unable, at_max, flapping] = KINDS.map(|kind| course.time_of(kind));
        let rescales = Millis::try_from(course.rescales.len()).unwrap_or(Millis::MAX);
        [failed + unable, at_max, flapping, rescales, 0]
    }

    fn time_of(&self, kind: IntervalKind) -> Millis {
        self.course
            .as_ref()
            .map_or(0, |course| course.time_of(kind))
    }

    fn replicas(&self) -> Option<(i32, i32)> {
        let replicas = || {
            self.course
                .iter()
                .flat_map(|one| &one.points)
                .map(|one| one.replicas)
        };
        Some((replicas().min()?, replicas().max()?))
    }
}

/// The first line of the output.
fn answer(report: &OverviewReport) -> String {
    let of = |kind: IntervalKind| -> Vec<&OverviewRow> {
        report
            .rows
            .iter()
            .filter(|row| 0 < row.time_of(kind))
            .collect()
    };
    let mut sentences = Vec::new();
    for kind in KINDS {
        let mut rows = of(kind);
        rows.sort_by_key(|row| std::cmp::Reverse(row.time_of(kind)));
        let Some(first) = rows.first() else {
            continue;
        };
        let what = match kind {
            IntervalKind::MetricsFailed => "could not compute the metrics",
            IntervalKind::NotAbleToScale => "could not read or write the scale",
            IntervalKind::AtMax => "was held at maxReplicas",
            _ => "went up and down in turns",
        };
        let more = match rows.len() - 1 {
            0 => String::new(),
            more => format!(", {more} more for less"),
        };
        let time = span(first.time_of(kind) as f64 / 1000.0);
        let context = first.context.as_ref();
        let context = context.map_or_else(String::new, |context| format!(" of {context}"));
        sentences.push(format!("{}{context} {what} for {time}{more}.", first.key));
    }
    let silent = report
        .rows
        .iter()
        .filter(|row| row.course.is_none())
        .count();
    if sentences.is_empty() && silent < report.rows.len() {
        sentences.push(
            "All is well: none was held at maxReplicas, none flapped, no metric failed.".to_owned(),
        );
    }
    if 0 < silent {
        sentences.push(format!(
            "{} without samples in this time.",
            count(silent, "HPA")
        ));
    }
    sentences.join(" ")
}

/// The report as text.
pub fn overview_text(report: &OverviewReport, style: Style) -> String {
    let mut text = StyledText::default();
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
    for line in wrap(&answer(report), style.width) {
        text.push_line(Role::Strong, style.clean(&line));
    }
    for warning in &report.warnings {
        for line in wrap(&format!("note: {warning}"), style.width) {
            text.push_line(Role::Warning, style.clean(&line));
        }
    }
    text.push_blank();
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
        let total: Millis = kinds.iter().map(|kind| row.time_of(*kind)).sum();
        if total == 0 {
            "-".to_owned()
        } else {
            span(total as f64 / 1000.0)
        }
    };
    let rows: Vec<(Role, [String; 8])> = report
        .rows
        .iter()
        .map(|row| {
            let replicas = match row.replicas() {
                None => "no samples".to_owned(),
                Some((least, most)) if least == most => most.to_string(),
                Some((least, most)) => format!("{least}–{most}"),
            };
            let failures = [IntervalKind::MetricsFailed, IntervalKind::NotAbleToScale];
            let [failed, limited, flapping, ..] = row.urgency();
            let role = match (failed, limited + flapping) {
                (1.., _) => Role::Error,
                (_, 1..) => Role::Warning,
                _ => Role::Text,
            };
            let changes = row.course.as_ref().map_or(0, |one| one.rescales.len());
            let cells = [
                row.context.clone().unwrap_or_default(),
                row.key.to_string(),
                replicas,
                row.max.to_string(),
                time(row, &[IntervalKind::AtMax]),
                time(row, &failures),
                time(row, &[IntervalKind::Flapping]),
                changes.to_string(),
            ];
            (role, cells)
        })
        .collect();
    let width = |column: usize| {
        let cells = rows.iter().map(|(_, cells)| cells[column].chars().count());
        cells.chain([head[column].len()]).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..head.len()).map(width).collect();
    let line = |cells: &[String; 8]| {
        let cells = cells
            .iter()
            .zip(&widths)
            .skip(usize::from(!has_context))
            .map(|(cell, width)| format!("{cell:<width$}"));
        cells.collect::<Vec<_>>().join("  ")
    };
    text.push_line(Role::Dim, style.clean(&line(&head.map(str::to_owned))));
    for (role, cells) in &rows {
        text.push_line(*role, style.clean(&line(cells)));
    }
    text.paint(style)
}

/// What `kubectl hpa history -A -o json` prints.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct HistoryOverviewOutput {
    /// Version of this contract.
    pub schema_version: u32,
    /// Start of the time range.
    pub from: Timestamp,
    /// End of the time range.
    pub to: Timestamp,
    /// The server that the data was read from; null: the HPAs are in several clusters.
    pub server: Option<String>,
    /// The clusters of several contexts, in the order of the flags; missing: there is one cluster.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub contexts: Vec<OverviewContext>,
    /// The first line of the text output, for people.
    pub answer: String,
    /// The HPAs, the most urgent first.
    pub hpas: Vec<OverviewItem>,
    /// Warnings of the server.
    pub warnings: Vec<String>,
}

/// The past of one HPA.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct OverviewItem {
    /// Context of its cluster in the kubeconfig; missing: there is only one cluster.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub context: Option<String>,
    /// Namespace of the HPA.
    pub namespace: String,
    /// Name of the HPA.
    pub name: String,
    /// What it scales, as `kind/name`.
    pub target: String,
    /// `maxReplicas` today.
    pub max_replicas: i32,
    /// The fewest replicas; null: there are no samples.
    pub least: Option<i32>,
    /// The most replicas.
    pub most: Option<i32>,
    /// Changes of the replicas.
    pub changes: usize,
    /// Pod hours in total.
    pub pod_hours: f64,
    /// How long each of these held: `metricsFailed`, `notAbleToScale`, `atMax`, `flapping`, `noData`.
    pub seconds: std::collections::BTreeMap<String, f64>,
}

/// The overview as JSON.
pub fn overview_json(report: &OverviewReport) -> HistoryOverviewOutput {
    HistoryOverviewOutput {
        schema_version: SCHEMA_VERSION,
        from: report.from,
        to: report.to,
        server: report.server.clone(),
        contexts: report.contexts.clone(),
        answer: answer(report),
        hpas: report
            .rows
            .iter()
            .map(|row| OverviewItem {
                context: row.context.clone(),
                namespace: row.key.namespace.clone(),
                name: row.key.name.clone(),
                target: row.target.clone(),
                max_replicas: row.max,
                least: row.replicas().map(|(least, _)| least),
                most: row.replicas().map(|(_, most)| most),
                changes: row.course.as_ref().map_or(0, |one| one.rescales.len()),
                pod_hours: row.course.as_ref().map_or(0.0, Course::pod_hours),
                seconds: KINDS
                    .into_iter()
                    .chain([IntervalKind::NoData])
                    .map(|kind| {
                        let seconds = row.time_of(kind) as f64 / 1000.0;
                        (interval_key(kind).to_owned(), seconds)
                    })
                    .collect(),
            })
            .collect(),
        warnings: report.warnings.clone(),
    }
}

/// A line for each HPA.
pub fn overview_csv(report: &OverviewReport) -> String {
    let has_context = !report.contexts.is_empty();
    let mut text = if has_context { "context," } else { "" }.to_owned();
    text += "namespace,name,maxReplicas,least,most,changes,podHours,atMaxSeconds,metricsFailedSeconds,notAbleToScaleSeconds,flappingSeconds\n";
    let seconds = |row: &OverviewRow, kind| row.time_of(kind) / 1000;
    for row in &report.rows {
        let whole = |number: Option<i32>| number.map_or_else(String::new, |one| one.to_string());
        if let Some(context) = &row.context {
            text += &format!("{},", csv_cell(context));
        }
        let _ = writeln!(
            text,
            "{},{},{},{},{},{},{},{},{},{},{}",
            row.key.namespace,
            row.key.name,
            row.max,
            whole(row.replicas().map(|(least, _)| least)),
            whole(row.replicas().map(|(_, most)| most)),
            row.course.as_ref().map_or(0, |one| one.rescales.len()),
            number(row.course.as_ref().map_or(0.0, Course::pod_hours)),
            seconds(row, IntervalKind::AtMax),
            seconds(row, IntervalKind::MetricsFailed),
            seconds(row, IntervalKind::NotAbleToScale),
            seconds(row, IntervalKind::Flapping),
        );
    }
    text
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
    use super::*;

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
