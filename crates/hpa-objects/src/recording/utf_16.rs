//! Converts UTF-16, which PowerShell writes to files, to UTF-8.

use std::{
    char::decode_utf16,
    io::{self, Read},
};

/// The byte order of UTF-16, from its byte order mark.
#[derive(Clone, Copy)]
pub(super) enum Utf16 {
    BigEndian,
    LittleEndian,
}

/// Reads UTF-16 as UTF-8, without the byte order mark.
pub(super) struct Utf16Decoder<R> {
    source: R,
    layout: Utf16,
    is_at_begin: bool,
    /// Decoded text that has not been read yet.
    text: Vec<u8>,
    /// How much of `text` has been read.
    read: usize,
    /// The first half of a character whose second half has not arrived.
    half: Option<u16>,
}

impl Utf16 {
    /// None: `head` does not start with a byte order mark.
    pub(super) fn of(head: &[u8]) -> Option<Self> {
        match head {
            [0xfe, 0xff, ..] => Some(Self::BigEndian),
            [0xff, 0xfe, ..] => Some(Self::LittleEndian),
            _ => None,
        }
    }

    /// A decoder for `source`.
    pub(super) fn decoder<R: Read>(self, source: R) -> Utf16Decoder<R> {
        Utf16Decoder {
            source,
            layout: self,
            is_at_begin: true,
            text: Vec::new(),
            read: 0,
            half: None,
        }
    }
}

impl<R: Read> Utf16Decoder<R> {
    /// Decodes the next piece. Half a character at its end waits for the next piece.
    fn decode(&mut self) -> io::Result<()> {
        let mut bytes = Vec::with_capacity(PIECE);
        (&mut self.source)
            .take(PIECE as u64)
            .read_to_end(&mut bytes)?;
        let is_at_end = bytes.len() < PIECE;
        let (pairs, rest) = bytes.as_chunks::<2>();
        let mut units: Vec<u16> = self.half.take().into_iter().collect();
        units.extend(pairs.iter().map(|pair| match self.layout {
            Utf16::BigEndian => u16::from_be_bytes(*pair),
            Utf16::LittleEndian => u16::from_le_bytes(*pair),
        }));
        if !rest.is_empty() {
            // Half a unit can only be the end of a truncated file.
            units.push(u16::from_be_bytes([0xff, 0xfd]));
        }
        if !is_at_end {
            self.half = units.pop_if(|last| (0xd800..0xdc00).contains(last));
        }
        let text: String = decode_utf16(units)
            .map(|letter| letter.unwrap_or(char::REPLACEMENT_CHARACTER))
            .collect();
        let begins = std::mem::take(&mut self.is_at_begin);
        let text = if begins {
            text.trim_start_matches('\u{feff}')
        } else {
            &text
        };
        self.text = text.as_bytes().to_vec();
        self.read = 0;
        Ok(())
    }
}

impl<R: Read> Read for Utf16Decoder<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.read == self.text.len() {
            self.decode()?;
        }
        let read = (&self.text[self.read..]).read(buffer)?;
        self.read += read;
        Ok(read)
    }
}

/// Bytes decoded in one step; an even number.
const PIECE: usize = 64 * 1024;
