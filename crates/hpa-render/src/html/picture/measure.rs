//! The approximate width of a text, rather too large: the font is not known here.

use unicode_width::UnicodeWidthChar as _;

/// Width of a text in pixels at a font size.
pub(crate) fn width(text: &str, size: f64) -> f64 {
    text.chars().map(|letter| of(letter) * size).sum()
}

/// A text cut with `…` so that it is at most `most` pixels wide.
pub(super) fn cut(text: &str, size: f64, most: f64) -> String {
    if width(text, size) <= most {
        return text.to_owned();
    }
    let mut displayed = String::new();
    let mut used = width("…", size);
    for letter in text.chars() {
        used += of(letter) * size;
        if most < used {
            break;
        }
        displayed.push(letter);
    }
    displayed + "…"
}

/// The width of a letter as a fraction of the font size.
fn of(letter: char) -> f64 {
    match letter {
        'i' | 'j' | 'l' | '.' | ',' | ':' | ';' | '|' | '!' | '\'' => 0.32,
        'f' | 'r' | 't' | ' ' | '/' | '(' | ')' | '[' | ']' | '-' => 0.42,
        'm' | 'w' | 'M' | 'W' | '@' | '%' | '→' | '◀' | '▸' | '…' => 1.0,
        'A'..='Z' => 0.74,
        '0'..='9' => 0.64,
        other if other.is_ascii() => 0.62,
        other => match other.width() {
            Some(0) | None => 0.0,
            Some(1) => 0.8,
            Some(_) => 1.1,
        },
    }
}
