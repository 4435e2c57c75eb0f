//! The positions of texts, bands and arrows of the picture in pixels.
//!
//! Each lane has its own row, with its words next to or above the line. On the line a lane has at most one number to
//! the left and one to the right of its shape, so no two texts can overlap.

use hpa_explain::picture::{Lane, LaneKind, Picture, PictureShape};

use super::{
    measure::{cut, width},
    scale::ReplicaScale,
    sheet::{Anchor, PictureMark, Sheet},
};

/// Whether the words of a lane are next to the line or above it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    Broad,
    Narrow,
}

/// The dimensions of a form, in pixels.
struct Measures {
    width: f64,
    row: f64,
    /// The distance from the top of a row to its line.
    line: f64,
    /// The start and the end of the lines.
    track: (f64, f64),
}

impl Form {
    fn measures(self) -> Measures {
        match self {
            Self::Broad => Measures {
                width: 760.0,
                row: 40.0,
                line: 20.0,
                track: (152.0, 620.0),
            },
            Self::Narrow => Measures {
                width: 320.0,
                row: 54.0,
                line: 38.0,
                track: (4.0, 316.0),
            },
        }
    }
}

/// Lays out a picture.
pub(super) fn layout(picture: &Picture, form: Form) -> Sheet {
    let measures = form.measures();
    let scale = scale(picture, &measures);
    let rows = picture.lanes.len();
    let bottom = TOP + measures.row * count(rows);
    let mut sheet = Sheet {
        width: measures.width,
        height: bottom + BOTTOM,
        marks: Vec::new(),
        labels: Vec::new(),
    };
    for (index, lane) in picture.lanes.iter().enumerate() {
        let top = TOP + measures.row * count(index);
        if lane.is_deciding {
            sheet.marks.push(PictureMark::Band {
                class: "deciding",
                left: 0.0,
                right: measures.width,
                y: top + 1.0,
                height: measures.row - 2.0,
            });
        }
        sheet.line(
            "rail",
            (measures.track.0, top + measures.line),
            (measures.track.1, top + measures.line),
        );
    }
    now(picture.current, scale, bottom, &mut sheet);
    for (index, lane) in picture.lanes.iter().enumerate() {
        let top = TOP + measures.row * count(index);
        words(lane, form, &measures, top, &mut sheet);
        shape(lane, scale, top + measures.line, &mut sheet);
    }
    for tick in scale.ticks(SMALL) {
        let x = scale.at_most(tick);
        sheet.line("tick", (x, bottom), (x, bottom + 5.0));
        sheet.label(
            "dim",
            Anchor::Middle,
            (x, bottom + 18.0),
            SMALL,
            tick.to_string(),
        );
    }
    sheet.line("axis", (scale.left, bottom), (scale.right, bottom));
    sheet
}

/// The part of the line between the widest numbers that may appear on either side.
fn scale(picture: &Picture, measures: &Measures) -> ReplicaScale {
    let mut scale = ReplicaScale {
        axis: picture.axis,
        left: measures.track.0,
        right: measures.track.1,
    };
    let (mut left, mut right) = (LEAST_MARGIN, LEAST_MARGIN);
    for lane in &picture.lanes {
        let sides = sides(lane, scale);
        left = left.max(sides.0.map_or(0.0, |text| width(&text, NUMBER) + REACH));
        right = right.max(sides.1.map_or(0.0, |text| width(&text, NUMBER) + REACH));
    }
    let tick = width(&picture.axis.high.to_string(), SMALL) / 2.0;
    scale.left += left.max(tick);
    scale.right -= right.max(tick);
    scale
}

/// A dashed line through all lanes at the current replicas.
fn now(current: i32, scale: ReplicaScale, bottom: f64, sheet: &mut Sheet) {
    let text = format!("now {current}");
    let x = scale.at_most(current);
    let half = width(&text, NUMBER) / 2.0;
    let middle = x.clamp(half, sheet.width - half);
    sheet.line("now", (x, TOP - 4.0), (x, bottom));
    sheet.label("now", Anchor::Middle, (middle, TOP - 9.0), NUMBER, text);
}

/// The title and the outcome of a lane.
fn words(lane: &Lane, form: Form, measures: &Measures, top: f64, sheet: &mut Sheet) {
    let class = match (lane.shape, lane.kind) {
        (PictureShape::Nothing, _) => "error",
        (_, LaneKind::Result) => "strong",
        _ => "text",
    };
    let class = if lane.is_deciding { "strong" } else { class };
    match form {
        Form::Broad => {
            let y = top + measures.line + 4.5;
            let title = cut(&lane.title, WORDS, measures.track.0 - 20.0);
            sheet.label(class, Anchor::Start, (10.0, y), WORDS, title);
            let x = measures.track.1 + 10.0;
            let outcome = cut(&lane.outcome, WORDS, measures.width - x - 4.0);
            let up = if lane.is_deciding { 6.0 } else { 0.0 };
            sheet.label(class, Anchor::Start, (x, y - up), WORDS, outcome);
            if lane.is_deciding {
                sheet.label(
                    "decides",
                    Anchor::Start,
                    (x, y + 9.0),
                    SMALL,
                    DECIDES.to_owned(),
                );
            }
        }
        Form::Narrow => {
            let y = top + 18.0;
            let mut right = measures.width - 6.0;
            if lane.is_deciding {
                sheet.label(
                    "decides",
                    Anchor::End,
                    (right, y),
                    SMALL,
                    DECIDES.to_owned(),
                );
                right -= width(DECIDES, SMALL) + 8.0;
            }
            let outcome = cut(&lane.outcome, WORDS, 160.0);
            let title = right - width(&outcome, WORDS) - 18.0;
            sheet.label(class, Anchor::End, (right, y), WORDS, outcome);
            sheet.label(
                class,
                Anchor::Start,
                (6.0, y),
                WORDS,
                cut(&lane.title, WORDS, title),
            );
        }
    }
}

/// The shape of a lane on the line, and its numbers.
fn shape(lane: &Lane, scale: ReplicaScale, y: f64, sheet: &mut Sheet) {
    let (left_text, right_text) = sides(lane, scale);
    let (left, right) = match lane.shape {
        PictureShape::Nothing => return,
        PictureShape::Band { low, high, outcome } => {
            let (left, right) = (scale.at_most(low), scale.at_most(high));
            let class = match lane.kind {
                LaneKind::Bounds => "band bounds",
                LaneKind::Stabilize => "band window",
                LaneKind::Limits => "band limits",
                LaneKind::Metric | LaneKind::Result => "band",
            };
            sheet.marks.push(PictureMark::Band {
                class,
                left: left - 6.0,
                right: right + 6.0,
                y: y - 6.0,
                height: 12.0,
            });
            if let Some(x) = outcome.and_then(|outcome| scale.at(outcome)) {
                sheet.marks.push(PictureMark::Dot { class: "dot", x, y });
            }
            (left, right)
        }
        PictureShape::Move { from, to } => {
            let (from, to) = (scale.at_most(from), scale.at_most(to));
            let class = if lane.kind == LaneKind::Result {
                "arrow result"
            } else {
                "arrow"
            };
            sheet.marks.push(PictureMark::Arrow { class, from, to, y });
            (from.min(to), from.max(to))
        }
    };
    let class = if lane.kind == LaneKind::Result {
        "number strong"
    } else {
        "number"
    };
    if let Some(text) = left_text {
        sheet.label(
            class,
            Anchor::End,
            (left - REACH + 4.0, y + 4.0),
            NUMBER,
            text,
        );
    }
    if let Some(text) = right_text {
        sheet.label(
            class,
            Anchor::Start,
            (right + REACH - 4.0, y + 4.0),
            NUMBER,
            text,
        );
    }
}

/// The numbers to the left and to the right of a lane's shape.
fn sides(lane: &Lane, scale: ReplicaScale) -> (Option<String>, Option<String>) {
    let to_the_right = |replicas: i32| match scale.at(replicas) {
        Some(_) => replicas.to_string(),
        None => format!("{replicas} ▸"),
    };
    match lane.shape {
        PictureShape::Nothing => (None, None),
        PictureShape::Band { low, high, .. } if low == high => (None, Some(to_the_right(high))),
        PictureShape::Band { low, high, .. } if scale.at(low).is_none() => {
            (None, Some(format!("{low} … {high} ▸")))
        }
        PictureShape::Band { low, high, .. } => (Some(low.to_string()), Some(to_the_right(high))),
        PictureShape::Move { from, to } if to < from => (Some(to.to_string()), None),
        PictureShape::Move { to, .. } => (None, Some(to_the_right(to))),
    }
}

#[expect(clippy::cast_precision_loss, reason = "there are few lanes")]
fn count(lanes: usize) -> f64 {
    lanes as f64
}

/// Font sizes.
const WORDS: f64 = 13.0;
const NUMBER: f64 = 12.0;
const SMALL: f64 = 11.0;

/// Space above the lanes for `now`, and below them for the axis.
const TOP: f64 = 26.0;
const BOTTOM: f64 = 24.0;

/// The distance from the end of a shape to its number, including the round end of the shape.
const REACH: f64 = 16.0;

/// The margin on either side of the axis.
const LEAST_MARGIN: f64 = 14.0;

const DECIDES: &str = "◀ decides";
