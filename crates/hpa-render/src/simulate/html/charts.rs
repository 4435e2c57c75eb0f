//! The charts of a page.

use hpa_simulation::{
    Band, LoadUnit, Millis, PerPodUnit, Point, Run, SimulationReport, TimedEvent, VariantReport,
};

use super::super::{clock, event::timed};
use crate::chart::{
    ChartEvent, ChartLevel, ChartMark, ChartPoint, ChartSeries, CourseChart, SeriesShape,
    ValueUnit, metric_title, variant_class, whole,
};

/// The course of the first run of today's spec: load, replicas, value per pod.
pub(super) fn first_run(report: &SimulationReport, variant: &VariantReport) -> Vec<CourseChart> {
    variant.runs.first().map_or_else(Vec::new, |run| {
        vec![
            load(report, variant, run),
            replicas(report, variant, run),
            per_pod(report, variant, run),
        ]
    })
}

/// The range of eight of ten runs, and their median.
pub(super) fn all_runs(report: &SimulationReport, variant: &VariantReport) -> Vec<CourseChart> {
    if variant.runs.len() < 2 {
        return Vec::new();
    }
    let banded = |key, title, unit: ValueUnit, of: &dyn Fn(&Point) -> f64| {
        let bands = bands(&variant.runs, of);
        let band = bands.iter().map(|(at, band)| (*at, band.low, band.high));
        let spread = whole(band, report.length);
        let shape = shape_of(unit, true);
        CourseChart {
            series: vec![
                ChartSeries::new("8 of 10 runs", "area spread", shape, spread),
                median(report, ("median", "line ready"), unit, &bands),
            ],
            ..empty(report, key, title, unit)
        }
    };
    let title = "Ready pods".to_owned();
    let mut ready = banded("runs-ready", title, ValueUnit::Count, &ready);
    ready.levels = bounds(variant);
    let unit = ValueUnit::PerPod(variant.unit);
    let title = per_pod_title(variant);
    let mut per_pod = banded("runs-per-pod", title, unit, &|point| point.per_pod);
    per_pod.levels = goals(variant);
    per_pod.tolerated = variant.tolerated;
    vec![ready, per_pod]
}

/// All variants in one chart: the median of their runs.
pub(super) fn variants(report: &SimulationReport) -> Vec<CourseChart> {
    let Some(first) = (report.variants.first()).filter(|_| 1 < report.variants.len()) else {
        return Vec::new();
    };
    let over = |key, title: &str, unit: ValueUnit, of: &dyn Fn(&Point) -> f64| {
        let line = |(index, variant): (usize, &VariantReport)| {
            let name = (variant.name.as_str(), variant_class(index));
            median(report, name, unit, &bands(&variant.runs, of))
        };
        let of_runs = if report.runs == 1 {
            ""
        } else {
            ", median of the runs"
        };
        CourseChart {
            series: report.variants.iter().enumerate().map(line).collect(),
            ..empty(report, key, format!("{title}{of_runs}"), unit)
        }
    };
    let ready = over("variants-ready", "Ready pods", ValueUnit::Count, &ready);
    let unit = ValueUnit::PerPod(first.unit);
    let title = per_pod_title(first);
    let mut per_pod = over("variants-per-pod", &title, unit, &|point| point.per_pod);
    per_pod.levels = goals(first);
    vec![ready, per_pod]
}

fn ready(point: &Point) -> f64 {
    f64::from(point.ready)
}

/// The median of all runs as a line with a name and a class.
fn median(
    report: &SimulationReport,
    (name, class): (&str, impl Into<String>),
    unit: ValueUnit,
    bands: &[(Millis, Band)],
) -> ChartSeries {
    let middle = bands
        .iter()
        .map(|(at, band)| (*at, band.median, band.median));
    let pieces = whole(middle, report.length);
    ChartSeries::new(name, class, shape_of(unit, false), pieces)
}

/// The values of a run from a lower to an upper one.
fn of_run(
    report: &SimulationReport,
    run: &Run,
    of: impl Fn(&Point) -> (f64, f64),
) -> Vec<Vec<ChartPoint>> {
    let points = run.points.iter();
    let points = points.map(|point| {
        let (low, high) = of(point);
        (point.at, low, high)
    });
    whole(points, report.length)
}

/// Above this number, marks would only form a pattern: the steps of the line show the rescales.
const MOST_MARKS: usize = 60;

fn load(report: &SimulationReport, variant: &VariantReport, run: &Run) -> CourseChart {
    let load = of_run(report, run, |point| (0.0, point.load));
    let band = SeriesShape::Band;
    let mut series = vec![ChartSeries::new("load", "area load", band, load)];
    if run.points.iter().any(|point| 0.0005 < point.lost) {
        let lost = |point: &Point| (point.load * (1.0 - point.lost), point.load);
        let lost = of_run(report, run, lost);
        series.push(ChartSeries::new("not served", "area lost", band, lost));
    }
    let unit = ValueUnit::Load(variant.load_unit);
    CourseChart {
        series,
        ..empty(report, "load", load_title(variant), unit)
    }
}

fn replicas(report: &SimulationReport, variant: &VariantReport, run: &Run) -> CourseChart {
    let of =
        |value: &dyn Fn(&Point) -> i32| of_run(report, run, |point| (0.0, f64::from(value(point))));
    let (ready, all) = (of(&|point| point.ready), of(&|point| point.replicas));
    let mut series = vec![
        ChartSeries::new("ready", "area ready", SeriesShape::StepBand, ready),
        ChartSeries::new("replicas", "line replicas", SeriesShape::Steps, all),
    ];
    if variant.goal.is_some() && variant.is_need_known() {
        // A load far above what the bounds allow would leave no room for the replicas.
        let most = run.points.iter().map(|point| point.replicas).max();
        let limit = most.unwrap_or_default().max(1).saturating_mul(6);
        let needed = run.points.iter().filter_map(|point| point.needed).max();
        let cut = needed
            .filter(|needed| limit < *needed)
            .map_or_else(String::new, |needed| format!(" (up to {needed}, cut here)"));
        let name = format!("wanted at the target{cut}");
        let wanted = of(&|point| point.needed.unwrap_or_default().min(limit));
        series.push(ChartSeries::new(
            name,
            "line wanted",
            SeriesShape::Steps,
            wanted,
        ));
    }
    let marks = variant.rescales.iter().map(|rescale| ChartMark {
        at: rescale.at,
        value: f64::from(rescale.to),
        is_up: rescale.from < rescale.to,
        text: format!("{}: {} → {}", clock(rescale.at), rescale.from, rescale.to),
        link: None,
    });
    let rescales = if variant.rescales.len() <= MOST_MARKS {
        marks.collect()
    } else {
        Vec::new()
    };
    let title = "Replicas and ready pods".to_owned();
    CourseChart {
        series,
        levels: bounds(variant),
        rescales,
        ..empty(report, "replicas", title, ValueUnit::Count)
    }
}

fn per_pod(report: &SimulationReport, variant: &VariantReport, run: &Run) -> CourseChart {
    let unit = ValueUnit::PerPod(variant.unit);
    let values = of_run(report, run, |point| (point.per_pod, point.per_pod));
    let line = ChartSeries::new("per ready pod", "line per-pod", SeriesShape::Line, values);
    CourseChart {
        series: vec![line],
        levels: goals(variant),
        tolerated: variant.tolerated,
        ..empty(report, "per-pod", per_pod_title(variant), unit)
    }
}

fn empty(
    report: &SimulationReport,
    key: &'static str,
    title: String,
    unit: ValueUnit,
) -> CourseChart {
    let event = |(event, number): (&TimedEvent, usize)| ChartEvent {
        at: event.at,
        number,
        text: timed(event),
    };
    CourseChart {
        words: format!("{title} from the start to {}.", clock(report.length)),
        events: report.events.iter().zip(1..).map(event).collect(),
        ..CourseChart::new(key, title, unit, report.length)
    }
}

fn shape_of(unit: ValueUnit, is_band: bool) -> SeriesShape {
    match (unit, is_band) {
        (ValueUnit::Count, true) => SeriesShape::StepBand,
        (ValueUnit::Count, false) => SeriesShape::Steps,
        (_, true) => SeriesShape::Band,
        (_, false) => SeriesShape::Line,
    }
}

fn load_title(variant: &VariantReport) -> String {
    match variant.load_unit {
        LoadUnit::Cores => "Load of CPU, in cores".to_owned(),
        LoadUnit::Bytes => "Load of memory".to_owned(),
        LoadUnit::Number => format!("Load of {}", variant.metric),
    }
}

fn per_pod_title(variant: &VariantReport) -> String {
    let metric = metric_title(&variant.metric);
    match variant.unit {
        PerPodUnit::PercentOfRequest => {
            format!("{metric} per ready pod, in percent of its request")
        }
        PerPodUnit::Value(_) => format!("{metric} per ready pod"),
    }
}

fn bounds(variant: &VariantReport) -> Vec<ChartLevel> {
    let (min, max) = variant.bounds;
    let level = |name: &str, value: i32| {
        ChartLevel::new(f64::from(value), format!("{name} {value}"), "bound")
    };
    vec![level("max", max), level("min", min)]
}

/// Target and limit of the value per pod.
fn goals(variant: &VariantReport) -> Vec<ChartLevel> {
    let amount = |value| variant.unit.amount(value);
    let target = |goal| ChartLevel::new(goal, format!("target {}", amount(goal)), "goal");
    let limit = |most| ChartLevel::new(most, format!("a pod at most {}", amount(most)), "most");
    let target = variant.goal.map(target).into_iter();
    target.chain(variant.most_per_pod.map(limit)).collect()
}

/// The band of all runs at each point in time.
fn bands(runs: &[Run], of: &dyn Fn(&Point) -> f64) -> Vec<(Millis, Band)> {
    let count = runs.iter().map(|run| run.points.len()).min().unwrap_or(0);
    (0..count)
        .filter_map(|index| {
            let at = runs.first()?.points.get(index)?.at;
            let values = runs.iter().filter_map(|run| run.points.get(index));
            Some((at, Band::of(values.map(of))))
        })
        .collect()
}
