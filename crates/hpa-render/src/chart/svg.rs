//! A chart as SVG, once for wide and once for narrow screens, with its legend.

use std::fmt::Write as _;

use hpa_simulation::Millis;
use maud::{Markup, html};

use super::{
    axis::{AxisTick, STEPS, time_ticks},
    clock::clock_ticks,
    course::{ChartPoint, ChartSeries, ChartShade, CourseChart, SeriesShape},
};
use crate::html::{plain, text, text_width};

/// Charts with headings and legends, one below the other, with aligned time axes.
pub(crate) fn figures(charts: &[CourseChart]) -> Markup {
    let events = charts.first().map_or(&[][..], |chart| &chart.events);
    html! {
        @for chart in charts {
            figure.course {
                h4 { (text(&chart.title)) }
                @for form in [BROAD, NARROW] {
                    (svg(chart, &form, left(charts, &form)))
                }
                (legend(chart))
            }
        }
        @if !events.is_empty() {
            ul.names {
                @for event in events {
                    li { b { (event.number) } span { (text(&event.text)) } }
                }
            }
        }
    }
}

/// The width for the labels of all value axes.
fn left(charts: &[CourseChart], form: &Form) -> f64 {
    let ticks = charts
        .iter()
        .flat_map(|chart| chart.unit.ticks(chart.top(), STEPS));
    let widths = ticks.map(|tick| text_width(&tick.text, form.size));
    (widths.fold(0.0, f64::max) + 8.0).ceil()
}

/// Sizes in pixels.
#[derive(Clone, Copy)]
struct Form {
    class: &'static str,
    width: f64,
    height: f64,
    size: f64,
}

const BROAD: Form = Form {
    class: "broad",
    width: 920.0,
    height: 200.0,
    size: 12.0,
};

const NARROW: Form = Form {
    class: "narrow",
    width: 360.0,
    height: 190.0,
    size: 11.0,
};

/// Maps values to pixels.
struct Plane {
    left: f64,
    right: f64,
    upper: f64,
    lower: f64,
    length: f64,
    top: f64,
}

impl Plane {
    fn x(&self, at: f64) -> f64 {
        let share = (at / self.length).clamp(0.0, 1.0);
        self.left + share * (self.right - self.left)
    }

    fn y(&self, value: f64) -> f64 {
        let share = if value.is_finite() {
            (value / self.top).clamp(0.0, 1.0)
        } else {
            1.0
        };
        self.lower - share * (self.lower - self.upper)
    }
}

fn svg(chart: &CourseChart, form: &Form, left: f64) -> Markup {
    let (title, words) = (
        format!("course-{}-{}", chart.key, form.class),
        format!("course-{}-{}-words", chart.key, form.class),
    );
    let values = chart.unit.ticks(chart.top(), STEPS);
    let right = form.width - 14.0;
    let times = times(chart, right - left, form);
    let has_dates = times.iter().any(|tick| tick.below.is_some());
    // Dates take a line of their own.
    let dates = if has_dates { form.size + 3.0 } else { 0.0 };
    let plane = Plane {
        left,
        right,
        upper: if chart.events.is_empty() { 18.0 } else { 34.0 },
        lower: form.height - form.size - 10.0,
        length: chart.length.max(1) as f64,
        top: chart.top(),
    };
    let (width, height) = (form.width, form.height + dates);
    html! {
        svg class=(form.class) viewBox=(format!("0 0 {width} {height}")) width=(width) height=(height) role="img"
            aria-labelledby=(format!("{title} {words}")) font-size=(form.size) {
            title id=(title) { (plain(&chart.title)) }
            desc id=(words) { (plain(&chart.words)) }
            (shades(&chart.shades, &plane, form))
            @if let Some((low, high)) = chart.tolerated {
                (tolerance(&plane, low, high))
            }
            @for tick in &values {
                line.grid x1=(pixel(plane.left)) x2=(pixel(plane.right)) y1=(pixel(plane.y(tick.at))) y2=(pixel(plane.y(tick.at))) {}
                text.tick x=(pixel(plane.left - 6.0)) y=(pixel(plane.y(tick.at) + form.size * 0.35)) text-anchor="end" {
                    (tick.text)
                }
            }
            @for tick in &times {
                line.stroke x1=(pixel(plane.x(tick.at))) x2=(pixel(plane.x(tick.at))) y1=(pixel(plane.lower)) y2=(pixel(plane.lower + 4.0)) {}
                text.tick x=(pixel(plane.x(tick.at))) y=(pixel(form.height - 2.0)) text-anchor=(anchor(&plane, tick.at)) {
                    (tick.text)
                }
                @if let Some(date) = &tick.below {
                    text.tick x=(pixel(plane.x(tick.at))) y=(pixel(height - 2.0)) text-anchor=(anchor(&plane, tick.at)) {
                        (date)
                    }
                }
            }
            @for series in &chart.series {
                path class=(series.class) d=(path(series, &plane)) {}
            }
            (levels(chart, &plane, form))
            (events(chart, &plane, form))
            (rescales(chart, &plane))
        }
    }
}

/// As many ticks of the time axis as fit into this many pixels.
fn times(chart: &CourseChart, width: f64, form: &Form) -> Vec<AxisTick> {
    let room = |widest: &str| (width / (text_width(widest, form.size) + 10.0)) as usize;
    match &chart.clock {
        Some(clock) => clock_ticks(clock, chart.length, room("00:00:00")),
        None => time_ticks(chart.length, room("100 min")),
    }
}

/// Periods in which something holds, each with its name if it fits.
fn shades(shades: &[ChartShade], plane: &Plane, form: &Form) -> Markup {
    let mut named = f64::NEG_INFINITY;
    let mut order: Vec<&ChartShade> = shades.iter().collect();
    order.sort_by_key(|shade| shade.from);
    let mut names = Vec::new();
    for shade in order {
        let (from, to) = (plane.x(shade.from as f64), plane.x(shade.to as f64));
        let width = text_width(shade.name, form.size);
        if width <= to - from && named < from {
            names.push((shade, from));
            named = from + width;
        }
    }
    html! {
        @for shade in shades {
            @let (from, to) = (plane.x(shade.from as f64), plane.x(shade.to as f64));
            @let width = (to - from).max(1.5);
            @let height = if shade.is_strip { STRIP } else { plane.lower - plane.upper };
            rect class=(format!("shade {}", shade.class)) x=(pixel(from.min(plane.right - width))) y=(pixel(plane.upper))
                width=(pixel(width)) height=(pixel(height)) {
                title { (plain(&shade.text)) }
            }
        }
        @for (shade, from) in names {
            text class=(format!("name {}", shade.class)) x=(pixel(from)) y=(pixel(plane.upper - 5.0)) { (shade.name) }
        }
    }
}

/// The height of a strip.
const STRIP: f64 = 6.0;

fn anchor(plane: &Plane, at: f64) -> &'static str {
    if plane.length * 0.985 < at {
        "end"
    } else {
        "middle"
    }
}

fn tolerance(plane: &Plane, low: f64, high: f64) -> Markup {
    let (upper, lower) = (plane.y(high), plane.y(low.max(0.0)));
    html! {
        rect.tolerance x=(pixel(plane.left)) y=(pixel(upper)) width=(pixel(plane.right - plane.left)) height=(pixel(lower - upper)) {}
    }
}

/// Lines for the whole time, each labeled above, or below if another line is near.
fn levels(chart: &CourseChart, plane: &Plane, form: &Form) -> Markup {
    let visible = chart.levels.iter().filter(|level| level.value <= plane.top);
    let mut placed: Vec<f64> = Vec::new();
    let lines: Vec<_> = visible
        .map(|level| {
            let y = plane.y(level.value);
            let candidates = [y - 4.0, y + form.size, y - 4.0 - form.size];
            let is_free = |place: &f64| {
                form.size * 0.8 <= *place
                    && *place <= plane.lower
                    && placed
                        .iter()
                        .all(|other| form.size <= (other - place).abs())
            };
            let place = candidates.into_iter().find(is_free);
            placed.extend(place);
            (level, y, place)
        })
        .collect();
    html! {
        @for (level, y, place) in lines {
            line class=(format!("level {}", level.class)) x1=(pixel(plane.left)) x2=(pixel(plane.right)) y1=(pixel(y)) y2=(pixel(y)) {}
            @if let Some(place) = place {
                text class=(format!("halo {}", level.class)) x=(pixel(plane.right - 2.0)) y=(pixel(place)) text-anchor="end" {
                    (plain(&level.text))
                }
            }
        }
    }
}

fn events(chart: &CourseChart, plane: &Plane, form: &Form) -> Markup {
    html! {
        @for event in &chart.events {
            g.event {
                title { (plain(&event.text)) }
                line x1=(pixel(plane.x(event.at as f64))) x2=(pixel(plane.x(event.at as f64))) y1=(pixel(form.size + 5.0)) y2=(pixel(plane.lower)) {}
                text.halo x=(pixel(plane.x(event.at as f64))) y=(pixel(form.size)) text-anchor="middle" { (event.number) }
            }
        }
    }
}

fn rescales(chart: &CourseChart, plane: &Plane) -> Markup {
    html! {
        @for mark in &chart.rescales {
            @let (x, y) = (plane.x(mark.at as f64), plane.y(mark.value));
            @let (class, points) = if mark.is_up {
                ("rescale more", [(x - 5.0, y + 4.0), (x + 5.0, y + 4.0), (x, y - 5.0)])
            } else {
                ("rescale fewer", [(x - 5.0, y - 4.0), (x + 5.0, y - 4.0), (x, y + 5.0)])
            };
            @let sign = html! { polygon class=(class) points=(corners(points)) { title { (plain(&mark.text)) } } };
            @match &mark.link {
                Some(link) => { a href=(format!("#{link}")) aria-label=(plain(&mark.text)) { (sign) } }
                None => { (sign) }
            }
        }
    }
}

fn corners(points: [(f64, f64); 3]) -> String {
    let corners = points.map(|(x, y)| format!("{},{}", pixel(x), pixel(y)));
    corners.join(" ")
}

/// Names and styles of lines and areas.
fn legend(chart: &CourseChart) -> Markup {
    let is_named = 1 < chart.series.len() || chart.tolerated.is_some();
    html! {
        @if is_named || !chart.rescales.is_empty() || !chart.shades.is_empty() {
            ul.names {
                @if is_named {
                    @for series in &chart.series {
                        li {
                            svg width="26" height="12" viewBox="0 0 26 12" aria-hidden="true" {
                                @match series.shape {
                                    SeriesShape::Line | SeriesShape::Steps => {
                                        path class=(series.class) d="M1 6H25" {}
                                    }
                                    SeriesShape::Band | SeriesShape::StepBand => {
                                        path class=(series.class) d="M1 1H25V11H1Z" {}
                                    }
                                }
                            }
                            span { (text(&series.name)) }
                        }
                    }
                }
                @if chart.tolerated.is_some() {
                    li {
                        svg width="26" height="12" viewBox="0 0 26 12" aria-hidden="true" { rect.tolerance x="1" y="1" width="24" height="10" {} }
                        span { "tolerance" }
                    }
                }
                @for (name, class) in kinds(&chart.shades) {
                    li {
                        svg width="26" height="12" viewBox="0 0 26 12" aria-hidden="true" {
                            rect class=(format!("shade {class}")) x="1" y="1" width="24" height="10" {}
                        }
                        span { (name) }
                    }
                }
                @if chart.rescales.iter().any(|mark| mark.is_up) {
                    li { (sign("rescale more", "1,10 11,10 6,1")) span { "scaled up" } }
                }
                @if chart.rescales.iter().any(|mark| !mark.is_up) {
                    li { (sign("rescale fewer", "1,2 11,2 6,11")) span { "scaled down" } }
                }
            }
        }
    }
}

/// Names and styles of shades, without duplicates.
fn kinds(shades: &[ChartShade]) -> Vec<(&'static str, &'static str)> {
    let mut kinds = Vec::new();
    for kind in shades.iter().map(|shade| (shade.name, shade.class)) {
        if !kinds.contains(&kind) {
            kinds.push(kind);
        }
    }
    kinds
}

fn sign(class: &str, points: &str) -> Markup {
    html! {
        svg width="12" height="12" viewBox="0 0 12 12" aria-hidden="true" { polygon class=(class) points=(points) {} }
    }
}

/// The path of a line or around an area, one for each piece.
fn path(series: &ChartSeries, plane: &Plane) -> String {
    let pieces = series.pieces.iter();
    pieces
        .map(|points| piece(points, series.shape, plane))
        .collect()
}

fn piece(points: &[ChartPoint], shape: SeriesShape, plane: &Plane) -> String {
    let is_steps = matches!(shape, SeriesShape::Steps | SeriesShape::StepBand);
    let upper: Vec<(f64, f64)> = trace(
        points.iter().map(|(at, _, high)| (*at, *high)),
        plane,
        is_steps,
    );
    let mut path = drawn(&upper);
    if matches!(shape, SeriesShape::Band | SeriesShape::StepBand) {
        let lower = trace(
            points.iter().map(|(at, low, _)| (*at, *low)),
            plane,
            is_steps,
        );
        for (x, y) in lower.iter().rev() {
            let _ = write!(path, "L{} {}", pixel(*x), pixel(*y));
        }
        path.push('Z');
    }
    path
}

/// Corners in pixels, without points on a straight line between their neighbors.
fn trace(
    points: impl Iterator<Item = (Millis, f64)>,
    plane: &Plane,
    is_steps: bool,
) -> Vec<(f64, f64)> {
    let mut corners: Vec<(f64, f64)> = Vec::new();
    let mut add = |corner: (f64, f64)| {
        if let [.., a, b] = corners.as_slice()
            && (a.1 - b.1).abs() < 0.05
            && (b.1 - corner.1).abs() < 0.05
            && let Some(last) = corners.last_mut()
        {
            *last = corner;
            return;
        }
        corners.push(corner);
    };
    let mut before = None;
    for (at, value) in points {
        let (x, y) = (plane.x(at as f64), plane.y(value));
        if is_steps && let Some(before) = before {
            add((x, before));
        }
        add((x, y));
        before = Some(y);
    }
    corners
}

fn drawn(corners: &[(f64, f64)]) -> String {
    let mut path = String::new();
    for (index, (x, y)) in corners.iter().enumerate() {
        let letter = if index == 0 { 'M' } else { 'L' };
        let _ = write!(path, "{letter}{} {}", pixel(*x), pixel(*y));
    }
    path
}

fn pixel(value: f64) -> String {
    let text = format!("{value:.1}");
    text.strip_suffix(".0").map(str::to_owned).unwrap_or(text)
}
