//! JSON and YAML that cannot control a terminal or a CI runner. Programs read the same texts, and people see what is
//! there.

use std::io;

use serde::Serialize;
use serde_json::{
    Serializer,
    ser::{CompactFormatter, Formatter, PrettyFormatter},
};

use crate::recording::letters::{COMMANDS, is_unsafe};

/// JSON in one line.
pub fn json(value: &impl Serialize) -> serde_json::Result<String> {
    let text = serde_json::to_string(value)?;
    Ok(escaped(text, json_escape))
}

/// JSON over several lines, with a final line break.
pub fn json_pretty(value: &impl Serialize) -> serde_json::Result<String> {
    let text = serde_json::to_string_pretty(value)?;
    Ok(escaped(text + "\n", json_escape))
}

/// Writes JSON in one line, without a final line break.
pub fn write_json(output: impl io::Write, value: &impl Serialize) -> serde_json::Result<()> {
    let visible = Visible(CompactFormatter);
    value.serialize(&mut Serializer::with_formatter(output, visible))
}

/// Writes JSON over several lines, with a final line break.
pub fn write_json_pretty(
    mut output: impl io::Write,
    value: &impl Serialize,
) -> serde_json::Result<()> {
    let visible = Visible(PrettyFormatter::new());
    value.serialize(&mut Serializer::with_formatter(&mut output, visible))?;
    output.write_all(b"\n").map_err(serde_json::Error::io)
}

/// YAML. If a text needs escapes, JSON, which is also valid YAML.
pub fn yaml(value: &impl Serialize) -> anyhow::Result<String> {
    let text = serde_saphyr::to_string(value)?;
    let is_command = |line: &str| line.trim_start().starts_with("::");
    if text
        .chars()
        .all(|letter| letter == '\n' || !is_unsafe(letter))
        && !COMMANDS.iter().any(|command| text.contains(command))
        && !text.lines().any(is_command)
    {
        return Ok(text);
    }
    let text = serde_json::to_string_pretty(value)?;
    Ok(escaped(text + "\n", yaml_escape))
}

/// Outside strings, JSON has no unsafe characters except line breaks; inside, it has no line breaks.
fn escaped(mut json: String, escape: fn(char) -> String) -> String {
    // They occur only inside strings.
    for command in COMMANDS {
        if json.contains(command) {
            json = json.replace(command, &command.replace('[', BRACKET));
        }
    }
    let is_visible = |letter: char| letter == '\n' || !is_unsafe(letter);
    if json.chars().all(is_visible) {
        return json;
    }
    let mut text = String::with_capacity(json.len());
    for letter in json.chars() {
        if is_visible(letter) {
            text.push(letter);
        } else {
            text.push_str(&escape(letter));
        }
    }
    text
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

/// Wraps another JSON formatter.
struct Visible<F>(F);

impl<F: Formatter> Formatter for Visible<F> {
    fn begin_array<W: io::Write + ?Sized>(&mut self, writer: &mut W) -> io::Result<()> {
        self.0.begin_array(writer)
    }

    fn end_array<W: io::Write + ?Sized>(&mut self, writer: &mut W) -> io::Result<()> {
        self.0.end_array(writer)
    }

    fn begin_array_value<W: io::Write + ?Sized>(
        &mut self,
        writer: &mut W,
        first: bool,
    ) -> io::Result<()> {
        self.0.begin_array_value(writer, first)
    }

    fn end_array_value<W: io::Write + ?Sized>(&mut self, writer: &mut W) -> io::Result<()> {
        self.0.end_array_value(writer)
    }

    fn begin_object<W: io::Write + ?Sized>(&mut self, writer: &mut W) -> io::Result<()> {
        self.0.begin_object(writer)
    }

    fn end_object<W: io::Write + ?Sized>(&mut self, writer: &mut W) -> io::Result<()> {
        self.0.end_object(writer)
    }

    fn begin_object_key<W: io::Write + ?Sized>(
        &mut self,
        writer: &mut W,
        first: bool,
    ) -> io::Result<()> {
        self.0.begin_object_key(writer, first)
    }

    fn begin_object_value<W: io::Write + ?Sized>(&mut self, writer: &mut W) -> io::Result<()> {
        self.0.begin_object_value(writer)
    }

    fn end_object_value<W: io::Write + ?Sized>(&mut self, writer: &mut W) -> io::Result<()> {
        self.0.end_object_value(writer)
    }

    fn write_string_fragment<W: io::Write + ?Sized>(
        &mut self,
        writer: &mut W,
        fragment: &str,
    ) -> io::Result<()> {
        write_visible(writer, fragment, |_| false)
    }

    fn write_raw_fragment<W: io::Write + ?Sized>(
        &mut self,
        writer: &mut W,
        fragment: &str,
    ) -> io::Result<()> {
        write_visible(writer, fragment, |letter| {
            matches!(letter, '\n' | '\r' | '\t')
        })
    }
}

fn write_visible<W: io::Write + ?Sized>(
    writer: &mut W,
    text: &str,
    is_space: fn(char) -> bool,
) -> io::Result<()> {
    let mut rest = text;
    for command in COMMANDS {
        if let Some(at) = rest.find(command) {
            let (before, after) = rest.split_at(at + command.len());
            write_visible(writer, &before[..before.len() - 1], is_space)?;
            writer.write_all(BRACKET.as_bytes())?;
            return write_visible(writer, after, is_space);
        }
    }
    while let Some(at) = rest.find(|letter: char| is_unsafe(letter) && !is_space(letter)) {
        writer.write_all(&rest.as_bytes()[..at])?;
        let mut letters = rest[at..].chars();
        if let Some(letter) = letters.next() {
            writer.write_all(json_escape(letter).as_bytes())?;
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
        let mut line = Vec::new();
        write_json(&mut line, &value).unwrap();
        let mut lines = Vec::new();
        write_json_pretty(&mut lines, &value).unwrap();
        assert_eq!(
            String::from_utf8(lines).unwrap(),
            json_pretty(&value).unwrap()
        );
        let yaml = yaml(&value).unwrap();
        for text in [
            json(&value).unwrap(),
            json_pretty(&value).unwrap(),
            String::from_utf8(line).unwrap(),
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
