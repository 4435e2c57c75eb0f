//! Rearranges arguments as users type them: flags before the command, an HPA without a command, the verbs of kubectl.

use std::ffi::OsString;

use clap::{Arg, Command, Error, error::ErrorKind};
use hpa_words::program::typed;

use super::Cli;

/// The arguments, the program first, with the command where clap expects it.
///
/// Flags of connection and selection may come before the command, as with kubectl. A word that does not resemble a
/// command is the name of an HPA, which is explained. It is an error if the word is a verb of kubectl.
pub fn arranged(arguments: Vec<OsString>) -> Result<Vec<OsString>, Error> {
    let cli = Cli::as_installed();
    let Some(at) = first_word(&cli, &arguments) else {
        return Ok(arguments);
    };
    if at == arguments.len() {
        return Ok(flags_only(&cli, arguments));
    }
    let word = arguments[at].to_string_lossy();
    let command = match cli.find_subcommand(word.as_ref()) {
        Some(_) => Some(arguments[at].clone()),
        None if word == "help" || is_like_a_command(&cli, &word) => return Ok(arguments),
        None if VERBS.contains(&word.as_ref()) => return Err(verb(&arguments[at..])),
        None => None,
    };
    let (flags, rest) = (&arguments[1..at], &arguments[at..]);
    let rest = if command.is_some() { &rest[1..] } else { rest };
    let mut arranged = vec![
        arguments[0].clone(),
        command.unwrap_or_else(|| EXPLAIN.into()),
    ];
    arranged.extend_from_slice(flags);
    arranged.extend_from_slice(rest);
    Ok(arranged)
}

/// Arguments without a word: with a flag of a command they list the HPAs, such as those of a namespace.
fn flags_only(cli: &Command, mut arguments: Vec<OsString>) -> Vec<OsString> {
    let is_of_program = |argument: &OsString| {
        let argument = argument.to_string_lossy();
        let flag = argument.split('=').next().unwrap_or_default();
        let mut own = cli.get_arguments().filter_map(Arg::get_long);
        own.any(|long| flag.strip_prefix("--") == Some(long))
    };
    let flags = arguments.iter().skip(1);
    let mut flags = flags.filter(|argument| argument.to_string_lossy().starts_with('-'));
    if flags.any(|flag| !is_of_program(flag)) {
        arguments.insert(1, LIST.into());
    }
    arguments
}

/// The index of the first word that is neither a flag nor its value, or the end; `None` if a flag comes first that
/// clap handles itself, possibly with an error.
fn first_word(cli: &Command, arguments: &[OsString]) -> Option<usize> {
    let mut at = 1;
    loop {
        if at == arguments.len() {
            return Some(at);
        }
        let argument = arguments.get(at)?.to_string_lossy();
        if !argument.starts_with('-') || argument == "-" {
            return Some(at);
        }
        at += if takes_next(cli, &argument)? { 2 } else { 1 };
    }
}

/// Whether the value of a flag is the next argument; `None` if no command has the flag.
fn takes_next(cli: &Command, flag: &str) -> Option<bool> {
    let all = || {
        let commands = cli.get_subcommands().flat_map(Command::get_arguments);
        cli.get_arguments().chain(commands)
    };
    let (argument, has_value): (&Arg, bool) = if let Some(long) = flag.strip_prefix("--") {
        let (name, value) = long
            .split_once('=')
            .map_or((long, None), |(name, value)| (name, Some(value)));
        let is_named = |argument: &&Arg| argument.get_long() == Some(name);
        (all().find(is_named)?, value.is_some())
    } else {
        let mut letters = flag.chars().skip(1);
        let letter = letters.next();
        let is_named = |argument: &&Arg| argument.get_short() == letter;
        (all().find(is_named)?, letters.next().is_some())
    };
    Some(argument.get_action().takes_values() && !has_value)
}

/// Whether a word may be a misspelt command, for which clap suggests the command.
fn is_like_a_command(cli: &Command, word: &str) -> bool {
    cli.get_subcommands()
        .any(|command| LIKE <= strsim::jaro(command.get_name(), word))
}

fn verb(words: &[OsString]) -> Error {
    let mut name = None;
    let mut namespace = String::new();
    let mut rest = words.iter().skip(1).map(|word| word.to_string_lossy());
    while let Some(word) = rest.next() {
        if word == "-n" || word == "--namespace" {
            namespace = rest
                .next()
                .map_or_else(String::new, |value| format!(" -n {value}"));
        } else if !word.starts_with('-') && !["hpa", "hpas"].contains(&word.as_ref()) {
            name = name.or(Some(word));
        }
    }
    let name = name.unwrap_or_else(|| "NAME".into());
    Cli::as_installed().error(
        ErrorKind::InvalidSubcommand,
        format!(
            "unknown command {:?}\n\n  {:<34}  why it scales, or why it does not\n  {:<34}  all HPAs of the namespace, \
             one line each\n  {:<34}  what they do, live",
            words[0].to_string_lossy(),
            typed(&format!("explain {name}{namespace}")),
            typed(&format!("list{namespace}")),
            typed(&format!("watch{namespace}")),
        ),
    )
}

const EXPLAIN: &str = "explain";

const LIST: &str = "list";

/// Words that users type because kubectl or other tools have them.
const VERBS: [&str; 9] = [
    "debug", "describe", "events", "get", "logs", "show", "status", "top", "why",
];

/// From this similarity on, clap suggests a command for an unknown word.
const LIKE: f64 = 0.8;

#[cfg(test)]
mod tests {
    use super::*;

    fn arrange(line: &str) -> String {
        let arguments = line.split(' ').map(OsString::from).collect();
        match arranged(arguments) {
            Ok(arranged) => arranged
                .join(std::ffi::OsStr::new(" "))
                .into_string()
                .unwrap(),
            Err(error) => error.render().to_string(),
        }
    }

    #[test]
    fn flags_may_come_before_the_command() {
        for (typed, arranged) in [
            ("hpa -n shop explain web", "hpa explain -n shop web"),
            (
                "hpa -nshop --context=a list -A",
                "hpa list -nshop --context=a -A",
            ),
            (
                "hpa --context a --color never watch",
                "hpa watch --context a --color never",
            ),
            ("hpa -A list", "hpa list -A"),
            ("hpa explain web -n shop", "hpa explain web -n shop"),
        ] {
            assert_eq!(arrange(typed), arranged);
        }
    }

    #[test]
    fn word_that_is_no_command_is_the_name_of_an_hpa() {
        for (typed, arranged) in [
            ("hpa web", "hpa explain web"),
            (
                "hpa -n shop deploy/web -v",
                "hpa explain -n shop deploy/web -v",
            ),
            // These are answered by clap.
            ("hpa explian web", "hpa explian web"),
            ("hpa --help", "hpa --help"),
            ("hpa -n", "hpa -n"),
            ("hpa --bogus web", "hpa --bogus web"),
            ("hpa help lint", "hpa help lint"),
            ("hpa", "hpa"),
        ] {
            assert_eq!(arrange(typed), arranged);
        }
    }

    #[test]
    fn flags_alone_list_the_hpas_that_they_mean() {
        for (typed, arranged) in [
            ("hpa -n shop", "hpa list -n shop"),
            ("hpa --namespace=shop", "hpa list --namespace=shop"),
            (
                "hpa --color never -A --context a",
                "hpa list --color never -A --context a",
            ),
            // These are answered by clap.
            ("hpa --color never", "hpa --color never"),
            ("hpa -n shop --bogus", "hpa -n shop --bogus"),
            ("hpa -n shop -h", "hpa -n shop -h"),
        ] {
            assert_eq!(arrange(typed), arranged);
        }
    }

    #[test]
    fn verbs_of_kubectl_lead_to_the_command() {
        let error = arrange("hpa describe hpa web -n shop");
        assert!(
            error.starts_with("error: unknown command \"describe\""),
            "{error}"
        );
        assert!(error.contains("kubectl hpa explain web "), "{error}");
        assert!(arrange("hpa why").contains("kubectl hpa explain NAME "));
    }
}
