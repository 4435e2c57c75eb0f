//! Quoted text with the escapes of Go's string literals.

/// Removes the quotes and resolves the escapes. None if it is not a valid literal.
pub(super) fn unquote(text: &str) -> Option<String> {
    let quote = text.chars().next()?;
    let inner = text.strip_prefix(quote)?.strip_suffix(quote)?;
    let mut bytes = Vec::with_capacity(inner.len());
    let mut letters = inner.chars();
    while let Some(letter) = letters.next() {
        if letter == quote {
            return None;
        }
        if letter == '\\' {
            let escaped = letters.next()?;
            resolve(escaped, quote, &mut letters, &mut bytes)?;
        } else {
            push(letter, &mut bytes);
        }
    }
    // Escaped bytes may be invalid UTF-8; the output must be valid.
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

fn resolve(
    escaped: char,
    quote: char,
    letters: &mut std::str::Chars<'_>,
    bytes: &mut Vec<u8>,
) -> Option<()> {
    let plain = match escaped {
        'a' => '\u{7}',
        'b' => '\u{8}',
        'f' => '\u{c}',
        'n' => '\n',
        'r' => '\r',
        't' => '\t',
        'v' => '\u{b}',
        '\\' => '\\',
        same if same == quote => quote,
        'x' => {
            bytes.push(u8::try_from(number(letters, 2, 16)?).ok()?);
            return Some(());
        }
        '0'..='7' => {
            let rest = number(letters, 2, 8)?;
            let value = escaped.to_digit(8)?.checked_mul(64)?.checked_add(rest)?;
            bytes.push(u8::try_from(value).ok()?);
            return Some(());
        }
        'u' => char::from_u32(number(letters, 4, 16)?)?,
        'U' => char::from_u32(number(letters, 8, 16)?)?,
        _ => return None,
    };
    push(plain, bytes);
    Some(())
}

fn number(letters: &mut std::str::Chars<'_>, digits: usize, radix: u32) -> Option<u32> {
    let mut value: u32 = 0;
    for _ in 0..digits {
        let digit = letters.next()?.to_digit(radix)?;
        value = value.checked_mul(radix)?.checked_add(digit)?;
    }
    Some(value)
}

fn push(letter: char, bytes: &mut Vec<u8>) {
    bytes.extend_from_slice(letter.encode_utf8(&mut [0; 4]).as_bytes());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_are_those_of_go() {
        let text = |quoted| unquote(quoted);
        assert_eq!(text(r#""a\tb\x41\101\u00e9""#).as_deref(), Some("a\tbAAé"));
        assert_eq!(text(r"'it\'s'").as_deref(), Some("it's"));
        assert_eq!(text(r#""\'""#), None);
        assert_eq!(text(r#""\q""#), None);
        assert_eq!(text(r#""\400""#), None);
        assert_eq!(text(r#"""#), None);
    }
}
