//! The last lines of a credential plugin's standard error, without what looks like a secret.

use hpa_words::sanitize::one_line;
use kube::config::ExecConfig;

use crate::address;

/// The last lines of `text` as one line, without what looks like a secret and without the secrets that the kubeconfig
/// gives to `plugin`.
pub(super) fn cleaned(text: &str, plugin: &ExecConfig) -> String {
    last_lines(text, &secrets(plugin))
}

/// The last lines of a command's standard error as one line, without what looks like a secret.
pub fn without_secrets(text: &str) -> String {
    last_lines(text, &[])
}

fn last_lines(text: &str, secrets: &[&str]) -> String {
    let lines: Vec<String> = text
        .lines()
        .map(|line| one_line(line).trim().to_owned())
        .filter(|line| !line.is_empty())
        .map(|line| {
            let hide = |line: String, secret: &&str| line.replace(secret, HIDDEN);
            line_without_secrets(&secrets.iter().fold(line, hide))
        })
        .collect();
    let last = lines[lines.len().saturating_sub(MOST_LINES)..].join("; ");
    match last.char_indices().nth(MOST_LETTERS) {
        Some((end, _)) => format!("{}…", &last[..end]),
        None => last,
    }
}

/// Values that the kubeconfig gives a plugin under a name such as `CLIENT_SECRET` or `--password`.
fn secrets(plugin: &ExecConfig) -> Vec<&str> {
    let variables = plugin.env.iter().flatten().filter_map(|variable| {
        let (name, value) = (variable.get("name")?, variable.get("value")?);
        is_secret(name).then_some(value.as_str())
    });
    let arguments = plugin.args.as_deref().unwrap_or_default();
    let joined = arguments.iter().filter_map(|argument| {
        let (name, value) = argument.split_once('=')?;
        is_secret(name).then_some(value)
    });
    let separate = arguments.windows(2).filter_map(|pair| {
        (pair[0].starts_with('-') && is_secret(&pair[0])).then_some(pair[1].as_str())
    });
    let mut secrets: Vec<&str> = variables.chain(joined).chain(separate).collect();
    secrets.retain(|secret| !secret.is_empty());
    // One secret may be a part of another.
    secrets.sort_by_key(|secret| std::cmp::Reverse(secret.len()));
    secrets
}

/// The line without tokens, values of names such as `password=`, and users of URLs.
fn line_without_secrets(line: &str) -> String {
    let mut cleaned = Vec::new();
    let mut hides_next = false;
    for word in line.split(' ') {
        if word.is_empty() {
            cleaned.push(String::new());
            continue;
        }
        if hides_next || is_token(word) {
            cleaned.push(HIDDEN.to_owned());
        } else if word.contains("://") && word.contains(['@', '?']) {
            cleaned.push(address::redacted(word));
        } else {
            cleaned.push(without_values(word));
        }
        let name = word.trim_end_matches([':', '=']);
        let is_named = name.len() < word.len() && (word.ends_with('=') || name.contains('"'));
        hides_next = word.eq_ignore_ascii_case("bearer")
            || word.eq_ignore_ascii_case("basic")
            || is_named && is_secret(name);
    }
    cleaned.join(" ")
}

/// A word such as `{"token":"x","a":1}` or `password=x,user=y` with secret values removed.
fn without_values(word: &str) -> String {
    let ends = |letter: char| matches!(letter, ',' | ';' | '&' | '{' | '}');
    let part = |part: &str| {
        let at = part
            .find('=')
            .or_else(|| part.find(':').filter(|_| part.contains('"')));
        match at {
            Some(at) if at + 1 < part.len() && is_secret(&part[..at]) => {
                let end = part.len() - usize::from(part.ends_with(ends));
                format!("{}{HIDDEN}{}", &part[..=at], &part[end..])
            }
            _ => {
                let pieces = part.split_inclusive(['=', ':', '"', '\'', '(', ')', '[', ']']);
                let piece = |piece: &str| {
                    if is_token(piece) {
                        HIDDEN.to_owned()
                    } else {
                        piece.to_owned()
                    }
                };
                pieces.map(piece).collect()
            }
        }
    };
    word.split_inclusive(ends).map(part).collect()
}

fn is_secret(name: &str) -> bool {
    let name: String = name
        .chars()
        .filter(char::is_ascii_alphanumeric)
        .map(|letter| letter.to_ascii_lowercase())
        .collect();
    [
        "token",
        "secret",
        "passw",
        "credential",
        "apikey",
        "accesskey",
        "privatekey",
        "assertion",
        "authorization",
    ]
    .iter()
    .any(|part| name.contains(part))
}

/// Whether a word looks like a bearer token or a key: long, of letters and digits, and not a path, name or UUID.
fn is_token(word: &str) -> bool {
    let word = word.trim_matches(|letter: char| !letter.is_ascii_alphanumeric());
    if word.starts_with("eyJ") || word.contains(".eyJ") {
        return true;
    }
    let is_path = word.contains("://") || word.matches('/').count() > 1;
    let is_of_token = |letter: char| letter.is_ascii_alphanumeric() || "+/=-_.~".contains(letter);
    let longest = word
        .split(['-', '.', '/'])
        .map(str::len)
        .max()
        .unwrap_or_default();
    !is_path
        && word.chars().all(is_of_token)
        && word.contains(|letter: char| letter.is_ascii_digit())
        && word.contains(|letter: char| letter.is_ascii_alphabetic())
        && LEAST_TOKEN <= longest
}

/// The replacement of a secret.
const HIDDEN: &str = "<hidden>";
/// Bytes of standard error that are kept, from its end.
pub(super) const MOST_BYTES: usize = 4 << 10;
/// Lines that are kept, from the end.
const MOST_LINES: usize = 3;
/// Maximum length in letters.
const MOST_LETTERS: usize = 400;
/// A word with digits that has at least this many letters in a row is not a name.
const LEAST_TOKEN: usize = 20;

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;

    #[test]
    fn last_lines_are_shown_without_what_looks_like_a_secret() {
        let variable = |name: &str, value: &str| {
            HashMap::from([
                ("name".to_owned(), name.to_owned()),
                ("value".to_owned(), value.to_owned()),
            ])
        };
        let plugin = ExecConfig {
            env: Some(vec![
                variable("AWS_PROFILE", "prod"),
                variable("AWS_SECRET_ACCESS_KEY", "canary"),
            ]),
            args: Some(
                ["login", "--client-secret=canary2", "--password", "canary3"]
                    .map(str::to_owned)
                    .to_vec(),
            ),
            ..ExecConfig::default()
        };
        for (text, expected) in [
            (
                "one\n\nError loading SSO Token: Token for prod does not exist\n",
                "one; Error loading SSO Token: Token for prod does not exist",
            ),
            ("a\nb\nc\r\n\u{1b}[31md\u{1b}[0m\n", "b; c; d"),
            (
                "tried canary, canary2 and 'canary3'",
                "tried <hidden>, <hidden> and '<hidden>'",
            ),
            ("got eyJhbGciOi.eyJzdWIi.c2ln!", "got <hidden>"),
            (
                "Authorization: Bearer abc",
                "Authorization: Bearer <hidden>",
            ),
            (
                r#"{"kind":"x","status":{"token":"abc","expires":"soon"}}"#,
                r#"{"kind":"x","status":{"token":<hidden>,"expires":"soon"}}"#,
            ),
            (
                r#""refresh_token": "abc", b"#,
                r#""refresh_token": <hidden> b"#,
            ),
            (
                "POST https://eve:pw@idp.example.com/a?code=x failed",
                "POST https://idp.example.com/a failed",
            ),
            ("password=abc,user=eve", "password=<hidden>,user=eve"),
            ("key 0123456789abcdef0123456789abcdef", "key <hidden>"),
            (
                "arn:aws:eks:eu-west-1:123456789012:cluster/production-1 at ~/.aws/sso/cache/0123456789abcdef0123.json",
                "arn:aws:eks:eu-west-1:123456789012:cluster/production-1 at ~/.aws/sso/cache/0123456789abcdef0123.json",
            ),
            (
                "Trace ID: 2f3a8c1e-1b2c-4d5e-8f90-aabbccddeeff",
                "Trace ID: 2f3a8c1e-1b2c-4d5e-8f90-aabbccddeeff",
            ),
        ] {
            assert_eq!(cleaned(text, &plugin), expected, "{text}");
        }
        assert_eq!(cleaned(&"x ".repeat(1000), &plugin).chars().count(), 401);
    }
}
