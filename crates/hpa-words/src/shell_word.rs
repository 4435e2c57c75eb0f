//! Names in commands to copy.

use std::borrow::Cow;

/// The text as one word of a shell: quoted unless a shell reads it as it is. Names come from clusters and files.
pub fn shell_word(text: &str) -> Cow<'_, str> {
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "-_./=:,".contains(letter);
    // shell-words quotes `=`, which no shell requires in an argument.
    if !text.is_empty() && text.chars().all(is_plain) {
        Cow::Borrowed(text)
    } else {
        shell_words::quote(text)
    }
}

/// A path as one word of a shell. A relative one that a program might take for a flag or an address begins with `./`.
pub fn shell_path(path: &str) -> Cow<'_, str> {
    let is_address = path.split_once('/').is_some_and(|(first, _)| {
        !matches!(first, "" | "." | "..") && first.contains(['.', ':', '@'])
    });
    let is_flag = path.starts_with('-') && path != "-";
    if is_flag || is_address {
        Cow::Owned(shell_word(&format!("./{path}")).into_owned())
    } else {
        shell_word(path)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_stays_one_word_and_a_path_stays_a_path() {
        for (text, word) in [
            ("web", "web"),
            ("a=b,c:d", "a=b,c:d"),
            ("x;touch made", "'x;touch made'"),
            ("$(touch made)", "'$(touch made)'"),
            ("it's", "'it'\\''s'"),
            ("", "''"),
        ] {
            assert_eq!(shell_word(text), word);
        }
        for (path, word) in [
            ("charts/web", "charts/web"),
            ("./x;y", "'./x;y'"),
            ("-x", "./-x"),
            ("-", "-"),
            ("/etc/-x", "/etc/-x"),
            ("../web", "../web"),
            ("github.com/who/what", "./github.com/who/what"),
            ("git@host:who/what", "./git@host:who/what"),
            ("night.jsonl", "night.jsonl"),
        ] {
            assert_eq!(shell_path(path), word);
        }
    }
}
