//! How far each metric is from its target: a bar, the target, and the tolerance around it.

use hpa_explain::{Gauge, GaugeReading, Level};
use maud::{Markup, html};

use super::text::text;
use crate::style::FAILED;

/// The gauges of all metrics.
pub(super) fn gauges(gauges: &[Gauge]) -> Markup {
    html! {
        @for gauge in gauges { (one(gauge)) }
        @if gauges.iter().any(|gauge| matches!(gauge.reading, GaugeReading::Ratio { .. })) {
            p.dim.key { "The line is the target, the band around it the tolerance." }
        }
    }
}

fn one(gauge: &Gauge) -> Markup {
    html! {
        div.gauge {
            p.head {
                b { (text(&gauge.name)) }
                @match (&gauge.reading, gauge.replicas) {
                    (GaugeReading::Failed(_), _) => { span.error { (FAILED) " failed" } }
                    (_, Some(replicas)) => { span { "asks for " (replicas) } }
                    (_, None) => {}
                }
            }
            @match &gauge.reading {
                GaugeReading::Failed(why) => { p.error { (text(why)) } }
                GaugeReading::Ratio { current, adjusted, target, tolerance, is_within } => {
                    (bars(current, adjusted.as_ref(), *tolerance, *is_within))
                    p {
                        b { (text(&current.text)) }
                        @if let Some(adjusted) = adjusted {
                            ", "
                            b { (text(&adjusted.text)) }
                            " adjusted average"
                        }
                        ", target "
                        b { (text(target)) }
                    }
                    p.dim {
                        (format!("{:.2}", adjusted.as_ref().unwrap_or(current).ratio))
                        " times the target; nothing changes between "
                        (format!("{:.2}", tolerance.0)) " and " (format!("{:.2}", tolerance.1))
                    }
                }
            }
        }
    }
}

/// The bars without text; the text is below them.
fn bars(
    current: &Level,
    adjusted: Option<&Level>,
    (low, high): (f64, f64),
    is_within: bool,
) -> Markup {
    let levels = [Some(current), adjusted];
    let largest = levels
        .into_iter()
        .flatten()
        .map(|level| level.ratio)
        .fold(high, f64::max);
    let full = (largest * 1.1).clamp(1.5, LARGEST_RATIO);
    let at = |ratio: f64| (ratio.min(full) / full * SCALE).max(0.0);
    let class = |index| match (is_within, index == 0 && adjusted.is_some()) {
        (true, false) => "bar within",
        (false, false) => "bar outside",
        // The other bar counts.
        (true, true) => "bar within first",
        (false, true) => "bar outside first",
    };
    let number = |value: f64| format!("{value:.1}");
    let height = if adjusted.is_some() { 34 } else { 22 };
    html! {
        svg viewBox=(format!("0 0 {SCALE} {height}")) height=(height) preserveAspectRatio="none" aria-hidden="true" {
            rect.rail x="0" y="3" width=(SCALE) height=(height - 6) {}
            rect.tolerance x=(number(at(low.max(0.0)))) y="0" width=(number(at(high) - at(low.max(0.0)))) height=(height) {}
            @for (index, level) in levels.into_iter().flatten().enumerate() {
                rect class=(class(index)) x="0" y=(7 + 12 * index) width=(number(at(level.ratio))) height="8" {}
            }
            line.target x1=(number(at(1.0))) x2=(number(at(1.0))) y1="0" y2=(height) {}
        }
    }
}

/// Width of the drawing, which is stretched to the column.
const SCALE: f64 = 1000.0;

/// Larger ratios fill the whole bar.
const LARGEST_RATIO: f64 = 4.0;
