//! JSON and YAML that cannot control a terminal or a CI runner. Programs read the same texts, and people see what is
//! there.

use std::io;

use hpa_words::letters::{COMMANDS, is_unsafe};
use serde::{Serialize, ser::Error as _};
use serde_json::{
    Serializer,
    ser::{CompactFormatter, Formatter, PrettyFormatter},
};

/// JSON in one line.
pub fn json(value: &impl Serialize) -> serde_json::Result<String> {
    let mut text = Vec::new();
    write_json(&mut text, value)?;
    utf8(text)
}

/// JSON over several lines, with a final line break.
pub fn json_pretty(value: &impl Serialize) -> serde_json::Result<String> {
    let mut text = Vec::new();
    write_json_pretty(&mut text, value)?;
    utf8(text)
}

/// Writes JSON in one line, without a final line break.
pub fn write_json(output: impl io::Write, value: &impl Serialize) -> serde_json::Result<()> {
    let visible = Visible {
        layout: CompactFormatter,
        escape: json_escape,
    };
    value.serialize(&mut Serializer::with_formatter(output, visible))
}

/// Writes JSON over several lines, with a final line break.
pub fn write_json_pretty(output: impl io::Write, value: &impl Serialize) -> serde_json::Result<()> {
    write_pretty(output, value, json_escape)
}

/// YAML. If a text needs escapes, JSON, which is also valid YAML.
pub fn yaml(value: &impl Serialize) -> anyhow::Result<String> {
    let mut text = Vec::new();
    write_yaml(&mut text, value)?;
    Ok(utf8(text)?)
}

/// Writes YAML, or JSON if a text needs escapes. Of a long text only this is known after the first time, so it is made
/// twice and never in memory whole.
pub fn write_yaml(mut output: impl io::Write, value: &impl Serialize) -> anyhow::Result<()> {
    let mut plain = PlainLines::default();
    serde_saphyr::to_io_writer(&mut plain, value)?;
    let kept = plain.kept.take();
    if plain.needs_escapes() {
        write_pretty(&mut output, value, yaml_escape)?;
        return Ok(());
    }
    if let Some(text) = kept {
        return Ok(output.write_all(&text)?);
    }
    match serde_saphyr::to_io_writer(&mut output, value) {
        // A closed pipe or a full disk is known by its kind.
        Err(serde_saphyr::ser::Error::IO { error }) => Err(error.into()),
        written => Ok(written?),
    }
}

/// Looks at a text line by line, and keeps it if it is short.
struct PlainLines {
    line: Vec<u8>,
    has_unsafe: bool,
    /// None: it is too long.
    kept: Option<Vec<u8>>,
}

/// How many bytes of a text are kept.
const MOST_KEPT: usize = 8 << 20;

impl Default for PlainLines {
    fn default() -> Self {
        Self {
            line: Vec::new(),
            has_unsafe: false,
            kept: Some(Vec::new()),
        }
    }
}

impl PlainLines {
    /// Whether a terminal or a runner would take something in it for a command.
    fn needs_escapes(mut self) -> bool {
        self.end_line();
        self.has_unsafe
    }

    fn end_line(&mut self) {
        let line = String::from_utf8_lossy(&self.line);
        self.has_unsafe |= line.trim_start().starts_with("::")
            || line.chars().any(is_unsafe)
            || COMMANDS.iter().any(|command| line.contains(command));
        self.line.clear();
    }
}

impl io::Write for PlainLines {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.kept = self
            .kept
            .take()
            .filter(|kept| kept.len() + bytes.len() <= MOST_KEPT);
        if let Some(kept) = &mut self.kept {
            kept.extend_from_slice(bytes);
        }
        for piece in bytes.split_inclusive(|byte| *byte == b'\n') {
            match piece.strip_suffix(b"\n") {
                Some(end) => {
                    self.line.extend_from_slice(end);
                    self.end_line();
                }
                None => self.line.extend_from_slice(piece),
            }
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn write_pretty(
    mut output: impl io::Write,
    value: &impl Serialize,
    escape: fn(char) -> String,
) -> serde_json::Result<()> {
    let visible = Visible {
        layout: PrettyFormatter::new(),
        escape,
    };
    value.serialize(&mut Serializer::with_formatter(&mut output, visible))?;
    output.write_all(b"\n").map_err(serde_json::Error::io)
}

fn utf8(json: Vec<u8>) -> serde_json::Result<String> {
    String::from_utf8(json).map_err(serde_json::Error::custom)
}

fn json_escape(letter: char) -> String {
    let mut text = String::new();
    for unit in letter.encode_utf16(&mut [0; 2]) {
        text.push_str(&format!("\\u{unit:04x}"));
    }
    text
}

fn yaml_escape(letter: char) -> String {
    format!("\\U{:08x}", u32::from(letter))
}

/// The bracket of a runner's command, as JSON and YAML can write it in a string.
const BRACKET: &str = "\\u005b";

/// The layout of another formatter, with escapes for what may not be printed.
struct Visible<F> {
    layout: F,
    escape: fn(char) -> String,
}

impl<F: Formatter> Formatter for Visible<F> {
    fn begin_array<W: io::Write + ?Sized>(&mut self, writer: &mut W) -> io::Result<()> {
        self.layout.begin_array(writer)
    }

    fn end_array<W: io::Write + ?Sized>(&mut self, writer: &mut W) -> io::Result<()> {
        self.layout.end_array(writer)
    }

    fn begin_array_value<W: io::Write + ?Sized>(
        &mut self,
        writer: &mut W,
        first: bool,
    ) -> io::Result<()> {
        self.layout.begin_array_value(writer, first)
    }

    fn end_array_value<W: io::Write + ?Sized>(&mut self, writer: &mut W) -> io::Result<()> {
        self.layout.end_array_value(writer)
    }

    fn begin_object<W: io::Write + ?Sized>(&mut self, writer: &mut W) -> io::Result<()> {
        self.layout.begin_object(writer)
    }

    fn end_object<W: io::Write + ?Sized>(&mut self, writer: &mut W) -> io::Result<()> {
        self.layout.end_object(writer)
    }

    fn begin_object_key<W: io::Write + ?Sized>(
        &mut self,
        writer: &mut W,
        first: bool,
    ) -> io::Result<()> {
        self.layout.begin_object_key(writer, first)
    }

    fn begin_object_value<W: io::Write + ?Sized>(&mut self, writer: &mut W) -> io::Result<()> {
        self.layout.begin_object_value(writer)
    }

    fn end_object_value<W: io::Write + ?Sized>(&mut self, writer: &mut W) -> io::Result<()> {
        self.layout.end_object_value(writer)
    }

    fn write_string_fragment<W: io::Write + ?Sized>(
        &mut self,
        writer: &mut W,
        fragment: &str,
    ) -> io::Result<()> {
        write_visible(writer, fragment, self.escape, |_| false)
    }

    fn write_raw_fragment<W: io::Write + ?Sized>(
        &mut self,
        writer: &mut W,
        fragment: &str,
    ) -> io::Result<()> {
        write_visible(writer, fragment, self.escape, |letter| {
            matches!(letter, '\n' | '\r' | '\t')
        })
    }
}

fn write_visible<W: io::Write + ?Sized>(
    writer: &mut W,
    text: &str,
    escape: fn(char) -> String,
    is_space: fn(char) -> bool,
) -> io::Result<()> {
    let mut rest = text;
    for command in COMMANDS {
        if let Some(at) = rest.find(command) {
            let (before, after) = rest.split_at(at + command.len());
            write_visible(writer, &before[..before.len() - 1], escape, is_space)?;
            writer.write_all(BRACKET.as_bytes())?;
            return write_visible(writer, after, escape, is_space);
        }
    }
    while let Some(at) = rest.find(|letter: char| is_unsafe(letter) && !is_space(letter)) {
        writer.write_all(&rest.as_bytes()[..at])?;
        let mut letters = rest[at..].chars();
        if let Some(letter) = letters.next() {
            writer.write_all(escape(letter).as_bytes())?;
        }
        rest = letters.as_str();
    }
    writer.write_all(rest.as_bytes())
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    #[test]
    fn every_letter_survives_and_none_steers() {
        let nasty: String = ('\0'..='\u{2100}')
            .chain('\u{feff}'..='\u{fffd}')
            .chain(['\u{e0041}', '🙂'])
            .collect();
        // YAML keys have at most 1024 characters.
        let key = "\0\u{1b}]0;\u{7}\u{9b}\u{202e}\u{feff}\u{e0041}";
        let commands = "##[group]x ##vso[task]\n::error::y";
        let value = json!({"a": nasty, key: ["b"], "plain": 1, "commands": commands});
        let yaml = yaml(&value).unwrap();
        for text in [
            json(&value).unwrap(),
            json_pretty(&value).unwrap(),
            yaml.clone(),
        ] {
            assert!(
                text.chars()
                    .all(|letter| letter == '\n' || !is_unsafe(letter)),
                "{text:?}"
            );
            for command in COMMANDS {
                assert!(!text.contains(command), "{text:?}");
            }
            if text != yaml {
                assert_eq!(serde_json::from_str::<Value>(&text).unwrap(), value);
            }
        }
        assert_eq!(serde_saphyr::from_str::<Value>(&yaml).unwrap(), value);
    }

    #[test]
    fn what_needs_no_escape_is_as_it_always_was() {
        let value = json!({"a": "Größe 🙂", "b": [1, {"c": null}]});
        assert_eq!(
            json(&value).unwrap(),
            serde_json::to_string(&value).unwrap()
        );
        assert_eq!(
            yaml(&value).unwrap(),
            serde_saphyr::to_string(&value).unwrap()
        );
    }
}
