//! What a chart shows, before it has a size.

use jiff::{Timestamp, tz::TimeZone};

use super::{axis::ValueUnit, svg::STEPS};
use crate::simulation::Millis;

/// A chart over time.
#[derive(Clone, Debug)]
pub(in crate::render) struct CourseChart {
    /// Unique in the page, for the ids in it.
    pub(in crate::render) key: &'static str,
    /// Its heading.
    pub(in crate::render) title: String,
    /// What it shows, for those who cannot see it.
    pub(in crate::render) words: String,
    /// What the value axis counts.
    pub(in crate::render) unit: ValueUnit,
    /// How long the time axis is.
    pub(in crate::render) length: Millis,
    /// What a clock shows along it; none: the time since its start.
    pub(in crate::render) clock: Option<ChartClock>,
    /// The highest value that is drawn; what is above is cut.
    pub(in crate::render) top: f64,
    /// Lines and areas, the lowest first.
    pub(in crate::render) series: Vec<ChartSeries>,
    /// Values that hold for the whole time.
    pub(in crate::render) levels: Vec<ChartLevel>,
    /// Times in which something holds, the lowest first.
    pub(in crate::render) shades: Vec<ChartShade>,
    /// The tolerance around the target.
    pub(in crate::render) tolerated: Option<(f64, f64)>,
    /// What happens at one time to one value.
    pub(in crate::render) rescales: Vec<ChartMark>,
    /// Times at which something happens from outside.
    pub(in crate::render) events: Vec<ChartEvent>,
}

/// What a clock shows at the start of a chart.
#[derive(Clone, Debug)]
pub(in crate::render) struct ChartClock {
    /// When it starts.
    pub(in crate::render) start: Timestamp,
    /// Where the clock is.
    pub(in crate::render) zone: TimeZone,
}

/// A time in which something holds.
#[derive(Clone, Debug)]
pub(in crate::render) struct ChartShade {
    /// From when on.
    pub(in crate::render) from: Millis,
    /// Until when.
    pub(in crate::render) to: Millis,
    /// Its name in the legend.
    pub(in crate::render) name: &'static str,
    /// How it looks.
    pub(in crate::render) class: &'static str,
    /// Whether it is a strip along the top only, because others hold meanwhile.
    pub(in crate::render) is_strip: bool,
    /// What it says when it is pointed at.
    pub(in crate::render) text: String,
}

/// A line or an area.
#[derive(Clone, Debug)]
pub(in crate::render) struct ChartSeries {
    /// Its name in the legend.
    pub(in crate::render) name: String,
    /// How it looks.
    pub(in crate::render) class: String,
    /// How its points are connected.
    pub(in crate::render) shape: SeriesShape,
    /// Its points, in pieces between which nothing is known.
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
    /// What lies between the lower and the upper value.
    Band,
    /// The same, where values stay until they change.
    StepBand,
}

/// A value that holds for the whole time.
#[derive(Clone, Debug)]
pub(in crate::render) struct ChartLevel {
    /// The value.
    pub(in crate::render) value: f64,
    /// What is written at it.
    pub(in crate::render) text: String,
    /// How it looks.
    pub(in crate::render) class: &'static str,
}

/// A rescale.
#[derive(Clone, Debug)]
pub(in crate::render) struct ChartMark {
    /// When.
    pub(in crate::render) at: Millis,
    /// The replicas afterwards.
    pub(in crate::render) value: f64,
    /// Whether there are more then.
    pub(in crate::render) is_up: bool,
    /// What it says when it is pointed at.
    pub(in crate::render) text: String,
    /// Where in the page it leads to.
    pub(in crate::render) link: Option<String>,
}

/// Something that happens from outside.
#[derive(Clone, Debug)]
pub(in crate::render) struct ChartEvent {
    /// When.
    pub(in crate::render) at: Millis,
    /// Its number in the list below the chart.
    pub(in crate::render) number: usize,
    /// When and what, in words.
    pub(in crate::render) text: String,
}

/// One piece, of which the last point holds until the end.
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
    /// The highest value of all lines, or of a level that is near them.
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

/// A level that is so many times higher than all lines is left out, so that lines are no flat strip.
pub(in crate::render) const NEAR: f64 = 2.5;
