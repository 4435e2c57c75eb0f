//! Wraps sentences at blanks only, so that text to copy or search for is never broken.

use crate::sanitize::one_line;

/// Wraps a text at blanks. A word longer than a line, such as a name, a flag or a URL, is not broken.
pub fn wrap(text: &str, width: usize) -> Vec<String> {
    wrap_indented(text, width, "", "")
}

/// The same with `first` before the first line and `rest` before the others. A line break in the text is a blank: a name
/// that has one begins no line of its own.
pub fn wrap_indented(text: &str, width: usize, first: &str, rest: &str) -> Vec<String> {
    if text.is_empty() {
        return Vec::new();
    }
    let options = textwrap::Options::new(width.max(1))
        .initial_indent(first)
        .subsequent_indent(rest)
        .word_separator(textwrap::WordSeparator::AsciiSpace)
        .word_splitter(textwrap::WordSplitter::NoHyphenation)
        .wrap_algorithm(textwrap::WrapAlgorithm::FirstFit)
        .break_words(false);
    let text = tied(text);
    let lines = textwrap::wrap(&text, options).into_iter();
    lines.map(|line| line.replace(NO_BREAK, " ")).collect()
}

/// The text in one line, with blanks at which no line is broken where it is not broken.
pub fn tied(text: &str) -> String {
    with_pieces_kept(&with_mappings_kept(&one_line(text)))
}

/// Ties numbers to their units, so that no line begins with `%`, fields to their values, and commands to their
/// arguments.
fn with_pieces_kept(text: &str) -> String {
    let words: Vec<&str> = text.split(' ').collect();
    let mut kept = String::with_capacity(text.len());
    let mut end_of_command = 0;
    for (index, word) in words.iter().enumerate() {
        if 0 < index {
            let unit = without_marks(word);
            let is_unit =
                kept.ends_with(|last: char| last.is_ascii_digit()) && UNITS.contains(&unit);
            let is_tied = is_unit || index <= end_of_command || is_value_of(words[index - 1], word);
            kept.push_str(if is_tied { NO_BREAK } else { " " });
        }
        if word.trim_start_matches(OPENING) == "kubectl" {
            end_of_command = index + last_of_command(&words[index..]);
        }
        kept.push_str(word);
    }
    kept
}

/// The index of the last word of the command that begins with the first one: its subcommand, and its flags with their
/// values. If the sentence continues without flags, it is the subcommand.
fn last_of_command(words: &[&str]) -> usize {
    let ends = |index: usize| {
        words
            .get(index)
            .is_none_or(|word| *word != without_marks(word))
    };
    let has_object =
        words.get(1) == Some(&"get") && words.get(2).is_some_and(|object| !object.starts_with('-'));
    let subcommand = if words.get(1) == Some(&"hpa") || has_object {
        2
    } else {
        1
    };
    let mut last = subcommand.min(words.len().saturating_sub(1));
    if (1..=last).any(ends) {
        return (1..=last).find(|index| ends(*index)).unwrap_or(last);
    }
    let mut index = last + 1;
    while index < words.len() && index <= last + MOST_NAMES + 1 {
        if words[index].starts_with('-') {
            last = index;
            let has_value = words[index].contains('=') || ends(index);
            if !has_value
                && words
                    .get(index + 1)
                    .is_some_and(|next| !next.starts_with("--"))
            {
                last = index + 1;
            }
            index = last;
        }
        if ends(index) {
            break;
        }
        index += 1;
    }
    last
}

/// Whether a word is the value of the one before it: `maxReplicas: 8`, `maxReplicas 8`, `--with FILE`.
fn is_value_of(before: &str, word: &str) -> bool {
    let field = before.trim_start_matches(OPENING);
    let name = field.trim_end_matches(':');
    let is_field = name.starts_with(|first: char| first.is_ascii_lowercase())
        && name.contains(|letter: char| letter.is_ascii_uppercase())
        && name
            .chars()
            .all(|letter| letter.is_ascii_alphanumeric() || letter == '.');
    let is_number = word.starts_with(|first: char| first.is_ascii_digit());
    let is_placeholder = 2 <= without_marks(word).len()
        && without_marks(word)
            .chars()
            .all(|letter| letter.is_ascii_uppercase());
    is_field && (is_number || field.ends_with(':')) || field.starts_with("--") && is_placeholder
}

fn without_marks(word: &str) -> &str {
    word.trim_end_matches([',', '.', ':', ';', ')', ']', '}', '`'])
}

/// Characters that may precede a command.
const OPENING: [char; 4] = ['(', '`', '"', '\''];

/// At most this many names may come between a subcommand and its first flag.
const MOST_NAMES: usize = 2;

const UNITS: [&str; 11] = [
    "bytes", "d", "h", "min", "ms", "s", "KiB", "MiB", "GiB", "TiB", "PiB",
];

/// A blank at which a line is not broken.
pub const NO_BREAK: &str = "\u{a0}";

/// Ties the words of a short YAML mapping on one line, such as `{type: Pods, value: 4, periodSeconds: 60}`.
fn with_mappings_kept(text: &str) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, mapping)) = rest.split_once('{') {
        kept.push_str(before);
        let end = mapping.find('}').filter(|end| *end <= LONGEST_MAPPING);
        let (inside, after) = mapping.split_at(end.unwrap_or_default());
        kept.push('{');
        kept.push_str(&inside.replace(' ', NO_BREAK));
        rest = after;
    }
    kept.push_str(rest);
    kept
}

/// A mapping of more bytes is broken like other text.
const LONGEST_MAPPING: usize = 60;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_break_in_a_name_begins_no_line() {
        let text = "the target a\nFORGED: all is well\u{2028}FORGED is gone";
        assert_eq!(
            wrap(text, 200),
            ["the target a FORGED: all is well FORGED is gone"]
        );
    }

    #[test]
    fn number_and_unit_stay_in_one_line_at_every_width() {
        let text = "not ready for 14 min (started 67 s ago), at 85% of 1.2 GiB; 5 ms later, 3 d.";
        for width in 8..80 {
            let lines = wrap(text, width);
            assert_eq!(lines.join(" "), text);
            for line in &lines[1..] {
                let word = line.split(' ').next().unwrap_or_default();
                let unit = word.trim_end_matches([',', '.', ';', ')']);
                let is_unit = ["min", "s", "GiB", "ms", "d"].contains(&unit);
                assert!(!is_unit, "{width}: {lines:?}");
            }
        }
    }

    #[test]
    fn a_short_mapping_stays_in_one_line_at_every_width() {
        let mapping = "{type: Percent, value: 10, periodSeconds: 60}";
        let text = format!("add {mapping}, but not {{what never ends");
        for width in 1..80 {
            let lines = wrap(&text, width);
            assert_eq!(lines.join(" "), text);
            assert!(lines.iter().any(|line| line.contains(mapping)), "{lines:?}");
        }
    }

    #[test]
    fn words_and_commands_are_never_broken() {
        let pieces = [
            "kubectl get --raw '/apis/custom.metrics.k8s.io/v1beta2/namespaces/shop/pods/*/hits'",
            "kubectl hpa explain web -n shop --assume-tolerance=0.2",
            "kubectl hpa lint -f -",
            "(kubectl apply edit-last-applied)",
            "--horizontal-pod-autoscaler-cpu-initialization-period",
            "kube-controller-manager",
            "kubectl get apiservices",
            "set podManagementPolicy: Parallel",
            "maxReplicas 8",
            "--with FILE",
        ];
        let text = format!("Try: {}.", pieces.join(", or it is "));
        for width in 1..100 {
            let lines = wrap(&text, width);
            assert_eq!(lines.join(" "), text);
            for piece in &pieces {
                let whole = piece
                    .trim_end_matches(" edit-last-applied)")
                    .trim_start_matches("set ");
                assert!(
                    lines.iter().any(|line| line.contains(whole)),
                    "{width}: {whole} in {lines:?}"
                );
            }
        }
    }

    #[test]
    fn sentence_about_a_command_is_wrapped_as_any_other() {
        let text = "see what the message says; kubectl hpa explain shows each metric with its pods and samples";
        assert!(wrap(text, 30).iter().all(|line| line.len() <= 30));
    }
}
