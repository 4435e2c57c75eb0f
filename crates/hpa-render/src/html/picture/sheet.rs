//! The elements of a picture: boxes, lines, dots, arrows and texts, in pixels.

/// A picture in pixels.
#[derive(Clone, Debug)]
pub(super) struct Sheet {
    pub(super) width: f64,
    pub(super) height: f64,
    pub(super) marks: Vec<PictureMark>,
    pub(super) labels: Vec<PictureLabel>,
}

/// Something drawn.
#[derive(Clone, Debug)]
pub(super) enum PictureMark {
    /// An arrow to the right or to the left, or a dot if it has no length.
    Arrow {
        class: &'static str,
        from: f64,
        to: f64,
        y: f64,
    },
    /// A box with round corners, or with an open right end.
    Band {
        class: &'static str,
        left: f64,
        right: f64,
        y: f64,
        height: f64,
    },
    /// A dot.
    Dot { class: &'static str, x: f64, y: f64 },
    /// A line.
    Line {
        class: &'static str,
        x1: f64,
        y1: f64,
        x2: f64,
        y2: f64,
    },
}

/// A text.
#[derive(Clone, Debug)]
pub(super) struct PictureLabel {
    pub(super) class: &'static str,
    pub(super) anchor: Anchor,
    pub(super) x: f64,
    /// Its base line.
    pub(super) y: f64,
    pub(super) size: f64,
    pub(super) text: String,
}

/// Which part of a text is at its position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Anchor {
    Start,
    Middle,
    End,
}

impl Sheet {
    /// Draws a line.
    pub(super) fn line(&mut self, class: &'static str, (x1, y1): (f64, f64), (x2, y2): (f64, f64)) {
        self.marks.push(PictureMark::Line {
            class,
            x1,
            y1,
            x2,
            y2,
        });
    }

    /// Writes a text.
    pub(super) fn label(
        &mut self,
        class: &'static str,
        anchor: Anchor,
        (x, y): (f64, f64),
        size: f64,
        text: String,
    ) {
        self.labels.push(PictureLabel {
            class,
            anchor,
            x,
            y,
            size,
            text,
        });
    }
}
