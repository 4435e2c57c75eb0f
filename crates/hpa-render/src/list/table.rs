//! The table: a line for each HPA, in the layout of kubectl's tables.

use hpa_explain::{Overview, OverviewMetric, Urgency, replicas_in_a_cell};
use hpa_words::clock::Clock;
use jiff::{SignedDuration, tz::TimeZone};
use unicode_width::UnicodeWidthStr as _;

use super::ListRow;
use crate::{Style, style::Role, styled::StyledText, table::Table};

/// Which columns a table has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag")]
pub struct TableColumns {
    /// The context, if the HPAs are in several clusters.
    pub has_context: bool,
    /// The namespace.
    pub has_namespace: bool,
    /// Also target, rule, pods, selector, codes of findings and the first sentence.
    pub is_wide: bool,
    /// The labels.
    pub has_labels: bool,
    /// The line with the names of the columns.
    pub has_header: bool,
    /// What `lint` finds.
    pub has_findings: bool,
    /// The terminal's width, which no line exceeds: the least important columns are left out. None: no limit.
    pub width: Option<usize>,
}

/// A column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Column {
    Time,
    Context,
    Namespace,
    Name,
    Reference,
    ScaledObject,
    Verdict,
    Replicas,
    Bounds,
    Metric,
    Unmet,
    Scaled,
    Lint,
    LintErrors,
    Ready,
    Recommendation,
    Rule,
    Selector,
    Because,
    /// The value of one of the labels.
    Label(usize),
    Labels,
}

/// A table that can grow: further lines keep its columns.
#[derive(Clone, Debug)]
pub struct ListTable {
    columns: TableColumns,
    style: Style,
    /// Zone of the time at the start of each line; none: no times.
    times: Option<TimeZone>,
    /// The labels that have a column each.
    labels: Vec<String>,
    /// The columns that are shown, and their widths; empty until the first lines.
    displayed: Vec<(Column, usize)>,
}

impl ListTable {
    /// A table without lines so far.
    pub fn new(columns: TableColumns, style: Style) -> Self {
        Self {
            columns,
            style,
            times: None,
            labels: Vec::new(),
            displayed: Vec::new(),
        }
    }

    /// The same for lines over time: each starts with its time, and columns leave room for numbers that grow.
    #[must_use]
    pub fn with_times(self, zone: TimeZone) -> Self {
        Self {
            times: Some(zone),
            ..self
        }
    }

    /// The same with a column for each of these labels.
    #[must_use]
    pub fn with_labels(self, labels: Vec<String>) -> Self {
        Self { labels, ..self }
    }

    /// The next lines; the first call also writes the header.
    pub fn lines(&mut self, rows: &[&ListRow]) -> String {
        let is_first = self.displayed.is_empty();
        let has_header = is_first && self.columns.has_header;
        let mut displayed = std::mem::take(&mut self.displayed);
        if is_first {
            let width = |column: Column| {
                if has_header {
                    self.header(column).width()
                } else {
                    0
                }
            };
            let has_keda = rows.iter().any(|row| row.overview.scaled_object.is_some());
            let all = self.all().into_iter();
            let all = all.filter(|column| has_keda || *column != Column::ScaledObject);
            displayed = all.map(|column| (column, width(column))).collect();
        }
        for rows in rows.chunks(ROWS_AT_ONCE) {
            let widths = self.table(&displayed, rows).into_widths();
            for ((column, width), needed) in displayed.iter_mut().zip(widths) {
                let room = rows.iter().map(|row| self.room(*column, row)).max();
                *width = needed.max(room.unwrap_or_default()).max(*width);
            }
        }
        if is_first && let Some(most) = self.columns.width {
            fit(&mut displayed, most);
        }
        let visible = self.visible(&displayed);
        let widths: Vec<usize> = visible.iter().map(|(_, width)| *width).collect();
        let paint = |table: Table| {
            let mut text = StyledText::default();
            table.with_widths(widths.clone()).write(&mut text);
            text.paint(self.style)
        };
        let mut out = String::new();
        if has_header {
            let mut header = Table::new(self.style);
            header.push(
                Role::Text,
                visible.iter().map(|(column, _)| self.header(*column)),
            );
            out.push_str(&paint(header));
        }
        for rows in rows.chunks(ROWS_AT_ONCE) {
            out.push_str(&paint(self.table(&visible, rows)));
        }
        self.displayed = displayed;
        out
    }

    fn table(&self, displayed: &[(Column, usize)], rows: &[&ListRow]) -> Table {
        let mut table = Table::new(self.style);
        for row in rows {
            table.push_cells(displayed.iter().map(|(column, _)| self.cell(*column, row)));
        }
        table
    }

    /// The columns that begin within the terminal's width; the last one is cut there.
    fn visible(&self, displayed: &[(Column, usize)]) -> Vec<(Column, usize)> {
        let mut left = self.columns.width.unwrap_or(usize::MAX);
        let visible = displayed.iter().map_while(|(column, width)| {
            let here = left.min(*width);
            left = left.saturating_sub(width + GAP);
            (0 < here).then_some((*column, here))
        });
        visible.collect()
    }

    /// The width that a cell may need later, if further lines follow.
    fn room(&self, column: Column, row: &ListRow) -> usize {
        if self.times.is_none() {
            return 0;
        }
        let overview = &row.overview;
        match column {
            Column::Verdict => LONGEST_WORDS,
            Column::Replicas => " → ".width() + overview.max.to_string().len() * 2,
            Column::Metric if !self.columns.is_wide => {
                overview.metric.as_ref().map_or(0, |metric| {
                    let amount = |text: &Option<String>| {
                        text.as_ref()
                            .map_or(1, |text| text.replace(' ', "").width())
                    };
                    let target = amount(&metric.target);
                    let current = amount(&metric.current).max(target + 1);
                    metric.name.width() + " /".len() + current + target
                })
            }
            Column::Scaled => "never".len(),
            _ => 0,
        }
    }

    /// The columns in their order, including on a terminal those of a wide table if they fit.
    fn all(&self) -> Vec<Column> {
        use Column::{
            Because, Bounds, Context, Label, Labels, Lint, LintErrors, Metric, Name, Namespace,
            Ready, Recommendation, Reference, Replicas, Rule, Scaled, ScaledObject, Selector, Time,
            Unmet, Verdict,
        };
        let TableColumns {
            has_context,
            has_namespace,
            is_wide,
            has_labels,
            has_findings,
            width,
            ..
        } = self.columns;
        let is_roomy = width.is_some();
        let has_any_labels = has_labels || !self.labels.is_empty();
        let labels = (0..self.labels.len()).map(|index| (true, Label(index)));
        [
            (self.times.is_some(), Time),
            (has_context, Context),
            (has_namespace, Namespace),
            (true, Name),
            (is_wide || is_roomy, Reference),
            (is_wide, ScaledObject),
            (true, Verdict),
            (true, Replicas),
            (true, Bounds),
            (true, Metric),
            (true, Unmet),
            (true, Scaled),
            (has_findings && is_wide, LintErrors),
            (has_findings && !is_wide, Lint),
            (is_wide || is_roomy, Ready),
            (is_wide || is_roomy, Recommendation),
            (is_wide, Rule),
            (is_wide, Selector),
            (is_wide || is_roomy && !has_any_labels, Because),
        ]
        .into_iter()
        .chain(labels)
        .chain([(has_labels, Labels)])
        .filter_map(|(is_visible, column)| is_visible.then_some(column))
        .collect()
    }

    fn cell(&self, column: Column, row: &ListRow) -> (Role, String) {
        let is_wide = self.columns.is_wide;
        let overview = &row.overview;
        let plain = |text: String| (Role::Text, text);
        let errors_role = if row.errors.is_empty() {
            Role::Dim
        } else {
            Role::Error
        };
        match column {
            Column::Time => {
                let zone = self.times.clone().unwrap_or(TimeZone::UTC);
                let time = overview.at.to_zoned(zone);
                (Role::Dim, time.strftime("%H:%M:%S").to_string())
            }
            Column::Context => plain(row.context.clone().unwrap_or_default()),
            Column::Namespace => plain(overview.namespace.clone()),
            Column::Name => plain(overview.name.clone()),
            Column::Reference => plain(overview.scale_target.to_string()),
            Column::ScaledObject => {
                plain(or_dash(overview.scaled_object.clone().unwrap_or_default()))
            }
            Column::Verdict => {
                let zone = self.times.clone().unwrap_or_else(TimeZone::system);
                let clock = Clock::new(zone, overview.at);
                (verdict_role(row), overview.answer.at(&clock))
            }
            Column::Replicas => plain(replicas(row)),
            Column::Bounds => plain(format!("{}-{}", overview.min, overview.max)),
            Column::Metric => plain(metric(overview.metric.as_ref(), is_wide)),
            Column::Unmet => unmet(row),
            Column::Scaled => plain(overview.last_scale_time.map_or_else(
                || "never".to_owned(),
                |at| age(overview.at.duration_since(at)),
            )),
            Column::Lint => (errors_role, row.errors.len().to_string()),
            Column::LintErrors => {
                let mut codes: Vec<&str> = row.errors.iter().map(|error| error.code).collect();
                codes.dedup();
                (errors_role, or_dash(codes.join(",")))
            }
            Column::Ready => plain(match (overview.ready, overview.verdict.from) {
                (Some(ready), Some(of)) => format!("{ready}/{of}"),
                (Some(ready), None) => ready.to_string(),
                (None, _) => "?".to_owned(),
            }),
            Column::Recommendation => {
                let proposal = overview.proposal.map(|proposal| proposal.to_string());
                plain(or_dash(proposal.unwrap_or_default()))
            }
            Column::Rule => plain(overview.verdict.rule.as_str().to_owned()),
            Column::Selector => plain(or_dash(overview.selector.clone().unwrap_or_default())),
            Column::Because => {
                let because = overview
                    .full_answer
                    .as_ref()
                    .and_then(|answer| answer.sentences.first())
                    .cloned();
                plain(or_dash(because.unwrap_or_default()))
            }
            Column::Label(index) => {
                let label = self.labels.get(index);
                let value = label.and_then(|label| row.labels.get(label));
                plain(value.cloned().unwrap_or_default())
            }
            Column::Labels => {
                let labels = row.labels.iter();
                let labels: Vec<String> = labels
                    .map(|(key, value)| format!("{key}={value}"))
                    .collect();
                plain(if labels.is_empty() {
                    "<none>".to_owned()
                } else {
                    labels.join(",")
                })
            }
        }
    }
}

impl ListTable {
    /// The header of a column. Of a label it is what comes after its last slash, as in kubectl.
    fn header(&self, column: Column) -> String {
        let Column::Label(index) = column else {
            return column.name().to_owned();
        };
        let label = self.labels.get(index).map(String::as_str);
        let name = label.and_then(|label| label.rsplit('/').next());
        name.unwrap_or_default().to_uppercase()
    }
}

impl Column {
    fn name(self) -> &'static str {
        match self {
            Self::Time => "TIME",
            Self::Context => "CONTEXT",
            Self::Namespace => "NAMESPACE",
            Self::Name => "NAME",
            Self::Reference => "REFERENCE",
            Self::ScaledObject => "SCALEDOBJECT",
            Self::Verdict => "VERDICT",
            Self::Replicas => "REPLICAS",
            Self::Bounds => "MIN-MAX",
            Self::Metric => "METRIC",
            Self::Unmet => "UNMET",
            Self::Scaled => "SCALED",
            Self::Lint => "LINT",
            Self::LintErrors => "LINT-ERRORS",
            Self::Ready => "READY",
            Self::Recommendation => "ASKED",
            Self::Rule => "RULE",
            Self::Selector => "SELECTOR",
            Self::Because => "BECAUSE",
            Self::Label(_) | Self::Labels => "LABELS",
        }
    }
}

/// Leaves out columns until the others fit. The last column, the reason, is cut before it is left out.
fn fit(displayed: &mut Vec<(Column, usize)>, most: usize) {
    for least in LEAST_IMPORTANT {
        let needed: usize = displayed.iter().map(|(_, width)| width + GAP).sum();
        let excess = needed.saturating_sub(GAP).saturating_sub(most);
        if excess == 0 {
            return;
        }
        let Some(position) = displayed.iter().position(|(column, _)| *column == least) else {
            continue;
        };
        let width = &mut displayed[position].1;
        if least == Column::Because && SHORTEST_REASON + excess <= *width {
            *width -= excess;
            return;
        }
        displayed.remove(position);
    }
}

impl ListRow {
    /// Whether both produce the same line in any table, ignoring ages.
    pub fn looks_like(&self, other: &Self) -> bool {
        let columns = TableColumns {
            is_wide: true,
            has_labels: true,
            has_findings: true,
            ..TableColumns::default()
        };
        let table = ListTable::new(columns, Style::plain());
        let at = other.overview.at;
        let cells = |row: &Self| {
            let mut row = row.clone();
            row.overview.at = at;
            // The reason contains seconds that pass.
            row.overview.full_answer = None;
            let columns = table.all().into_iter();
            let cells: Vec<_> = columns.map(|column| table.cell(column, &row)).collect();
            cells
        };
        cells(self) == cells(other)
    }
}

fn replicas(row: &ListRow) -> String {
    let Overview {
        verdict, written, ..
    } = &row.overview;
    replicas_in_a_cell((verdict.from, verdict.to), verdict.range, *written, " → ")
}

/// `cpu 85%/60%`, as kubectl writes it; a value that could not be read is a question mark.
fn metric(metric: Option<&OverviewMetric>, is_wide: bool) -> String {
    let Some(metric) = metric else {
        return "-".to_owned();
    };
    // Columns are separated by blanks, so amounts contain none, as in kubectl's tables.
    let amount = |text: &Option<String>| match text {
        Some(text) => text.replace(' ', ""),
        None => "?".to_owned(),
    };
    let (name, others) = if is_wide {
        let others = match metric.others {
            0 => String::new(),
            others => format!(" + {others} more"),
        };
        (&metric.full_name, others)
    } else {
        (&metric.name, String::new())
    };
    format!(
        "{name} {}/{}{others}",
        amount(&metric.current),
        amount(&metric.target)
    )
}

fn unmet(row: &ListRow) -> (Role, String) {
    let unmet = row.overview.unmet;
    match (unmet.total(), unmet.above_max, unmet.not_ready) {
        (None, ..) => (Role::Dim, "?".to_owned()),
        (Some(0), ..) => (Role::Dim, "0".to_owned()),
        // The verdict has the first number.
        (_, Some(above), Some(not_ready)) if 0 < above && 0 < not_ready => {
            (Role::Warning, format!("{above}+{not_ready}"))
        }
        (Some(total), ..) => (Role::Warning, total.to_string()),
    }
}

fn verdict_role(row: &ListRow) -> Role {
    match row.overview.urgency {
        Urgency::BeyondMax | Urgency::Failed => Role::Error,
        Urgency::Differs | Urgency::NotReady | Urgency::Problem | Urgency::Unknown => Role::Warning,
        Urgency::Scaling => Role::Good,
        Urgency::None => Role::Text,
    }
}

fn or_dash(text: String) -> String {
    if text.is_empty() {
        "-".to_owned()
    } else {
        text
    }
}

/// An age with at most two units, as in kubectl's tables: `45s`, `14m`, `3h12m`, `12d`. Upstream: `HumanDuration`.
fn age(duration: SignedDuration) -> String {
    let seconds = duration.as_secs().max(0);
    let (minutes, hours, days) = (seconds / 60, seconds / 3600, seconds / 86_400);
    let two = |number: i64, unit: &str, rest: i64, small: &str| match rest {
        0 => format!("{number}{unit}"),
        rest => format!("{number}{unit}{rest}{small}"),
    };
    match () {
        () if seconds < 120 => format!("{seconds}s"),
        () if minutes < 10 => two(minutes, "m", seconds % 60, "s"),
        () if minutes < 180 => format!("{minutes}m"),
        () if hours < 8 => two(hours, "h", minutes % 60, "m"),
        () if hours < 48 => format!("{hours}h"),
        () if hours < 192 => two(days, "d", hours % 24, "h"),
        () if hours < 24 * 365 * 2 => format!("{days}d"),
        () if hours < 24 * 365 * 8 => two(hours / 24 / 365, "y", days % 365, "d"),
        () => format!("{}y", hours / 24 / 365),
    }
}

/// Columns between two cells.
const GAP: usize = 2;

/// A list of thousands is arranged in parts: its cells take more memory than its text.
const ROWS_AT_ONCE: usize = 1_000;

/// The columns to leave out if there is no room for all, in this order. The others always stay.
const LEAST_IMPORTANT: [Column; 9] = [
    Column::Because,
    Column::Reference,
    Column::Recommendation,
    Column::Ready,
    Column::Scaled,
    Column::Lint,
    Column::Bounds,
    Column::Unmet,
    Column::Metric,
];

/// A shorter reason, in columns, says nothing.
const SHORTEST_REASON: usize = 30;

/// Width of the most frequent verdicts, `window until 05:12:32?`.
const LONGEST_WORDS: usize = 22;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_matters_least_is_left_out_where_there_is_no_room() {
        let all = [
            (Column::Namespace, 8),
            (Column::Name, 20),
            (Column::Reference, 20),
            (Column::Verdict, 12),
            (Column::Replicas, 8),
            (Column::Metric, 12),
            (Column::Because, 90),
        ];
        for (most, displayed) in [
            (
                400,
                "Namespace Name Reference Verdict Replicas Metric Because",
            ),
            // The reason is cut.
            (
                140,
                "Namespace Name Reference Verdict Replicas Metric Because",
            ),
            (100, "Namespace Name Reference Verdict Replicas Metric"),
            (80, "Namespace Name Verdict Replicas Metric"),
            (60, "Namespace Name Verdict Replicas"),
            (10, "Namespace Name Verdict Replicas"),
        ] {
            let mut columns = all.to_vec();
            fit(&mut columns, most);
            let names: Vec<String> = columns
                .iter()
                .map(|(column, _)| format!("{column:?}"))
                .collect();
            assert_eq!(names.join(" "), displayed, "{most}");
        }
    }

    #[test]
    fn ages_are_written_as_in_kubectl() {
        for (seconds, expected) in [
            (0, "0s"),
            (119, "119s"),
            (120, "2m"),
            (599, "9m59s"),
            (600, "10m"),
            (10_799, "179m"),
            (10_800, "3h"),
            (11_520, "3h12m"),
            (28_800, "8h"),
            (172_799, "47h"),
            (172_800, "2d"),
            (190_800, "2d5h"),
            (691_200, "8d"),
            (63_072_000, "2y"),
            (63_158_400, "2y1d"),
            (252_288_000, "8y"),
        ] {
            assert_eq!(age(SignedDuration::from_secs(seconds)), expected);
        }
        assert_eq!(age(SignedDuration::from_secs(-5)), "0s");
    }
}
