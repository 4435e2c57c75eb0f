//! Texts that come from a cluster.

use hpa_words::sanitize::one_line;
use maud::{Escaper, Render};

/// A text on one line, without control characters. maud escapes it.
pub(crate) struct HtmlText<'t>(&'t str);

/// Sanitizes a text. Everything in a page that is not a constant must go through it.
pub(crate) fn text(text: &str) -> HtmlText<'_> {
    HtmlText(text)
}

impl Render for HtmlText<'_> {
    fn render_to(&self, buffer: &mut String) {
        use std::fmt::Write as _;
        // Writing into a string cannot fail.
        let _ = Escaper::new(buffer).write_str(&one_line(self.0));
    }
}
