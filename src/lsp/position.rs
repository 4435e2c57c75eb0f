//! Positions in a text: bytes here; lines and code units of the negotiated encoding in the protocol.

use std::ops::Range;

use gen_lsp_types::{self as lsp, PositionEncodingKind};

/// The unit of columns in positions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Encoding {
    Utf8,
    Utf16,
}

impl Encoding {
    /// UTF-8 if the client supports it, which needs no conversion; else UTF-16, which every client must support.
    pub(super) fn of(offered: Option<&[PositionEncodingKind]>) -> Self {
        match offered {
            Some(offered) if offered.contains(&PositionEncodingKind::UTF8) => Self::Utf8,
            _ => Self::Utf16,
        }
    }

    /// Its name in the protocol.
    pub(super) fn kind(self) -> PositionEncodingKind {
        match self {
            Self::Utf8 => PositionEncodingKind::UTF8,
            Self::Utf16 => PositionEncodingKind::UTF16,
        }
    }

    fn length(self, text: &str) -> usize {
        match self {
            Self::Utf8 => text.len(),
            Self::Utf16 => text.encode_utf16().count(),
        }
    }
}

/// A text with its lines and the encoding of columns.
pub(super) struct Lines<'a> {
    text: &'a str,
    starts: Vec<usize>,
    encoding: Encoding,
}

impl<'a> Lines<'a> {
    /// The lines of a text, which end with `\n`, `\r\n` or `\r`.
    pub(super) fn of(text: &'a str, encoding: Encoding) -> Self {
        let bytes = text.as_bytes();
        let ends = (0..bytes.len()).filter(|at| match bytes[*at] {
            b'\n' => true,
            b'\r' => bytes.get(at + 1) != Some(&b'\n'),
            _ => false,
        });
        Self {
            text,
            starts: std::iter::once(0).chain(ends.map(|end| end + 1)).collect(),
            encoding,
        }
    }

    /// The position of a byte; for a byte inside a character, the position of the character.
    pub(super) fn position(&self, byte: usize) -> lsp::Position {
        let byte = self.text.floor_char_boundary(byte.min(self.text.len()));
        let line = self.starts.partition_point(|start| *start <= byte) - 1;
        let before = &self.text[self.starts[line]..byte];
        lsp::Position {
            line: unit(line),
            character: unit(self.encoding.length(before)),
        }
    }

    /// The range of bytes as positions.
    pub(super) fn range(&self, bytes: &Range<usize>) -> lsp::Range {
        lsp::Range {
            start: self.position(bytes.start),
            end: self.position(bytes.end),
        }
    }

    /// The byte at a position. A position after the end of a line means its end, and likewise for the text.
    pub(super) fn byte(&self, position: lsp::Position) -> usize {
        let line = position.line as usize;
        let Some(start) = self.starts.get(line).copied() else {
            return self.text.len();
        };
        let end = self.starts.get(line + 1).copied();
        let line = self.text[start..end.unwrap_or(self.text.len())].trim_end_matches(['\r', '\n']);
        let mut left = position.character as usize;
        for (at, character) in line.char_indices() {
            if left == 0 {
                return start + at;
            }
            left = left.saturating_sub(match self.encoding {
                Encoding::Utf8 => character.len_utf8(),
                Encoding::Utf16 => character.len_utf16(),
            });
        }
        start + line.len()
    }

    /// The bytes of a range; empty if it ends before it starts.
    pub(super) fn bytes(&self, range: lsp::Range) -> Range<usize> {
        let start = self.byte(range.start);
        start..self.byte(range.end).max(start)
    }
}

fn unit(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Contains a character of two bytes, one of four bytes and two UTF-16 units, and every line ending.
    const TEXT: &str = "ä: 😀x\r\nb\rc\n";

    #[track_caller]
    fn check(encoding: Encoding, byte: usize, line: u32, character: u32) {
        let lines = Lines::of(TEXT, encoding);
        let position = lsp::Position { line, character };
        assert_eq!(lines.position(byte), position);
        assert_eq!(lines.byte(position), byte);
    }

    #[test]
    fn columns_are_units_of_the_encoding() {
        let x = TEXT.find('x').unwrap();
        check(Encoding::Utf16, x, 0, 5);
        check(Encoding::Utf8, x, 0, 8);
        check(Encoding::Utf16, TEXT.find('b').unwrap(), 1, 0);
        check(Encoding::Utf16, TEXT.find('c').unwrap(), 2, 0);
        check(Encoding::Utf8, TEXT.len(), 3, 0);
    }

    #[test]
    fn what_is_beyond_an_end_is_the_end() {
        let lines = Lines::of(TEXT, Encoding::Utf16);
        let byte = |line, character| lines.byte(lsp::Position { line, character });
        assert_eq!(byte(0, 99), TEXT.find('\r').unwrap());
        assert_eq!(byte(99, 0), TEXT.len());
        // Inside the smiley.
        assert_eq!(byte(0, 4), TEXT.find('x').unwrap());
        assert_eq!(lines.position(TEXT.find('😀').unwrap() + 1).character, 3);
        assert_eq!(lines.position(usize::MAX).line, 3);
    }
}
