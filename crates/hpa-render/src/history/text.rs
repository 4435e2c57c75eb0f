//! Text output: the answer, how reliable it is, the course, and the inputs.

use hpa_explain::{Afterwards, SourceReport, by_known};
use hpa_history::{
    Advice, HistoryReport, NOT_TRUSTED, Point, WhatIfReport, WhatIfRow, answer, censored, hidden,
    pod_cpu, shows_trouble, spacing, startup, trust,
};
use hpa_objects::recording::ReadAfterwards;
use hpa_simulation::band;
use hpa_words::{amount::number, clock::span};

use super::happened::{Happened, happened};
use crate::{
    simulate::bar,
    style::{Role, Style},
    styled::StyledText,
    wrap::{wrap, wrap_indented},
};

/// A line of one role.
type StyledLine = (Role, String);

/// The report as text. `is_wide` shows every change of the replicas and every series.
pub fn text(report: &HistoryReport, style: Style, is_wide: bool) -> String {
    let mut text = StyledText::default();
    for (role, line) in lines(report, style, is_wide) {
        text.push_line(role, style.clean(&line));
    }
    text.paint(style)
}

fn lines(report: &HistoryReport, style: Style, is_wide: bool) -> Vec<StyledLine> {
    let mut lines: Vec<StyledLine> = head(report, style)
        .into_iter()
        .map(|line| (Role::Text, line))
        .collect();
    let role = if report.course.intervals.is_empty() && shows_trouble(&report.course) {
        Role::Good
    } else {
        Role::Strong
    };
    for line in wrap(&answer(report).join(" "), style.width) {
        lines.push((role, line));
    }
    if report.course.points.is_empty() {
        lines.extend(series(report, style));
        return lines;
    }
    for line in wrap(&trust(report), style.width) {
        lines.push((Role::Text, line));
    }
    // What helps most, and each missing series.
    let is_shown = |(index, advice): &(usize, &Advice)| {
        is_wide || *index == 0 || matches!(advice, Advice::Export(..))
    };
    for (_, advice) in report.advice.iter().enumerate().filter(is_shown) {
        for line in wrap(&advice.sentence(), style.width) {
            lines.push((Role::Dim, line));
        }
    }
    for warning in &report.warnings {
        for line in wrap(&format!("note: {warning}"), style.width) {
            lines.push((Role::Warning, line));
        }
    }
    lines.push((Role::Text, String::new()));
    lines.extend(course(report, style));
    let happened = happened(report, is_wide);
    if !happened.is_empty() {
        lines.push((Role::Text, String::new()));
        lines.extend(table(report, &happened, style, is_wide));
    }
    if let Some(what_if) = &report.what_if {
        lines.push((Role::Text, String::new()));
        lines.extend(what_ifs(what_if, style));
    }
    for one in &report.censored {
        for line in wrap_indented(
            &censored(*one),
            style.width,
            "unseen load  ",
            "             ",
        ) {
            lines.push((Role::Text, line));
        }
    }
    lines.push((Role::Text, String::new()));
    lines.extend(sources(&report.sources, style));
    if is_wide {
        lines.push((Role::Text, String::new()));
        lines.extend(series(report, style));
    }
    lines
}

/// The heading in one line, or in two if it does not fit.
fn head(report: &HistoryReport, style: Style) -> Vec<String> {
    let length = report.to.duration_since(report.from).as_secs_f64();
    let end = report
        .to
        .to_zoned(report.zone.clone())
        .strftime("%Y-%m-%d %H:%M:%S %Z");
    let what = format!("{} → {}", report.hpa, report.target);
    let how = format!("{} to {end}   {}", span(length), report.server);
    let one = format!("{what}   {how}");
    if one.chars().count() <= style.width {
        vec![one]
    } else {
        vec![what, how]
    }
}

/// The course as rows of bars.
fn course(report: &HistoryReport, style: Style) -> Vec<StyledLine> {
    let points = &report.course.points;
    let (Some(first), Some(last)) = (points.first(), points.last()) else {
        return Vec::new();
    };
    let (label, value_width) = (9, 13);
    let columns = style
        .width
        .saturating_sub(label + value_width + 2)
        .clamp(10, 96);
    let length = (last.time - first.time).max(1);
    // The highest point of each column: short peaks must stay visible.
    let most_of = |of: &dyn Fn(&Point) -> Option<f64>| -> Vec<Option<f64>> {
        let mut cells: Vec<Option<f64>> = vec![None; columns];
        for point in points {
            let share = (point.time - first.time) as f64 / length as f64;
            let cell = ((share * columns as f64) as usize).min(columns - 1);
            if let Some(value) = of(point) {
                cells[cell] = Some(cells[cell].map_or(value, |one: f64| one.max(value)));
            }
        }
        // If scrapes are further apart than columns, a value holds until the next one.
        let reach = 5 * columns as i64 * spacing(points) / (2 * length);
        let mut since = 0;
        let mut held = None;
        for cell in &mut cells {
            since = if cell.is_some() { 0 } else { since + 1 };
            held = if cell.is_some() || reach < since {
                *cell
            } else {
                held
            };
            *cell = held;
        }
        cells
    };
    let row = |name: &str, of: &dyn Fn(&Point) -> Option<f64>, amount: &dyn Fn(f64) -> String| {
        let values = points.iter().filter_map(of);
        let least = values.clone().fold(f64::INFINITY, f64::min);
        let most = values.fold(0.0, f64::max);
        let (low, high) = (amount(least), amount(most));
        let range = if low == high {
            high
        } else {
            format!("{low} … {high}")
        };
        let bars: String = most_of(of)
            .into_iter()
            .map(|cell| cell.map_or(' ', |value| bar(value, most, style)))
            .collect();
        (
            Role::Text,
            format!("{name:<label$} {range:<value_width$} {bars}"),
        )
    };
    let whole = |value: f64| format!("{value:.0}");
    let mut rows = vec![row(
        "replicas",
        &|point| Some(f64::from(point.replicas)),
        &whole,
    )];
    if points
        .iter()
        .any(|point| point.ready.is_some_and(|ready| ready < point.replicas))
    {
        rows.push(row("ready", &|point| point.ready.map(f64::from), &whole));
    }
    if points.iter().any(|point| point.recommendation.is_some()) {
        rows.push(row(
            "asked for",
            &|point| point.recommendation.map(f64::from),
            &whole,
        ));
    }
    let times = format!("{:>columns$}", report.clock(last.time));
    let begin = report.clock(first.time);
    let axis = match times.get(begin.len()..) {
        Some(rest) => format!("{begin}{rest}"),
        None => times,
    };
    rows.push((
        Role::Dim,
        format!("{:width$}{axis}", "", width = label + value_width + 2),
    ));
    rows
}

/// The number of lines shown by default.
const FEW: usize = 20;

fn table(report: &HistoryReport, all: &[Happened], style: Style, is_wide: bool) -> Vec<StyledLine> {
    // The newest lines matter most.
    let hidden = if is_wide {
        0
    } else {
        all.len().saturating_sub(FEW)
    };
    let mut lines = Vec::new();
    if 0 < hidden {
        lines.push((Role::Dim, format!("… {hidden} earlier (-o wide)")));
    }
    let visible = &all[hidden..];
    let time = |one: &Happened| match one.until {
        Some(until) if until != one.time => {
            format!("{} to {}", report.clock(one.time), report.clock(until))
        }
        _ => report.clock(one.time),
    };
    let widest = |of: &dyn Fn(&Happened) -> usize| visible.iter().map(of).max().unwrap_or(0);
    let what_width = widest(&|one| one.what.chars().count());
    let time_width = widest(&|one| time(one).len());
    for one in visible {
        let first = format!(
            "{:<time_width$}  {:<what_width$}  {:<8}  ",
            time(one),
            one.what,
            one.sure
        );
        let indent = if style.width < 100 {
            4
        } else {
            first.chars().count()
        };
        let rest = " ".repeat(indent);
        let is_below = style.width < 100;
        if is_below {
            lines.push((one.role, first.trim_end().to_owned()));
            for line in wrap_indented(&one.why, style.width, &rest, &rest) {
                lines.push((Role::Text, line));
            }
        } else {
            for line in wrap_indented(&one.why, style.width, &first, &rest) {
                lines.push((one.role, line));
            }
        }
    }
    lines
}

/// The past under other specs.
fn what_ifs(what_if: &WhatIfReport, style: Style) -> Vec<StyledLine> {
    let control = format!(
        "what if   Control run: today's spec in the same model gives {:.1}% of the replicas that there were.",
        what_if.control * 100.0
    );
    let mut lines: Vec<StyledLine> = wrap_indented(&control, style.width, "", "          ")
        .into_iter()
        .map(|line| (Role::Text, line))
        .collect();
    if !what_if.is_trusted {
        for line in wrap_indented(NOT_TRUSTED, style.width, "          ", "          ") {
            lines.push((Role::Warning, line));
        }
        for line in wrap_indented(&startup(what_if), style.width, "          ", "          ") {
            lines.push((Role::Dim, line));
        }
        return lines;
    }
    let price = what_if.price;
    let mut head = vec!["pod hours", "hours at max", "unmet pod hours", "rescales"];
    if price.is_some() {
        head.insert(1, "cost");
    }
    let row = |row: &WhatIfRow| {
        let mut cells = vec![
            band(&row.pod_hours, number),
            band(&row.hours_at_max, number),
            band(&row.unmet_pod_hours, number),
            band(&row.rescales, |one| format!("{one:.0}")),
        ];
        if let Some(price) = price {
            cells.insert(1, format!("{:.2}", price * row.pod_hours.median));
        }
        cells
    };
    let rows: Vec<(&str, Vec<String>)> = [&what_if.actual]
        .into_iter()
        .chain(&what_if.variants)
        .map(|one| (one.name.as_str(), row(one)))
        .collect();
    let width = |column: usize| {
        let cells = rows.iter().map(|(_, cells)| cells[column].chars().count());
        cells.chain([head[column].len()]).max().unwrap_or(0)
    };
    let names = rows
        .iter()
        .map(|(name, _)| name.chars().count())
        .max()
        .unwrap_or(0);
    let line = |name: &str, cells: &[String]| {
        let cells = cells.iter().enumerate();
        let cells = cells.map(|(column, cell)| format!("{cell:>width$}", width = width(column)));
        let cells: Vec<String> = cells.collect();
        format!("{name:<names$}  {}", cells.join("  "))
    };
    let head: Vec<String> = head.iter().map(|one| (*one).to_owned()).collect();
    lines.push((Role::Dim, line("", &head)));
    for (name, cells) in &rows {
        lines.push((Role::Text, line(name, cells)));
    }
    let notes = [pod_cpu(what_if), hidden(what_if), Some(startup(what_if))];
    for sentence in notes.into_iter().flatten() {
        for line in wrap(&sentence, style.width) {
            lines.push((Role::Text, line));
        }
    }
    lines
}

/// The source of each input.
fn sources(sources: &[SourceReport], style: Style) -> Vec<StyledLine> {
    let mut lines = Vec::new();
    for (known, words) in by_known(sources) {
        let first = format!("{:<9} ", known.as_str());
        for line in wrap_indented(&words, style.width, &first, "          ") {
            lines.push((Role::Dim, line));
        }
    }
    lines
}

/// The series that were queried.
fn series(report: &HistoryReport, style: Style) -> Vec<StyledLine> {
    let widest = report
        .series
        .iter()
        .map(|one| one.name.name.len())
        .max()
        .unwrap_or(0);
    let mut lines = Vec::new();
    for one in &report.series {
        let found = match (one.found, one.interval) {
            (0, _) => "missing".to_owned(),
            (count, Some(interval)) => {
                format!("{count} series, every {}", span(interval as f64 / 1000.0))
            }
            (count, None) => format!("{count} series"),
        };
        let role = if one.found == 0 {
            Role::Warning
        } else {
            Role::Dim
        };
        lines.push((
            role,
            style.clean(&format!("{:<widest$}  {found}", one.name.name)),
        ));
    }
    lines
}

/// How a sync of a recording is known that `history` wrote.
pub fn how_recorded(history: &ReadAfterwards) -> Afterwards {
    let ReadAfterwards {
        server, certainty, ..
    } = history;
    Afterwards {
        certainty: certainty.clone(),
        text: format!(
            "{certainty}: `kubectl hpa history` read this sync from {server} afterwards."
        ),
        range: None,
        decided: None,
        doubts: None,
        sources: None,
    }
}
