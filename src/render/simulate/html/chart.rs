//! What a chart shows, before it has a size.

use super::{axis::ValueUnit, svg::STEPS};
use crate::simulation::Millis;

/// A chart over the time of the simulation.
#[derive(Clone, Debug)]
pub(super) struct CourseChart {
    /// Unique in the page, for the ids in it.
    pub(super) key: &'static str,
    /// Its heading.
    pub(super) title: String,
    /// What it shows, for those who cannot see it.
    pub(super) words: String,
    /// What the value axis counts.
    pub(super) unit: ValueUnit,
    /// How long the time axis is.
    pub(super) length: Millis,
    /// The highest value that is drawn; what is above is cut.
    pub(super) top: f64,
    /// Lines and areas, the lowest first.
    pub(super) series: Vec<ChartSeries>,
    /// Values that hold for the whole time.
    pub(super) levels: Vec<ChartLevel>,
    /// The tolerance around the target.
    pub(super) tolerated: Option<(f64, f64)>,
    /// What happens at one time to one value.
    pub(super) rescales: Vec<ChartMark>,
    /// Times at which something happens from outside.
    pub(super) events: Vec<ChartEvent>,
}

/// A line or an area.
#[derive(Clone, Debug)]
pub(super) struct ChartSeries {
    /// Its name in the legend.
    pub(super) name: String,
    /// How it looks.
    pub(super) class: String,
    /// How its points are connected.
    pub(super) shape: SeriesShape,
    /// Time, lower and upper value. A line has the upper value.
    pub(super) points: Vec<(Millis, f64, f64)>,
}

/// How points are connected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SeriesShape {
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
pub(super) struct ChartLevel {
    /// The value.
    pub(super) value: f64,
    /// What is written at it.
    pub(super) text: String,
    /// How it looks.
    pub(super) class: &'static str,
}

/// A rescale.
#[derive(Clone, Debug)]
pub(super) struct ChartMark {
    /// When.
    pub(super) at: Millis,
    /// The replicas afterwards.
    pub(super) value: f64,
    /// Whether there are more then.
    pub(super) is_up: bool,
    /// What it says when it is pointed at.
    pub(super) text: String,
}

/// Something that happens from outside.
#[derive(Clone, Debug)]
pub(super) struct ChartEvent {
    /// When.
    pub(super) at: Millis,
    /// Its number in the list below the chart.
    pub(super) number: usize,
    /// When and what, in words.
    pub(super) text: String,
}

impl CourseChart {
    /// The highest value of all lines, or of a level that is near them.
    pub(super) fn fit(&mut self) {
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
