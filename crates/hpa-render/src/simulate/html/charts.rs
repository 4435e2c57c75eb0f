//! The charts of a page.

use hpa_simulation::{
    Band, LoadUnit, Millis, PerPodUnit, Point, Run, SimulationReport, VariantReport,
};

use super::super::{clock, event::timed};
use crate::chart::{
    ChartEvent, ChartLevel, ChartMark, ChartPoint, ChartSeries, CourseChart, SeriesShape,
    ValueUnit, variant_class, whole,
};

/// The course of the first run of today's spec: load, replicas, value per pod.
pub(super) fn first_run(report: &SimulationReport, variant: &VariantReport) -> Vec<CourseChart> {
    let Some(run) = variant.runs.first() else {
        return Vec::new();
    };
    let mut charts = vec![
        load(report, variant, run),
        replicas(report, variant, run),
        per_pod(report, variant, run),
    ];
    charts.iter_mut().for_each(CourseChart::fit);
    charts
}

/// The range of eight of ten runs, and their median.
pub(super) fn all_runs(report: &SimulationReport, variant: &VariantReport) -> Vec<CourseChart> {
    if variant.runs.len() < 2 {
        return Vec::new();
    }
    let banded = |key, title: &str, unit: ValueUnit, of: &dyn Fn(&Point) -> f64| {
        let bands = bands(&variant.runs, of);
        let band = |(at, band): &(Millis, Band)| (*at, band.low, band.high);
        let middle = |(at, band): &(Millis, Band)| (*at, band.median, band.median);
        CourseChart {
            series: vec![
                ChartSeries {
                    name: "8 of 10 runs".to_owned(),
                    class: "area spread".to_owned(),
                    shape: shape_of(unit, true),
                    pieces: whole(bands.iter().map(band), report.length),
                },
                ChartSeries {
                    name: "median".to_owned(),
                    class: "line ready".to_owned(),
                    shape: shape_of(unit, false),
                    pieces: whole(bands.iter().map(middle), report.length),
                },
            ],
            ..empty(report, key, title.to_owned(), unit)
        }
    };
    let mut ready = banded("runs-ready", "Ready pods", ValueUnit::Count, &|point| {
        f64::from(point.ready)
    });
    ready.levels = bounds(variant);
    let title = per_pod_title(variant);
    let unit = ValueUnit::PerPod(variant.unit);
    let mut per_pod = banded("runs-per-pod", &title, unit, &|point| point.per_pod);
    per_pod.levels = goals(variant);
    per_pod.tolerated = variant.tolerated;
    let mut charts = vec![ready, per_pod];
    charts.iter_mut().for_each(CourseChart::fit);
    charts
}

/// All variants in one chart: the median of their runs.
pub(super) fn variants(report: &SimulationReport) -> Vec<CourseChart> {
    let Some(first) = report
        .variants
        .first()
        .filter(|_| 1 < report.variants.len())
    else {
        return Vec::new();
    };
    let over = |key, title: String, unit: ValueUnit, of: &dyn Fn(&Point) -> f64| {
        let lines = report.variants.iter().enumerate().map(|(index, variant)| {
            let points = bands(&variant.runs, of);
            ChartSeries {
                name: variant.name.clone(),
                class: variant_class(index),
                shape: shape_of(unit, false),
                pieces: whole(
                    points
                        .iter()
                        .map(|(at, band)| (*at, band.median, band.median)),
                    report.length,
                ),
            }
        });
        CourseChart {
            series: lines.collect(),
            ..empty(report, key, title, unit)
        }
    };
    let ready = over(
        "variants-ready",
        format!("Ready pods{}", of_runs(report)),
        ValueUnit::Count,
        &|point| f64::from(point.ready),
    );
    let mut per_pod = over(
        "variants-per-pod",
        format!("{}{}", per_pod_title(first), of_runs(report)),
        ValueUnit::PerPod(first.unit),
        &|point| point.per_pod,
    );
    per_pod.levels = goals(first);
    let mut charts = vec![ready, per_pod];
    charts.iter_mut().for_each(CourseChart::fit);
    charts
}

/// Above this number, marks would only form a pattern: the steps of the line show the rescales.
const MOST_MARKS: usize = 60;

fn of_runs(report: &SimulationReport) -> &'static str {
    if report.runs == 1 {
        ""
    } else {
        ", median of the runs"
    }
}

fn load(report: &SimulationReport, variant: &VariantReport, run: &Run) -> CourseChart {
    let unit = ValueUnit::Load(variant.load_unit);
    let mut series = vec![ChartSeries {
        name: "load".to_owned(),
        class: "area load".to_owned(),
        shape: SeriesShape::Band,
        pieces: whole(
            run.points.iter().map(|point| (point.at, 0.0, point.load)),
            report.length,
        ),
    }];
    if run.points.iter().any(|point| 0.0005 < point.lost) {
        series.push(ChartSeries {
            name: "not served".to_owned(),
            class: "area lost".to_owned(),
            shape: SeriesShape::Band,
            pieces: whole(
                run.points
                    .iter()
                    .map(|point| (point.at, point.load * (1.0 - point.lost), point.load)),
                report.length,
            ),
        });
    }
    CourseChart {
        series,
        ..empty(report, "load", load_title(variant), unit)
    }
}

fn replicas(report: &SimulationReport, variant: &VariantReport, run: &Run) -> CourseChart {
    let of = |value: &dyn Fn(&Point) -> i32| -> Vec<Vec<ChartPoint>> {
        let points = run.points.iter();
        whole(
            points.map(|point| (point.at, 0.0, f64::from(value(point)))),
            report.length,
        )
    };
    let mut series = vec![
        ChartSeries {
            name: "ready".to_owned(),
            class: "area ready".to_owned(),
            shape: SeriesShape::StepBand,
            pieces: of(&|point| point.ready),
        },
        ChartSeries {
            name: "replicas".to_owned(),
            class: "line replicas".to_owned(),
            shape: SeriesShape::Steps,
            pieces: of(&|point| point.replicas),
        },
    ];
    if variant.goal.is_some() && variant.is_need_known() {
        // A load far above what the bounds allow would leave no room for the replicas.
        let most = run.points.iter().map(|point| point.replicas).max();
        let limit = most.unwrap_or_default().max(1).saturating_mul(6);
        let needed = run.points.iter().filter_map(|point| point.needed).max();
        let cut = needed
            .filter(|needed| limit < *needed)
            .map_or_else(String::new, |needed| format!(" (up to {needed}, cut here)"));
        series.push(ChartSeries {
            name: format!("wanted at the target{cut}"),
            class: "line wanted".to_owned(),
            shape: SeriesShape::Steps,
            pieces: of(&|point| point.needed.unwrap_or_default().min(limit)),
        });
    }
    let marks = variant.rescales.iter().map(|rescale| ChartMark {
        at: rescale.at,
        value: f64::from(rescale.to),
        is_up: rescale.from < rescale.to,
        text: format!("{}: {} → {}", clock(rescale.at), rescale.from, rescale.to),
        link: None,
    });
    CourseChart {
        series,
        levels: bounds(variant),
        rescales: if variant.rescales.len() <= MOST_MARKS {
            marks.collect()
        } else {
            Vec::new()
        },
        ..empty(
            report,
            "replicas",
            "Replicas and ready pods".to_owned(),
            ValueUnit::Count,
        )
    }
}

fn per_pod(report: &SimulationReport, variant: &VariantReport, run: &Run) -> CourseChart {
    let unit = ValueUnit::PerPod(variant.unit);
    CourseChart {
        series: vec![ChartSeries {
            name: "per ready pod".to_owned(),
            class: "line per-pod".to_owned(),
            shape: SeriesShape::Line,
            pieces: whole(
                run.points
                    .iter()
                    .map(|point| (point.at, point.per_pod, point.per_pod)),
                report.length,
            ),
        }],
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
    let events = report.events.iter().zip(1..);
    CourseChart {
        key,
        words: format!("{title} from the start to {}.", clock(report.length)),
        title,
        unit,
        length: report.length,
        clock: None,
        top: 1.0,
        series: Vec::new(),
        levels: Vec::new(),
        shades: Vec::new(),
        tolerated: None,
        rescales: Vec::new(),
        events: events
            .map(|(event, number)| ChartEvent {
                at: event.at,
                number,
                text: timed(event),
            })
            .collect(),
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
    let metric = match variant.metric.as_str() {
        "cpu" => "CPU",
        "memory" => "Memory",
        other => other,
    };
    match variant.unit {
        PerPodUnit::PercentOfRequest => {
            format!("{metric} per ready pod, in percent of its request")
        }
        PerPodUnit::Value(_) => format!("{metric} per ready pod"),
    }
}

fn bounds(variant: &VariantReport) -> Vec<ChartLevel> {
    let (min, max) = variant.bounds;
    let level = |name: &str, value: i32| ChartLevel {
        value: f64::from(value),
        text: format!("{name} {value}"),
        class: "bound",
    };
    vec![level("max", max), level("min", min)]
}

/// Target and limit of the value per pod.
fn goals(variant: &VariantReport) -> Vec<ChartLevel> {
    let mut levels = Vec::new();
    if let Some(goal) = variant.goal {
        levels.push(ChartLevel {
            value: goal,
            text: format!("target {}", variant.unit.amount(goal)),
            class: "goal",
        });
    }
    if let Some(most) = variant.most_per_pod {
        levels.push(ChartLevel {
            value: most,
            text: format!("a pod at most {}", variant.unit.amount(most)),
            class: "most",
        });
    }
    levels
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
