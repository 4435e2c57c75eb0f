//! Text to trees: every document for itself.

use std::collections::BTreeMap;

use granit_parser::{Event, Parser, ScalarStyle, StrInput};

use super::{Entry, Node, Span, Value, scalar};

/// One document of a text.
#[derive(Clone, Debug, Default)]
pub struct Document {
    /// Its tree.
    pub root: Node,
    /// Its comments, in written order.
    pub comments: Vec<Comment>,
}

/// A comment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Comment {
    /// From its `#` to the end of its line.
    pub span: Span,
    /// What stands behind the `#`.
    pub text: Box<str>,
}

/// Why a document could not be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SyntaxError {
    /// Where.
    pub span: Span,
    /// What is wrong.
    pub problem: String,
}

/// Reads all documents of a text; a broken one does not keep the others from being read. Empty ones are left out.
pub fn parse(text: &str) -> Vec<Result<Document, SyntaxError>> {
    let mut parser = Parser::new_from_str(text);
    let mut documents = Vec::new();
    loop {
        let mut builder = Builder::default();
        match builder.document(&mut parser) {
            Ok(Some(document)) => documents.push(Ok(document)),
            Ok(None) => return documents,
            Err(error) => {
                documents.push(Err(error));
                if !matches!(parser.proceed_next_document(), Ok(true)) {
                    return documents;
                }
            }
        }
    }
}

#[derive(Default)]
struct Builder {
    comments: Vec<Comment>,
    anchors: BTreeMap<usize, Node>,
}

impl Builder {
    /// The next document that is not empty.
    fn document<'a>(
        &mut self,
        parser: &mut Parser<'a, StrInput<'a>>,
    ) -> Result<Option<Document>, SyntaxError> {
        loop {
            let Some((event, span)) = self.next(parser)? else {
                return Ok(None);
            };
            match event {
                Event::StreamEnd => return Ok(None),
                Event::StreamStart | Event::DocumentStart(..) | Event::DocumentEnd => {}
                event => {
                    let root = self.node(event, span, parser)?;
                    if root.value == Value::Null {
                        continue;
                    }
                    // Comments behind the last value belong to the document, too.
                    while let Some((event, _)) = self.next(parser)? {
                        if matches!(event, Event::DocumentEnd | Event::StreamEnd) {
                            break;
                        }
                    }
                    return Ok(Some(Document {
                        root,
                        comments: std::mem::take(&mut self.comments),
                    }));
                }
            }
        }
    }

    /// The next event that is no comment.
    fn next<'a>(
        &mut self,
        parser: &mut Parser<'a, StrInput<'a>>,
    ) -> Result<Option<(Event<'a>, Span)>, SyntaxError> {
        loop {
            let Some(event) = parser.next_event() else {
                return Ok(None);
            };
            let (event, span) = event.map_err(|error| SyntaxError {
                span: position(error.marker().byte_offset()),
                problem: error.info().clone(),
            })?;
            let span = range(&span);
            match event {
                Event::Comment(text, _) => self.comments.push(Comment {
                    span,
                    text: text.trim().into(),
                }),
                event => return Ok(Some((event, span))),
            }
        }
    }

    fn node<'a>(
        &mut self,
        event: Event<'_>,
        span: Span,
        parser: &mut Parser<'a, StrInput<'a>>,
    ) -> Result<Node, SyntaxError> {
        let (node, anchor) = match event {
            Event::Scalar(text, style, anchor, _) => {
                let value = if style == ScalarStyle::Plain {
                    scalar::resolve(&text)
                } else {
                    Value::Text(text.as_ref().into())
                };
                (Node { span, value }, anchor)
            }
            Event::SequenceStart(_, anchor, _) => {
                let mut items = Vec::new();
                let mut end = span.end;
                while let Some((event, span)) = self.next(parser)? {
                    end = span.end;
                    if event == Event::SequenceEnd {
                        break;
                    }
                    items.push(self.node(event, span, parser)?);
                }
                let span = Span { end, ..span };
                let value = Value::Sequence(items);
                (Node { span, value }, anchor)
            }
            Event::MappingStart(_, anchor, _) => {
                let mut entries = Vec::new();
                let mut end = span.end;
                while let Some((event, key_span)) = self.next(parser)? {
                    end = key_span.end;
                    if event == Event::MappingEnd {
                        break;
                    }
                    let key = match &event {
                        Event::Scalar(text, ..) => text.as_ref().into(),
                        _ => {
                            return Err(SyntaxError {
                                span: key_span,
                                problem: "a key has to be a text".to_owned(),
                            });
                        }
                    };
                    let Some((event, span)) = self.next(parser)? else {
                        break;
                    };
                    let node = self.node(event, span, parser)?;
                    entries.push(Entry {
                        key,
                        key_span,
                        node,
                    });
                }
                let span = Span { end, ..span };
                let value = Value::Mapping(entries);
                (Node { span, value }, anchor)
            }
            Event::Alias(anchor) => {
                let node = self.anchors.get(&anchor).cloned().unwrap_or_default();
                (Node { span, ..node }, 0)
            }
            other => {
                return Err(SyntaxError {
                    span,
                    problem: format!("unexpected {other:?}"),
                });
            }
        };
        if anchor != 0 {
            self.anchors.insert(anchor, node.clone());
        }
        Ok(node)
    }
}

fn range(span: &granit_parser::Span) -> Span {
    let offset = |marker: granit_parser::Marker| position(marker.byte_offset()).start;
    Span {
        start: offset(span.start),
        end: offset(span.end),
    }
}

fn position(offset: Option<usize>) -> Span {
    let start = offset
        .and_then(|offset| offset.try_into().ok())
        .unwrap_or_default();
    Span { start, end: start }
}
