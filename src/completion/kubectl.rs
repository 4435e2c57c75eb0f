//! kubectl's protocol, which is cobra's: a candidate per line, with its description after a tab, and the directive
//! last.

use std::{
    ffi::OsString,
    io::{self, Write as _},
};

use hpa_words::sanitize::one_line;

use super::suggest::{Paths, suggest};

/// Prints the candidates for the last word.
pub(super) fn answer(words: &[OsString]) {
    let mut words: Vec<OsString> = words.to_vec();
    if words.is_empty() {
        words.push(OsString::new());
    }
    let index = words.len(); // after the name of the program
    words.insert(0, "kubectl-hpa".into());
    let suggested = suggest(words, index, Paths::LeftToTheShell);
    let mut text = String::new();
    let mut is_unfinished = false;
    for candidate in &suggested.candidates {
        let value = candidate.get_value().to_string_lossy();
        is_unfinished |= value.ends_with(['/', '=']);
        text.push_str(&value);
        let help = candidate.get_help().map(ToString::to_string);
        if let Some(line) = help.as_deref().and_then(|help| help.lines().next()) {
            text.push('\t');
            text.push_str(&one_line(line));
        }
        text.push('\n');
    }
    let mut directive = 0;
    if !suggested.wants_path {
        directive |= NO_FILES;
    }
    if is_unfinished {
        directive |= NO_SPACE;
    }
    text.push_str(&format!(":{directive}\n"));
    // The reader may be gone.
    let _ = io::stdout().write_all(text.as_bytes());
}

/// Upstream: `cobra.ShellCompDirectiveNoSpace`.
const NO_SPACE: u8 = 2;

/// Upstream: `cobra.ShellCompDirectiveNoFileComp`.
const NO_FILES: u8 = 4;
