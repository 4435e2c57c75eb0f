//! The grammar of selector strings. Upstream: `labels.Parser`.

use super::{
    Wording,
    requirement::{Operator, Requirement},
    token::{Token, TokenKind, tokens},
    validation::{invalid_value, label_key_reasons},
};

/// The requirements of a selector string as written, or upstream's error text.
pub(super) fn parse_requirements(text: &str, wording: Wording) -> Result<Vec<Requirement>, String> {
    let mut parser = SelectorParser {
        tokens: tokens(text),
        position: 0,
        wording,
    };
    let mut requirements = Vec::new();
    loop {
        let Token { kind, text } = parser.peek();
        match kind {
            TokenKind::End => return Ok(requirements),
            TokenKind::Not | TokenKind::Word => {}
            _ => {
                return Err(format!(
                    "found '{text}', expected: !, identifier, or 'end of string'"
                ));
            }
        }
        let requirement = parser.requirement();
        requirements
            .push(requirement.map_err(|error| format!("unable to parse requirement: {error}"))?);
        let Token { kind, text } = parser.take();
        match kind {
            TokenKind::End => return Ok(requirements),
            TokenKind::Comma => {}
            _ => {
                return Err(format!("found '{text}', expected: ',' or 'end of string'"));
            }
        }
        let Token { kind, text } = parser.peek();
        if !matches!(kind, TokenKind::Not | TokenKind::Word) {
            return Err(format!("found '{text}', expected: identifier after ','"));
        }
    }
}

struct SelectorParser<'a> {
    /// Never empty: the last token is the end.
    tokens: Vec<Token<'a>>,
    position: usize,
    wording: Wording,
}

impl<'a> SelectorParser<'a> {
    fn requirement(&mut self) -> Result<Requirement, String> {
        let is_negated = self.peek().kind == TokenKind::Not;
        if is_negated {
            self.take();
        }
        let Token { kind, text: key } = self.take();
        if kind != TokenKind::Word {
            return Err(format!("found '{key}', expected: identifier"));
        }
        if let Some(reasons) = label_key_reasons(key, self.wording) {
            return Err(invalid_value("<nil>", key, &reasons));
        }
        if is_negated {
            return Requirement::new(key, Operator::DoesNotExist, Vec::new(), self.wording);
        }
        if matches!(self.peek().kind, TokenKind::Comma | TokenKind::End) {
            return Requirement::new(key, Operator::Exists, Vec::new(), self.wording);
        }
        let operator = self.operator()?;
        let values = match operator {
            Operator::In | Operator::NotIn => self.list()?,
            _ => vec![self.value()?],
        };
        Requirement::new(key, operator, values, self.wording)
    }

    fn operator(&mut self) -> Result<Operator, String> {
        let Token { kind, text } = self.take_operator();
        match kind {
            TokenKind::DoubleEquals => Ok(Operator::DoubleEquals),
            TokenKind::Equals => Ok(Operator::Equals),
            TokenKind::Greater => Ok(Operator::GreaterThan),
            TokenKind::In => Ok(Operator::In),
            TokenKind::Less => Ok(Operator::LessThan),
            TokenKind::NotEquals => Ok(Operator::NotEquals),
            TokenKind::NotIn => Ok(Operator::NotIn),
            _ => Err(format!(
                "found '{text}', expected: in, notin, =, ==, !=, gt, lt"
            )),
        }
    }

    /// The value of an exact match. No value means the empty string.
    fn value(&mut self) -> Result<String, String> {
        if matches!(self.peek().kind, TokenKind::Comma | TokenKind::End) {
            return Ok(String::new());
        }
        let Token { kind, text } = self.take();
        if kind != TokenKind::Word {
            return Err(format!("found '{text}', expected: identifier"));
        }
        Ok(text.to_owned())
    }

    /// The values in parentheses, sorted and without duplicates. A missing value means the empty string.
    fn list(&mut self) -> Result<Vec<String>, String> {
        let Token { kind, text } = self.take();
        if kind != TokenKind::OpenParenthesis {
            return Err(format!("found '{text}' expected: '('"));
        }
        let mut values = Vec::new();
        let mut is_after_comma = false;
        loop {
            let Token { kind, text } = self.peek();
            match kind {
                TokenKind::CloseParenthesis | TokenKind::Comma => values.push(""),
                TokenKind::Word => {
                    values.push(text);
                    self.take();
                }
                _ if is_after_comma => {
                    return Err(format!("found '{text}', expected: ',', or identifier"));
                }
                _ => return Err(format!("found '{text}', expected: ',', ')' or identifier")),
            }
            let Token { kind, text } = self.take();
            match kind {
                TokenKind::CloseParenthesis => break,
                TokenKind::Comma => is_after_comma = true,
                _ => return Err(format!("found '{text}', expected: ',' or ')'")),
            }
        }
        values.sort_unstable();
        values.dedup();
        Ok(values.into_iter().map(str::to_owned).collect())
    }

    /// The next token, with `in` and `notin` read as ordinary words.
    fn peek(&self) -> Token<'a> {
        let token = self.token();
        match token.kind {
            TokenKind::In | TokenKind::NotIn => Token {
                kind: TokenKind::Word,
                ..token
            },
            _ => token,
        }
    }

    fn take(&mut self) -> Token<'a> {
        let token = self.peek();
        self.position += 1;
        token
    }

    /// The next token, with `in` and `notin` read as operators.
    fn take_operator(&mut self) -> Token<'a> {
        let token = self.token();
        self.position += 1;
        token
    }

    /// The current token; the end token once all are taken.
    fn token(&self) -> Token<'a> {
        self.tokens[self.position.min(self.tokens.len() - 1)]
    }
}
