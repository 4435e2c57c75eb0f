//! Properties of the picture of any decision.

use hpa_explain::picture::{Lane, LaneKind, Picture, PictureShape};
use proptest::prelude::*;

use super::{
    layout::{Form, layout},
    measure::width,
    sheet::{Anchor, PictureLabel},
};

fn replicas() -> impl Strategy<Value = i32> {
    prop_oneof![
        0..30,
        0..3000,
        Just(i32::MAX),
        any::<i32>().prop_map(|any| any.max(0))
    ]
}

fn shape() -> impl Strategy<Value = PictureShape> {
    prop_oneof![
        (replicas(), replicas(), proptest::option::of(replicas())).prop_map(
            |(one, other, outcome)| PictureShape::Band {
                low: one.min(other),
                high: one.max(other),
                outcome,
            }
        ),
        (replicas(), replicas()).prop_map(|(from, to)| PictureShape::Move { from, to }),
        Just(PictureShape::Nothing),
    ]
}

fn lane() -> impl Strategy<Value = Lane> {
    let kind = prop_oneof![
        Just(LaneKind::Bounds),
        Just(LaneKind::Metric),
        Just(LaneKind::Stabilize),
        Just(LaneKind::Limits),
        Just(LaneKind::Result),
    ];
    (kind, ".{0,60}", ".{0,40}", shape(), any::<bool>()).prop_map(
        |(kind, title, outcome, shape, is_deciding)| Lane {
            kind,
            metric: None,
            title,
            outcome,
            shape,
            is_deciding,
        },
    )
}

/// Left, top, right and bottom of a text, slightly inside of its letters.
fn area(label: &PictureLabel) -> [f64; 4] {
    let width = width(&label.text, label.size);
    let left = match label.anchor {
        Anchor::Start => label.x,
        Anchor::Middle => label.x - width / 2.0,
        Anchor::End => label.x - width,
    };
    let (top, bottom) = (label.y - label.size * 0.75, label.y + label.size * 0.1);
    [left, top, left + width, bottom]
}

fn overlap(one: [f64; 4], other: [f64; 4]) -> bool {
    one[0] < other[2] && other[0] < one[2] && one[1] < other[3] && other[1] < one[3]
}

proptest! {
    #[test]
    fn labels_never_overlap_and_never_leave_the_picture(
        current in replicas(),
        lanes in proptest::collection::vec(lane(), 1..8),
    ) {
        let picture = Picture::new(current, lanes);
        for form in [Form::Broad, Form::Narrow] {
            let sheet = layout(&picture, form);
            let labels: Vec<&PictureLabel> = sheet.labels.iter().filter(|label| !label.text.is_empty()).collect();
            for (index, label) in labels.iter().enumerate() {
                let [left, top, right, bottom] = area(label);
                prop_assert!(0.0 <= left && right <= sheet.width, "{form:?} {label:?}");
                prop_assert!(0.0 <= top && bottom <= sheet.height, "{form:?} {label:?}");
                for other in &labels[..index] {
                    prop_assert!(!overlap(area(label), area(other)), "{form:?} {label:?} {other:?}");
                }
            }
        }
    }
}
