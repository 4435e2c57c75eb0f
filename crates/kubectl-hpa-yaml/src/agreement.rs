//! Cross-checks texts with other parsers: libyaml, from which kubectl's parser is also ported, and serde_json for JSON.
//!
//! Compares what both parsers see event by event. One place decides what an event means, for both.

use std::{borrow::Cow, collections::BTreeMap};

use granit_parser::{Event, Parser, ScalarStyle, options};
use libyaml_safer::EventData;
use serde_json::Value;

use super::{YamlNode, parse_without_comments};

/// Where another parser sees something else in a text, or rejects it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ParserDisagreement {
    /// The line, counted from 1 in that parser's way.
    pub line: u64,
    /// That parser's error, if it rejects the text.
    pub problem: Option<&'static str>,
}

/// Checks whether kubectl, which reads YAML 1.1, sees in a text what [`parse`](super::parse()) sees. Versions of YAML
/// differ in line breaks, for example.
pub fn check_agreement(text: &str) -> Result<(), ParserDisagreement> {
    let text = text.trim_start_matches('\u{feff}');
    if let Some(values) = json(text) {
        return check_json(text, values);
    }
    if has_tag_before_comma(text) {
        return Err(ParserDisagreement {
            line: 1,
            problem: Some("a tag is right before a comma"),
        });
    }
    // libyaml-safer panics at the end of a block scalar without a final line break.
    let text: Cow<'_, str> = if text.ends_with('\n') {
        text.into()
    } else {
        format!("{text}\n").into()
    };
    let mut ours = Ours::new(&text);
    let mut input = text.as_bytes();
    let mut parser = libyaml_safer::Parser::new();
    parser.set_input_string(&mut input);
    let mut anchors = AnchorOrder::default();
    loop {
        let event = parser.parse().map_err(|error| ParserDisagreement {
            line: error.problem_mark().map_or(0, |mark| mark.line) + 1,
            problem: Some(error.problem()),
        })?;
        let line = event.start_mark.line + 1;
        let Some(theirs) = theirs(event.data, &mut anchors) else {
            continue;
        };
        let is_end = theirs == ParserView::EndOfText;
        if ours.next().as_ref() != Some(&theirs) {
            return Err(ParserDisagreement {
                line,
                problem: None,
            });
        }
        if is_end {
            return Ok(());
        }
    }
}

/// Whether a text may contain a tag right before a comma, which makes libyaml-safer panic.
fn has_tag_before_comma(text: &str) -> bool {
    let mut words = text.split_whitespace().filter(|word| word.contains('!'));
    words.any(|word| {
        let before = word.rsplit_once(',').map_or("", |(before, _)| before);
        let mut marks = before.match_indices('!');
        // After a letter it is part of a scalar.
        marks.any(|(at, _)| !before[..at].ends_with(char::is_alphanumeric))
    })
}

/// What a parser sees, independent of style.
#[derive(Debug, PartialEq)]
enum ParserView<'a> {
    Document,
    Alias(Option<usize>),
    Scalar {
        text: Cow<'a, str>,
        anchor: usize,
        tag: Option<String>,
        /// Whether its appearance decides its type.
        is_plain: bool,
    },
    Sequence(usize, Option<String>),
    Mapping(usize, Option<String>),
    EndOfSequence,
    EndOfMapping,
    EndOfText,
}

/// What this crate's parser sees.
struct Ours<'a> {
    parser: Parser<'a, granit_parser::StrInput<'a>>,
    anchors: AnchorOrder<usize>,
}

impl<'a> Ours<'a> {
    fn new(text: &'a str) -> Self {
        let options = options! { disallow_directives: true };
        Self {
            parser: Parser::new_from_str_with_options(text, options),
            anchors: AnchorOrder::default(),
        }
    }

    /// The next relevant event. None: the text is broken.
    fn next(&mut self) -> Option<ParserView<'a>> {
        loop {
            let (event, span) = self.parser.next_event()?.ok()?;
            let is_written = span.start.byte_offset() != span.end.byte_offset();
            let anchors = &mut self.anchors;
            let mut define = |anchor| anchors.define((anchor != 0).then_some(anchor));
            return Some(match event {
                Event::DocumentStart(..) => ParserView::Document,
                Event::Alias(anchor) => ParserView::Alias(anchors.get(&anchor)),
                Event::Scalar(text, style, anchor, tag) => {
                    ParserView::Scalar {
                        // This parser returns a `~` for an empty value.
                        text: if is_written { text } else { Cow::Borrowed("") },
                        anchor: define(anchor),
                        is_plain: tag.is_none() && style == ScalarStyle::Plain,
                        tag: tag.map(|tag| tag.to_string()),
                    }
                }
                Event::SequenceStart(_, anchor, tag) => {
                    ParserView::Sequence(define(anchor), tag.map(|tag| tag.to_string()))
                }
                Event::MappingStart(_, anchor, tag) => {
                    ParserView::Mapping(define(anchor), tag.map(|tag| tag.to_string()))
                }
                Event::SequenceEnd => ParserView::EndOfSequence,
                Event::MappingEnd => ParserView::EndOfMapping,
                Event::StreamEnd => ParserView::EndOfText,
                _ => continue,
            });
        }
    }
}

/// What libyaml sees. None: not relevant.
fn theirs(event: EventData, anchors: &mut AnchorOrder<String>) -> Option<ParserView<'static>> {
    Some(match event {
        EventData::DocumentStart { .. } => ParserView::Document,
        EventData::Alias { anchor } => ParserView::Alias(anchors.get(&anchor)),
        EventData::Scalar {
            anchor,
            tag,
            value,
            plain_implicit,
            ..
        } => ParserView::Scalar {
            text: value.into(),
            anchor: anchors.define(anchor),
            tag,
            is_plain: plain_implicit,
        },
        EventData::SequenceStart { anchor, tag, .. } => {
            ParserView::Sequence(anchors.define(anchor), tag)
        }
        EventData::MappingStart { anchor, tag, .. } => {
            ParserView::Mapping(anchors.define(anchor), tag)
        }
        EventData::SequenceEnd => ParserView::EndOfSequence,
        EventData::MappingEnd => ParserView::EndOfMapping,
        EventData::StreamEnd => ParserView::EndOfText,
        EventData::StreamStart { .. } | EventData::DocumentEnd { .. } => return None,
    })
}

/// Numbers anchors by their order: each parser has its own identifiers.
struct AnchorOrder<K> {
    known: BTreeMap<K, usize>,
    count: usize,
}

impl<K> Default for AnchorOrder<K> {
    fn default() -> Self {
        Self {
            known: BTreeMap::new(),
            count: 0,
        }
    }
}

impl<K: Ord> AnchorOrder<K> {
    /// The number of a new anchor; 0 if there is none.
    fn define(&mut self, anchor: Option<K>) -> usize {
        let Some(anchor) = anchor else {
            return 0;
        };
        self.count += 1;
        self.known.insert(anchor, self.count);
        self.count
    }

    fn get(&self, anchor: &K) -> Option<usize> {
        self.known.get(anchor).copied()
    }
}

/// The values of a text that is entirely JSON: kubectl reads it as JSON.
fn json(text: &str) -> Option<Vec<Value>> {
    if !text.trim_start().starts_with('{') {
        return None;
    }
    let values = serde_json::Deserializer::from_str(text).into_iter();
    values.collect::<Result<_, _>>().ok()
}

fn check_json(text: &str, values: Vec<Value>) -> Result<(), ParserDisagreement> {
    let ours = parse_without_comments(text);
    let ours = ours
        .iter()
        .map(|document| Some(document.as_ref().ok()?.root.to_json()));
    // Converts numbers to the same form.
    let theirs = values
        .into_iter()
        .map(|value| Some(YamlNode::from_json(value).to_json()));
    if ours.eq(theirs) {
        Ok(())
    } else {
        Err(ParserDisagreement {
            line: 1,
            problem: None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ordinary_texts_are_read_alike() {
        for text in [
            "",
            "a: 1\nb: [x, 'y', \"z\"] # why\nc: {d: ~, e: !!str 1}\n",
            "# first\na: |\n  x\n\n  y\nb: >-\n  one\n  two\n---\n---\n- &x {a: 1}\n- *x\n- <<: *x\n  b: 2\n",
            "a: &x 1\nb: &x 2\nc: *x\n---\na: &x 1\nb: *x\n",
            "\u{feff}a: 1\r\nb: !foo 2\r\nc: !!binary aGk=\r\n...\r\n",
            "a: |\n  the last line has no end",
            "{\"a\": 1.0, \"b\": \"\u{2028}\"}\n{\"c\": null}\n",
            "{a: 1, \"b\": [1, 2], c: }\n",
        ] {
            assert_eq!(check_agreement(text), Ok(()), "{text:?}");
        }
    }

    #[test]
    fn a_tag_before_a_comma_is_refused_and_a_text_like_it_is_not() {
        for text in ["a: [!!str, b]\n", "a: {b: !x,}\n", "a: [!,\n b]\n"] {
            assert!(check_agreement(text).is_err(), "{text:?}");
        }
        for text in ["a: Ready!, steady\n", "a: [!!str b, c]\n"] {
            assert_eq!(check_agreement(text), Ok(()), "{text:?}");
        }
    }

    #[test]
    fn a_line_break_of_yaml_1_1_only_is_noticed() {
        for break_of_line in ['\u{85}', '\u{2028}', '\u{2029}'] {
            let text = format!("a: 1\nb:\n  {break_of_line}c: 2\n");
            let found = check_agreement(&text).map_err(|disagreement| disagreement.line);
            assert!(matches!(found, Err(2..=4)), "{text:?}: {found:?}");
        }
    }
}
