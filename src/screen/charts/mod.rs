//! Charts over time of the chosen HPA: its replicas, and each metric against its target.

mod axis;
mod columns;
mod frame;
mod grid;
mod metric;
mod plot;
mod replicas;
mod sparkline;
mod ticks;

pub(super) use axis::{SPAN_AT_FIRST, SPANS, TimeAxis};
pub(super) use grid::{Drawn, draw};
pub(super) use sparkline::sparkline;
pub(super) use ticks::{is_stop, ticks};
