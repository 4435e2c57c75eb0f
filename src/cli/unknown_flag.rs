//! An unknown flag: which commands have it.

use clap::{
    Arg, Command, CommandFactory as _, Error,
    error::{ContextKind, ContextValue, ErrorKind},
};

use hpa_words::program::typed;

use super::Cli;

/// The error with the commands that have the flag, instead of clap's advice to pass it as a value: no name of an HPA
/// starts with `-`.
pub fn with_commands(mut error: Error) -> Error {
    // A hidden flag of ours, with the name of its value, has its own tip.
    let is_typed = |flag: &str| flag.starts_with('-') && !flag.contains(' ');
    let flag = match error.get(ContextKind::InvalidArg) {
        Some(ContextValue::String(flag)) if is_typed(flag) => flag.clone(),
        _ => return error,
    };
    if error.kind() != ErrorKind::UnknownArgument {
        return error;
    }
    error.remove(ContextKind::Suggested);
    if let Some(tip) = instead(&flag) {
        error.remove(ContextKind::SuggestedArg);
        error.remove(ContextKind::Usage);
        let tip = ContextValue::StyledStrs(vec![tip.into()]);
        error.insert(ContextKind::Suggested, tip);
        return error;
    }
    let cli = Cli::command();
    let names = cli
        .get_subcommands()
        .filter(|command| has(command, &flag))
        .map(Command::get_name);
    let names = names.collect::<Vec<_>>().join(", ");
    if !names.is_empty() {
        // A similar flag of this command, and its usage with that flag.
        error.remove(ContextKind::SuggestedArg);
        error.remove(ContextKind::Usage);
        let tip = format!("commands with '{flag}': {names}");
        error.insert(
            ContextKind::Suggested,
            ContextValue::StyledStrs(vec![tip.into()]),
        );
    }
    error
}

/// What to use instead of a flag of `kubectl get`.
fn instead(flag: &str) -> Option<String> {
    Some(match flag {
        "--chunk-size" => "leave it out: long lists are always read in pieces".to_owned(),
        "--field-selector" => {
            "name the HPAs, such as 'web-*' or shop/web, or select them by labels with -l"
                .to_owned()
        }
        "-k" | "--kustomize" => {
            let explain = typed("explain -f -");
            format!("render the folder first: kubectl kustomize DIR | {explain}")
        }
        _ => return None,
    })
}

/// Whether the command has the flag and shows it in its help.
fn has(command: &Command, flag: &str) -> bool {
    let is_named = |argument: &Arg| match flag.strip_prefix("--") {
        Some(long) => {
            let aliases = argument.get_all_aliases().unwrap_or_default();
            argument.get_long() == Some(long) || aliases.contains(&long)
        }
        None => argument.get_short() == flag.chars().nth(1),
    };
    command
        .get_arguments()
        .any(|argument| is_named(argument) && !argument.is_hide_set())
}
