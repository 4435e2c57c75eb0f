//! A message that is too long to keep: only its id is read.

use rmcp::model::RequestId;

/// A line of which only the length and the id are kept.
#[derive(Debug, Default)]
pub(super) struct LongLine {
    length: u64,
    depth: usize,
    is_in_string: bool,
    is_escaped: bool,
    /// The key or the value that is being read, directly in the message.
    token: Vec<u8>,
    is_id: bool,
    id: Option<RequestId>,
}

/// No id is longer, in bytes.
const LONGEST_TOKEN: usize = 1_000;

impl LongLine {
    /// Reads the next bytes.
    pub(super) fn take(&mut self, bytes: &[u8]) {
        self.length += bytes.len() as u64;
        for byte in bytes {
            self.take_one(*byte);
        }
    }

    /// Its length in bytes.
    pub(super) fn length(&self) -> u64 {
        self.length
    }

    /// The id of the request, if it has one.
    pub(super) fn id(mut self) -> Option<RequestId> {
        self.end_value();
        self.id
    }

    fn take_one(&mut self, byte: u8) {
        if self.is_in_string {
            self.is_in_string = self.is_escaped || byte != b'"';
            self.is_escaped = !self.is_escaped && byte == b'\\';
            return self.keep(byte);
        }
        match byte {
            b'"' => {
                self.is_in_string = true;
                self.keep(byte);
            }
            b'{' | b'[' => {
                self.keep(byte);
                self.depth += 1;
            }
            b'}' | b']' => {
                self.depth = self.depth.saturating_sub(1);
                if self.depth == 0 {
                    self.end_value();
                }
            }
            b':' if self.depth == 1 => {
                self.is_id = self.token.trim_ascii() == b"\"id\"";
                self.token.clear();
            }
            b',' if self.depth == 1 => self.end_value(),
            _ => self.keep(byte),
        }
    }

    fn keep(&mut self, byte: u8) {
        if self.depth == 1 && self.token.len() <= LONGEST_TOKEN {
            self.token.push(byte);
        }
    }

    fn end_value(&mut self) {
        if self.is_id && self.id.is_none() {
            self.id = serde_json::from_slice(&self.token).ok();
        }
        self.is_id = false;
        self.token.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn id_is_found_wherever_it_is_and_only_that_of_the_message() {
        let number = |id| Some(RequestId::Number(id));
        let text = |id: &str| Some(RequestId::String(id.into()));
        for (line, id) in [
            (r#"{"jsonrpc":"2.0","id":7,"method":"x"}"#, number(7)),
            (
                r#"{"method":"x","params":{"id":1,"a":[{"id":2}]},"id": -8 }"#,
                number(-8),
            ),
            (r#" { "id" : "a\"b" , "params":"\\"}"#, text("a\"b")),
            (r#"{"params":"\"id\":3,{[","id":"x"}"#, text("x")),
            (r#"{"method":"x","params":{"id":1}}"#, None),
            (r#"{"id":null}"#, None),
            (r#"{"id":{"id":4}}"#, None),
            (r#"{"id":[4]}"#, None),
            (r#"{"id":1.5}"#, None),
            (r#"{"id":5"#, number(5)),
            (r#"[{"id":6}]"#, None),
            ("}}]],:\"", None),
            ("", None),
        ] {
            // In whatever pieces it arrives.
            for size in 1..=line.len().max(1) {
                let mut long = LongLine::default();
                line.as_bytes()
                    .chunks(size)
                    .for_each(|piece| long.take(piece));
                assert_eq!(long.length(), line.len() as u64);
                assert_eq!(long.id(), id, "{line} by {size}");
            }
        }
    }

    #[test]
    fn id_without_end_is_none() {
        let mut long = LongLine::default();
        long.take(b"{\"id\":\"");
        (0..10_000).for_each(|_| long.take(b"x"));
        assert!(long.token.len() <= LONGEST_TOKEN + 1);
        long.take(b"\"}");
        assert_eq!(long.id(), None);
    }
}
