//! Go's `fmt.Sprintf` with a format and no arguments: this garbles a `%` in messages up to 1.31.

/// Formats `format` without arguments: `%%` → `%`, a verb → `%!v(MISSING)`, a `%` at the end → `%!(NOVERB)`.
pub(crate) fn format_without_arguments(format: &str) -> String {
    let Some(first) = format.find('%') else {
        return format.to_owned();
    };
    let (plain, rest) = format.split_at(first);
    let mut formatted = plain.to_owned();
    let mut characters = rest.chars().peekable();
    while let Some(character) = characters.next() {
        if character != '%' {
            formatted.push(character);
            continue;
        }
        while characters
            .next_if(|character| "+-# 0".contains(*character))
            .is_some()
        {}
        while characters.next_if(char::is_ascii_digit).is_some() {}
        if characters.next_if_eq(&'.').is_some() {
            while characters.next_if(char::is_ascii_digit).is_some() {}
        }
        match characters.next() {
            None => formatted.push_str("%!(NOVERB)"),
            Some('%') => formatted.push('%'),
            Some(verb) => {
                formatted.push_str("%!");
                formatted.push(verb);
                formatted.push_str("(MISSING)");
            }
        }
    }
    formatted
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percent_in_a_message_comes_out_as_go_garbles_it() {
        for (message, garbled) in [
            ("a%2Frate", "a%!F(MISSING)rate"),
            ("100% of", "100%!o(MISSING)f"),
            ("50%", "50%!(NOVERB)"),
            ("50%%", "50%"),
            ("no verb", "no verb"),
            ("exceeded quota: 100%.", "exceeded quota: 100%!(NOVERB)"),
        ] {
            assert_eq!(format_without_arguments(message), garbled);
        }
    }
}
