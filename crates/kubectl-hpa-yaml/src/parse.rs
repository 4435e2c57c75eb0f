//! Parses a text to trees, each document separately.

use granit_parser::{Parser, options};
use serde::de::IgnoredAny;

use super::{
    Comments, Document, Span, SyntaxError,
    build::Builder,
    covered::{covered, without_marks},
};

/// Parses all documents of a text, skipping empty ones. A broken document does not affect the others.
///
/// The text may also be JSON: one object, or several in a row.
pub fn parse(text: &str) -> Vec<Result<Document, SyntaxError>> {
    let mut documents = Vec::new();
    for_each(text, Comments::Kept, |document| documents.push(document));
    documents
}

/// Like [`parse`], without comments.
pub fn parse_without_comments(text: &str) -> Vec<Result<Document, SyntaxError>> {
    let mut documents = Vec::new();
    for_each(text, Comments::Left, |document| documents.push(document));
    documents
}

/// Parses the documents one by one, so that they are not all in memory together.
pub fn for_each(
    text: &str,
    comments: Comments,
    mut take: impl FnMut(Result<Document, SyntaxError>),
) {
    let start = text.len() - text.trim_start_matches('\u{feff}').len();
    let (rest, before) = json(text, start, comments, &mut take);
    if text.len() > rest {
        yaml(text, rest, before, comments, &mut take);
    }
}

/// Parses the YAML documents of a part of a text that comes after `number` documents.
pub fn parse_part(text: &str, part: Span, number: u32) -> Vec<Result<Document, SyntaxError>> {
    let mut documents = Vec::new();
    if let Some(text) = text.get(..part.end as usize) {
        let start = part.start as usize;
        let mut keep = |document| documents.push(document);
        yaml(text, start, number, Comments::Kept, &mut keep);
    }
    documents
}

/// Parses only the object that starts at byte `start`, in the document after `number` others. None: the rest of the
/// document is needed.
pub fn parse_object(text: &str, start: u32, number: u32) -> Option<Document> {
    let first = start as usize;
    let is_at_line = first == 0 || text.get(..first)?.ends_with('\n');
    if !is_at_line || text.get(first..)?.starts_with('{') {
        return parse_item(text, start, number);
    }
    // The object starts its document, which ends before the next one.
    let end = text[first..]
        .find("\n---")
        .map_or(text.len(), |end| first + end + 1);
    let part = Span {
        start,
        end: u32::try_from(end).ok()?,
    };
    parse_part(text, part, number).into_iter().next()?.ok()
}

/// The same for an item of a list. None: an alias or the style requires the rest of the list.
fn parse_item(text: &str, start: u32, number: u32) -> Option<Document> {
    let start = start as usize;
    let rest = text.get(start..)?;
    let line = text[..start].rfind('\n').map_or(0, |end| end + 1);
    let (begin, length) = if rest.starts_with('{') {
        let mut values = serde_json::Deserializer::from_str(rest).into_iter::<IgnoredAny>();
        values.next()?.ok()?;
        (start, values.byte_offset())
    } else if !is_behind_dash(&text[line..start]) {
        // A pair in brackets, `[a: b]`, has other rules for line breaks.
        return None;
    } else {
        let lines = rest.split_inclusive('\n').enumerate();
        let of_item = lines.take_while(|(index, one)| *index == 0 || is_within(one, start - line));
        (line, of_item.map(|(_, one)| one.len()).sum())
    };
    let end = start + length;
    // Every byte keeps its offset.
    let item = " ".repeat(start - begin) + &text[start..end];
    let item = covered(&item).unwrap_or(item);
    let builder = Builder::new(&text[..end], begin, number).covered();
    let mut documents = Vec::new();
    read(&item, builder, Comments::Left, &mut |document| {
        documents.push(document);
    });
    let document = documents.into_iter().next()?.ok()?;
    (document.root.span.start as usize == start).then_some(document)
}

/// Whether what follows this part of a line is an item of a block list.
fn is_behind_dash(before: &str) -> bool {
    before.contains('-') && before.chars().all(|one| matches!(one, ' ' | '-'))
}

/// Whether a line belongs to a block that starts in this column.
fn is_within(line: &str, column: usize) -> bool {
    let text = line.trim_start_matches(' ');
    text.trim().is_empty() || text.starts_with('#') || column <= line.len() - text.len()
}

/// Parses the JSON objects at `start`. Returns where the rest starts (anything else, or broken JSON) and how many
/// documents come before it.
fn json(
    text: &str,
    start: usize,
    comments: Comments,
    take: &mut impl FnMut(Result<Document, SyntaxError>),
) -> (usize, u32) {
    let mut number = 0;
    if !text[start..].trim_start().starts_with('{') {
        return (start, number);
    }
    let mut values = serde_json::Deserializer::from_str(&text[start..]).into_iter::<IgnoredAny>();
    let mut end = start;
    while let Some(Ok(_)) = values.next() {
        let next = start + values.byte_offset();
        let first = text[end..].find(|one: char| !one.is_whitespace());
        let is_object = text[end + first.unwrap_or(0)..].starts_with('{');
        // A line that only starts like JSON is a YAML flow mapping.
        let is_whole = text[next..]
            .chars()
            .next()
            .is_none_or(|after| after == '{' || after.is_whitespace());
        if !is_object || !is_whole {
            break;
        }
        let builder = Builder::new(&text[..next], end, number);
        let part = &text[end..next];
        number = match covered(part) {
            None => read(part, builder, comments, take),
            Some(part) => read(&part, builder.covered(), comments, take),
        };
        end = next;
    }
    if text[end..].trim().is_empty() {
        end = text.len();
    }
    (end, number)
}

/// Parses the YAML documents from `start` on, after `number` others.
fn yaml(
    text: &str,
    start: usize,
    number: u32,
    comments: Comments,
    take: &mut impl FnMut(Result<Document, SyntaxError>),
) {
    let builder = Builder::new(text, start, number);
    read(&without_marks(&text[start..]), builder, comments, take);
}

/// Parses the documents of a part of a text. Returns the number of the last one.
fn read(
    source: &str,
    mut builder: Builder<'_>,
    comments: Comments,
    take: &mut impl FnMut(Result<Document, SyntaxError>),
) -> u32 {
    let options = options! {
        emit_comments: comments == Comments::Kept,
        // No limit: a long comment is not an attack.
        max_buffered_comment_events: source.len(),
        // kubectl splits documents before it parses them, so it never sees a document after a directive.
        disallow_directives: true,
    };
    let mut parser = Parser::new_from_str_with_options(source, options);
    loop {
        match builder.document(&mut parser) {
            Ok(Some(document)) => take(Ok(document)),
            Ok(None) => return builder.number(),
            Err((span, problem)) => {
                take(Err(SyntaxError {
                    document: builder.number().max(1),
                    span,
                    region: region(builder.text(), builder.start(), span),
                    problem,
                }));
                builder.skip();
                if !matches!(parser.proceed_next_document(), Ok(true)) {
                    return builder.number().max(1);
                }
            }
        }
    }
}

/// From the start of the document to the next `---` after the error.
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
