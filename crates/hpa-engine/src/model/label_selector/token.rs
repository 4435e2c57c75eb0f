//! The tokens of a selector string. Upstream: `labels.Lexer`.

/// The kind of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TokenKind {
    CloseParenthesis,
    Comma,
    DoubleEquals,
    End,
    Equals,
    Greater,
    In,
    Less,
    Not,
    NotEquals,
    NotIn,
    OpenParenthesis,
    Word,
}

/// A token and its text. The end token has an empty text.
#[derive(Clone, Copy, Debug)]
pub(super) struct Token<'a> {
    pub(super) kind: TokenKind,
    pub(super) text: &'a str,
}

/// All tokens. The last one is the end, and no other is.
pub(super) fn tokens(text: &str) -> Vec<Token<'_>> {
    let mut tokens = Vec::new();
    let mut rest = text;
    loop {
        let (token, after) = next(rest);
        tokens.push(token);
        if token.kind == TokenKind::End {
            return tokens;
        }
        rest = after;
    }
}

fn next(text: &str) -> (Token<'_>, &str) {
    let text = text.trim_start_matches(is_blank);
    let special = match text.as_bytes() {
        // Upstream treats a zero byte as the end.
        [] | [0, ..] => Some((TokenKind::End, 0)),
        [b'!', b'=', ..] => Some((TokenKind::NotEquals, 2)),
        [b'=', b'=', ..] => Some((TokenKind::DoubleEquals, 2)),
        [b'!', ..] => Some((TokenKind::Not, 1)),
        [b'=', ..] => Some((TokenKind::Equals, 1)),
        [b'(', ..] => Some((TokenKind::OpenParenthesis, 1)),
        [b')', ..] => Some((TokenKind::CloseParenthesis, 1)),
        [b',', ..] => Some((TokenKind::Comma, 1)),
        [b'>', ..] => Some((TokenKind::Greater, 1)),
        [b'<', ..] => Some((TokenKind::Less, 1)),
        _ => None,
    };
    let (kind, length) = special.unwrap_or_else(|| {
        let length = text.find(is_after_word).unwrap_or(text.len());
        let kind = match &text[..length] {
            "in" => TokenKind::In,
            "notin" => TokenKind::NotIn,
            _ => TokenKind::Word,
        };
        (kind, length)
    });
    let (text, after) = text.split_at(length);
    // Upstream skips one zero byte after a token.
    (
        Token { kind, text },
        after.strip_prefix('\0').unwrap_or(after),
    )
}

fn is_blank(character: char) -> bool {
    matches!(character, ' ' | '\t' | '\r' | '\n')
}

fn is_after_word(character: char) -> bool {
    is_blank(character) || matches!(character, '\0' | '=' | '!' | '(' | ')' | ',' | '>' | '<')
}
