//! The content of a chart, before it has a size.

use jiff::{Timestamp, tz::TimeZone};

use super::{axis::ValueUnit, svg::STEPS};
use crate::simulation::Millis;

/// A chart over time.
#[derive(Clone, Debug)]
pub(in crate::render) struct CourseChart {
    /// Unique in the page, for element ids.
    pub(in crate::render) key: &'static str,
    /// Its heading.
    pub(in crate::render) title: String,
    /// A description for readers who cannot see it.
    pub(in crate::render) words: String,
    /// What the value axis counts.
    pub(in crate::render) unit: ValueUnit,
    /// How long the time axis is.
    pub(in crate::render) length: Millis,
    /// The time of day at its start; none: the axis shows the time since the start.
    pub(in crate::render) clock: Option<ChartClock>,
    /// The highest value that is drawn; values above are cut off.
    pub(in crate::render) top: f64,
    /// Lines and areas, drawn from the bottom up.
    pub(in crate::render) series: Vec<ChartSeries>,
    /// Values that hold for the whole time.
    pub(in crate::render) levels: Vec<ChartLevel>,
    /// Periods in which something holds, drawn from the bottom up.
    pub(in crate::render) shades: Vec<ChartShade>,
    /// The tolerance range around the target.
    pub(in crate::render) tolerated: Option<(f64, f64)>,
    /// Marks at one time and value.
    pub(in crate::render) rescales: Vec<ChartMark>,
    /// Times of external events.
    pub(in crate::render) events: Vec<ChartEvent>,
}

/// The time of day along a chart.
#[derive(Clone, Debug)]
pub(in crate::render) struct ChartClock {
    /// The instant at the start of the chart.
    pub(in crate::render) start: Timestamp,
    /// The time zone of the labels.
    pub(in crate::render) zone: TimeZone,
}

/// A period in which something holds.
#[derive(Clone, Debug)]
pub(in crate::render) struct ChartShade {
    /// Its start.
    pub(in crate::render) from: Millis,
    /// Its end.
    pub(in crate::render) to: Millis,
    /// Its name in the legend.
    pub(in crate::render) name: &'static str,
    /// Its CSS class.
    pub(in crate::render) class: &'static str,
    /// Whether it is only a strip along the top, because other shades cover the same time.
    pub(in crate::render) is_strip: bool,
    /// Its tooltip.
    pub(in crate::render) text: String,
}

/// A line or an area.
#[derive(Clone, Debug)]
pub(in crate::render) struct ChartSeries {
    /// Its name in the legend.
    pub(in crate::render) name: String,
    /// Its CSS class.
    pub(in crate::render) class: String,
    /// How its points are connected.
    pub(in crate::render) shape: SeriesShape,
    /// Its points, in pieces; between two pieces nothing is known.
    pub(in crate::render) pieces: Vec<Vec<ChartPoint>>,
}

/// Time, lower and upper value. A line has the upper value.
pub(in crate::render) type ChartPoint = (Millis, f64, f64);

/// How points are connected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::render) enum SeriesShape {
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
pub(in crate::render) struct ChartLevel {
    /// The value.
    pub(in crate::render) value: f64,
    /// Its label.
    pub(in crate::render) text: String,
    /// Its CSS class.
    pub(in crate::render) class: &'static str,
}

/// A rescale.
#[derive(Clone, Debug)]
pub(in crate::render) struct ChartMark {
    /// Its time.
    pub(in crate::render) at: Millis,
    /// The replicas afterwards.
    pub(in crate::render) value: f64,
    /// Whether the replicas go up.
    pub(in crate::render) is_up: bool,
    /// Its tooltip.
    pub(in crate::render) text: String,
    /// The anchor that it links to.
    pub(in crate::render) link: Option<String>,
}

/// An external event.
#[derive(Clone, Debug)]
pub(in crate::render) struct ChartEvent {
    /// Its time.
    pub(in crate::render) at: Millis,
    /// Its number in the list below the chart.
    pub(in crate::render) number: usize,
    /// Its time and description.
    pub(in crate::render) text: String,
}

/// One piece whose last point holds until the end.
pub(in crate::render) fn whole(
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
    /// Sets the highest value to that of all lines, or of a level near them.
    pub(in crate::render) fn fit(&mut self) {
        let of_series = self
            .series
            .iter()
            .flat_map(|series| series.pieces.iter().flatten())
            .map(|(_, _, high)| *high)
            .filter(|value| value.is_finite())
            .fold(0.0, f64::max);
        let near = of_series.max(f64::MIN_POSITIVE) * NEAR;
        let levels = self.levels.iter().map(|level| level.value);
        let tolerated = self.tolerated.map(|(_, high)| high);
        let top = levels
            .chain(tolerated)
            .filter(|value| *value <= near)
            .fold(of_series, f64::max);
        self.top = self.unit.round_up(if 0.0 < top { top } else { 1.0 }, STEPS);
    }
}

/// A level that is more than this many times higher than all lines is left out, so that lines are not flattened.
pub(in crate::render) const NEAR: f64 = 2.5;
