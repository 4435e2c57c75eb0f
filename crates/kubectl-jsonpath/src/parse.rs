//! Parses text to nodes, as kubectl's parser does.

use super::{
    node::{Filter, FilterOperator, Slice, SliceEnd, TemplateNode},
    quoted::unquote,
};

/// Parses a template: texts, and a list for each pair of braces.
pub(super) fn parse(text: &str) -> Result<Vec<TemplateNode>, String> {
    let mut nodes = Vec::new();
    let mut rest = text;
    while let Some(brace) = rest.find('{') {
        if 0 < brace {
            nodes.push(TemplateNode::Text(rest[..brace].to_owned()));
        }
        let mut parser = TemplateParser {
            rest: &rest[brace + 1..],
        };
        nodes.push(TemplateNode::List(parser.action()?));
        rest = parser.rest;
    }
    if !rest.is_empty() {
        nodes.push(TemplateNode::Text(rest.to_owned()));
    }
    Ok(nodes)
}

/// Parses the content of a pair of braces.
fn parse_action(text: &str) -> Result<Vec<TemplateNode>, String> {
    let wrapped = format!("{text}}}");
    TemplateParser { rest: &wrapped }.action()
}

/// The rest of a template after an opening brace.
struct TemplateParser<'t> {
    rest: &'t str,
}

impl<'t> TemplateParser<'t> {
    /// Parses up to the closing brace.
    fn action(&mut self) -> Result<Vec<TemplateNode>, String> {
        let mut nodes = Vec::new();
        loop {
            if self.skip("}") {
                return Ok(nodes);
            }
            if self.skip("[?(") {
                nodes.push(self.filter()?);
                continue;
            }
            if self.skip("..") {
                if nodes.last() == Some(&TemplateNode::Recursive) {
                    return Err("invalid multiple recursive descent".to_owned());
                }
                nodes.push(TemplateNode::Recursive);
                if self.peek().is_some_and(is_alphanumeric) {
                    nodes.push(self.field());
                }
                continue;
            }
            match self.peek() {
                None | Some('\r' | '\n') => return Err("unclosed action".to_owned()),
                Some(' ' | '@' | '$') => self.advance(1),
                Some('[') => nodes.extend(self.array()?),
                Some(quote @ ('"' | '\'')) => nodes.push(self.quoted(quote)?),
                Some('.') => {
                    self.advance(1);
                    nodes.push(self.field());
                }
                Some('+' | '-' | '0'..='9') => nodes.push(self.number()?),
                Some(letter) if is_alphanumeric(letter) => nodes.push(self.identifier()),
                Some(other) => {
                    let code = u32::from(other);
                    return Err(format!(
                        "unrecognized character in action: U+{code:04X} '{other}'"
                    ));
                }
            }
        }
    }

    fn identifier(&mut self) -> TemplateNode {
        let end = self.rest.find(is_terminator).unwrap_or(self.rest.len());
        match self.take(end) {
            "true" => TemplateNode::Bool(true),
            "false" => TemplateNode::Bool(false),
            name => TemplateNode::Identifier(name.to_owned()),
        }
    }

    /// A name up to the next unescaped terminator.
    fn field(&mut self) -> TemplateNode {
        let mut is_escaped = false;
        let end = self.rest.find(|letter| {
            let ends = !is_escaped && is_terminator(letter);
            is_escaped = !is_escaped && letter == '\\';
            ends
        });
        match self.take(end.unwrap_or(self.rest.len())) {
            "*" => TemplateNode::Wildcard,
            name => TemplateNode::Field(name.replace('\\', "")),
        }
    }

    fn number(&mut self) -> Result<TemplateNode, String> {
        let sign = usize::from(self.rest.starts_with(['+', '-']));
        let digits = &self.rest[sign..];
        let length = digits
            .find(|letter: char| letter != '.' && !letter.is_ascii_digit())
            .unwrap_or(digits.len());
        let text = self.take(sign + length);
        if let Ok(integer) = text.parse() {
            return Ok(TemplateNode::Integer(integer));
        }
        text.parse()
            .map(TemplateNode::Float)
            .map_err(|_| format!("cannot parse number {text}"))
    }

    fn quoted(&mut self, quote: char) -> Result<TemplateNode, String> {
        let mut previous = quote;
        let mut end = None;
        for (index, letter) in self.rest.char_indices().skip(1) {
            if letter == '\n' {
                break;
            }
            if letter == quote && previous != '\\' {
                end = Some(index + 1);
                break;
            }
            previous = letter;
        }
        let end = end.ok_or("unterminated quoted string")?;
        let text = self.take(end);
        unquote(text)
            .map(TemplateNode::Text)
            .ok_or_else(|| format!("unquote string {text} error invalid syntax"))
    }

    /// `[…]` except filters: an index, a slice, a name in single quotes, or several of them.
    fn array(&mut self) -> Result<Vec<TemplateNode>, String> {
        let end = match self.rest.find([']', '\n']) {
            Some(end) if self.rest[end..].starts_with(']') => end,
            _ => return Err("unterminated array".to_owned()),
        };
        let text = &self.take(end + 1)[1..end];
        if text.contains(',') {
            let parts = text
                .split(',')
                .map(|part| parse_action(&format!("[{}]", part.trim_matches(' '))));
            return Ok(vec![TemplateNode::Union(parts.collect::<Result<_, _>>()?)]);
        }
        let name = text
            .strip_prefix('\'')
            .and_then(|text| text.strip_suffix('\''))
            .filter(|name| !name.contains('\''));
        if let Some(name) = name {
            return parse_action(&format!(".{name}"));
        }
        Ok(vec![TemplateNode::Slice(slice(text)?)])
    }

    /// The rest of a filter after `[?(`.
    fn filter(&mut self) -> Result<TemplateNode, String> {
        let end = end_of_filter(self.rest).ok_or("unterminated filter")?;
        let text = self.take(end);
        self.advance(1);
        if !self.skip("]") {
            return Err("unclosed array expect ]".to_owned());
        }
        let Some((left, operator, right)) = split_filter(text) else {
            return Ok(TemplateNode::Filter(Filter {
                left: parse_action(text)?,
                comparison: None,
            }));
        };
        let left = parse_action(left)?;
        let right = parse_action(right)?;
        Ok(TemplateNode::Filter(Filter {
            left,
            comparison: Some((FilterOperator::of(operator), right)),
        }))
    }

    fn peek(&self) -> Option<char> {
        self.rest.chars().next()
    }

    fn skip(&mut self, prefix: &str) -> bool {
        let rest = self.rest.strip_prefix(prefix);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    fn advance(&mut self, bytes: usize) {
        self.take(bytes);
    }

    fn take(&mut self, bytes: usize) -> &'t str {
        let (taken, rest) = self.rest.split_at(bytes);
        self.rest = rest;
        taken
    }
}

/// Where the parenthesis of a filter closes. As in kubectl, only its first quoted text may contain one.
fn end_of_filter(text: &str) -> Option<usize> {
    let mut quote = None;
    let mut is_closed = false;
    let mut previous = '(';
    for (index, letter) in text.char_indices() {
        match letter {
            '\n' => return None,
            '"' | '\'' => match quote {
                None => quote = Some(letter),
                Some(quote) => is_closed |= previous != '\\' && letter == quote,
            },
            ')' if quote.is_some() == is_closed => return Some(index),
            _ => {}
        }
        previous = letter;
    }
    None
}

/// Left side, operator and right side of a comparison.
fn split_filter(text: &str) -> Option<(&str, &str, &str)> {
    let is_operator = |letter: char| matches!(letter, '!' | '<' | '=' | '>');
    let begin = text.find(is_operator).filter(|begin| 0 < *begin)?;
    let after = text[begin..]
        .find(|letter| !is_operator(letter))
        .map_or(text.len(), |length| begin + length);
    // With nothing after it, the last character of the operator is the right side.
    let end = if after == text.len() {
        after - 1
    } else {
        after
    };
    (begin < end).then(|| (&text[..begin], &text[begin..end], &text[end..]))
}

fn slice(text: &str) -> Result<Slice, String> {
    let text = if text == "*" { ":" } else { text };
    let parts: Vec<&str> = text.split(':').collect();
    let is_number = |part: &&str| {
        let digits = part.strip_prefix('-').unwrap_or(part);
        digits.bytes().all(|byte| byte.is_ascii_digit())
    };
    if 3 < parts.len() || !parts.iter().all(is_number) {
        return Err(format!("invalid array index {text}"));
    }
    let number = |part: &str| {
        part.parse()
            .map_err(|_| format!("array index {part} is not a number"))
    };
    let optional = |index: usize| match parts.get(index) {
        None | Some(&"") => Ok(None),
        Some(part) => number(part).map(Some),
    };
    let begin: Option<i64> = optional(0)?;
    let end = match (parts.len(), optional(1)?) {
        (1, _) => SliceEnd::AfterBegin(begin.unwrap_or(0).saturating_add(1)),
        (_, Some(end)) => SliceEnd::At(end),
        (_, None) => SliceEnd::Last,
    };
    Ok(Slice {
        begin,
        end,
        step: optional(2)?,
    })
}

fn is_terminator(letter: char) -> bool {
    matches!(
        letter,
        ' ' | '\t' | '\r' | '\n' | '.' | ',' | '[' | ']' | '$' | '@' | '{' | '}'
    )
}

fn is_alphanumeric(letter: char) -> bool {
    letter == '_' || letter.is_alphanumeric()
}
