//! Charts over time as SVG, for all HTML pages: axes, lines, areas, levels, marks, legends.
#![expect(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    reason = "times and numbers for people: none is so large"
)]

mod axis;
mod clock;
mod course;
mod svg;

pub(in crate::render) use axis::ValueUnit;
pub(in crate::render) use course::{
    ChartClock, ChartEvent, ChartLevel, ChartMark, ChartPoint, ChartSeries, ChartShade,
    CourseChart, NEAR, SeriesShape, whole,
};
pub(in crate::render) use svg::figures;

/// The styles of charts and of the tables next to them.
pub(in crate::render) const STYLE: &str = include_str!("style.css");

/// This many variants have distinct styles.
pub(in crate::render) const STYLES: usize = 6;
