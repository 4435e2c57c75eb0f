//! Charts over time as SVG, for every page that has some: axes, lines, areas, levels, marks, legends.

mod axis;
mod course;
mod svg;

pub(in crate::render) use axis::ValueUnit;
pub(in crate::render) use course::{
    ChartEvent, ChartLevel, ChartMark, ChartSeries, CourseChart, SeriesShape,
};
pub(in crate::render) use svg::figures;

/// How charts look, and the tables next to them.
pub(in crate::render) const STYLE: &str = include_str!("style.css");

/// As many variants look different.
pub(in crate::render) const STYLES: usize = 6;
