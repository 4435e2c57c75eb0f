//! The picture as SVG, with a description for readers who cannot see it.

use hpa_explain::Picture;
use maud::{Markup, html};

use super::{
    layout::{Form, layout},
    sheet::{Anchor, PictureLabel, PictureMark, Sheet},
};
use crate::html::text::{plain, text};

/// The picture of HPA `number` in the file: wide, narrow and in words.
pub(in crate::html) fn picture(picture: &Picture, number: usize) -> Markup {
    let words = words(picture);
    html! {
        figure.decision {
            (svg(&layout(picture, Form::Broad), "broad", number, &words))
            (svg(&layout(picture, Form::Narrow), "narrow", number, &words))
            figcaption {
                details {
                    summary { "The picture in words" }
                    ul {
                        @for line in &words { li { (text(line)) } }
                    }
                }
            }
        }
    }
}

fn words(picture: &Picture) -> Vec<String> {
    let mut words = vec![format!("now: {} replicas", picture.current)];
    words.extend(picture.lanes.iter().map(|lane| {
        let decides = if lane.is_deciding {
            ", which decides"
        } else {
            ""
        };
        format!("{}: {}{decides}", lane.title, lane.outcome)
    }));
    words
}

fn svg(sheet: &Sheet, class: &str, number: usize, words: &[String]) -> Markup {
    let (width, height) = (sheet.width, sheet.height);
    let title = format!("picture-{number}-{class}");
    let words_id = format!("{title}-words");
    html! {
        svg class=(class) viewBox=(format!("0 0 {width} {height}")) width=(width) height=(height) role="img"
            aria-labelledby=(format!("{title} {words_id}")) {
            title id=(title) { "The decision on a line of replicas" }
            desc id=(words_id) { (plain(&words.join("; "))) }
            @for mark in &sheet.marks { (drawn(mark)) }
            @for label in &sheet.labels { (written(label)) }
        }
    }
}

fn drawn(mark: &PictureMark) -> Markup {
    match *mark {
        PictureMark::Arrow { class, from, to, y } if (to - from).abs() < 1.0 => {
            drawn(&PictureMark::Dot { class, x: from, y })
        }
        PictureMark::Arrow { class, from, to, y } => {
            let back = if from < to { -7.0 } else { 7.0 };
            html! {
                g class=(class) {
                    line x1=(pixel(from)) y1=(pixel(y)) x2=(pixel(to + back / 2.0)) y2=(pixel(y)) {}
                    polygon points=(format!(
                        "{},{} {},{} {},{}",
                        pixel(to), pixel(y), pixel(to + back), pixel(y - 5.0), pixel(to + back), pixel(y + 5.0)
                    )) {}
                }
            }
        }
        PictureMark::Band {
            class,
            left,
            right,
            y,
            height,
        } => html! {
            rect class=(class) x=(pixel(left)) y=(pixel(y)) width=(pixel(right - left)) height=(pixel(height)) rx="6" {}
        },
        PictureMark::Dot { class, x, y } => html! {
            g class=(class) { circle cx=(pixel(x)) cy=(pixel(y)) r="5" {} }
        },
        PictureMark::Line {
            class,
            x1,
            y1,
            x2,
            y2,
        } => html! {
            line class=(class) x1=(pixel(x1)) y1=(pixel(y1)) x2=(pixel(x2)) y2=(pixel(y2)) {}
        },
    }
}

fn written(label: &PictureLabel) -> Markup {
    let anchor = match label.anchor {
        Anchor::Start => "start",
        Anchor::Middle => "middle",
        Anchor::End => "end",
    };
    html! {
        text class=(label.class) x=(pixel(label.x)) y=(pixel(label.y)) font-size=(label.size) text-anchor=(anchor) {
            (plain(&label.text))
        }
    }
}

fn pixel(value: f64) -> String {
    format!("{value:.1}")
}
