//! The content of a chart, before it has a size.

use hpa_simulation::Millis;
use jiff::{Timestamp, tz::TimeZone};

use super::axis::{STEPS, ValueUnit};

/// A chart over time.
#[derive(Clone, Debug)]
pub(crate) struct CourseChart {
    /// Unique in the page, for element ids.
    pub(crate) key: &'static str,
    /// Its heading.
    pub(crate) title: String,
    /// A description for readers who cannot see it.
    pub(crate) words: String,
    /// What the value axis counts.
    pub(crate) unit: ValueUnit,
    /// How long the time axis is.
    pub(crate) length: Millis,
    /// The time of day at its start; none: the axis shows the time since the start.
    pub(crate) clock: Option<ChartClock>,
    /// Lines and areas, drawn from the bottom up.
    pub(crate) series: Vec<ChartSeries>,
    /// Values that hold for the whole time.
    pub(crate) levels: Vec<ChartLevel>,
    /// Periods in which something holds, drawn from the bottom up.
    pub(crate) shades: Vec<ChartShade>,
    /// The tolerance range around the target.
    pub(crate) tolerated: Option<(f64, f64)>,
    /// Marks at one time and value.
    pub(crate) rescales: Vec<ChartMark>,
    /// Times of external events.
    pub(crate) events: Vec<ChartEvent>,
}

/// The time of day along a chart.
#[derive(Clone, Debug)]
pub(crate) struct ChartClock {
    /// The instant at the start of the chart.
    pub(crate) start: Timestamp,
    /// The time zone of the labels.
    pub(crate) zone: TimeZone,
}

/// A period in which something holds.
#[derive(Clone, Debug)]
pub(crate) struct ChartShade {
    /// Its start.
    pub(crate) from: Millis,
    /// Its end.
    pub(crate) to: Millis,
    /// Its name in the legend.
    pub(crate) name: &'static str,
    /// Its CSS class.
    pub(crate) class: &'static str,
    /// Whether it is only a strip along the top, because other shades cover the same time.
    pub(crate) is_strip: bool,
    /// Its tooltip.
    pub(crate) text: String,
}

/// A line or an area.
#[derive(Clone, Debug)]
pub(crate) struct ChartSeries {
    /// Its name in the legend.
    pub(crate) name: String,
    /// Its CSS class.
    pub(crate) class: String,
    /// How its points are connected.
    pub(crate) shape: SeriesShape,
    /// Its points, in pieces; between two pieces nothing is known.
    pub(crate) pieces: Vec<Vec<ChartPoint>>,
}

impl ChartSeries {
    pub(crate) fn new(
        name: impl Into<String>,
        class: impl Into<String>,
        shape: SeriesShape,
        pieces: Vec<Vec<ChartPoint>>,
    ) -> Self {
        Self {
            name: name.into(),
            class: class.into(),
            shape,
            pieces,
        }
    }
}

/// Time, lower and upper value. A line has the upper value.
pub(crate) type ChartPoint = (Millis, f64, f64);

/// How points are connected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SeriesShape {
    /// A straight line.
    Line,
    /// The value stays until it changes.
    Steps,
    /// The area between the lower and the upper value.
    Band,
    /// The area between lower and upper values that stay until they change.
    StepBand,
}

/// A value that holds for the whole time.
#[derive(Clone, Debug)]
pub(crate) struct ChartLevel {
    /// The value.
    pub(crate) value: f64,
    /// Its label.
    pub(crate) text: String,
    /// Its CSS class.
    pub(crate) class: &'static str,
}

impl ChartLevel {
    pub(crate) const fn new(value: f64, text: String, class: &'static str) -> Self {
        Self { value, text, class }
    }
}

/// A rescale.
#[derive(Clone, Debug)]
pub(crate) struct ChartMark {
    /// Its time.
    pub(crate) at: Millis,
    /// The replicas afterwards.
    pub(crate) value: f64,
    /// Whether the replicas go up.
    pub(crate) is_up: bool,
    /// Its tooltip.
    pub(crate) text: String,
    /// The anchor that it links to.
    pub(crate) link: Option<String>,
}

/// An external event.
#[derive(Clone, Debug)]
pub(crate) struct ChartEvent {
    /// Its time.
    pub(crate) at: Millis,
    /// Its number in the list below the chart.
    pub(crate) number: usize,
    /// Its time and description.
    pub(crate) text: String,
}

/// One piece whose last point holds until the end.
pub(crate) fn whole(
    points: impl Iterator<Item = ChartPoint>,
    length: Millis,
) -> Vec<Vec<ChartPoint>> {
    let mut points: Vec<ChartPoint> = points.collect();
    if let Some((_, low, high)) = points.last().copied() {
        points.push((length, low, high));
    }
    vec![points]
}

impl CourseChart {
    /// An empty chart.
    pub(crate) fn new(key: &'static str, title: String, unit: ValueUnit, length: Millis) -> Self {
        Self {
            key,
            title,
            words: String::new(),
            unit,
            length,
            clock: None,
            series: Vec::new(),
            levels: Vec::new(),
            shades: Vec::new(),
            tolerated: None,
            rescales: Vec::new(),
            events: Vec::new(),
        }
    }

    /// The highest value that is drawn, that of all lines, or of a level near them. Values above are cut off.
    pub(super) fn top(&self) -> f64 {
        let pieces = self.series.iter().flat_map(|series| &series.pieces);
        let values = pieces.flatten().map(|(_, _, high)| *high);
        let of_series = values.filter(|value| value.is_finite()).fold(0.0, f64::max);
        let near = of_series.max(f64::MIN_POSITIVE) * NEAR;
        let levels = self.levels.iter().map(|level| level.value);
        let levels = levels.chain(self.tolerated.map(|(_, high)| high));
        let top = levels
            .filter(|value| *value <= near)
            .fold(of_series, f64::max);
        self.unit.round_up(if 0.0 < top { top } else { 1.0 }, STEPS)
    }
}

/// The name of a metric in a title.
pub(crate) fn metric_title(name: &str) -> &str {
    match name {
        "cpu" => "CPU",
        "memory" => "Memory",
        other => other,
    }
}

/// A level that is more than this many times higher than all lines is left out, so that lines are not flattened.
pub(crate) const NEAR: f64 = 2.5;
