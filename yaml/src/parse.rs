//! Text to trees: every document for itself.

use granit_parser::{Parser, options};

use super::{Node, Span, build::Builder, covered::covered};

/// One document of a text.
#[derive(Clone, Debug, Default)]
pub struct Document {
    /// Which document of the text it is, counted from 1; empty ones count.
    pub number: u32,
    /// Where it begins: its `---`, or its first part if it has none.
    pub start: u32,
    /// Its tree.
    pub root: Node,
    /// Its comments, in written order.
    pub comments: Vec<Comment>,
    /// Keys that stand twice in one mapping. kubectl takes the last, other tools refuse the document.
    pub repeated_keys: Vec<RepeatedKey>,
}

/// A comment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Comment {
    /// From its `#` to the end of its line.
    pub span: Span,
    /// What stands behind the `#`.
    pub text: Box<str>,
}

/// A key that stands twice in one mapping.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RepeatedKey {
    /// The key.
    pub key: Box<str>,
    /// Where it stands first: that entry has no effect.
    pub first: Span,
    /// Where it stands again.
    pub again: Span,
}

/// Why a document could not be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SyntaxError {
    /// Which document of the text it is, counted from 1.
    pub document: u32,
    /// Where the mistake is.
    pub span: Span,
    /// All of the document, as far as it can be told apart from the others.
    pub region: Span,
    /// What is wrong.
    pub problem: String,
}

/// Reads all documents of a text; a broken one does not keep the others from being read. Empty ones are left out.
///
/// The text may also be JSON, of one object or several one behind the other.
pub fn parse(text: &str) -> Vec<Result<Document, SyntaxError>> {
    documents(text, Comments::Kept)
}

/// The same without comments, which takes a sixth of the time less.
pub fn parse_without_comments(text: &str) -> Vec<Result<Document, SyntaxError>> {
    documents(text, Comments::Left)
}

/// Whether documents have their comments.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Comments {
    Kept,
    Left,
}

fn documents(text: &str, comments: Comments) -> Vec<Result<Document, SyntaxError>> {
    let mut documents = Vec::new();
    let start = text.len() - text.trim_start_matches('\u{feff}').len();
    let rest = json(text, start, comments, &mut documents);
    if text.len() > rest {
        let before = count(&documents);
        yaml(text, rest, before, comments, &mut documents);
    }
    documents
}

/// Reads the YAML documents of a part of a text that comes behind `number` documents.
pub fn parse_part(text: &str, part: Span, number: u32) -> Vec<Result<Document, SyntaxError>> {
    let mut documents = Vec::new();
    if let Some(text) = text.get(..part.end as usize) {
        yaml(
            text,
            part.start as usize,
            number,
            Comments::Kept,
            &mut documents,
        );
    }
    documents
}

/// Reads the objects of JSON at `start`, and says where the rest begins: something else, or something broken.
fn json(
    text: &str,
    start: usize,
    comments: Comments,
    documents: &mut Vec<Result<Document, SyntaxError>>,
) -> usize {
    if !text[start..].trim_start().starts_with('{') {
        return start;
    }
    let mut values =
        serde_json::Deserializer::from_str(&text[start..]).into_iter::<serde::de::IgnoredAny>();
    let mut end = start;
    while let Some(Ok(_)) = values.next() {
        let next = start + values.byte_offset();
        let first = text[end..].find(|one: char| !one.is_whitespace());
        let is_object = text[end + first.unwrap_or(0)..].starts_with('{');
        // A line that only begins like JSON is a flow mapping of YAML.
        let is_whole = text[next..]
            .chars()
            .next()
            .is_none_or(|after| after == '{' || after.is_whitespace());
        if !is_object || !is_whole {
            break;
        }
        let builder = Builder::new(&text[..next], end, count(documents));
        let part = &text[end..next];
        match covered(part) {
            None => read(part, builder, comments, documents),
            Some(part) => read(&part, builder.covered(), comments, documents),
        }
        end = next;
    }
    if text[end..].trim().is_empty() {
        text.len()
    } else {
        end
    }
}

/// Reads the YAML documents from `start` on, which come behind `number` others.
fn yaml(
    text: &str,
    start: usize,
    number: u32,
    comments: Comments,
    documents: &mut Vec<Result<Document, SyntaxError>>,
) {
    let builder = Builder::new(text, start, number);
    read(&text[start..], builder, comments, documents);
}

/// Reads the documents of a part of a text.
fn read(
    source: &str,
    mut builder: Builder<'_>,
    comments: Comments,
    documents: &mut Vec<Result<Document, SyntaxError>>,
) {
    let options = options! {
        emit_comments: comments == Comments::Kept,
        // As many as there are: a long comment is no attack.
        max_buffered_comment_events: source.len(),
        // kubectl splits documents before it reads them, and so never finds a document behind a directive.
        disallow_directives: true,
    };
    let mut parser = Parser::new_from_str_with_options(source, options);
    loop {
        match builder.document(&mut parser) {
            Ok(Some(document)) => documents.push(Ok(document)),
            Ok(None) => return,
            Err((span, problem)) => {
                documents.push(Err(SyntaxError {
                    document: builder.number().max(1),
                    span,
                    region: region(builder.text(), builder.start(), span),
                    problem,
                }));
                builder.skip();
                if !matches!(parser.proceed_next_document(), Ok(true)) {
                    return;
                }
            }
        }
    }
}

fn count(documents: &[Result<Document, SyntaxError>]) -> u32 {
    match documents.last() {
        Some(Ok(document)) => document.number,
        Some(Err(error)) => error.document,
        None => 0,
    }
}

/// From where the document begins to the next `---` behind the mistake.
fn region(text: &str, start: u32, mistake: Span) -> Span {
    let mut from = text.len().min(mistake.start as usize);
    while !text.is_char_boundary(from) {
        from -= 1;
    }
    let end = text[from..]
        .find("\n---")
        .map_or(text.len(), |end| from + end + 1);
    Span {
        start: start.min(mistake.start),
        end: end.try_into().unwrap_or(u32::MAX),
    }
}
