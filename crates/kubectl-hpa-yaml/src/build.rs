//! Builds a tree from events: positions, comments, anchors, merge keys.

use granit_parser::{Event, Parser, StrInput, StructureStyle, Tag};

use super::{
    Comment, Document, Entry, Span, YamlNode, YamlText, YamlValue,
    anchors::{Anchors, TooMuch},
    covered::uncovered,
    repeated::settle,
    room::{self, Room},
    scalar,
};

/// The maximum depth of a document. The deepest object of Kubernetes, a schema in a CustomResourceDefinition, has about
/// 40 levels.
const MAX_DEPTH: usize = 255;

/// Where an error is, and its text.
pub(super) type LocatedProblem = (Span, String);

/// Builds the trees of one text.
pub(super) struct Builder<'t> {
    /// The whole text.
    text: &'t str,
    /// Where the part that the parser sees starts.
    offset: usize,
    /// Whether the parser sees other characters than the text has.
    is_covered: bool,
    number: u32,
    start: u32,
    /// One after the last byte of the last event that had bytes.
    end: u32,
    comments: Vec<Comment>,
    repeated_keys: Vec<super::RepeatedKey>,
    anchors: Anchors,
    room: Room,
}

type Events<'a> = Parser<'a, StrInput<'a>>;

impl<'t> Builder<'t> {
    /// For the part of a text that starts at byte `offset`, after `number` documents.
    pub(super) fn new(text: &'t str, offset: usize, number: u32) -> Self {
        Self {
            text,
            offset,
            is_covered: false,
            number,
            start: 0,
            end: 0,
            comments: Vec::new(),
            repeated_keys: Vec::new(),
            anchors: Anchors::default(),
            room: Room::of(text.len()),
        }
    }

    /// For a part of the text that [`covered`](super::covered::covered) has changed.
    pub(super) fn covered(self) -> Self {
        Self {
            is_covered: true,
            ..self
        }
    }

    /// The whole text, including what is before and after the part.
    pub(super) fn text(&self) -> &'t str {
        self.text
    }

    /// Number of the last document read, counted from 1.
    pub(super) fn number(&self) -> u32 {
        self.number
    }

    /// Where that document starts.
    pub(super) fn start(&self) -> u32 {
        self.start
    }

    /// Discards the state of a broken document.
    pub(super) fn skip(&mut self) {
        self.comments.clear();
        self.repeated_keys.clear();
        self.anchors = Anchors::default();
    }

    /// The next document that is not empty.
    pub(super) fn document(
        &mut self,
        parser: &mut Events<'_>,
    ) -> Result<Option<Document>, LocatedProblem> {
        loop {
            let Some((event, span)) = self.next(parser)? else {
                return Ok(None);
            };
            match event {
                Event::StreamEnd => return Ok(None),
                Event::DocumentStart(..) => {
                    self.number += 1;
                    self.start = span.start;
                    self.anchors = Anchors::default();
                }
                Event::StreamStart | Event::DocumentEnd => {}
                event => {
                    self.take(room::DOCUMENT, span)?;
                    let root = self.node(event, span, 0, parser)?;
                    // Comments after the last value also belong to the document.
                    while let Some((event, _)) = self.next(parser)? {
                        if matches!(event, Event::DocumentEnd | Event::StreamEnd) {
                            break;
                        }
                    }
                    let comments = std::mem::take(&mut self.comments);
                    if root.value != YamlValue::Null {
                        return Ok(Some(Document {
                            number: self.number,
                            start: self.start,
                            root,
                            comments,
                            repeated_keys: std::mem::take(&mut self.repeated_keys),
                        }));
                    }
                }
            }
        }
    }

    /// The next event that is not a comment.
    fn next<'a>(
        &mut self,
        parser: &mut Events<'a>,
    ) -> Result<Option<(Event<'a>, Span)>, LocatedProblem> {
        loop {
            let Some(event) = parser.next_event() else {
                return Ok(None);
            };
            let (event, span) = event.map_err(|error| {
                let start = self.position(error.marker());
                (Span { start, end: start }, error.info().clone())
            })?;
            let span = Span {
                start: self.position(&span.start),
                end: self.position(&span.end),
            };
            match event {
                Event::Comment(text, _) => {
                    let text = text.trim();
                    self.take(room::COMMENT + room::of_text(text), span)?;
                    self.comments.push(Comment {
                        span,
                        text: text.into(),
                    });
                }
                Event::Scalar(seen, style, anchor, tag) if self.is_covered => {
                    let written = &self.text[span.start as usize..span.end as usize];
                    let text = uncovered(written, seen);
                    return Ok(Some((Event::Scalar(text, style, anchor, tag), span)));
                }
                event => return Ok(Some((event, span))),
            }
        }
    }

    fn position(&self, marker: &granit_parser::Marker) -> u32 {
        let byte = self.offset + marker.byte_offset().unwrap_or_default();
        byte.try_into().unwrap_or(u32::MAX)
    }

    fn node(
        &mut self,
        event: Event<'_>,
        span: Span,
        depth: usize,
        parser: &mut Events<'_>,
    ) -> Result<YamlNode, LocatedProblem> {
        if depth > MAX_DEPTH {
            return Err((span, format!("nested deeper than {MAX_DEPTH} levels")));
        }
        self.take(room::NODE, span)?;
        let (node, anchor) = match event {
            Event::Scalar(text, style, anchor, tag) => {
                let value = scalar::scalar(&text, style, tag.as_deref());
                let value = value.map_err(|problem| (span, problem))?;
                if let YamlValue::Text(text) = &value {
                    self.take(room::of_text(text), span)?;
                }
                self.end = span.end;
                (YamlNode { span, value }, anchor)
            }
            Event::SequenceStart(style, anchor, _) => {
                self.anchors.begin(anchor);
                (self.sequence(span, style, depth, parser)?, anchor)
            }
            Event::MappingStart(style, anchor, _) => {
                self.anchors.begin(anchor);
                (self.mapping(span, style, depth, parser)?, anchor)
            }
            Event::Alias(anchor) => {
                self.end = span.end;
                let node = self.alias(anchor, span, depth)?;
                return Ok(YamlNode { span, ..node });
            }
            other => return Err((span, format!("unexpected {other:?}"))),
        };
        let defined = self.anchors.define(anchor, &node, &mut self.room);
        defined.map_err(|too_much| (node.span, problem_of(too_much)))?;
        Ok(node)
    }

    /// Takes room for something.
    fn take(&mut self, bytes: usize, span: Span) -> Result<(), LocatedProblem> {
        let taken = self.room.take(bytes);
        taken.map_err(|full| (span, full.problem()))
    }

    fn sequence(
        &mut self,
        span: Span,
        style: StructureStyle,
        depth: usize,
        parser: &mut Events<'_>,
    ) -> Result<YamlNode, LocatedProblem> {
        let mut items = Vec::new();
        self.end = span.end;
        while let Some((event, span)) = self.next(parser)? {
            if event == Event::SequenceEnd {
                self.close(style, span);
                break;
            }
            self.check_indentation(style, span)?;
            items.push(self.node(event, span, depth + 1, parser)?);
        }
        items.shrink_to_fit();
        Ok(YamlNode {
            span: Span {
                end: self.end,
                ..span
            },
            value: YamlValue::Sequence(items),
        })
    }

    fn mapping(
        &mut self,
        span: Span,
        style: StructureStyle,
        depth: usize,
        parser: &mut Events<'_>,
    ) -> Result<YamlNode, LocatedProblem> {
        let mut entries: Vec<Entry> = Vec::new();
        self.end = span.end;
        while let Some((event, key_span)) = self.next(parser)? {
            if event == Event::MappingEnd {
                self.close(style, key_span);
                break;
            }
            self.check_indentation(style, key_span)?;
            self.end = key_span.end;
            let is_merge = is_merge(&event);
            let key = self.key(&event, key_span)?;
            self.take(room::of_key(&key, entries.len()), key_span)?;
            let Some((event, span)) = self.next(parser)? else {
                break;
            };
            let node = self.node(event, span, depth + 1, parser)?;
            if is_merge {
                merge(node, &mut entries)?;
            } else {
                entries.push(Entry {
                    key,
                    key_span,
                    node,
                });
            }
        }
        let span = Span {
            end: self.end,
            ..span
        };
        settle(&mut entries, span, |repeated| {
            self.take(
                room::REPEATED + room::of_text(&repeated.key),
                repeated.again,
            )?;
            self.repeated_keys.push(repeated);
            Ok(())
        })?;
        // Most mappings have one or two entries, but room for four.
        entries.shrink_to_fit();
        Ok(YamlNode {
            span,
            value: YamlValue::Mapping(entries),
        })
    }

    /// A flow collection ends with its bracket. A block collection ends with its last part: only blank lines and
    /// comments follow it.
    fn close(&mut self, style: StructureStyle, span: Span) {
        if style == StructureStyle::Flow {
            self.end = span.end;
        }
    }

    /// kubectl rejects tabs where indentation sets the depth of a block.
    fn check_indentation(&self, style: StructureStyle, span: Span) -> Result<(), LocatedProblem> {
        let before = &self.text.as_bytes()[..self.text.len().min(span.start as usize)];
        let blanks = before
            .iter()
            .rev()
            .take_while(|one| matches!(one, b' ' | b'\t'))
            .count();
        let (before, blanks) = before.split_at(before.len() - blanks);
        let is_indentation = before
            .last()
            .is_none_or(|one| matches!(one, b'\n' | b'\r' | b'-'));
        match blanks.iter().position(|one| *one == b'\t') {
            Some(tab) if is_indentation && style == StructureStyle::Block => {
                let start = (before.len() + tab).try_into().unwrap_or(u32::MAX);
                let span = Span {
                    start,
                    end: start + 1,
                };
                Err((
                    span,
                    "a tab cannot indent: YAML takes only spaces".to_owned(),
                ))
            }
            _ => Ok(()),
        }
    }

    fn key(&mut self, event: &Event<'_>, span: Span) -> Result<YamlText, LocatedProblem> {
        match event {
            Event::Scalar(text, style, anchor, tag) => {
                let key = scalar::key(text, *style, tag.as_deref());
                let key = key.map_err(|problem| (span, problem))?;
                if *anchor != 0 {
                    let value = scalar::scalar(text, *style, tag.as_deref());
                    let value = value.map_err(|problem| (span, problem))?;
                    let defined =
                        self.anchors
                            .define(*anchor, &YamlNode { span, value }, &mut self.room);
                    defined.map_err(|too_much| (span, problem_of(too_much)))?;
                }
                Ok(key)
            }
            Event::Alias(anchor) => match self.anchors.get(*anchor).map(|node| &node.value) {
                Some(YamlValue::Text(text)) => Ok(text.clone()),
                _ => Err((span, NO_KEY.to_owned())),
            },
            _ => Err((span, NO_KEY.to_owned())),
        }
    }

    fn alias(
        &mut self,
        anchor: usize,
        span: Span,
        depth: usize,
    ) -> Result<YamlNode, LocatedProblem> {
        let levels = MAX_DEPTH.saturating_sub(depth);
        let expanded = self.anchors.expand(anchor, levels, &mut self.room);
        expanded.map_err(|too_much| (span, problem_of(too_much)))
    }
}

fn problem_of(too_much: TooMuch) -> String {
    match too_much {
        TooMuch::Full(full) => full.problem(),
        TooMuch::Nested => format!("nested deeper than {MAX_DEPTH} levels"),
        TooMuch::Parts => "aliases make this document too large".to_owned(),
        TooMuch::Itself => "an anchor contains itself".to_owned(),
    }
}

fn is_merge(event: &Event<'_>) -> bool {
    let Event::Scalar(text, style, _, tag) = event else {
        return false;
    };
    let is_tagged = tag.as_deref().is_some_and(|tag: &Tag| {
        tag.suffix_in_namespace("tag:yaml.org,2002:")
            .is_some_and(|tag| tag == "merge")
    });
    text == "<<" && (is_tagged || tag.is_none() && *style == granit_parser::ScalarStyle::Plain)
}

/// Merges the entries of a mapping, or of several mappings of which the first takes precedence. As in kubectl, they
/// override entries before them.
fn merge(node: YamlNode, entries: &mut Vec<Entry>) -> Result<(), LocatedProblem> {
    match node.value {
        YamlValue::Mapping(merged) => entries.extend(merged),
        YamlValue::Sequence(items) => {
            for item in items.into_iter().rev() {
                let YamlValue::Mapping(merged) = item.value else {
                    return Err((item.span, NO_MAPPING.to_owned()));
                };
                entries.extend(merged);
            }
        }
        _ => return Err((node.span, NO_MAPPING.to_owned())),
    }
    Ok(())
}

const NO_KEY: &str = "a key must be a string";

const NO_MAPPING: &str = "only mappings can be merged with <<";
