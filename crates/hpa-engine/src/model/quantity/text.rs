//! The original text of a quantity, stored without allocation in all usual cases.

use std::sync::Arc;

/// Bytes stored inline; `-123456789012345678Ki` has 21.
const INLINE: usize = 22;

/// A text that a quantity prints instead of its canonical string.
#[derive(Clone, Debug)]
pub(super) enum QuantityText {
    Inline { length: u8, bytes: [u8; INLINE] },
    Long(Arc<str>),
}

impl QuantityText {
    pub(super) fn new(text: &str) -> Self {
        match u8::try_from(text.len()) {
            Ok(length) if text.len() <= INLINE => {
                let mut bytes = [0; INLINE];
                bytes[..text.len()].copy_from_slice(text.as_bytes());
                Self::Inline { length, bytes }
            }
            _ => Self::Long(text.into()),
        }
    }

    pub(super) fn as_str(&self) -> &str {
        match self {
            Self::Inline { length, bytes } => std::str::from_utf8(&bytes[..usize::from(*length)])
                .expect("the bytes were copied from a str"),
            Self::Long(text) => text,
        }
    }
}
