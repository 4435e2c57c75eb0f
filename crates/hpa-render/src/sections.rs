//! The sections of titled lines on the page of `explain`, for each format to draw.

use hpa_explain::{NoteWeight, Page};

/// Lines below one heading.
pub(super) struct Section<'p> {
    pub(super) heading: &'static str,
    /// Whether a title stands once for all of its lines, where that takes less room.
    pub(super) has_titles_once: bool,
    pub(super) lines: Vec<TitledLine<'p>>,
}

/// A sentence, what it is about, and how important it is.
pub(super) type TitledLine<'p> = (&'static str, &'p str, NoteWeight);

/// What would change the decision.
pub(super) fn next(page: &Page) -> Section<'_> {
    let lines = page.next.iter();
    Section {
        heading: "What would change it",
        has_titles_once: false,
        lines: lines
            .map(|next| (next.title, next.text.as_str(), NoteWeight::Normal))
            .collect(),
    }
}

/// The notes on the context of the decision.
pub(super) fn around(page: &Page) -> Section<'_> {
    let lines = page.around.iter();
    Section {
        heading: "Around it",
        has_titles_once: true,
        lines: lines
            .map(|note| (note.title, note.text.as_str(), note.weight))
            .collect(),
    }
}

/// How reliable the page is.
pub(super) fn trust(page: &Page) -> Section<'_> {
    let lines = page.trust.iter().map(|trust| {
        let weight = match (trust.is_warning, trust.is_detail) {
            (true, _) => NoteWeight::Warning,
            (false, true) => NoteWeight::Detail,
            (false, false) => NoteWeight::Normal,
        };
        (trust.title, trust.text.as_str(), weight)
    });
    Section {
        heading: "How far to trust this",
        has_titles_once: false,
        lines: lines.collect(),
    }
}
