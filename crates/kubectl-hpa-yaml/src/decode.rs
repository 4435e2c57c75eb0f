//! Decodes bytes as kubectl does: UTF-8, or UTF-16 with a byte order mark, as Windows shells write it.

/// A decoded text, and where it differs from the bytes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Decoded {
    /// The text.
    pub text: String,
    /// Byte offsets in the text of each U+FFFD that replaces invalid bytes.
    pub replaced: Vec<u32>,
    /// Whether the bytes are UTF-16.
    pub is_utf16: bool,
}

/// Decodes the bytes of a file.
pub fn decode(bytes: Vec<u8>) -> Decoded {
    match bytes.as_slice() {
        [0xff, 0xfe, rest @ ..] => utf16(rest, u16::from_le_bytes),
        [0xfe, 0xff, rest @ ..] => utf16(rest, u16::from_be_bytes),
        _ => match String::from_utf8(bytes) {
            Ok(text) => Decoded {
                text,
                ..Decoded::default()
            },
            Err(error) => lossy(error.as_bytes()),
        },
    }
}

fn lossy(bytes: &[u8]) -> Decoded {
    let mut decoded = Decoded::default();
    for chunk in bytes.utf8_chunks() {
        decoded.text.push_str(chunk.valid());
        if !chunk.invalid().is_empty() {
            decoded.replace();
        }
    }
    decoded
}

fn utf16(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> Decoded {
    let (pairs, odd) = bytes.as_chunks();
    let mut decoded = Decoded {
        is_utf16: true,
        ..Decoded::default()
    };
    for one in char::decode_utf16(pairs.iter().copied().map(unit)) {
        match one {
            Ok(one) => decoded.text.push(one),
            Err(_) => decoded.replace(),
        }
    }
    if !odd.is_empty() {
        decoded.replace();
    }
    decoded
}

impl Decoded {
    fn replace(&mut self) {
        let byte = self.text.len().try_into().unwrap_or(u32::MAX);
        self.replaced.push(byte);
        self.text.push(char::REPLACEMENT_CHARACTER);
    }
}
