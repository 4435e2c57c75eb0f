//! The charts on the page of a past.

use hpa_history::{HistoryReport, IntervalKind, Point, WhatIfReport};
use hpa_simulation::{LoadUnit, PerPodUnit};

use super::{super::happened::Happened, lines::Frame};
use crate::chart::{
    ChartLevel, ChartMark, ChartSeries, ChartShade, CourseChart, NEAR,
    SeriesShape::{Line, StepBand, Steps},
    ValueUnit, metric_title, variant_class,
};

/// The charts of the course: replicas, then the value of the first metric.
pub(super) fn course(report: &HistoryReport, happened: &[Happened]) -> Vec<CourseChart> {
    let Some(frame) = Frame::of(report) else {
        return Vec::new();
    };
    let mut charts = vec![replicas(report, &frame, happened)];
    charts.extend(value(report, &frame, happened));
    charts
}

/// The replicas under other specs over the actual ones.
pub(super) fn what_if(report: &HistoryReport, what_if: &WhatIfReport) -> Option<CourseChart> {
    let frame = Frame::of(report)?;
    let variants = what_if.variants.iter().enumerate();
    let lines = variants.filter(|(_, variant)| !variant.replicas.is_empty());
    let actual = frame.pieces(|point| Some(f64::from(point.replicas)));
    let name = what_if.actual.name.as_str();
    let mut series = vec![ChartSeries::new(name, "area actual", StepBand, actual)];
    series.extend(lines.map(|(index, variant)| {
        let pieces = vec![frame.line(&variant.replicas)];
        ChartSeries::new(variant.name.as_str(), variant_class(index), Steps, pieces)
    }));
    let title = "Replicas as they were, and in the model".to_owned();
    (1 < series.len()).then(|| CourseChart {
        series,
        ..empty(report, &frame, "what-if", title, ValueUnit::Count)
    })
}

/// Above this number, marks would only form a pattern: the steps of the line show the changes.
const MOST_MARKS: usize = 150;

/// What the metrics ask for is drawn up to this multiple of the most replicas.
const MOST_ABOVE: i32 = 4;

fn replicas(report: &HistoryReport, frame: &Frame<'_>, happened: &[Happened]) -> CourseChart {
    let points = &report.course.points;
    let most = |of: &dyn Fn(&Point) -> Option<i32>| points.iter().filter_map(of).max();
    let highest = most(&|point| Some(point.replicas)).unwrap_or_default();
    let mut series = Vec::new();
    if points.iter().any(|point| point.ready.is_some()) {
        let ready = frame.pieces(|point| point.ready.map(f64::from));
        series.push(ChartSeries::new("ready", "area ready", StepBand, ready));
    }
    if let Some(asked) = most(&|point| point.recommendation) {
        let limit = highest.max(1).saturating_mul(MOST_ABOVE);
        let name = if limit < asked {
            format!("asked for (up to {asked}, cut here)")
        } else {
            "asked for".to_owned()
        };
        let pieces = frame.pieces(|point| Some(f64::from(point.recommendation?.min(limit))));
        series.push(ChartSeries::new(name, "line wanted", Steps, pieces));
    }
    let replicas = frame.pieces(|point| Some(f64::from(point.replicas)));
    series.push(ChartSeries::new(
        "replicas",
        "line replicas",
        Steps,
        replicas,
    ));
    let mut levels = Vec::new();
    let near = f64::from(highest.max(1)) * NEAR;
    for (name, is_max) in [("maxReplicas", true), ("minReplicas", false)] {
        let value = |point: &Point| {
            let (min, max) = point.bounds;
            Some(f64::from(if is_max { max } else { min }))
        };
        match over_time(points, value) {
            OverTime::Never => {}
            OverTime::Always(bound) => {
                levels.push(ChartLevel::new(bound, format!("{name} {bound}"), "bound"));
            }
            OverTime::Changing => {
                let pieces = frame.pieces(|point| value(point).filter(|bound| *bound <= near));
                series.push(ChartSeries::new(name, "line bound", Steps, pieces));
            }
        }
    }
    let title = "Replicas and ready pods".to_owned();
    CourseChart {
        series,
        levels,
        shades: shades(report, frame, happened),
        rescales: marks(report, frame, happened),
        ..empty(report, frame, "replicas", title, ValueUnit::Count)
    }
}

/// The value of the first metric, if known.
fn value(report: &HistoryReport, frame: &Frame<'_>, happened: &[Happened]) -> Option<CourseChart> {
    let metric = report.metric.as_ref()?;
    let points = &report.course.points;
    if points.iter().all(|point| point.value.is_none()) {
        return None;
    }
    let values = frame.pieces(|point| point.value);
    let mut series = vec![ChartSeries::new("value", "line per-pod", Line, values)];
    let level = |goal| {
        let text = format!("target {}", metric.unit.amount(goal));
        ChartLevel::new(goal, text, "goal")
    };
    let goal = match over_time(points, |point| point.target) {
        OverTime::Never => metric.target,
        OverTime::Always(goal) => Some(goal),
        OverTime::Changing => {
            let targets = frame.pieces(|point| point.target);
            series.push(ChartSeries::new("target", "line goal", Steps, targets));
            None
        }
    };
    let unit = match metric.unit {
        PerPodUnit::PercentOfRequest => " of the pods, in percent of their requests",
        PerPodUnit::Value(LoadUnit::Cores) if metric.is_per_pod => " per pod, in cores",
        _ if metric.is_per_pod => " per pod",
        PerPodUnit::Value(_) => "",
    };
    let others = match metric.others {
        0 => String::new(),
        others => format!(" (the first of {} metrics)", others + 1),
    };
    let title = format!("{}{unit}{others}", metric_title(&metric.name));
    let is_goal = goal.is_some() && goal == metric.target;
    Some(CourseChart {
        series,
        levels: goal.map(level).into_iter().collect(),
        tolerated: metric.tolerated.filter(|_| is_goal),
        shades: shades(report, frame, happened),
        ..empty(
            report,
            frame,
            "value",
            title,
            ValueUnit::PerPod(metric.unit),
        )
    })
}

/// How a value changes over time.
enum OverTime {
    /// It is never known.
    Never,
    /// It is the same whenever it is known.
    Always(f64),
    /// It changes.
    Changing,
}

fn over_time(points: &[Point], of: impl Fn(&Point) -> Option<f64>) -> OverTime {
    let mut values = points.iter().filter_map(of);
    match values.next() {
        None => OverTime::Never,
        Some(first) if values.all(|value| value.total_cmp(&first).is_eq()) => {
            OverTime::Always(first)
        }
        Some(_) => OverTime::Changing,
    }
}

/// Periods in which something held.
fn shades(report: &HistoryReport, frame: &Frame<'_>, happened: &[Happened]) -> Vec<ChartShade> {
    happened
        .iter()
        .filter_map(|one| {
            let (name, class) = kind(one.kind?);
            Some(ChartShade {
                from: frame.at(one.time),
                to: frame.at(one.until.unwrap_or(one.time)),
                name,
                class,
                is_strip: one.kind == Some(IntervalKind::Flapping),
                text: explanation(report, one),
            })
        })
        .collect()
}

/// Name and CSS class of what held.
fn kind(kind: IntervalKind) -> (&'static str, &'static str) {
    match kind {
        IntervalKind::AtMax => ("at max", "at-max"),
        IntervalKind::MetricsFailed => ("no metrics", "failed"),
        IntervalKind::NotAbleToScale => ("not able to scale", "failed"),
        IntervalKind::Disabled => ("disabled", "disabled"),
        IntervalKind::Flapping => ("flapping", "flapping"),
        IntervalKind::NoData => ("no data", "no-data"),
    }
}

/// Changes of the replicas, each with a link to its row of the table.
fn marks(report: &HistoryReport, frame: &Frame<'_>, happened: &[Happened]) -> Vec<ChartMark> {
    let rescales = &report.course.rescales;
    let of = |(row, one): (usize, &Happened)| {
        let first = rescales.get(one.rescales.start)?;
        let last = rescales.get(one.rescales.end.checked_sub(1)?)?;
        Some(ChartMark {
            at: frame.at(last.time),
            value: f64::from(last.to),
            is_up: first.from < last.to,
            text: explanation(report, one),
            link: Some(row_id(row)),
        })
    };
    let marks: Vec<ChartMark> = happened.iter().enumerate().filter_map(of).collect();
    Some(marks)
        .filter(|marks| marks.len() <= MOST_MARKS)
        .unwrap_or_default()
}

/// The id of a row in the table of what happened.
pub(super) fn row_id(row: usize) -> String {
    format!("row-{row}")
}

fn explanation(report: &HistoryReport, one: &Happened) -> String {
    let times = report.times(one.time, one.until);
    format!("{times}: {}, {}. {}", one.what, one.sure, one.why)
}

fn empty(
    report: &HistoryReport,
    frame: &Frame<'_>,
    key: &'static str,
    title: String,
    unit: ValueUnit,
) -> CourseChart {
    let words = report.edges().map_or_else(String::new, |(from, to)| {
        format!("{title}, {}.", report.times(from, Some(to)))
    });
    CourseChart {
        words,
        clock: Some(frame.clock()),
        ..CourseChart::new(key, title, unit, frame.length)
    }
}
