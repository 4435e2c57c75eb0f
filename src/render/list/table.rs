//! The table: a line for each HPA, as kubectl's tables are.

use jiff::{SignedDuration, Timestamp, tz::TimeZone};
use unicode_width::UnicodeWidthStr as _;

use super::ListRow;
use crate::{
    explain::{Action, Clock, OverviewMetric, Urgency},
    render::{Style, style::Role, styled::StyledText},
};

/// Which columns a table has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag")]
pub struct TableColumns {
    /// The namespace.
    pub has_namespace: bool,
    /// Target, rule, pods, selector, codes of findings and the first sentence as well.
    pub is_wide: bool,
    /// The labels.
    pub has_labels: bool,
    /// The line with the names of the columns.
    pub has_header: bool,
}

/// A table that can go on: further lines keep to its columns.
#[derive(Clone, Debug)]
pub struct ListTable {
    columns: TableColumns,
    style: Style,
    /// Zone of the time that each line begins with; none: it has none.
    times: Option<TimeZone>,
    widths: Vec<usize>,
    /// Columns of the terminal; none: any number.
    within: Option<usize>,
    /// Columns for which the terminal is too narrow.
    left_out: Vec<usize>,
}

impl ListTable {
    /// A table without lines so far.
    pub fn new(columns: TableColumns, style: Style) -> Self {
        Self {
            columns,
            style,
            times: None,
            widths: Vec::new(),
            within: None,
            left_out: Vec::new(),
        }
    }

    /// The same for lines that follow one another over time: each begins with its time, and the columns have room for what
    /// may become of their numbers.
    #[must_use]
    pub fn with_times(self, zone: TimeZone) -> Self {
        Self {
            times: Some(zone),
            ..self
        }
    }

    /// The same on a terminal of so many columns: the least important ones that have no room are left out.
    #[must_use]
    pub fn within(self, columns: usize) -> Self {
        Self {
            within: Some(columns),
            ..self
        }
    }

    /// The next lines; the first ones have the header above them.
    pub fn lines(&mut self, rows: &[&ListRow]) -> String {
        let is_first = self.widths.is_empty();
        let header = self.header();
        let mut lines: Vec<Vec<(Role, String)>> = Vec::new();
        if is_first {
            self.widths = vec![0; header.len()];
        }
        if is_first && self.columns.has_header {
            self.widths = header.iter().map(|name| name.width()).collect();
            lines.push(
                header
                    .iter()
                    .map(|name| (Role::Text, (*name).to_owned()))
                    .collect(),
            );
        }
        for row in rows {
            let mut cells = self.cells(row);
            for (_, text) in &mut cells {
                *text = self.style.clean(text);
            }
            let needed = cells.iter().map(|(_, text)| text.width());
            let room = self.room(row);
            for (widest, width) in self.widths.iter_mut().zip(needed) {
                *widest = width.max(*widest);
            }
            for (widest, room) in self.widths.iter_mut().zip(room) {
                *widest = room.max(*widest);
            }
            lines.push(cells);
        }
        if is_first {
            self.fit(&header);
        }
        let mut text = StyledText::default();
        for cells in lines {
            let cells = cells.into_iter().zip(&self.widths).enumerate();
            let cells = cells.filter(|(column, _)| !self.left_out.contains(column));
            let padded = cells.flat_map(|(_, ((role, cell), width))| {
                let blanks = " ".repeat((width + GAP).saturating_sub(cell.width()));
                [(role, cell), (Role::Text, blanks)]
            });
            text.push(padded.collect());
        }
        text.paint(self.style)
    }

    /// Leaves out the least important columns until the lines fit the terminal, unless more are asked for.
    fn fit(&mut self, header: &[&str]) {
        let Some(within) = self.within.filter(|_| !self.columns.is_wide) else {
            return;
        };
        let widths: usize = self.widths.iter().map(|width| width + GAP).sum();
        let mut needed = widths.saturating_sub(GAP);
        for name in ["SCALED", "MIN-MAX", "LINT", "UNMET"] {
            let column = header.iter().position(|one| *one == name);
            if let Some(column) = column.filter(|_| within < needed) {
                needed -= self.widths[column] + GAP;
                self.left_out.push(column);
            }
        }
    }

    fn clock(&self, now: Timestamp) -> Clock {
        let zone = self.times.clone().unwrap_or_else(TimeZone::system);
        Clock { zone, now }
    }

    /// Columns that each cell of a row may come to need, if further lines follow.
    fn room(&self, row: &ListRow) -> Vec<usize> {
        if self.times.is_none() {
            return Vec::new();
        }
        let overview = &row.overview;
        let digits = overview.max.to_string().len();
        let metric = overview.metric.as_ref().map_or(0, |metric| {
            let amount = |text: &Option<String>| {
                text.as_ref()
                    .map_or(1, |text| text.replace(' ', "").width())
            };
            let target = amount(&metric.target);
            metric.name.width() + " /".len() + amount(&metric.current).max(target + 1) + target
        });
        let of = |header: &&str| match *header {
            "VERDICT" => LONGEST_WORDS,
            "REPLICAS" => " → ".width() + digits * 2,
            "METRIC" if !self.columns.is_wide => metric,
            "SCALED" => "never".len(),
            _ => 0,
        };
        self.header().iter().map(of).collect()
    }

    fn header(&self) -> Vec<&'static str> {
        let TableColumns {
            has_namespace,
            is_wide,
            has_labels,
            ..
        } = self.columns;
        let mut header = Vec::new();
        if self.times.is_some() {
            header.push("TIME");
        }
        if has_namespace {
            header.push("NAMESPACE");
        }
        header.push("NAME");
        if is_wide {
            header.push("REFERENCE");
        }
        header.extend([
            "VERDICT", "REPLICAS", "MIN-MAX", "METRIC", "UNMET", "SCALED",
        ]);
        if is_wide {
            header.extend([
                "LINT-ERRORS",
                "READY",
                "ASKED",
                "RULE",
                "SELECTOR",
                "BECAUSE",
            ]);
        } else {
            header.push("LINT");
        }
        if has_labels {
            header.push("LABELS");
        }
        header
    }

    fn cells(&self, row: &ListRow) -> Vec<(Role, String)> {
        let TableColumns {
            has_namespace,
            is_wide,
            has_labels,
            ..
        } = self.columns;
        let overview = &row.overview;
        let plain = |text: String| (Role::Text, text);
        let mut cells = Vec::new();
        if let Some(zone) = &self.times {
            let time = overview.at.to_zoned(zone.clone());
            cells.push((Role::Dim, time.strftime("%H:%M:%S").to_string()));
        }
        if has_namespace {
            cells.push(plain(overview.namespace.clone()));
        }
        cells.push(plain(overview.name.clone()));
        if is_wide {
            cells.push(plain(overview.scale_target.to_string()));
        }
        cells.push((
            verdict_role(row),
            overview.answer.at(&self.clock(overview.at)),
        ));
        cells.push(plain(replicas(row)));
        cells.push(plain(format!("{}-{}", overview.min, overview.max)));
        cells.push(plain(metric(overview.metric.as_ref(), is_wide)));
        cells.push(unmet(row));
        cells.push(plain(overview.last_scale_time.map_or_else(
            || "never".to_owned(),
            |at| age(overview.at.duration_since(at)),
        )));
        let errors_role = if row.errors.is_empty() {
            Role::Dim
        } else {
            Role::Error
        };
        if is_wide {
            let mut codes: Vec<&str> = row.errors.iter().map(|error| error.code).collect();
            codes.dedup();
            cells.push((errors_role, or_dash(codes.join(","))));
            let of = overview.verdict.from;
            cells.push(plain(match (overview.ready, of) {
                (Some(ready), Some(of)) => format!("{ready}/{of}"),
                (Some(ready), None) => ready.to_string(),
                (None, _) => "?".to_owned(),
            }));
            let proposal = overview.proposal.map(|proposal| proposal.to_string());
            cells.push(plain(or_dash(proposal.unwrap_or_default())));
            cells.push(plain(overview.verdict.rule.as_str().to_owned()));
            cells.push(plain(or_dash(
                overview.selector.clone().unwrap_or_default(),
            )));
            let because = overview.verdict.sentences.first().cloned();
            cells.push(plain(or_dash(because.unwrap_or_default())));
        } else {
            cells.push((errors_role, row.errors.len().to_string()));
        }
        if has_labels {
            let labels: Vec<String> = row
                .labels
                .iter()
                .map(|(key, value)| format!("{key}={value}"))
                .collect();
            let none = || "<none>".to_owned();
            cells.push(plain(if labels.is_empty() {
                none()
            } else {
                labels.join(",")
            }));
        }
        cells
    }
}

impl ListRow {
    /// Whether both have the same line in any table: all but how long ago something was.
    pub fn looks_like(&self, other: &Self) -> bool {
        let columns = TableColumns {
            is_wide: true,
            has_labels: true,
            ..TableColumns::default()
        };
        let table = ListTable::new(columns, Style::plain());
        let at = other.overview.at;
        let cells = |row: &Self| {
            let mut row = row.clone();
            row.overview.at = at;
            // The reason counts seconds, too.
            row.overview.verdict.sentences.clear();
            table.cells(&row)
        };
        cells(self) == cells(other)
    }
}

/// `8`, `8 → 12`, `8 → 4…9` where the controller's memory decides, `6 or 7` where it comes to another number than we do.
fn replicas(row: &ListRow) -> String {
    let verdict = &row.overview.verdict;
    let number = |number: Option<i32>| number.map_or_else(|| "?".to_owned(), |it| it.to_string());
    if let Some(written) = row.overview.written {
        return format!("{written} or {}", number(verdict.to));
    }
    if let Some((low, high)) = verdict.range {
        return format!("{} → {low}…{high}", number(verdict.from));
    }
    match verdict.action {
        Action::ScaleDown | Action::ScaleUp => {
            format!("{} → {}", number(verdict.from), number(verdict.to))
        }
        _ => number(verdict.from),
    }
}

/// `cpu 85%/60%`, as kubectl writes it; what could not be read is a question mark.
fn metric(metric: Option<&OverviewMetric>, is_wide: bool) -> String {
    let Some(metric) = metric else {
        return "-".to_owned();
    };
    // Columns are separated by blanks, and amounts have none in kubectl's tables.
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
    match (unmet.total(), unmet.not_ready) {
        (0, None) => (Role::Dim, "?".to_owned()),
        (0, Some(_)) => (Role::Dim, "0".to_owned()),
        (total, _) => (Role::Warning, total.to_string()),
    }
}

fn verdict_role(row: &ListRow) -> Role {
    match row.overview.urgency() {
        Urgency::BeyondMax | Urgency::Failed => Role::Error,
        Urgency::Differs | Urgency::NotReady | Urgency::Unknown => Role::Warning,
        Urgency::Scaling => Role::Good,
        Urgency::Calm => Role::Text,
    }
}

fn or_dash(text: String) -> String {
    if text.is_empty() {
        "-".to_owned()
    } else {
        text
    }
}

/// How long ago, with two units at most, as in kubectl's tables: `45s`, `14m`, `3h12m`, `12d`. Upstream:
/// `HumanDuration`.
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

/// Width of the verdicts that come most often, `window until 05:12:32?`.
const LONGEST_WORDS: usize = 22;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_that_a_terminal_has_no_room_for_are_left_out_the_least_important_first() {
        let columns = TableColumns {
            has_namespace: true,
            has_header: true,
            ..TableColumns::default()
        };
        let header = |within: Option<usize>| {
            let mut table = ListTable::new(columns, Style::plain());
            table.within = within;
            let text = table.lines(&[]);
            text.split_whitespace()
                .map(str::to_owned)
                .collect::<Vec<_>>()
        };
        let all = header(None);
        assert_eq!(header(Some(80)), all);
        let some = header(Some(60));
        assert_eq!(
            some,
            [
                "NAMESPACE",
                "NAME",
                "VERDICT",
                "REPLICAS",
                "METRIC",
                "UNMET",
                "LINT"
            ]
        );
        // What is asked for stays, however narrow the terminal is.
        assert_eq!(
            header(Some(1)),
            ["NAMESPACE", "NAME", "VERDICT", "REPLICAS", "METRIC"]
        );
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
