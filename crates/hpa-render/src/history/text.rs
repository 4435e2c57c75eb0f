//! Text output: the answer, how reliable it is, the course, and the inputs.

use hpa_explain::{Afterwards, by_known};
use hpa_history::{
    Advice, HistoryReport, NOT_TRUSTED, Point, WhatIfReport, answer, censored, hidden, pod_cpu,
    shows_trouble, spacing, startup, trust,
};
use hpa_objects::recording::ReadAfterwards;
use hpa_words::{clock::span, program::typed};

use super::{
    control,
    happened::{Happened, happened},
    specs::specs,
};
use crate::{
    chart::{BarRows, range},
    style::{Role, Style},
    styled::StyledText,
    table::{INDENT, LEAST_TEXT, Table},
};

/// The report as text. `is_wide` shows every change of the replicas and every series.
pub fn text(report: &HistoryReport, style: Style, is_wide: bool) -> String {
    let mut text = StyledText::default();
    let length = report.to.duration_since(report.from).as_secs_f64();
    let end = report.to.to_zoned(report.zone.clone());
    let end = end.strftime("%Y-%m-%d %H:%M:%S %Z");
    let what = format!("{} → {}", report.hpa, report.target);
    let how = format!("{} to {end}   {}", span(length), report.server);
    text.push_heading(&what, &how, style);
    let role = if report.course.intervals.is_empty() && shows_trouble(&report.course) {
        Role::Good
    } else {
        Role::Strong
    };
    text.push_wrapped(role, &answer(report).join(" "), style);
    if report.course.points.is_empty() {
        series(report, style, &mut text);
        return text.paint(style);
    }
    text.push_wrapped(Role::Text, &trust(report), style);
    // What helps most, and each missing series.
    let is_shown = |(index, advice): &(usize, &Advice)| {
        is_wide || *index == 0 || matches!(advice, Advice::Export(..))
    };
    for (_, advice) in report.advice.iter().enumerate().filter(is_shown) {
        text.push_wrapped(Role::Dim, &advice.sentence(), style);
    }
    for warning in &report.warnings {
        text.push_wrapped(Role::Warning, &format!("note: {warning}"), style);
    }
    text.push_blank();
    course(report, style, &mut text);
    let happened = happened(report, is_wide);
    if !happened.is_empty() {
        text.push_blank();
        table(report, &happened, style, is_wide, &mut text);
    }
    if let Some(what_if) = &report.what_if {
        text.push_blank();
        what_ifs(what_if, style, &mut text);
    }
    let mut known = Table::new(style);
    for one in &report.censored {
        known.push(Role::Text, ["unseen load", &censored(*one)]);
    }
    known.write_with_text(LEAST_TEXT, INDENT, &mut text);
    text.push_blank();
    let mut known = Table::new(style);
    for (known_by, words) in by_known(&report.sources) {
        known.push(Role::Dim, [known_by.as_str(), &words]);
    }
    known.write_with_text(LEAST_TEXT, INDENT, &mut text);
    if is_wide {
        text.push_blank();
        series(report, style, &mut text);
    }
    text.paint(style)
}

/// The course as rows of bars.
fn course(report: &HistoryReport, style: Style, out: &mut StyledText) {
    let points = &report.course.points;
    let (Some(first), Some(last)) = (points.first(), points.last()) else {
        return;
    };
    let bars = BarRows::new(style, 9, 13, 96);
    let columns = bars.columns;
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
            held = cell.or(held.filter(|_| since <= reach));
            *cell = held;
        }
        cells
    };
    let mut row = |name: &str, of: &dyn Fn(&Point) -> Option<f64>| {
        let (range, most) = range(points.iter().filter_map(of), |one| format!("{one:.0}"));
        bars.push((name, &range), most, most_of(of), out);
    };
    row("replicas", &|point| Some(f64::from(point.replicas)));
    if (points.iter()).any(|point| point.ready.is_some_and(|ready| ready < point.replicas)) {
        row("ready", &|point| point.ready.map(f64::from));
    }
    if points.iter().any(|point| point.recommendation.is_some()) {
        row("asked for", &|point| point.recommendation.map(f64::from));
    }
    let times = format!("{:>columns$}", report.clock(last.time));
    let begin = report.clock(first.time);
    let axis = match times.get(begin.len()..) {
        Some(rest) => format!("{begin}{rest}"),
        None => times,
    };
    let axis = format!("{:width$}{axis}", "", width = bars.indent());
    out.push_line(Role::Dim, axis);
}

/// The number of lines shown by default.
const FEW: usize = 20;

fn table(
    report: &HistoryReport,
    all: &[Happened],
    style: Style,
    is_wide: bool,
    out: &mut StyledText,
) {
    // The newest lines matter most.
    let hidden = if is_wide {
        0
    } else {
        all.len().saturating_sub(FEW)
    };
    if 0 < hidden {
        let earlier = format!("… {hidden} earlier (-o wide)");
        out.push_line(Role::Dim, style.clean(&earlier));
    }
    let time = |one: &Happened| match one.until {
        Some(until) if until != one.time => {
            format!("{} to {}", report.clock(one.time), report.clock(until))
        }
        _ => report.clock(one.time),
    };
    let mut table = Table::new(style);
    for one in &all[hidden..] {
        table.push_cells([
            (one.role, time(one)),
            (one.role, one.what.clone()),
            (one.role, one.sure.to_owned()),
            (Role::Text, one.why.clone()),
        ]);
    }
    table.write_with_text(LEAST_REASON, INDENT, out);
}

/// The past under other specs.
fn what_ifs(what_if: &WhatIfReport, style: Style, out: &mut StyledText) {
    let mut about = Table::new(style).with_gap(3);
    about.push(Role::Text, ["what if", &control(what_if)]);
    if !what_if.is_trusted {
        about.push(Role::Warning, ["", NOT_TRUSTED]);
        about.push(Role::Dim, ["", &startup(what_if)]);
        return about.write_with_text(LEAST_TEXT, INDENT, out);
    }
    about.write_with_text(LEAST_TEXT, INDENT, out);
    specs(what_if, false).write(style, out);
    let notes = [pod_cpu(what_if), hidden(what_if), Some(startup(what_if))];
    for sentence in notes.into_iter().flatten() {
        out.push_wrapped(Role::Text, &sentence, style);
    }
}

/// The series that were queried.
fn series(report: &HistoryReport, style: Style, out: &mut StyledText) {
    let mut table = Table::new(style);
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
        table.push(role, [one.name.name, &found]);
    }
    table.write(out);
}

/// Columns that a reason needs next to what happened: reasons are long.
const LEAST_REASON: usize = 50;

/// How a sync of a recording is known that `history` wrote.
pub fn how_recorded(history: &ReadAfterwards) -> Afterwards {
    let ReadAfterwards {
        server, certainty, ..
    } = history;
    Afterwards {
        certainty: certainty.clone(),
        text: format!(
            "{certainty}: `{}` read this sync from {server} afterwards.",
            typed("history")
        ),
        range: None,
        decided: None,
        doubts: None,
        sources: None,
    }
}
