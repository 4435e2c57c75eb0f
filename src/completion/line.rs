//! What the line already contains: which cluster, which namespace, which HPAs.

use std::ffi::OsString;

use clap::{ArgMatches, CommandFactory as _, FromArgMatches as _};
use hpa_cluster::ConnectionArgs;

use crate::cli::Cli;

/// What the line already contains.
#[derive(Debug, Default)]
pub(super) struct CommandLine {
    /// kubectl's connection flags.
    pub(super) connection: ConnectionArgs,
    /// Whether `--all-namespaces` is set.
    pub(super) all_namespaces: bool,
    /// HPAs that are named besides the one at the cursor.
    pub(super) named: Vec<String>,
    /// Whether the command reads files or pages instead of a cluster.
    pub(super) needs_no_cluster: bool,
}

impl CommandLine {
    /// Parses the line without the word at the cursor. Errors are ignored.
    pub(super) fn read(words: &[OsString], index: usize) -> Self {
        let is_flag = |word: &OsString| word.as_encoded_bytes().starts_with(b"-");
        let words = words
            .iter()
            .enumerate()
            .filter(|(at, word)| *at != index || !is_flag(word))
            // A flag before the cursor keeps its value, whatever that becomes.
            .map(|(at, word)| {
                if at == index {
                    OsString::new()
                } else {
                    word.clone()
                }
            });
        let matches = Cli::command()
            .ignore_errors(true)
            .try_get_matches_from(words);
        match matches {
            Ok(matches) => matches
                .subcommand()
                .map(|(_, matches)| Self::from_matches(matches))
                .unwrap_or_default(),
            Err(_) => Self::default(),
        }
    }

    fn from_matches(matches: &ArgMatches) -> Self {
        let connects = matches.try_contains_id("kubeconfig").is_ok();
        let connection = connects.then(|| ConnectionArgs::from_arg_matches(matches));
        let is_given = |id: &str| {
            matches.try_contains_id(id).unwrap_or(false)
                && matches.value_source(id) == Some(clap::parser::ValueSource::CommandLine)
        };
        let named = matches.try_get_many::<String>("names").ok().flatten();
        Self {
            connection: connection.and_then(Result::ok).unwrap_or_default(),
            all_namespaces: is_given("all_namespaces"),
            named: named
                .into_iter()
                .flatten()
                .filter(|name| !name.is_empty())
                .cloned()
                .collect(),
            needs_no_cluster: ["file", "paths", "learn"].into_iter().any(is_given),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn line_is_read_although_it_is_unfinished() {
        let words = "kubectl-hpa explain web --context prod -n  -A --kubeconfig=file --as-uid";
        let words: Vec<OsString> = words.split(' ').map(OsString::from).collect();
        let line = CommandLine::read(&words, 6);
        assert_eq!(line.connection.context.as_deref(), Some("prod"));
        assert_eq!(line.connection.namespace.as_deref(), Some(""));
        assert_eq!(line.connection.kubeconfig.as_deref(), Some("file".as_ref()));
        assert!(line.all_namespaces && !line.needs_no_cluster);
        assert_eq!(line.named, ["web"]);
        assert!(
            CommandLine::read(&["kubectl-hpa".into(), "exp".into()], 1)
                .named
                .is_empty()
        );
    }

    #[test]
    fn what_is_wrong_on_the_line_is_passed_over() {
        let words = [
            "kubectl-hpa",
            "lint",
            "-n",
            "shop",
            "-f",
            "a.yaml",
            "--nonsense",
            "",
        ];
        let words = words.map(OsString::from);
        let line = CommandLine::read(&words, 7);
        assert_eq!(line.connection.namespace.as_deref(), Some("shop"));
        assert!(line.needs_no_cluster);
    }
}
