//! What a chart shows, before it has a size.

use super::{axis::ValueUnit, svg::STEPS};
use crate::simulation::Millis;

/// A chart over the time of the simulation.
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
    /// The highest value that is drawn; what is above is cut.
    pub(in crate::render) top: f64,
    /// Lines and areas, the lowest first.
    pub(in crate::render) series: Vec<ChartSeries>,
    /// Values that hold for the whole time.
    pub(in crate::render) levels: Vec<ChartLevel>,
    /// The tolerance around the target.
    pub(in crate::render) tolerated: Option<(f64, f64)>,
    /// What happens at one time to one value.
    pub(in crate::render) rescales: Vec<ChartMark>,
    /// Times at which something happens from outside.
    pub(in crate::render) events: Vec<ChartEvent>,
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
    /// Time, lower and upper value. A line has the upper value.
    pub(in crate::render) points: Vec<(Millis, f64, f64)>,
}

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

impl CourseChart {
    /// The highest value of all lines, or of a level that is near them.
    pub(in crate::render) fn fit(&mut self) {
        let of_series = self
            .series
            .iter()
            .flat_map(|series| &series.points)
            .map(|(_, _, high)| *high)
            .filter(|value| value.is_finite())
            .fold(0.0, f64::max);
        let near = of_series.max(f64::MIN_POSITIVE) * NEAR;
        let levels = self.levels.iter().map(|level| level.value);
        let top = levels
            .filter(|value| *value <= near)
            .fold(of_series, f64::max);
        self.top = self.unit.round_up(if 0.0 < top { top } else { 1.0 }, STEPS);
    }
}

/// A level that is so many times higher than all lines is left out, so that lines are no flat strip.
const NEAR: f64 = 2.5;
