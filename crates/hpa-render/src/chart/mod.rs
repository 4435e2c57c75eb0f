//! Charts over time: as SVG for all HTML pages, with axes, lines, areas, levels, marks and legends; as rows of bars for a
//! terminal.
#![expect(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    reason = "times and numbers for people: none is so large"
)]

mod axis;
mod bars;
mod clock;
mod course;
mod svg;

pub(crate) use axis::ValueUnit;
pub(crate) use bars::{BarRows, range};
pub(crate) use course::{
    ChartClock, ChartEvent, ChartLevel, ChartMark, ChartPoint, ChartSeries, ChartShade,
    CourseChart, NEAR, SeriesShape, metric_title, whole,
};
pub(crate) use svg::figures;

/// The styles of charts and of the tables next to them.
pub(crate) const STYLE: &str = include_str!("style.css");

/// The class of a variant's line.
pub(crate) fn variant_class(index: usize) -> String {
    format!("line variant-{}", index % STYLES)
}

/// This many variants have distinct styles.
const STYLES: usize = 6;
